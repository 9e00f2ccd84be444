// Sphinx's scores of what a search finds, but a lesson comes before a function of that name.
var Scorer = {
  objNameMatch: 0, objPartialMatch: 0, objPrio: {}, objPrioDefault: 0, title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
