// Shows text that a page hides until its own scripts have run.
//
// Where more than half of the running text is hidden so, show it: what stands in the source is
// what a reader came for. Takes the number of letters that make a paragraph running text, and the
// characters that count as three. What moves is ended before, and what moves because of it, after.
(endAnimations) => ([running, syllables]) => {
  endAnimations();
  const known = new Map();
  // Whether an element, or one above it, has no room for what it holds.
  const isCut = (node) => {
    if (!node) return false;
    if (!known.has(node)) {
      const { overflow, display } = getComputedStyle(node);
      const cuts = overflow !== "visible" && display !== "inline" && node.clientHeight <= 1;
      known.set(node, (cuts && node.parentElement !== null) || isCut(node.parentElement));
    }
    return known.get(node);
  };
  const find = Document.prototype.querySelectorAll;  // an image may have taken its name
  const shows = { visibilityProperty: true, opacityProperty: true };
  const syllable = new RegExp(`[${syllables}]`, "g");
  const letters = (p) => {
    const text = p.textContent.trim();
    return text.length + 2 * (text.match(syllable) || []).length;
  };
  const paragraphs = Array.from(find.call(document, "p")).filter((p) =>
    letters(p) >= running && !p.closest("noscript, dialog, form"));
  const hidden = paragraphs.filter((p) => !p.checkVisibility(shows) || isCut(p.parentElement));
  const length = (list) => list.reduce((sum, p) => sum + letters(p), 0);
  if (2 * length(hidden) <= length(paragraphs)) return;

  // What the source says of style, for the walk that reads it.
  const written = globalThis.writtenStyles = new Map();
  const show = (node) => {
    if (!written.has(node)) written.set(node, node.getAttribute("style"));
    const { display, visibility, opacity, overflow } = getComputedStyle(node);
    const force = (name, value) => node.style.setProperty(name, value, "important");
    if (display === "none") force("display", "block");
    if (visibility !== "visible") force("visibility", "visible");
    if (opacity === "0") {
      force("opacity", "1");
      force("animation", "none");
      force("transition", "none");
    }
    if (overflow !== "visible" && node.clientHeight <= 1) {
      force("height", "auto");
      force("max-height", "none");
    }
  };
  for (const paragraph of hidden) {
    for (let node = paragraph; node; node = node.parentElement) show(node);
  }
  endAnimations();
}
