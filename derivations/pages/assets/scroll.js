"use strict";
// An element wider than the page scrolls, so it must be reachable by the keyboard; others need not be.
(() => {
  const mark = () => document.querySelectorAll(".scroll, .claim dd, .loss dd").forEach((node) => {
    if (node.scrollWidth > node.clientWidth + 1) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  });
  addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);
  document.fonts.ready.then(mark);
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
