// Agreement of annotators, and the page that resolves their differences.
import { get, pagePath, post } from "./api.js";

const $ = (id) => document.getElementById(id);
const make = (name, className = "", text = "") => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
};
const app = { at: 0, rows: [] };
const shown = (label) => (label === "?" ? "don't know" : label.replaceAll("|", " or "));
const colourOf = (label) =>
  app.labels.find(({ name }) => name === label.split("|")[0])?.colour || "#8f1d14";

function chip(label) {
  const one = make("span", "chip", shown(label));
  one.style.setProperty("--colour", colourOf(label));
  return one;
}

function showMeasures({ annotators, pages, rows }) {
  $("about").textContent = pages
    ? `${pages} ${pages > 1 ? "pages" : "page"} finished by two or more of ${annotators.join(", ")}`
    : "No page has been finished by two annotators yet";
  const head = make("tr");
  for (const text of ["label", "regions", "same", "Cohen's κ", "Fleiss' κ", "Krippendorff's α"]) {
    head.append(make("th", "", text));
  }
  const number = (value) => (value === null ? "–" : value.toFixed(3));
  const lines = rows.map((row) => {
    const line = make("tr");
    const name = make("th");
    name.append(row.name ? chip(row.name) : make("b", "", "all"));
    line.append(name, make("td", "", row.n_units.toLocaleString("en")));
    line.append(make("td", "", row.share === null ? "–" : `${(100 * row.share).toFixed(1)}\u00a0%`));
    for (const value of [row.cohen, row.fleiss, row.alpha]) line.append(make("td", "", number(value)));
    return line;
  });
  $("measures").replaceChildren(head, ...lines);
}

function showDifferences() {
  const left = app.rows.filter((row) => !row.resolved).length;
  $("left").textContent = app.rows.length ? `${left} of ${app.rows.length} to resolve` : "none";
  $("differences").replaceChildren(...app.rows.map((row, n) => {
    const line = make("div", "difference");
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", String(n === app.at));
    line.id = `difference-${n}`;
    line.classList.toggle("is-resolved", Boolean(row.resolved));
    const where = make("small", "", `${row.page} · ${row.region}`);
    const words = make("bdi", "words", row.text);
    const given = make("div", "given");
    for (const [who, label] of Object.entries(row.labels)) {
      const button = make("button");
      button.append(make("span", "", `${who}: `), chip(label));
      button.disabled = label === "?"; // settles nothing
      button.addEventListener("click", () => { app.at = n; resolve(label); });
      given.append(button);
    }
    if (row.resolved) given.append(make("span", "good", "✓ "), chip(row.resolved));
    line.append(words, given, where);
    line.addEventListener("click", () => { app.at = n; mark(); });
    return line;
  }));
  mark();
}

function mark() {
  [...$("differences").children].forEach((line, n) =>
    line.setAttribute("aria-selected", String(n === app.at)));
  const line = $(`difference-${app.at}`);
  $("differences").setAttribute("aria-activedescendant", line ? line.id : "");
  if (app.isShown) line?.scrollIntoView({ block: "nearest" }); // the page opens at its top
}

async function resolve(label) {
  const row = app.rows[app.at];
  if (!row || label === "?") return;
  try {
    show(await post(pagePath(row.page, "/resolve"), { labels: { [row.region]: label } }));
    const next = app.rows.findIndex((one, n) => n > app.at && !one.resolved);
    if (next >= 0) app.at = next;
    mark();
  } catch (error) {
    $("toast").textContent = error.message;
    $("toast").classList.add("seen");
  }
}

function show(values) {
  app.rows = values.differences;
  app.at = Math.max(0, Math.min(app.at, app.rows.length - 1)); // -1 after keys on an empty list
  showMeasures(values);
  showDifferences();
  document.body.dataset.ready = String(app.rows.filter((row) => !row.resolved).length);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, a")) return;
  if (!app.labels) return; // still loading
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  const entry = digit && app.labels.find(({ key }) => key === digit[1]);
  if (entry) resolve(entry.name);
  else if (event.key === "ArrowDown" || event.key === "j") app.at = Math.min(app.rows.length - 1, app.at + 1);
  else if (event.key === "ArrowUp" || event.key === "k") app.at = Math.max(0, app.at - 1);
  else if (event.key === "Enter" && app.rows[app.at]) {
    const { page, region } = app.rows[app.at];
    location.href = `/#${encodeURIComponent(page)}@${region}`;
  } else return;
  event.preventDefault();
  mark();
});

const setup = await get("/api/start");
app.labels = setup.labels;
show(await get("/api/agreement"));
$("differences").focus({ preventScroll: true });
app.isShown = true;
