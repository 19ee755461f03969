// Walks a loaded page and returns its regions as one JSON string of columns.
//
// Runs while page scripts are off, so nothing here may wait for a callback of the browser. Computed
// style is asked once an element; strings are interned, since neighbours share most values.
(settings) => {
  const media = new Set(settings.media);
  const unseen = new Set(settings.unseen);
  const mark = new RegExp(settings.mark);
  const columns = {
    tag: [], parent: [], attributes: [], position: [], n_siblings: [],
    text: [], element: [], xpath: [], breaks: [], boxes: [], comments: [], comment_places: [],
    styles: settings.properties.map(() => []),
  };
  const strings = new Map();
  const intern = (value) => {
    if (!strings.has(value)) strings.set(value, strings.size);
    return strings.get(value);
  };
  let breaks = 0;
  let full = false;

  const register = (frame) => {
    if (frame.index < 0) {
      const parent = frame.above ? register(frame.above) : -1;
      frame.index = columns.tag.length;
      columns.tag.push(frame.tag);
      columns.parent.push(parent);
      const attributes =
        Object.fromEntries(Array.from(frame.node.attributes, (a) => [a.name, a.value]));
      if (frame.tag === "img" && frame.node.parentNode.localName === "picture") {
        attributes.srcset = candidates(frame.node);
      }
      columns.attributes.push(attributes);
      columns.position.push(frame.position);
      columns.n_siblings.push(frame.node.parentNode.childElementCount || 1);
      settings.properties.forEach((name, i) =>
        columns.styles[i].push(intern(frame.style.getPropertyValue(name))));
    }
    return frame.index;
  };

  // Addresses of an image in a picture element: its own and those of its sources.
  const candidates = (image) =>
    [image, ...Array.from(image.parentNode.children).filter((n) => n.localName === "source")]
      .map((n) => n.getAttribute("srcset") || n.getAttribute("data-srcset"))
      .filter((value) => value).join(", ");

  const add = (frame, text, xpath, box) => {
    columns.element.push(register(frame));
    columns.text.push(text);
    columns.xpath.push(xpath);
    columns.breaks.push(breaks);
    columns.boxes.push([
      box.left + window.scrollX, box.top + window.scrollY, box.width, box.height,
    ].map((value) => Math.round(value * 100) / 100));
    breaks = 0;
    full = columns.text.length > settings.max_regions;
  };

  const readText = (frame, node) => {
    frame.texts += 1;
    if (frame.style.visibility !== "visible" || !mark.test(node.data)) return;
    if (frame.tag === "details" && !frame.node.open) return;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (range.getClientRects().length === 0) return;
    add(frame, node.data, `${frame.path}/text()[${frame.texts}]`, range.getBoundingClientRect());
  };

  const readComment = (frame, node) => {
    if (!frame.path.startsWith(settings.body)) return;
    columns.comments.push(node.data);
    columns.comment_places.push(columns.text.length);
  };

  // Returns the frame of an element to walk below, or null.
  const open = (above, node) => {
    const tag = node.localName;
    const count = (above.counts.get(tag) || 0) + 1;
    above.counts.set(tag, count);
    const position = above.elements++;
    if (tag === "br") breaks += 1;
    if (tag === "hr") breaks += 2;
    if (unseen.has(tag)) return null;
    const style = getComputedStyle(node);
    if (style.display === "none") return null;
    if (style.display !== "contents" && !node.checkVisibility()) return null;
    const frame = {
      node, tag, style, position, above: above.node ? above : null, index: -1,
      path: `${above.path}/${tag}[${count}]`, counts: new Map(), texts: 0, elements: 0,
    };
    if (!media.has(tag)) return frame;
    if (style.visibility === "visible") add(frame, "", frame.path, node.getBoundingClientRect());
    return null;
  };

  // Some pages hide their text until their own scripts have run. Where more than half of the
  // running text is hidden so, show it: what stands in the source is what a reader came for.
  const unveil = () => {
    const paragraphs = Array.from(document.querySelectorAll("p")).filter((p) =>
      p.textContent.trim().length >= settings.running && !p.closest("noscript, dialog, form"));
    const hidden = paragraphs.filter((p) => !p.checkVisibility({ visibilityProperty: true }));
    const length = (list) => list.reduce((sum, p) => sum + p.textContent.length, 0);
    if (2 * length(hidden) <= length(paragraphs)) return;
    for (const paragraph of hidden) {
      for (let node = paragraph; node; node = node.parentElement) {
        const style = getComputedStyle(node);
        if (style.display === "none") node.style.setProperty("display", "block", "important");
        if (style.visibility !== "visible") {
          node.style.setProperty("visibility", "visible", "important");
        }
      }
    }
  };
  unveil();

  const root = { node: null, path: "", counts: new Map(), elements: 0 };
  const stack = [[root, document.documentElement]];
  while (stack.length && !full) {
    const top = stack[stack.length - 1];
    const node = top[1];
    if (!node) {
      stack.pop();
      continue;
    }
    top[1] = top[0].node ? node.nextSibling : null;
    if (node.nodeType === Node.TEXT_NODE) readText(top[0], node);
    if (node.nodeType === Node.COMMENT_NODE) readComment(top[0], node);
    if (node.nodeType === Node.ELEMENT_NODE) {
      const frame = open(top[0], node);
      if (frame) stack.push([frame, node.firstChild]);
    }
  }
  return JSON.stringify({
    ...columns,
    full,
    strings: Array.from(strings.keys()),
    lang: document.documentElement.lang,
    url: location.href,
  });
}
