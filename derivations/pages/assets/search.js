"use strict";
// Finds sections by words that begin as those typed, in headings before text. SECTIONS: [page, anchor, heading, text].
(() => {
  const LIMIT = 12;
  const AROUND = 60; // letters of text shown before the match, and twice as many after
  const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const sections = SECTIONS.map(([page, anchor, heading, text]) => ({
    page, anchor, heading, text, headingPlain: ` ${plain(heading)}`, titlePlain: ` ${plain(TITLES[page])}`, textPlain: ` ${plain(text)}`,
  }));

  // How many words of the text begin so. A word begins after any character that is not a letter or digit.
  const begins = (typed) => new RegExp(`(?<![\\p{L}\\p{N}])${typed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "gu");
  const count = (text, pattern) => (text.match(pattern) || []).length;

  const find = (query) => {
    const patterns = plain(query).split(/\s+/).filter(Boolean).map(begins);
    const scored = [];
    for (const section of sections) {
      let score = 0;
      for (const pattern of patterns) {
        const [heading, title, text] = [section.headingPlain, section.titlePlain, section.textPlain].map((t) => count(t, pattern));
        if (!heading && !title && !text) { score = 0; break; }
        score += 20 * Math.min(heading, 1) + 4 * Math.min(title, 1) + Math.min(text, 5);
      }
      if (score) scored.push([score, section]);
    }
    return { patterns, hits: scored.sort((a, b) => b[0] - a[0]).map(([, section]) => section) };
  };

  const excerpt = (section, patterns) => {
    const at = Math.max(0, ...patterns.slice(0, 1).map((pattern) => section.textPlain.search(pattern) - 1));
    const from = at > AROUND ? section.text.indexOf(" ", at - AROUND) + 1 : 0;
    return `${from ? "…" : ""}${section.text.slice(from, at + 2 * AROUND)}${section.text.length > at + 2 * AROUND ? "…" : ""}`;
  };

  const form = document.querySelector(".search");
  const [input, found, status, list] = ["input", ".found", "[role=status]", "ol"].map((part) => form.querySelector(part));

  const show = () => {
    const { patterns, hits } = find(input.value);
    found.hidden = !input.value.trim();
    status.textContent = hits.length ? `${hits.length} found${hits.length > LIMIT ? `, the first ${LIMIT}` : ""}` : "nothing found";
    list.replaceChildren(...hits.slice(0, LIMIT).map((section) => {
      const [item, link, where, words] = ["li", "a", "small", "span"].map((tag) => document.createElement(tag));
      link.href = `${section.page}.html${section.anchor && `#${section.anchor}`}`;
      link.append(section.heading, where);
      where.textContent = TITLES[section.page];
      words.textContent = excerpt(section, patterns);
      item.append(link, words);
      return item;
    }));
  };
  const close = () => { found.hidden = true; };

  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => { event.preventDefault(); list.querySelector("a")?.click(); });
  list.addEventListener("click", close);
  form.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const place = links.indexOf(document.activeElement);
    if (event.key === "Escape") { input.focus(); close(); }
    else if (event.key === "ArrowDown") (links[place + 1] || links[0])?.focus();
    else if (event.key === "ArrowUp") (links[place - 1] || input).focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) close(); });
  show();
})();
