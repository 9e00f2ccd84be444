// The words around a lesson, and what other scripts write, in the page's language: TRANSLATIONS has # for each number.
(() => {
  const NUMBER = /[-−]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?/g;
  const say = (text) => {
    const [words, numbers] = [text.trim(), text.match(NUMBER) ?? []];
    const known = TRANSLATIONS[words.replace(NUMBER, "#")];
    return known ? text.replace(words, () => known.replace(/#/g, () => numbers.shift())) : text;
  };
  const translate = (node) => {
    for (const name of ["data", "ariaLabel", "title"]) {
      // a tooltip may have a line for each symbol: "τ: temperature"
      const said = node[name] && say(node[name]).replace(/(?<=^\S+: ).+$/gm, say);
      if (said && said !== node[name]) node[name] = said;
    }
    // formulas, code, English words and the sentences of claims stay as they are
    if (!node.matches?.("math, pre, script, [lang=en]:not(html), .claim dd, .instance")) node.childNodes.forEach(translate);
  };
  new MutationObserver((changes) => changes.forEach(({ target }) => translate(target)))
    .observe(document.body, { childList: true, subtree: true, characterData: true, attributeFilter: ["aria-label"] });
  translate(document.body);
})();
