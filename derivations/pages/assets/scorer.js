// Sphinx's scores of what a search finds, but a page of the site comes before a function, first the one of that name.
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 5, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  score([page, , , , score]) {
    const asked = new URLSearchParams(location.search).get("q")?.trim().toLowerCase();
    return score + (page === asked ? 30 : page.includes("/") ? 0 : 10);
  },
};
