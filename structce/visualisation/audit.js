// Keeps what a person judges: by button or key, with a tally, an export, and a memory of its own.
"use strict";
(() => {
  const cards = [...document.querySelectorAll(".card")];
  const head = JSON.parse(document.querySelector("main").dataset.head);
  const memory = `structce audit ${head.digest} ${head.order} ${head.seed} ${head.fields}`;
  const judged = new Map();
  let current = 0;

  const keys = cards.map((card) => JSON.parse(card.dataset.key));
  const nameOf = (key) => `${key.page} ${key.number}`;

  const remember = () => {
    try {
      localStorage.setItem(memory, JSON.stringify([...judged]));
    } catch { /* a browser may refuse to keep anything for files */ }
  };

  // Wilson's interval of a share, at 95 %.
  const interval = (right, total) => {
    const z = 1.96;
    const share = right / total;
    const middle = share + z * z / (2 * total);
    const half = z * Math.sqrt(share * (1 - share) / total + z * z / (4 * total * total));
    return [middle - half, middle + half].map((x) => Math.round(100 * x / (1 + z * z / total)));
  };

  const tally = () => {
    const counts = { right: 0, wrong: 0, unsure: 0 };
    for (const one of judged.values()) counts[one] += 1;
    for (const name of Object.keys(counts)) {
      document.querySelector(`#n-${name}`).textContent = counts[name];
    }
    const open = cards.length - judged.size;
    document.querySelector("#n-open").textContent = open;
    const total = counts.right + counts.wrong;
    const [low, high] = total ? interval(counts.right, total) : [0, 0];
    document.querySelector("#share").textContent = !total || head.order !== "random" ? ""
      : `${Math.round(100 * counts.right / total)} % right (95 %: ${low} to ${high} %)`;
    document.querySelector("#done").style.width = `${100 * judged.size / (cards.length || 1)}%`;
  };

  const show = (card, judgement) => {
    card.dataset.judged = judgement ?? "";
    for (const button of card.querySelectorAll("[data-judge]")) {
      button.setAttribute("aria-pressed", String(button.dataset.judge === judgement));
    }
  };

  const go = (to, behavior = "smooth") => {
    if (!cards.length) return;
    cards[current].classList.remove("now");
    current = Math.max(0, Math.min(cards.length - 1, to));
    cards[current].classList.add("now");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    cards[current].scrollIntoView({ block: "center", behavior: calm ? "auto" : behavior });
  };

  const judge = (at, judgement) => {
    const name = nameOf(keys[at]);
    const isSame = judged.get(name) === judgement;
    if (isSame) judged.delete(name); else judged.set(name, judgement);
    show(cards[at], isSame ? null : judgement);
    tally();
    remember();
    return !isSame;
  };

  document.addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    if (!card) return;
    const at = cards.indexOf(card);
    const judgement = event.target.closest("[data-judge]")?.dataset.judge;
    cards[current].classList.remove("now");
    current = at;
    card.classList.add("now");
    if (judgement) judge(at, judgement);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !cards.length) return;
    const judgement = { r: "right", w: "wrong", u: "unsure" }[event.key.toLowerCase()];
    const step = { j: 1, k: -1 }[event.key];
    if (judgement) {
      if (judge(current, judgement)) go(current + 1);
    } else if (step) {
      go(current + step);
    }
  });

  document.querySelector("#export").addEventListener("click", () => {
    const judgements = keys.filter((key) => judged.has(nameOf(key)))
      .map((key) => ({ ...key, judgement: judged.get(nameOf(key)) }));
    const text = JSON.stringify({ ...head, judgements }, null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "judgements.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  document.querySelector("#forget").addEventListener("click", () => {
    if (judged.size && !confirm("Forget all judgements of this page?")) return;
    judged.clear();
    for (const card of cards) show(card, null);
    tally();
    remember();
    go(0);
  });

  document.querySelector("#hide").addEventListener("change", (event) => {
    document.body.classList.toggle("only-open", event.target.checked);
  });

  try {
    for (const [name, one] of JSON.parse(localStorage.getItem(memory) ?? "[]")) {
      if (["right", "wrong", "unsure"].includes(one)) judged.set(name, one);
    }
  } catch { /* as above */ }
  const known = new Set(keys.map(nameOf));
  for (const name of [...judged.keys()]) if (!known.has(name)) judged.delete(name);
  cards.forEach((card, at) => show(card, judged.get(nameOf(keys[at]))));
  document.body.classList.add("has-script");
  tally();
  if (cards.length) {
    const open = cards.findIndex((card, at) => !judged.has(nameOf(keys[at])));
    if (judged.size) go(open < 0 ? 0 : open, "auto"); else cards[0].classList.add("now");
  }
})();
