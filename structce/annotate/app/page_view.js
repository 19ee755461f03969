// The page in its frame, with its regions painted over it.
//
// The frame runs no script and is not changed: texts are painted by CSS highlights, which the
// browser keeps beside the document, and everything else on a canvas above the frame, which also
// takes the mouse. Places are measured in CSS pixels of the frame's document.
import { cornerOf, ScrollBoxes } from "./scroll_boxes.js";

// One outline around lines that follow one another, so that no line is drawn between them.
function outlines(boxes, gap) {
  const runs = [];
  for (const box of boxes) {
    const run = runs[runs.length - 1];
    const last = run?.[run.length - 1];
    const follows = last && box[1] > last[1] && box[1] < last[3] + (last[3] - last[1])
      && box[0] < last[2] && box[2] > last[0];
    if (follows) run.push(box);
    else runs.push([box]);
  }
  return runs.map((run) => {
    const path = new Path2D();
    const edge = (k) => (k === 0 ? run[0][1] - gap : k === run.length ? run[k - 1][3] + gap
      : (run[k - 1][3] + run[k][1]) / 2);
    path.moveTo(run[0][0] - gap, edge(0));
    run.forEach(([, , right], k) => {
      path.lineTo(right + gap, edge(k));
      path.lineTo(right + gap, edge(k + 1));
    });
    [...run].reverse().forEach(([left], k) => {
      path.lineTo(left - gap, edge(run.length - k));
      path.lineTo(left - gap, edge(run.length - k - 1));
    });
    path.closePath();
    return path;
  });
}

// Pieces of one line as one: text in two directions, as Arabic with figures, has several.
function joined(rects) {
  if (rects.length < 2) return rects;
  const lines = [];
  for (const [left, top, right, bottom] of rects) {
    const last = lines[lines.length - 1];
    const isSame = last && Math.abs(top - last[1]) < 1 && Math.abs(bottom - last[3]) < 1;
    if (isSame && left < last[2] + 1 && right > last[0] - 1) {
      [last[0], last[2]] = [Math.min(left, last[0]), Math.max(right, last[2])];
    } else {
      lines.push([left, top, right, bottom]);
    }
  }
  return lines;
}

// Pictures of a page without its style sheets would fill the screen: they are as small as a list of
// pages needs them. A rule of no weight loses to any other.
const CAPS = `:where(img, video, canvas, object, embed, iframe, svg) { max-width: min(100%, 24rem); max-height: 15rem }
:where(:not(svg) > svg:not([width])) { width: 3rem; max-height: 6rem }
:where(svg:not([width], [viewBox])) { max-height: 3rem }`;

const USUAL_WIDTH = 1280; // pixels of a window, for pages that were rendered without one
const NARROW = 720; // pixels of a stage in which such a page is laid out as on a telephone

const NEAR = 1200; // pixels above and below the window that are measured anew when it scrolls

export class PageView {
  constructor(elements, handlers) {
    this.frame = elements.frame;
    this.canvas = elements.overlay;
    this.stage = elements.stage;
    this.sheet = elements.sheet;
    this.handlers = handlers;
    this.zoom = 1;
    this.nodes = [];
    this.scrolls = null; // boxes of the page that scroll on their own
    this.unseen = new Set(); // regions that nobody can see
    this.boxes = []; // [[left, top, right, bottom], ...] of each region; null before measured
    this.look = { labels: [], sources: "", selection: new Set(), hover: -1, cursor: -1 };
    this.colours = new Map();
    this.dirty = true;
    this.lastScroll = "";
    this.lastTop = 0;
    this.drag = null;
    this.bindPointer();
    new ResizeObserver(() => this.fit()).observe(this.stage);
    const tick = () => { this.draw(); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  }

  // Loads a page and finds its regions; resolves when it can be painted.
  async load(page, address) {
    this.page = page;
    this.nodes = [];
    this.boxes = [];
    this.scrolls = null;
    await new Promise((resolve) => {
      this.frame.addEventListener("load", resolve, { once: true });
      this.frame.src = address;
    });
    this.lastTop = 0;
    this.win = this.frame.contentWindow;
    this.doc = this.frame.contentDocument;
    this.adopt(this.isBare() ? [{ text: CAPS }] : page.style_sheets);
    this.fit();
    this.findNodes();
    this.makeHighlights();
    this.scrolls = new ScrollBoxes(this.win);
    this.measureAll();
    this.findUnseen();
    this.dirty = true;
  }

  // Whether the page has no style sheets, or none of those that it links to.
  isBare() {
    const isLinked = this.doc.querySelector("link[rel~='stylesheet']") !== null;
    return !this.page.style_sheets.length && (isLinked || !this.doc.styleSheets.length);
  }

  // Adds style sheets beside those of the document, which is not changed.
  adopt(sheets) {
    const added = sheets.map(({ media, text }) => {
      const sheet = new this.win.CSSStyleSheet({ media });
      sheet.replaceSync(text);
      return sheet;
    });
    this.doc.adoptedStyleSheets = [...this.doc.adoptedStyleSheets, ...added];
  }

  findNodes() {
    const { xpaths, has_source: hasSource, texts } = this.page;
    const known = new Map();
    this.nodes = texts.map((_, i) =>
      hasSource ? this.nodeAt(xpaths[i], known) : this.doc.getElementById(`r${i}`));
  }

  // The node at an XPath as renderers write it: /html[1]/body[1]/p[2]/text()[1]. Nodes above it, and
  // the children of each by their names, are kept, since regions share most of them.
  nodeAt(path, known) {
    if (path === "") return this.doc;
    if (known.has(path)) return known.get(path);
    const cut = path.lastIndexOf("/");
    const above = this.nodeAt(path.slice(0, cut), known);
    const step = /^(.+)\[(\d+)\]$/.exec(path.slice(cut + 1));
    let found = null;
    if (above && step) {
      if (!known.has(above)) known.set(above, this.childrenOf(above));
      found = known.get(above).get(step[1])?.[Number(step[2]) - 1] ?? null;
    }
    known.set(path, found);
    return found;
  }

  childrenOf(node) {
    const inner = node.localName === "iframe" || node.localName === "frame"
      ? node.contentDocument : null;
    const byName = new Map();
    for (const child of (inner || node).childNodes) {
      const name = child.nodeType === 3 ? "text()" : child.nodeType === 1
        ? child.localName.toLowerCase() : "";
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push(child);
    }
    return byName;
  }

  rangeOf(i) {
    const node = this.nodes[i];
    if (!node || this.isMedia(i)) return null;
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    return range;
  }

  isMedia(i) {
    this.mediaSet = this.mediaOf === this.page ? this.mediaSet : new Set(this.page.media);
    this.mediaOf = this.page;
    return this.mediaSet.has(i);
  }

  setColours(labels) {
    this.colours = new Map(labels.map(({ name, colour }) => [name, colour]));
    this.names = labels.map(({ name }) => name);
  }

  // One highlight per label.
  makeHighlights() {
    const { CSS, Highlight } = this.win;
    this.highlights = new Map();
    this.painted = [];
    if (!CSS || !CSS.highlights || !Highlight) return;
    const rules = this.names.map((name, n) =>
      `::highlight(structce-${n}){background-color:${this.colours.get(name)}26}`);
    rules.push("::highlight(structce-found){background-color:#ffe08a;color:#000}");
    this.adopt([{ text: rules.join("\n") }]);
    this.names.forEach((name, n) => {
      const one = new Highlight();
      CSS.highlights.set(`structce-${n}`, one);
      this.highlights.set(name, one);
    });
    this.found = new Highlight();
    CSS.highlights.set("structce-found", this.found);
    this.ranges = this.nodes.map((_, i) => this.rangeOf(i));
  }

  // Shows labels and selection; `look.background` is not painted.
  show(look) {
    this.look = { ...this.look, ...look };
    const { labels, background } = this.look;
    labels.forEach((label, i) => {
      const first = label.split("|")[0];
      const wanted = label === background ? "" : first;
      if (this.painted[i] === wanted || !this.ranges) return;
      const range = this.ranges[i];
      if (range) {
        this.highlights.get(this.painted[i])?.delete(range);
        this.highlights.get(wanted)?.add(range);
      }
      this.painted[i] = wanted;
    });
    this.dirty = true;
  }

  showFound(regions) {
    if (!this.found) return;
    this.found.clear();
    for (const i of regions) if (this.ranges[i]) this.found.add(this.ranges[i]);
  }

  measure(i) {
    const node = this.nodes[i];
    if (!node) return [];
    const { scrollX, scrollY } = this.win;
    return this.scrolls.cut(node, this.rectsOf(i))
      .map(([left, top, right, bottom]) =>
        [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY])
      .filter(([left, top, right, bottom]) => right - left > 0.5 && bottom - top > 0.5);
  }

  // Rectangles of a region in the window of the frame, including what scrolling has hidden.
  rectsOf(i) {
    const node = this.nodes[i];
    const [x, y] = cornerOf(node.ownerDocument.defaultView, this.win);
    const range = this.ranges?.[i];
    const rects = range ? range.getClientRects() : node.getClientRects?.() ?? [];
    return joined(Array.from(rects, (r) => [r.left + x, r.top + y, r.right + x, r.bottom + y]));
  }

  measureAll() {
    this.boxes = this.nodes.map((_, i) => this.measure(i));
  }

  // Finds the regions that nobody can see: not displayed, transparent, cut off, or beside the page.
  findUnseen() {
    this.unseen = new Set(this.nodes.flatMap((_, i) => (this.canBeSeen(i) ? [] : [i])));
  }

  canBeSeen(i) {
    const node = this.nodes[i];
    const element = node?.nodeType === 3 ? node.parentElement : node;
    if (!element) return false;
    for (let at = element; at; at = at.ownerDocument.defaultView.frameElement) {
      if (at === this.frame) break;
      if (!at.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    }
    const { documentElement: root } = this.doc;
    const isLeftward = this.win.getComputedStyle(root).direction === "rtl";
    const least = isLeftward ? root.clientWidth - root.scrollWidth : 0;
    const { scrollX, scrollY } = this.win;
    return this.scrolls.clipped(element, this.rectsOf(i)).some(([left, top, right, bottom]) =>
      right - left > 1.5 && bottom - top > 1.5 && right + scrollX > least && bottom + scrollY > 0);
  }

  // Regions that stand still while the page scrolls move in the document: measure those around a
  // window that begins there.
  measureNear(scrollTop) {
    const [top, bottom] = [scrollTop - NEAR, scrollTop + this.height + NEAR];
    this.boxes.forEach((boxes, i) => {
      if (boxes.length && boxes[0][1] < bottom && boxes[boxes.length - 1][3] > top) {
        this.boxes[i] = this.measure(i);
      }
    });
  }

  fit() {
    const room = this.stage.clientWidth;
    const width = this.page?.width || (room < NARROW ? room : USUAL_WIDTH);
    this.scale = Math.min(1.25, room / width) * this.zoom;
    this.height = this.stage.clientHeight / this.scale;
    const shown = Math.max(width, room / this.scale);
    this.frame.style.width = `${this.zoom > 1 ? shown : width}px`;
    this.frame.style.height = `${this.height}px`;
    this.frame.style.transform = `scale(${this.scale})`;
    const across = (this.zoom > 1 ? shown : width) * this.scale;
    this.sheet.style.width = `${across}px`;
    const inner = this.doc?.documentElement?.clientWidth || width;
    this.canvas.style.width = `${inner * this.scale}px`;
    this.canvas.style.height = `${this.stage.clientHeight}px`;
    const dots = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(inner * this.scale * dots);
    this.canvas.height = Math.round(this.stage.clientHeight * dots);
    if (this.scrolls && this.nodes.length) {
      this.measureAll();
      this.findUnseen();
    }
    this.dirty = true;
  }

  setZoom(zoom) {
    this.zoom = Math.min(3, Math.max(0.5, zoom));
    this.fit();
  }

  draw() {
    if (!this.win || !this.boxes.length) return;
    const scroll = `${this.win.scrollX} ${this.win.scrollY}`;
    if (scroll !== this.lastScroll) {
      this.lastScroll = scroll;
      const { scrollY } = this.win;
      if (Math.abs(scrollY - this.lastTop) > NEAR) this.measureNear(this.lastTop); // what stands still
      this.measureNear(scrollY);
      this.lastTop = scrollY;
      this.dirty = true;
    }
    if (!this.dirty) return;
    this.dirty = false;
    const context = this.canvas.getContext("2d");
    const dots = (window.devicePixelRatio || 1) * this.scale;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(dots, 0, 0, dots, -this.win.scrollX * dots, -this.win.scrollY * dots);
    this.seen = [...this.visible()];
    for (const i of this.seen) this.drawRegion(context, i);
    if (this.drag?.box) this.drawDrag(context);
  }

  *visible() {
    const [top, bottom] = [this.win.scrollY - 20, this.win.scrollY + this.height + 20];
    for (let i = 0; i < this.boxes.length; i += 1) {
      const boxes = this.boxes[i];
      if (boxes.length && boxes[0][1] < bottom && boxes[boxes.length - 1][3] > top) yield i;
    }
  }

  drawRegion(context, i) {
    const { labels, sources, background, selection, hover, cursor, unsure, rivals } = this.look;
    const label = labels[i];
    const isSelected = selection.has(i) || rivals?.has(i);
    const isNear = i === hover || i === cursor;
    if (this.unseen.has(i) && !isSelected && !isNear) return;
    const isShown = label !== background || isSelected || isNear || sources[i] === "h";
    if (!isShown && !unsure?.has(i)) return;
    const colour = this.colours.get((label || "").split("|")[0]) || "#b3261e";
    const line = 1 / this.scale;
    context.strokeStyle = isShown ? colour : "#b06a00";
    context.lineWidth = line * (isSelected ? 3 : isNear ? 2.4 : 1.4);
    const isFirm = rivals?.has(i) ? false : sources[i] === "h" || sources[i] === "a" || sources[i] === "c";
    context.setLineDash(isFirm ? [] : unsure?.has(i) ? [2 * line, 3 * line] : [5 * line, 3 * line]);
    const gap = (isSelected ? 2 : 1) * line;
    const isFilled = isSelected || (this.isMedia(i) && label !== background);
    context.fillStyle = isSelected ? "#ffd54f40" : `${colour}26`;
    for (const path of outlines(this.boxes[i], gap)) {
      if (isFilled) context.fill(path);
      context.stroke(path);
    }
    context.setLineDash([]);
    if (isSelected || i === hover || label !== background) this.drawTag(context, i, label, colour);
  }

  drawTag(context, i, label, colour) {
    const { selection, hover, labels, background } = this.look;
    const isFirst = i === 0 || labels[i - 1] !== label;
    const isAsked = selection.has(i) || i === hover;
    if (!isAsked && (!isFirst || label === background)) return;
    const size = 10 / this.scale;
    const [left, top] = this.boxes[i][0];
    const text = label === "?" ? "don't know" : label.replaceAll("|", " or ");
    context.font = `600 ${size}px system-ui, sans-serif`;
    const width = context.measureText(text).width + size;
    const height = size * 1.4;
    const gap = 3 / this.scale;
    const beside = [left - width - gap, top, left - gap, top + height];
    const isBeside = beside[0] > this.win.scrollX && !this.covers(beside);
    const x = isBeside ? left - width - gap : left - gap / 3;
    const above = top - height - gap / 3;
    const y = isBeside || above < this.win.scrollY ? top : above;
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x, y, width, height, 2 / this.scale);
    context.fill();
    context.fillStyle = "#fff";
    context.textBaseline = "middle";
    context.fillText(text, x + size / 2, y + height / 2 + size * 0.05);
  }

  // Whether a box, such as that of a tag, would cover a region that can be seen.
  covers([left, top, right, bottom]) {
    return this.seen.some((i) => this.boxes[i].some((b) =>
      b[0] < right && b[2] > left && b[1] < bottom - 2 && b[3] > top + 2 && !this.isMedia(i)));
  }

  drawDrag(context) {
    const [left, top, right, bottom] = this.drag.box;
    context.strokeStyle = "#1d4ed8";
    context.fillStyle = "#1d4ed81f";
    context.lineWidth = 1 / this.scale;
    context.fillRect(left, top, right - left, bottom - top);
    context.strokeRect(left, top, right - left, bottom - top);
  }

  // Index of the region that is seen at a point of the document, or -1: of several, the one in the
  // uppermost element, and then the smallest.
  regionAt(x, y) {
    const { scrollX, scrollY } = this.win;
    const layers = this.doc.elementsFromPoint(x - scrollX, y - scrollY);
    let [best, height, least] = [-1, Infinity, Infinity];
    for (const i of this.visible()) {
      for (const [left, top, right, bottom] of this.unseen.has(i) ? [] : this.boxes[i]) {
        if (x < left - 2 || x > right + 2 || y < top - 2 || y > bottom + 2) continue;
        const layer = layers.indexOf(this.elementOf(i));
        const depth = layer < 0 ? layers.length : layer;
        const area = (right - left) * (bottom - top);
        if (depth < height || (depth === height && area < least)) {
          [best, height, least] = [i, depth, area];
        }
      }
    }
    return best;
  }

  // The element of the document in which a region is shown; a frame for all that is in it.
  elementOf(i) {
    const node = this.nodes[i];
    if (node.ownerDocument === this.doc) return node.nodeType === 3 ? node.parentElement : node;
    let view = node.ownerDocument.defaultView;
    while (view.parent !== this.win) view = view.parent;
    return view.frameElement;
  }

  regionsIn([left, top, right, bottom]) {
    const found = [];
    this.boxes.forEach((boxes, i) => {
      if (!this.unseen.has(i) && boxes.some((b) => b[0] < right && b[2] > left && b[1] < bottom && b[3] > top)) found.push(i);
    });
    return found;
  }

  placeOf(event) {
    const corner = this.canvas.getBoundingClientRect();
    return [
      (event.clientX - corner.left) / this.scale + this.win.scrollX,
      (event.clientY - corner.top) / this.scale + this.win.scrollY,
    ];
  }

  bindPointer() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.win || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.drag = { from: this.placeOf(event), box: null };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.win) return;
      const [x, y] = this.placeOf(event);
      if (!this.drag) {
        this.handlers.hover(this.regionAt(x, y));
        return;
      }
      const [a, b] = this.drag.from;
      if (this.drag.box || Math.hypot(x - a, y - b) * this.scale > 6) {
        this.drag.box = [Math.min(a, x), Math.min(b, y), Math.max(a, x), Math.max(b, y)];
        this.dirty = true;
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!this.drag) return;
      const { from, box } = this.drag;
      this.drag = null;
      this.dirty = true;
      if (box) this.handlers.box(this.regionsIn(box), event);
      else this.handlers.click(this.regionAt(...from), event);
    });
    canvas.addEventListener("auxclick", (event) => {
      if (this.win) this.handlers.next(this.regionAt(...this.placeOf(event)), event);
    });
    canvas.addEventListener("mousedown", (event) => { if (event.button === 1) event.preventDefault(); }); // no scrolling
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerleave", () => this.handlers.hover(-1));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (!this.win) return;
      if (event.ctrlKey) {
        this.handlers.zoom(event.deltaY < 0 ? 1 : -1);
        return;
      }
      const unit = event.deltaMode === 1 ? 32 : event.deltaMode === 2 ? this.height : 1 / this.scale;
      const [x, y] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
      this.scrollAt(event, x * unit, y * unit);
    }, { passive: false });
  }

  // Scrolls what is under the mouse: a box of the page, or all of it.
  scrollAt(event, across, down) {
    const [x, y] = this.placeOf(event);
    if (this.scrolls?.scrollAt(x - this.win.scrollX, y - this.win.scrollY, across, down)) {
      this.measureAll();
      this.dirty = true;
    } else {
      this.win.scrollBy({ left: across, top: down, behavior: "instant" });
    }
  }

  scrollPage(share) {
    if (!this.win) return;
    const { scrollY } = this.win;
    this.win.scrollBy({ top: share * this.height, behavior: "instant" });
    const box = this.scrolls?.largest;
    if (this.win.scrollY !== scrollY || !box) return;
    this.scrolls.scroll(box, 0, share * box.clientHeight);
    this.measureAll();
    this.dirty = true;
  }

  // Scrolls so that a region can be seen, a third down the window.
  reveal(i) {
    const node = this.nodes[i];
    if (node && this.scrolls && this.rectsOf(i).length
      && this.scrolls.reveal(node, () => this.rectsOf(i)[0])) {
      this.measureAll();
      this.dirty = true;
    }
    const box = this.boxes[i]?.[0];
    if (!box || !this.win) return;
    const { scrollX, scrollY } = this.win;
    const across = this.doc.documentElement.clientWidth;
    const isAcross = box[0] < scrollX + across && box[2] > scrollX; // a wide page may go on beside
    const isDown = box[1] > scrollY + 30 && box[3] < scrollY + this.height - 30;
    if (isAcross && isDown) return;
    this.win.scrollTo({
      top: isDown ? scrollY : box[1] - this.height / 3,
      left: isAcross ? scrollX : box[0] - across / 3,
      behavior: "instant",
    });
  }

  // The words of each region as they stand in the frame; empty for media.
  texts() {
    return this.nodes.map((node, i) => (node && !this.isMedia(i) ? node.data ?? node.textContent : ""));
  }

  // The middle of a region's first line, in pixels of the window.
  screenPlace(i) {
    const [left, top, right, bottom] = this.boxes[i][0];
    const corner = this.canvas.getBoundingClientRect();
    return [
      ((left + right) / 2 - this.win.scrollX) * this.scale + corner.left,
      ((top + bottom) / 2 - this.win.scrollY) * this.scale + corner.top,
    ];
  }

  isShown(i) {
    return Boolean(this.boxes[i]?.length);
  }
}
