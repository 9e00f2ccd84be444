"use strict";
// Unpacks the derivations when the first of them is opened, each is put on the page when its card is opened; what else
// is folded at once; and the drawings for a narrow screen when the screen is narrow.
(() => {
  const unpack = (id) => {
    const packed = document.getElementById(id).textContent;
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  };

  const cards = [...document.querySelectorAll(".claim > .evidence")];
  let unpacked;
  cards.forEach((card, place) => {
    card.addEventListener("toggle", async () => {
      unpacked ??= unpack("proofs");
      const proofs = await unpacked;
      const stand_in = card.querySelector(".packed");
      if (stand_in) stand_in.outerHTML = proofs[place];
      dispatchEvent(new Event("resize")); // what is wider than the page becomes reachable by the keyboard
    }, { once: true });
  });

  const words = [...document.querySelectorAll(".folded")]; // of the documents, and formulas beside code
  if (words.length) {
    unpack("folded").then((folded) => {
      words.forEach((stand_in, place) => { stand_in.outerHTML = folded[place]; });
      dispatchEvent(new Event("resize"));
    });
  }

  const narrow = matchMedia("screen and (max-width: 52rem)");
  const draw = async () => {
    if (!narrow.matches || !document.getElementById("drawings")) return;
    narrow.removeEventListener("change", draw);
    const drawings = await unpack("drawings");
    document.querySelectorAll(".drawing.column").forEach((box, place) => { box.innerHTML = drawings[place]; });
  };
  narrow.addEventListener("change", draw);
  draw();
})();
