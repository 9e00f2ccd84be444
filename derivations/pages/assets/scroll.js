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
