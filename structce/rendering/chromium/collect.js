// Walks a loaded page and returns its regions as one JSON string of columns.
//
// Runs in a world of its own, which no script of the page can reach, and while page scripts may be
// off, so nothing here may wait for a callback of the browser. Reading one value from the browser
// takes about a microsecond, so each is read once, and only where it is needed; strings are
// interned, since neighbours share most values. What hides a node by its box stands in visibility.js.
(visibility) => (settings) => {
  const media = new Set(settings.media);
  const boxed = new Set(settings.boxed);
  const unseen = new Set(settings.unseen);
  const svgUnseen = new Set(settings.svg_unseen);
  const mark = new RegExp(settings.mark);
  const space = new RegExp(settings.space);
  const formula = new RegExp(settings.formula);
  const columns = {
    tag: [], parent: [], attributes: [], position: [], n_siblings: [],
    text: [], element: [], xpath: [], breaks: [], joins: [], preformatted: [], boxes: [],
    comments: [], comment_places: [],
    styles: settings.properties.map(() => []),
  };
  const writtenStyles = globalThis.writtenStyles || new Map();  // before hidden text was shown
  const strings = new Map();
  const range = new Range();

  const { getter, isOffScreen, isPoint, cutsOf } = visibility;
  const kindOf = getter(Node, "nodeType");
  const parentOf = getter(Node, "parentNode");
  const childrenOf = getter(Node, "childNodes");
  const nameOf = getter(Element, "localName");
  const writtenOn = getter(Element, "attributes");
  const shadowOf = getter(Element, "shadowRoot");
  const rootOf = getter(Document, "documentElement");
  const countOf = getter(Element, "childElementCount");
  const siblingsOf = (node) => {
    const parent = parentOf(node);
    if (parent instanceof ShadowRoot) return parent.childElementCount;
    return kindOf(parent) === Node.ELEMENT_NODE ? countOf(parent) : 1;
  };
  const hasBox = (node) => Element.prototype.checkVisibility.call(node);
  let breaks = 0;
  let isApart = true;  // white space stands behind the last region
  let pending = "";  // preformatted white space behind it
  let full = false;

  const intern = (value) => {
    let index = strings.get(value);
    if (index === undefined) strings.set(value, index = strings.size);
    return index;
  };

  // Addresses of an image in a picture element: its own and those of its sources.
  const candidates = (image) =>
    [image, ...Array.from(image.parentNode.children).filter((n) => n.localName === "source")]
      .map((n) => n.getAttribute("srcset") || n.getAttribute("data-srcset"))
      .filter((value) => value).join(", ");

  const attributesOf = (node) => {
    const attributes = {};
    for (const { name, value } of writtenOn(node)) attributes[name.toLowerCase()] = value;
    if (writtenStyles.has(node)) {
      delete attributes.style;
      const style = writtenStyles.get(node);
      if (style !== null) attributes.style = style;
    }
    if (nameOf(node) === "img" && nameOf(node.parentNode) === "picture") {
      attributes.srcset = candidates(node);
    }
    return Object.assign(attributes, marksOf(node, attributes));
  };

  // What is added to the attributes of some elements: the source of a formula, a checkbox.
  const marksOf = (node, attributes) => {
    if (nameOf(node) === "li") {
      const box = node.querySelector(settings.checkbox);
      if (box && box.closest("li") === node) {
        return { "aria-checked": String(box.hasAttribute("checked")) };
      }
    } else if (nameOf(node) === "math" || formula.test(attributes.class || "")) {
      const source = node.querySelector(settings.annotation);
      if (source) return { alttext: source.textContent };
    }
    return {};
  };

  // Returns the row of an element, added with those above it when its first region is met.
  const register = (frame) => {
    if (frame.isRoot) return register(frame.above);
    if (frame.index < 0) {
      const parent = frame.above ? register(frame.above) : -1;
      frame.index = columns.tag.length;
      columns.tag.push(frame.tag);
      columns.parent.push(parent);
      columns.attributes.push(attributesOf(frame.node));
      columns.position.push(frame.position);
      columns.n_siblings.push(siblingsOf(frame.node));
      settings.properties.forEach((name, i) =>
        columns.styles[i].push(intern(frame.style.getPropertyValue(name))));
    }
    return frame.index;
  };

  const add = (frame, text, xpath, box) => {
    const { x, y } = frame.view;
    if (frame.isPreformatted) columns.preformatted.push([columns.text.length, pending]);
    columns.element.push(register(frame));
    columns.text.push(text);
    columns.xpath.push(xpath);
    columns.breaks.push(breaks);
    columns.joins.push(!isApart);
    columns.boxes.push(
      [box.left + x, box.top + y, box.width, box.height].map((v) => Math.round(v * 100) / 100));
    breaks = 0;
    isApart = false;
    pending = "";
    full = columns.text.length > settings.max_regions;
  };

  const readText = (frame, node, number) => {
    if (frame.isUnseen) return;
    if (!mark.test(node.data)) {
      isApart ||= space.test(node.data);
      pending += frame.isPreformatted ? node.data : "";
      return;
    }
    if (frame.style.visibility !== "visible") return;
    if (frame.tag === "details" && !frame.node.open) return;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height || isOffScreen(frame.view, box)) return;
    isApart ||= space.test(node.data[0]);
    pending += frame.isPreformatted ? node.data : "";
    add(frame, node.data, `${frame.path}/text()[${number}]`, box);
    isApart = space.test(node.data.slice(-1));
  };

  // The source of a formula, in a script for MathJax: a region without a size, in the line around.
  const readTex = (above, node, position, count) => {
    if (above.isUnseen || above.style.visibility !== "visible" || !mark.test(node.text)) return;
    const { left, top } = above.node.getBoundingClientRect();
    const style = {
      getPropertyValue: (name) => name === "display" ? "inline" : above.style.getPropertyValue(name),
    };
    const path = `${above.path}/script[${count}]`;
    const frame = { ...above, node, tag: "script", style, position, above, index: -1, path,
      isRoot: false };
    isApart ||= space.test(node.text[0]);
    add(frame, node.text, `${path}/text()[1]`, { left, top, width: 0, height: 0 });
    isApart = space.test(node.text.slice(-1));
  };

  const readComment = (frame, node) => {
    if (frame.isInMedia || !frame.path.startsWith(settings.body)) return;
    columns.comments.push(node.data);
    columns.comment_places.push(columns.text.length);
  };

  // A medium is shown where it has a box. An image may still wait for its file to give it one, or,
  // transparent, for a script to fade it in; its own width and height tell a counting pixel.
  const readMedium = (frame) => {
    if (frame.style.visibility !== "visible" || frame.isClipped || frame.isSkipped) return;
    if (settings.scripts && frame.isTransparent) return;
    const box = frame.node.getBoundingClientRect();
    if (boxed.has(frame.tag) && (box.width <= 1 || box.height <= 1)) return;
    if (box.width && isOffScreen(frame.view, box)) return;
    add(frame, "", frame.path, box);
  };

  // What an element shows in place of its children: [frame, nodes], or null for its children.
  const inside = (frame) => {
    const { node, tag } = frame;
    const root = shadowOf(node) || (globalThis.closedRoots && globalThis.closedRoots.get(node));
    if (root) {
      frame.places = numbered(node);
      return [stepInto(frame, root, { path: `${frame.path}/template[1]` }),
        Array.from(childrenOf(root))];
    }
    if (tag === "slot") {
      const assigned = node.assignedNodes();
      if (assigned.length) return [slotted(frame), assigned];
    }
    if (tag === "iframe" || tag === "frame") {
      const inner = frame.style.visibility === "visible" && innerDocument(node);
      if (inner && frame.depth < settings.max_frames) {
        const changes = { view: viewOf(inner, frame), depth: frame.depth + 1 };
        return [stepInto(frame, node, changes), [rootOf(inner)]];
      }
    }
    return null;
  };

  // A root below an element, of its shadow or of the document in it; it has no row of its own.
  const stepInto = (frame, node, changes) => ({
    ...frame, ...changes, node, isRoot: true, above: frame, counts: new Map(), texts: 0,
    elements: 0,
  });

  // Children of a host, where a slot shows them: they keep the host's addresses and look as the
  // slot does.
  const slotted = (slot) => {
    let root = slot;
    while (!(root.isRoot && root.node instanceof ShadowRoot)) root = root.above;
    const host = root.above;
    return { ...slot, node: host.node, tag: host.tag, path: host.path, places: host.places,
      isRoot: true, isSlotted: true, above: host };
  };

  // Number of each child among those of its name, and its place among the elements.
  const numbered = (parent) => {
    const places = new Map();
    const counts = new Map();
    let position = 0;
    for (const node of childrenOf(parent)) {
      const isElement = kindOf(node) === Node.ELEMENT_NODE;
      const name = isElement ? nameOf(node) : kindOf(node);
      counts.set(name, (counts.get(name) || 0) + 1);
      places.set(node, [counts.get(name), position]);
      position += isElement;
    }
    return places;
  };

  // The document that a frame shows, where it is of the same origin and no mere blank.
  const innerDocument = (node) => {
    const inner = node.contentDocument;
    return inner && rootOf(inner) && inner.body && inner.body.firstChild ? inner : null;
  };

  // Where a document's corner stands in the page, and where its scrolling begins.
  const viewOf = (inner, frame) => {
    const root = inner.scrollingElement || rootOf(inner);
    if (!root) return { x: 0, y: 0, left: 0, top: 0 };
    const style = getComputedStyle(rootOf(inner));
    const isLeftwards = style.direction === "rtl" || style.writingMode === "vertical-rl";
    const left = isLeftwards ? Math.min(0, root.clientWidth - root.scrollWidth) : 0;
    const { scrollX, scrollY } = inner.defaultView || window;
    if (!frame) return { x: scrollX, y: scrollY, left: left - scrollX, top: -scrollY };
    const box = frame.node.getBoundingClientRect();
    return {
      x: frame.view.x + box.left + frame.node.clientLeft, left: left - scrollX,
      y: frame.view.y + box.top + frame.node.clientTop, top: -scrollY,
    };
  };

  // Returns the frame of an element to walk below, or null.
  const open = (above, node) => {
    const tag = nameOf(node).toLowerCase();
    const [count, position] = placeOf(above, node, tag);
    if (tag === "br") breaks += 1;
    if (tag === "br" && above.isPreformatted) pending += "\n";
    if (tag === "hr") breaks += 2;
    if (tag === "script" && (node.type || "").startsWith(settings.tex)) {
      readTex(above, node, position, count);
    }
    if (unseen.has(tag) || (above.isDrawn && svgUnseen.has(tag))) return null;
    const style = getComputedStyle(node);
    const display = style.display;
    if (display === "none") return null;
    if (display !== "contents" && !hasBox(node)) return null;
    const isTransparent = above.isTransparent || style.opacity === "0";
    const isSkipped = above.isSkipped || style.contentVisibility === "hidden";
    const cuts = cutsOf(above, node, tag, style, media.has(tag));
    const isClipped = cuts.flow;
    if (tag === "pre" && !above.isPreformatted) pending = "";
    const frame = {
      node, tag, style, position, above: above.node ? above : null, index: -1, view: above.view,
      path: `${above.path}/${tag}[${count}]`, counts: new Map(), texts: 0, elements: 0,
      cuts, isTransparent, isClipped, isSkipped, isUnseen: isTransparent || isClipped || isSkipped,
      isPreformatted: above.isPreformatted || tag === "pre",
      isInMedia: above.isInMedia || media.has(tag), isDrawn: above.isDrawn || tag === "svg",
      depth: above.depth, before: columns.text.length,
    };
    if (tag === "svg" && above.isDrawn) frame.before = -1;  // a part of the drawing around
    if (!media.has(tag)) return frame;
    if (isPoint(node, tag)) return null;
    if (tag === "svg" || tag === "iframe" || tag === "frame") return frame;
    readMedium(frame);
    return null;
  };

  const placeOf = (above, node, name) => {
    if (above.isSlotted) return above.places.get(node) || [1, 0];
    const count = (above.counts.get(name) || 0) + 1;
    above.counts.set(name, count);
    return [count, above.elements++];
  };

  const visit = (frame, node) => {
    const kind = kindOf(node);
    if (kind === Node.TEXT_NODE) {
      const number = frame.isSlotted ? frame.places.get(node)[0] : ++frame.texts;
      readText(frame, node, number);
    } else if (kind === Node.COMMENT_NODE) {
      readComment(frame, node);
    } else if (kind === Node.ELEMENT_NODE) {
      const below = open(frame, node);
      if (!below) return;
      stack.push([below, ...(inside(below) || [below, Array.from(childrenOf(node))]), 0]);
    }
  };

  const cuts = { flow: false, absolute: false, fixed: false };
  const page = {
    node: null, path: "", depth: 0, cuts, view: viewOf(document), counts: new Map(), elements: 0,
  };
  const stack = [[page, page, Array.from(childrenOf(document)), 0]];
  while (stack.length && !full) {
    const top = stack[stack.length - 1];
    const [frame, parent, nodes] = top;
    if (top[3] < nodes.length) {
      visit(parent, nodes[top[3]++]);
    } else {
      stack.pop();
      // A drawing or a frame that shows text of its own is no leaf.
      if (media.has(frame.tag) && columns.text.length === frame.before) readMedium(frame);
    }
  }
  const root = rootOf(document);
  return JSON.stringify({
    ...columns,
    full,
    strings: Array.from(strings.keys()),
    lang: root ? root.lang : "",
    html: settings.scripts && root ? root.outerHTML : "",
  });
}
