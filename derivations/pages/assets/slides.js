// → or a space shows the next line or slide, ← goes back, N shows the notes. Without this script all slides follow.
(() => {
  const slides = [...document.querySelectorAll(".slide")];
  const place = document.body.appendChild(document.createElement("div"));
  place.className = "place";
  const lines = (slide) => [...slide.querySelectorAll(":scope > ul > li")];
  let now = Math.min(slides.length, Math.max(1, +location.hash.slice(1) || 1)) - 1, step = 0;

  function show() {
    slides.forEach((slide, k) => slide.classList.toggle("now", k === now));
    lines(slides[now]).forEach((line, k) => line.classList.toggle("later", k >= step));
    place.textContent = `${now + 1} of ${slides.length} · → next · N notes`;
    history.replaceState(null, "", `#${now + 1}`);
    dispatchEvent(new Event("resize")); // a control that was hidden draws itself
  }
  function move(by) {
    const next = step + by;
    if (next >= 0 && next <= lines(slides[now]).length) step = next;
    else if (slides[now + by]) {
      now += by;
      step = by > 0 ? 0 : lines(slides[now]).length;
      scrollTo(0, 0);
    }
    show();
  }
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, button, select, summary")) return;
    if (["ArrowRight", "PageDown", " "].includes(event.key)) move(1);
    else if (["ArrowLeft", "PageUp"].includes(event.key)) move(-1);
    else if (event.key.toLowerCase() === "n") document.body.classList.toggle("notes");
    else return;
    event.preventDefault();
  });
  document.body.classList.add("stepped");
  show();
})();
