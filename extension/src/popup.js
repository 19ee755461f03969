// Popup: opening it highlights the page; its controls change, undo, copy and save the result.
/* global MODEL, THRESHOLD -- digest and threshold of the model, which the build knows */

import { ask, askPage } from "./messages.js";

const STORED = "threshold";
const element = (id) => document.getElementById(id);
const slider = element("threshold");
const buttons = ["toggle", "copy", "save"].map(element);
let tab = 0;
let summary = null;
let isBusy = false;

/** Return the tab that the popup is for: the active one, or the one that its address names. */
async function findTab() {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (named) return named;
  const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
  return active.id;
}

async function start() {
  slider.value = localStorage.getItem(STORED) ?? THRESHOLD;
  showThreshold();
  tab = await findTab();
  askPage(tab, "language").then(showLanguage, () => {});
  const before = await askPage(tab, "summary").catch(() => null);
  if (before?.isShown) {
    slider.value = before.threshold;
    show(before);
  } else {
    await highlight();
  }
}

async function highlight() {
  if (isBusy) return;
  isBusy = true;
  say("Reading the page …");
  try {
    show(await ask("background", "highlight", { tab, threshold: Number(slider.value) }));
  } finally {
    isBusy = false;
  }
}

function show(next) {
  summary = next;
  showThreshold();
  const { nContent, nLeaves, nWords, nLeftOut, isShown, isJudged, milliseconds } = next;
  const parts = [isShown
    ? `${count(nContent)} of ${count(nLeaves, "text")} highlighted, ${count(nWords, "word")}.`
    : "Nothing is highlighted."];
  if (!nLeaves) parts.splice(0, 1, "The page holds no text.");
  else if (isShown && !nContent) parts.push("A lower threshold shows more.");
  if (nLeftOut) parts.push(`${count(nLeftOut, "text")} at the end were not judged.`);
  if (milliseconds) parts.push(`${(milliseconds.all / 1000).toFixed(1)} s.`);
  say(parts.join(" "));
  element("bar").firstElementChild.style.width = `${(100 * nContent) / Math.max(nLeaves, 1)}%`;
  element("toggle").textContent = isShown ? "Undo" : "Highlight";
  for (const button of buttons) button.disabled = !isJudged;
  element("toggle").disabled = false;
}

const count = (n, noun = "") =>
  noun ? `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}` : n.toLocaleString("en");

function say(text, isError = false) {
  element("status").textContent = text;
  element("status").classList.toggle("error", isError);
}

function showThreshold() {
  element("value").textContent = Number(slider.value).toFixed(2);
}

/** Run an action; an error is said, and the page can be tried again. */
const guarded = (action) => async () => {
  try {
    await action();
  } catch (error) {
    say(explain(error.message), true);
    element("toggle").textContent = "Highlight";
    element("toggle").disabled = false;
    if (summary) summary.isShown = false;
  }
};

function explain(message) {
  const isClosed = /cannot access|cannot be scripted|missing host permission|error page/i.test(message);
  return isClosed ? "Browsers keep extensions out of this page." : `This did not work: ${message}`;
}

slider.addEventListener("input", guarded(async () => {
  showThreshold();
  localStorage.setItem(STORED, slider.value);
  if (summary?.isJudged) show(await askPage(tab, "threshold", { threshold: Number(slider.value) }));
}));

element("toggle").addEventListener("click", guarded(async () => {
  if (summary?.isShown) show(await askPage(tab, "undo"));
  else await highlight();
}));

element("copy").addEventListener("click", guarded(async () => {
  const text = await askPage(tab, "markdown");
  await navigator.clipboard.writeText(text);
  say(`Copied: ${count(text.length, "character")} of Markdown.`);
}));

element("save").addEventListener("click", guarded(async () => {
  const { name, html } = await askPage(tab, "save", { model: MODEL });
  download(name, html, "text/html");
  say(`Saved as ${name}.`);
}));

element("select").addEventListener("click", async () => {
  const said = {
    language: element("language").value,
    isFragmented: element("fragmented").checked,
    hasSeveral: element("several").checked,
  };
  try {
    const files = await askPage(tab, "select", said);
    for (const { name, text } of files) download(name, text, "text/plain");
    say(`Saved: ${files.map(({ name }) => name).join(", ")}.`);
  } catch (error) {
    say(explain(error.message), true);
  }
});

function showLanguage(language) {
  element("language").value ||= language;
}

function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
}

guarded(start)();
