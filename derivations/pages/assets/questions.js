// A question: the first choice unfolds the answer, and this browser remembers it. Without storage, as in some browsers
// for files, it is forgotten with the page.
(() => {
  const KEY = "infonce_ref answers";
  let given = {};
  try { given = JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { /* no storage, or not ours */ }
  const keep = () => { try { localStorage.setItem(KEY, JSON.stringify(given)); } catch { /* no storage */ } };
  for (const question of document.querySelectorAll(".question")) {
    const name = question.dataset.question;
    const options = [...question.querySelectorAll("input")];
    const answer = question.querySelector("details");
    const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Ask again" });
    again.addEventListener("click", () => {
      options.forEach((option) => { option.checked = false; });
      answer.open = false;
      delete given[name];
      keep();
      options[0].focus({ preventScroll: true });
    });
    answer.append(again);
    options.forEach((option, place) => option.addEventListener("change", () => {
      answer.open = true;
      given[name] = place;
      keep();
    }));
    if (options[given[name]]) {
      options[given[name]].checked = true;
      answer.open = true;
    }
  }
})();
