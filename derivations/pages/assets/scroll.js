"use strict";
// What is wider than the page scrolls within itself, and so must be reached by the keyboard; nothing else need be.
(() => {
  const mark = () => document.querySelectorAll(".scroll, .claim dd, .loss dd").forEach((node) => {
    if (node.scrollWidth > node.clientWidth + 1) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  });
  addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);
  document.fonts.ready.then(mark);
})();

// Paper does not scroll, and for one formula that is too wide a browser prints the whole page smaller: instead that
// formula gives way.
(() => {
  const letters = 9.5 / 0.75; // px of the letters in print, as page.css has it
  const room = 145 / 25.4 * 96; // px between the margins of A4, less what cards indent
  addEventListener("beforeprint", () => {
    const smaller = letters / parseFloat(getComputedStyle(document.body).fontSize);
    for (const math of document.querySelectorAll(".claim dd math, .equation math")) {
      math.style.setProperty("--fits", Math.min(1, room / (smaller * math.getBoundingClientRect().width || 1)));
    }
  });
})();
