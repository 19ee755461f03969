// The labelling page: puts the page, the list, the labels and the keys together.
import { get, pagePath, post, randomKey } from "./api.js";
import { bindKeys, HINTS, showHelp } from "./keyboard.js";
import { PageView } from "./page_view.js";
import { questionsOf } from "./questions.js";
import { Queue } from "./queue.js";
import { RegionList } from "./region_list.js";
import { Saver } from "./saver.js";

const $ = (id) => document.getElementById(id);
const UNSURE = 80; // per cent below which a proposal is unsure

const app = {
  page: null, state: null, selection: new Set(), cursor: -1, anchor: -1, hover: -1, zoom: 1,
  wanted: null, opening: null, // the page to open, and the promise that it is shown
  isLoading: false, isAccepting: false,
  start: -1, // the region at which the page opens, and the arrow keys begin
  question: "", // asked before the page is accepted, and not yet answered
  turn: null, // the regions that go through their likely labels, and these labels
};

const handlers = {
  hover: (i) => { if (app.hover !== i) { app.hover = i; view.show({ hover: i }); showGuideline(); } },
  click: (i, event) => { if (i >= 0) select(i, event); else clearSelection(); },
  box: (regions, event) => selectAll(event.shiftKey || event.ctrlKey || event.metaKey
    ? [...app.selection, ...regions] : regions),
  next: (i, event) => { if (i >= 0) giveNext([i], reachOf(event)); },
  zoom: (step) => zoomBy(step),
};
const view = new PageView(
  { frame: $("frame"), overlay: $("overlay"), stage: $("stage"), sheet: $("sheet") }, handlers);
const list = new RegionList($("list"), handlers);
const saver = new Saver({
  saved: (state) => { if (state.page === app.page?.id) setState(state); },
  failed: (message) => showBanner(message),
  recovered: () => showBanner(""),
  stale: async (message) => { toast(message); if (app.page) await reload(); },
});
let queue;

async function start() {
  history.replaceState(null, "", "/" + location.hash); // the token leaves the address
  app.setup = await get("/api/start");
  app.once = app.setup.labels.filter(({ once }) => once).map(({ name }) => name);
  app.colours = new Map(app.setup.labels.map(({ name, colour }) => [name, colour]));
  view.setColours(app.setup.labels);
  makePalette();
  $("keys").append(...HINTS.map(([keys, text]) => hint(keys, text)));
  queue = new Queue($("queue"), app.setup, open);
  bindKeys(Object.fromEntries(Object.entries(commands).map(([name, command]) =>
    [name, (...given) => !app.isLoading && app.page && command(...given)])));
  bindButtons();
  const { id, region } = place();
  const first = queue.has(id) ? id : queue.first()?.id;
  if (first) await open(first, region);
  else showBanner("This corpus has no pages.");
  queue.refresh();
}

// The page that the address names, and a region of it: #page@region. None if it is malformed.
function place() {
  const [id, region] = location.hash.slice(1).split("@");
  try {
    return { id: decodeURIComponent(id), region: region === undefined ? -1 : Number(region) };
  } catch {
    return { id: "", region: -1 };
  }
}

// Opens a page: of several that are asked for before one is shown, the last.
function open(id, region = -1) {
  app.wanted = [id, region];
  app.opening ||= openWanted().finally(() => { app.opening = null; });
  return app.opening;
}

async function openWanted() {
  while (app.wanted) {
    const [id, region] = app.wanted;
    app.wanted = null;
    await saver.idle();
    const [page, state] = await Promise.all([get(pagePath(id)), get(pagePath(id, "/state"))]);
    if (app.wanted) continue;
    app.isLoading = true;
    try {
      await showPage(page, state);
    } finally {
      app.isLoading = false;
    }
    if (region >= 0 && region < page.texts.length) {
      select(region);
    } else if (app.start >= 0) {
      view.reveal(app.start);
      list.reveal(app.start);
    }
  }
  document.body.dataset.ready = app.page.id;
}

// Shows a page and its labels. Until the frame has loaded, keys do nothing.
async function showPage(page, state) {
  const { id } = page;
  [app.page, app.state] = [page, state];
  app.selection = new Set();
  app.turn = null;
  [app.cursor, app.anchor, app.hover] = [-1, -1, -1];
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  await view.load(page, `/frame/${encodeURIComponent(id)}`);
  list.load(page, view.unseen);
  app.question = "";
  setState(app.state);
  app.start = startOf(state.labels);
  $("page-title").textContent = page.title || page.id;
  $("page-url").textContent = page.url || page.site;
  document.title = `${page.title || page.id} · structce annotate`;
  $("search").value = "";
  showMatches();
  queue.show(id);
  showProgress();
  showBanner(page.holder && !state.is_done ? `${page.holder} labels this page, too.` : "");
}

// The first region with a label that a page has once, such as its title, or else with any label.
function startOf(labels) {
  const isStart = (label, i) => app.once.includes(label) && !view.unseen.has(i);
  const first = labels.findIndex(isStart);
  return first < 0 ? labels.findIndex((label) => label !== app.setup.background) : first;
}

const reload = async () => setState(await get(pagePath(app.page.id, "/state")));

function setState(state) {
  app.state = state;
  const { labels, sources, confidence } = state;
  app.unsure = new Set(labels.map((_, i) => i).filter((i) =>
    sources[i] !== "h" && sources[i] !== "a" && confidence[i] < UNSURE));
  refresh();
  if (app.question && app.question !== questionText(questions())) {
    app.question = "";
    showBanner("");
  }
  $("undo").disabled = !state.can_undo;
  $("redo").disabled = !state.can_redo;
  $("n-unsure").textContent = app.unsure.size;
  $("next-unsure").classList.toggle("none", !app.unsure.size);
  $("accept").classList.toggle("is-done", state.is_done);
  $("accept").firstChild.textContent = state.is_done ? "Is done, next page " : "Done, next page ";
  queue.mark(state.page, state.is_done);
  showProgress();
  document.body.dataset.version = state.version;
}

function refresh() {
  const look = {
    ...app.state, selection: app.selection, cursor: app.cursor, hover: app.hover,
    unsure: app.unsure, colours: app.colours, background: app.setup.background,
  };
  view.show(look);
  list.show(look);
  showPalette();
  showGuideline();
}

function select(i, event = {}) {
  if (event.shiftKey && app.anchor >= 0) {
    const [from, to] = [Math.min(app.anchor, i), Math.max(app.anchor, i)];
    const run = Array.from({ length: to - from + 1 }, (_, k) => from + k);
    app.selection = new Set(run.filter((k) => list.isListed(k)));
  } else if (event.ctrlKey || event.metaKey) {
    if (!app.selection.delete(i)) app.selection.add(i);
    app.anchor = i;
  } else {
    app.selection = new Set([i]);
    app.anchor = i;
  }
  app.cursor = i;
  refresh();
  view.reveal(i);
  list.reveal(i);
}

function selectAll(regions) {
  app.selection = new Set(regions);
  app.cursor = regions.length ? regions[0] : -1;
  app.anchor = app.cursor;
  refresh();
  if (app.cursor >= 0) list.reveal(app.cursor);
}

function clearSelection() {
  selectAll([]);
}

function move(step, extend) {
  app.hover = -1; // what the mouse rests on is not meant any more
  const n = app.page.texts.length;
  if (!n) return;
  const isSearch = Boolean($("search").value);
  let i = app.cursor + step;
  if (app.cursor < 0) i = app.start >= 0 && !isSearch ? app.start : step > 0 ? 0 : n - 1;
  while (i >= 0 && i < n && !list.isListed(i)) i += step;
  if (i >= 0 && i < n) select(i, { shiftKey: extend }); // else there is no further one
}

// Gives labels at once on the screen, then saves them; the answer has the proposals anew.
function give(labels) {
  const shown = [...app.state.labels];
  const sources = [...app.state.sources];
  for (const [i, label] of Object.entries(labels)) {
    if (label) [shown[i], sources[i]] = [label, "h"];
  }
  app.state = { ...app.state, labels: shown, sources: sources.join("") };
  app.selection = new Set(); // the cursor stays; what is pointed at is labelled next
  refresh();
  act("label", labels);
}

// What a label's key is for: the selection, else what is pointed at, else where the cursor is.
function targets() {
  if (app.selection.size) return [...app.selection];
  const one = app.hover >= 0 ? app.hover : app.cursor;
  return one >= 0 ? [one] : [];
}

const reachOf = ({ button, ctrlKey, metaKey }) =>
  (button === 1 ? "container" : ctrlKey || metaKey ? "alike" : "one");

// Gives regions the next likely label of the first, and when repeated the one after that, through
// all labels and back to the first. The reach is `one`, or else the undecided regions that show the
// label of the first, too: those `alike`, or those in its `container`.
function giveNext(regions, reach) {
  const [region] = regions;
  const isRepeated = app.turn?.reach === reach && app.turn.regions.includes(region);
  const turn = isRepeated ? app.turn : {
    reach, at: 0, labels: likelyLabels(region), regions: reach === "one" ? regions : reached(region, reach),
  };
  turn.at = (turn.at + 1) % turn.labels.length;
  const label = turn.labels[turn.at];
  app.cursor = region;
  give(Object.fromEntries(turn.regions.map((i) => [i, label])));
  app.turn = turn;
  if (turn.regions.length > 1) toast(`${label} for ${turn.regions.length} regions`);
}

// The label of a region, the next likely ones as the model has them, and all others in their order.
function likelyLabels(region) {
  const { labels, others } = app.state;
  const { names } = app.setup;
  const each = others.length / labels.length;
  const next = others.slice(region * each, (region + 1) * each).map((n) => names[n]);
  return [...new Set([labels[region], ...next, ...names])];
}

// A region, and those that show its label but were not labelled by hand: of its path, or in the
// smallest element around it that has another one.
function reached(region, reach) {
  const { labels, sources } = app.state;
  const { paths, xpaths } = app.page;
  const same = labels.flatMap((label, i) =>
    (i !== region && label === labels[region] && sources[i] !== "h" ? [i] : []));
  if (reach === "alike") return [region, ...same.filter((i) => paths[i] === paths[region])];
  let inside = [];
  for (let around = xpaths[region]; around && !inside.length;) {
    around = around.slice(0, around.lastIndexOf("/"));
    inside = same.filter((i) => xpaths[i].startsWith(`${around}/`));
  }
  return [region, ...inside];
}

function act(action, labels = {}, more = {}) {
  app.turn = null;
  saver.send(app.page.id, { action, labels, ...more, key: randomKey() }, app.state.version);
}

function giveSelected(label) {
  const regions = targets();
  if (!regions.length) {
    toast("Point at a region first, or press an arrow key");
    return;
  }
  if (app.cursor < 0 || !regions.includes(app.cursor)) app.cursor = regions[0];
  give(Object.fromEntries(regions.map((i) => [i, label])));
}

const commands = {
  label: (key, isAdded) => {
    const entry = app.setup.labels.find((one) => one.key === key);
    if (!entry) return false;
    if (!isAdded) giveSelected(entry.name);
    else addPossible(entry.name);
    return true;
  },
  next: (reach) => {
    if (app.selection.size) app.turn = null;
    const regions = targets();
    if (regions.length) giveNext(regions, reach);
  },
  unknown: () => giveSelected("?"),
  clear: () => giveSelected(""),
  move,
  undo: () => act("undo"),
  redo: () => act("redo"),
  unsure: () => nextUnsure(),
  alike: () => selectAlike(),
  match: (step) => nextMatch(step),
  accept: () => accept(),
  search: () => $("search").focus(),
  escape: () => { leaveSearch(); clearSelection(); },
  zoom: (step) => zoomBy(step),
  scroll: (share) => view.scrollPage(share),
  page: (step) => { const one = queue.neighbour(app.page.id, step); if (one) open(one.id); },
  queue: () => toggleQueue(),
  help: () => showHelp($("help"), app.setup.labels),
};

// A region that may be several things: the label is added to those it may have.
function addPossible(name) {
  const labels = {};
  for (const i of targets()) {
    const now = app.state.labels[i];
    const known = now === "?" ? [] : now.split("|");
    const next = known.includes(name) ? known.filter((one) => one !== name) : [...known, name];
    labels[i] = next.length ? next.sort().join("|") : "?";
  }
  if (Object.keys(labels).length) give(labels);
}

function nextUnsure() {
  const after = [...app.unsure].sort((a, b) => a - b);
  if (!after.length) {
    toast("The model is sure of all other regions");
    return;
  }
  select(after.find((i) => i > app.cursor) ?? after[0]);
}

function selectAlike() {
  const [cursor] = targets();
  if (cursor === undefined) return;
  const { paths } = app.page;
  const alike = paths.flatMap((path, i) => (path === paths[cursor] ? [i] : []));
  selectAll(alike);
  app.cursor = cursor;
  toast(`${alike.length} alike on this page; press a label's key`);
}

// What the gold states, and where alignment found it: the least certain first.
function showMatches() {
  const { matches } = app.page;
  $("matches").hidden = !matches.length;
  app.match = -1;
  $("matches").replaceChildren(...matches.map((match, n) => {
    const button = document.createElement("button");
    button.className = "match";
    button.classList.toggle("unsure", match.doubt >= 20 || match.state !== "found");
    const field = document.createElement("b");
    field.textContent = match.field;
    const value = document.createElement("bdi");
    value.textContent = match.value;
    const how = document.createElement("small");
    const rivals = match.rivals.length ? `, ${match.rivals.length} rivals` : "";
    how.textContent = match.regions.length ? `${match.method}${rivals}` : "not found";
    button.append(field, value, how);
    button.title = match.value;
    button.addEventListener("click", () => { showMatch(n); button.blur(); });
    return button;
  }));
}

function showMatch(n) {
  const { matches } = app.page;
  app.match = n;
  [...$("matches").children].forEach((one, k) => one.classList.toggle("here", k === n));
  const { regions, rivals } = matches[n];
  view.show({ rivals: new Set(rivals) });
  selectAll(regions.length ? regions : []);
  const first = regions[0] ?? rivals[0];
  if (first !== undefined) view.reveal(first);
  const button = $("matches").children[n];
  $("matches").scrollTop = button.offsetTop - $("matches").offsetTop - 40;
}

function nextMatch() {
  const n = app.page.matches.length;
  if (n) showMatch((app.match + 1) % n);
}

// Makes gold of what is shown: a new model or another page of the site may by now propose other
// labels, which nobody has seen. After an action that is still on its way, the server's are right.
function acceptShown() {
  const { labels, sources, by } = app.state;
  const isShown = !saver.waiting.length;
  const shown = labels.flatMap((label, i) => (sources[i] !== "h" && isShown ? [[i, label]] : []));
  act("accept", Object.fromEntries(shown), { by: isShown ? by : "" });
}

async function accept() {
  if (app.isAccepting) return;
  app.isAccepting = true;
  try {
    await acceptAndGoOn();
  } finally {
    app.isAccepting = false;
  }
}

const questions = () => questionsOf({ ...app.setup, labels: app.state.labels, once: app.once }, app.page, view.unseen);
const questionText = (asked) => asked.map(({ text }) => text).join(" ");

// Asks about what is most likely a mistake, with its regions selected; returns whether it did. What
// was asked already is answered by accepting the page again.
function ask() {
  const asked = questions();
  if (!asked.length) return false;
  const text = questionText(asked);
  const isAnswered = text === app.question;
  app.question = isAnswered ? "" : text;
  if (isAnswered) {
    showBanner("");
    return false;
  }
  const [{ regions }] = asked;
  selectAll(regions);
  view.reveal(regions[0]);
  showBanner(`${text} Enter again accepts the page as it is.`, "question");
  return true;
}

async function acceptAndGoOn() {
  const { id } = app.page;
  if (!app.state.is_done) {
    if (ask()) return;
    acceptShown();
  }
  if (!(await saver.idle())) return;
  await queue.refresh();
  const next = queue.next(id);
  if (next) await open(next.id);
  else toast("All pages are done");
}

function search() {
  const text = $("search").value;
  const found = list.filter(text);
  view.showFound(text.trim() ? found : []);
  app.found = text.trim() ? found : [];
}

// All texts again, and keys for the page. What was found stays selected, and else the list stays where
// it was.
function leaveSearch() {
  const hasFound = app.found?.includes(app.cursor);
  $("search").value = "";
  search();
  $("search").blur();
  if (hasFound) list.reveal(app.cursor);
}

function zoomBy(step) {
  app.zoom = Math.min(3, Math.max(0.5, app.zoom * (step > 0 ? 1.15 : 1 / 1.15)));
  view.setZoom(app.zoom);
  $("zoom-value").textContent = `${Math.round(100 * app.zoom)} %`;
}

function toggleQueue() {
  const isHidden = !$("queue").hidden;
  $("queue").hidden = isHidden;
  $("queue-toggle").setAttribute("aria-expanded", String(!isHidden));
  if (!isHidden) queue.refresh();
}

function makePalette() {
  $("palette").replaceChildren(...app.setup.labels.map(({ name, colour, key }) => {
    const button = document.createElement("button");
    button.className = "label";
    button.dataset.label = name;
    button.style.setProperty("--colour", colour);
    const count = document.createElement("span");
    count.className = "count";
    const shown = document.createElement("kbd");
    shown.textContent = key;
    const text = document.createElement("span");
    text.className = "name";
    text.textContent = name;
    button.append(shown, text, count);
    button.addEventListener("click", (event) => {
      if (event.detail) button.blur(); // Enter is for the page again
      if (event.shiftKey) addPossible(name);
      else giveSelected(name);
    });
    button.addEventListener("pointerenter", () => { app.asked = name; showGuideline(); });
    button.addEventListener("pointerleave", () => { app.asked = ""; showGuideline(); });
    return button;
  }));
}

function showPalette() {
  const counts = new Map();
  for (const label of app.state.labels) counts.set(label, (counts.get(label) || 0) + 1);
  const chosen = new Set([...app.selection].flatMap((i) => app.state.labels[i].split("|")));
  for (const button of $("palette").children) {
    const name = button.dataset.label;
    button.querySelector(".count").textContent = counts.get(name) || "";
    button.setAttribute("aria-pressed", String(chosen.has(name)));
  }
}

function showGuideline() {
  const at = app.hover >= 0 ? app.hover : app.cursor;
  const name = app.asked || (at >= 0 && app.state ? app.state.labels[at].split("|")[0] : "");
  const entry = app.setup.labels.find((one) => one.name === name);
  const box = $("guideline");
  if (box.dataset.name === (entry?.name || "")) return;
  box.dataset.name = entry?.name || "";
  box.style.setProperty("--colour", entry?.colour || "#5f6b73");
  const title = document.createElement("b");
  title.textContent = entry ? entry.name : "";
  box.replaceChildren(title, entry ? ` ${entry.guideline}` : "Point at a region or a label to read its guideline.");
}

function showProgress() {
  const { done, all } = queue.counts();
  $("progress-text").textContent = `${done} of ${all}`;
  $("progress-bar").max = Math.max(1, all);
  $("progress-bar").value = done;
}

function hint(keys, text) {
  const one = document.createElement("span");
  for (const key of keys) {
    const shown = document.createElement("kbd");
    shown.textContent = key;
    one.append(shown, " ");
  }
  one.append(text);
  return one;
}

function toast(message) {
  $("toast").textContent = message;
  $("toast").classList.add("seen");
  clearTimeout(app.toastTimer);
  app.toastTimer = setTimeout(() => $("toast").classList.remove("seen"), 3500);
}

function showBanner(message, kind = "problem") {
  $("banner").textContent = message;
  $("banner").dataset.kind = kind;
  $("banner").hidden = !message;
}

function bindButtons() {
  const on = (id, handler) => $(id).addEventListener("click", (event) => {
    if (event.detail) $(id).blur(); // after the mouse, keys are for the page
    handler();
  });
  on("undo", commands.undo);
  on("redo", commands.redo);
  on("zoom-in", () => zoomBy(1));
  on("zoom-out", () => zoomBy(-1));
  on("accept", commands.accept);
  on("next-unsure", commands.unsure);
  on("queue-toggle", toggleQueue);
  on("help-toggle", commands.help);
  $("search").addEventListener("input", search);
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") leaveSearch();
    if (event.key !== "Enter" || !app.found?.length) return;
    event.preventDefault();
    select(app.found[app.found.indexOf(app.cursor) + 1] ?? app.found[0]);
  });
  window.addEventListener("hashchange", () => {
    const { id, region } = place();
    if (id && queue.has(id)) open(id, region);
  });
}

window.addEventListener("beforeunload", (event) => { if (saver.isUnsaved) event.preventDefault(); });
window.addEventListener("unhandledrejection", ({ reason }) => showBanner(reason.message));
window.structce = { view, list, app }; // for tests and the console

start().catch((error) => showBanner(error.message));
