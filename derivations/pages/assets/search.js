"use strict";
// Finds sections by words that begin as those typed, whole words and headings first; if no section has all words, those
// that have one. SECTIONS: [page, anchor, heading, text]. ALSO: the lessons' words for a word that readers type.
(() => {
  const LIMIT = 12;
  const AROUND = 60; // letters of text shown before the match, and twice as many after
  const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const sections = SECTIONS.map(([page, anchor, heading, text]) => ({
    page, anchor, heading, text, headingPlain: ` ${plain(heading)}`, titlePlain: ` ${plain(TITLES[page])}`, textPlain: ` ${plain(text)}`,
  }));

  // How many words of the text begin so. A word begins after any character that is not a letter or digit.
  const escape = (typed) => typed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const begins = (typed) => {
    const whole = `${escape(typed)}(?![\\p{L}\\p{N}])`; // "inf" is no beginning of "information"
    const words = ALSO[typed] ? [whole, ...ALSO[typed].map(escape)].join("|") : escape(typed);
    return { prefix: new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})`, "gu"), whole: new RegExp(`(?<![\\p{L}\\p{N}])${whole}`, "gu") };
  };
  const count = (text, pattern) => (text.match(pattern) || []).length;

  const find = (query) => {
    const patterns = plain(query).split(/\s+/).filter(Boolean).map(begins);
    const scored = [];
    for (const section of sections) {
      let [score, matched] = [0, 0];
      for (const { prefix, whole } of patterns) {
        const [heading, title, text] = [section.headingPlain, section.titlePlain, section.textPlain].map((t) => count(t, prefix));
        if (!heading && !title && !text) continue;
        matched += 1;
        score += 20 * Math.min(heading, 1) + 4 * Math.min(title, 1) + Math.min(text, 5) + 30 * Math.min(count(section.headingPlain, whole), 1);
      }
      if (matched) scored.push([matched, score, section]);
    }
    const most = Math.max(0, ...scored.map(([matched]) => matched));
    const best = scored.filter(([matched]) => matched === most).sort((a, b) => b[1] - a[1]);
    return { patterns: patterns.map(({ prefix }) => prefix), hits: best.map(([, , section]) => section) };
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
