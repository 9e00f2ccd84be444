// Sphinx's scores of what a search finds, but a page of the site comes before a function, first the one of that name.
// Sphinx shows where a page has the words. Of a file a browser cannot read other files: there it shows what a page is about.
const FILE = location.protocol === "file:";
if (FILE) DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 5, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  score(result) {
    const [page, , anchor, words, score] = result;
    if (FILE && !anchor) result[3] = words ?? ABOUT[page];
    const asked = new URLSearchParams(location.search).get("q")?.trim().toLowerCase();
    return score + (page === asked ? 30 : page.includes("/") ? 0 : 10);
  },
};
