"use strict";
// An element wider than the page is shrunk on a phone, to seven tenths at most; if it still scrolls, it must be reachable
// by the keyboard.
(() => {
  const mark = () => {
    const nodes = [...document.querySelectorAll(".scroll, .claim dd, .loss dd")];
    const shrink = (share, n) => nodes[n].style.setProperty("--shrunk", share < 1 ? Math.max(0.7, 0.95 * share) : 1);
    nodes.forEach((_, n) => shrink(1, n));
    nodes.map((node) => node.clientWidth / node.scrollWidth).forEach(shrink);
    nodes.map((node) => node.scrollWidth > node.clientWidth + 1).forEach((scrolls, n) => {
      if (scrolls) nodes[n].tabIndex = 0;
      else nodes[n].removeAttribute("tabindex");
    });
  };
  addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);
  document.fonts.ready.then(mark);
})();

// "Line by line" is for reference: it is folded until a reader, a link into it or a search in the page opens it.
(() => {
  const part = document.getElementById("line-by-line");
  if (!part) return;
  const details = Object.assign(document.createElement("details"), { className: "lines" });
  details.append(document.createElement("summary"), ...[...part.children].slice(1));
  details.firstChild.textContent = `Show ${details.querySelectorAll(".claim").length} claims with their proofs`;
  part.append(details);
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!details.contains(target)) return;
    details.open = true;
    target.scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
})();

// A formula under the pointer says what its symbols are, by the page's list of symbols.
(() => {
  const list = document.querySelectorAll("#symbols tbody tr");
  const meaning = new Map([...list].map(({ cells: [letter, words] }) => [letter.textContent, words.textContent]));
  // A letter with its superscript may be a symbol of its own; then the letter alone is not meant.
  const symbolOf = (letter) => {
    const raised = letter.parentNode.matches("msup, msubsup") && letter.parentNode.firstChild === letter;
    const whole = raised ? letter.textContent + letter.parentNode.lastChild.textContent : "";
    return meaning.has(whole) ? whole : letter.textContent;
  };
  for (const math of meaning.size ? document.querySelectorAll("article math") : []) {
    const symbols = new Set([...math.querySelectorAll("mi")].map(symbolOf).filter((symbol) => meaning.has(symbol)));
    if (!symbols.size) continue;
    const title = [...symbols].map((symbol) => `${symbol}: ${meaning.get(symbol)}`).join("\n");
    const around = Object.assign(document.createElement("span"), { title, className: "means" });
    math.replaceWith(around);
    around.append(math);
  }
})();

// Paper does not scroll, and one formula that is too wide makes a browser print the whole page smaller: so that
// formula is shrunk.
(() => {
  const letters = 9.5 / 0.75; // px of the letters in print, as page.css has it
  const room = 145 / 25.4 * 96; // px between the margins of A4, less the cards' indent
  let folded = []; // statements: paper shows them, and what is folded has no width
  addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll(".statement:not([open])")];
    folded.forEach((details) => { details.open = true; });
    const smaller = letters / parseFloat(getComputedStyle(document.body).fontSize);
    for (const math of document.querySelectorAll(".claim dd math, .equation math")) {
      math.style.setProperty("--fits", Math.min(1, room / (smaller * math.getBoundingClientRect().width || 1)));
    }
  });
})();
