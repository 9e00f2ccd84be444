"use strict";
// Unpacks the derivations when the first of them is opened; each is put on the page when its card is opened.
(() => {
  const cards = [...document.querySelectorAll(".claim > .evidence")];
  let unpacked;
  const unpack = () => {
    const bytes = Uint8Array.from(atob(document.getElementById("proofs").textContent), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  };
  cards.forEach((card, place) => {
    card.addEventListener("toggle", async () => {
      unpacked ??= unpack();
      const proofs = await unpacked;
      const stand_in = card.querySelector(".packed");
      if (stand_in) stand_in.outerHTML = proofs[place];
      dispatchEvent(new Event("resize")); // what is wider than the page becomes reachable by the keyboard
    }, { once: true });
  });
})();
