// Keys: everything can be done without a mouse.

export const HINTS = [
  [["↑", "↓"], "region"], [["Shift"], "+ click or arrow: run"], [["1"], "… label"], [["x"], "next likely"], [["n"], "unsure"],
  [["a"], "all alike"], [["d"], "don't know"], [["⌫"], "proposal"], [["u"], "undo"],
  [["/"], "search"], [["Enter"], "done, next page"], [["h"], "all keys"],
];

const HELP = [
  ["Point, then a key", "label the region under the mouse"],
  ["Click, or ↑ ↓", "select a region"],
  ["Shift + click, Shift + ↑ ↓", "extend to a run"],
  ["Drag", "select all regions in a box; with Shift in addition"],
  ["Ctrl + click", "add or remove one region"],
  ["1 … 9, 0", "give the label of that key"],
  ["Shift + 1 … 9", "add a label: any of several is right"],
  ["Right click, or x", "next likely label: the one after what is shown, by the model; again for the one after that"],
  ["Ctrl + right click, or X", "the same, for all alike with the same label, except those that you labelled"],
  ["Middle click, or c", "the same, for those in the smallest element around it that has another one with this label"],
  ["d", "don't know"],
  ["Backspace", "take back your label: the proposal shows again"],
  ["a", "select all alike: those of the same path on this page"],
  ["g", "next value of the gold, and where it was found: the least certain first"],
  ["n", "next region that the model is unsure of"],
  ["u or Ctrl + Z, y or Ctrl + Shift + Z", "undo, redo"],
  ["Enter", "accept what is shown, and go to the next page"],
  ["[ and ]", "page before, page after"],
  ["/", "search; Enter for the next match, Escape to label it"],
  ["+ and -", "zoom"],
  ["Space, Shift + Space", "scroll the page"],
  ["p", "list of pages"],
  ["Escape", "select nothing"],
];

// Keys that go on while they are held down: moving, scrolling, zooming, undoing.
const REPEATED = new Set([
  "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Tab", " ",
  ..."jkJK+=-uyzZ",
]);

export function bindKeys(commands) {
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select, dialog")) return;
    const isOne = event.ctrlKey || event.metaKey;
    if (event.repeat && !isOne && !event.altKey && !REPEATED.has(event.key)) {
      // A key that is held down labels and accepts once, not one page after the other.
    } else if (isOne && event.key.toLowerCase() === "z") {
      (event.shiftKey ? commands.redo : commands.undo)();
    } else if (isOne && event.key.toLowerCase() === "y") {
      commands.redo();
    } else if (isOne || event.altKey || !run(event, commands)) {
      return;
    }
    event.preventDefault();
  });
}

// Returns whether the key is one of the page's.
function run(event, commands) {
  const isPress = event.key === "Enter" || event.key === " ";
  if (isPress && event.target.closest("button, a")) return false; // presses it
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  if (digit) return commands.label(digit[1], event.shiftKey);
  if (/^\d$/.test(event.key)) return commands.label(event.key, false);
  const actions = {
    ArrowDown: () => commands.move(1, event.shiftKey),
    ArrowUp: () => commands.move(-1, event.shiftKey),
    ArrowRight: () => commands.move(1, event.shiftKey),
    ArrowLeft: () => commands.move(-1, event.shiftKey),
    j: () => commands.move(1, false),
    k: () => commands.move(-1, false),
    J: () => commands.move(1, true),
    K: () => commands.move(-1, true),
    d: commands.unknown,
    Backspace: commands.clear,
    Delete: commands.clear,
    n: commands.unsure,
    x: () => commands.next("one"),
    X: () => commands.next("alike"),
    c: () => commands.next("container"),
    a: commands.alike,
    g: commands.match,
    u: commands.undo,
    y: commands.redo,
    "/": commands.search,
    "+": () => commands.zoom(1),
    "=": () => commands.zoom(1),
    "-": () => commands.zoom(-1),
    "[": () => commands.page(-1),
    "]": () => commands.page(1),
    p: commands.queue,
    h: commands.help,
    "?": commands.help,
    Escape: commands.escape,
    " ": () => commands.scroll(event.shiftKey ? -0.8 : 0.8),
    PageDown: () => commands.scroll(0.9),
    PageUp: () => commands.scroll(-0.9),
  };
  if (event.key === "Enter") {
    commands.accept();
    return true;
  }
  const action = actions[event.key];
  if (!action) return false;
  action();
  return true;
}

export function showHelp(dialog, labels) {
  const table = document.createElement("dl");
  for (const [keys, text] of HELP) {
    const [term, what] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = keys;
    what.textContent = text;
    table.append(term, what);
  }
  const close = document.createElement("button");
  close.textContent = "Close";
  close.className = "close";
  close.addEventListener("click", () => dialog.close());
  const title = document.createElement("h2");
  title.textContent = "Keys";
  const guide = document.createElement("dl");
  for (const { name, key, guideline } of labels) {
    const [term, what] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = `${key} ${name}`;
    what.textContent = guideline;
    guide.append(term, what);
  }
  const second = document.createElement("h2");
  second.textContent = "Labels";
  dialog.replaceChildren(close, title, table, second, guide);
  dialog.showModal();
  dialog.scrollTop = 0;
}
