// Boxes of a page that scroll on their own: elements with scroll bars, and documents in frames.
// What they hide can neither be seen nor clicked, so places are cut to them. Boxes that hide what is
// outside of them for good are here, too.

const SCROLLS = new Set(["auto", "scroll", "overlay"]);
const CLIPS = new Set(["hidden", "clip"]);
const NOTHING = /^(?:rect\((?:[01]px,? ?){4}\)|inset\((?:50|100)%.*)$/; // as texts for screen readers have it
const SLACK = 1; // pixels that rounding leaves to scroll

// Left and top of a document's window in the outermost one, which a frame's is not.
export function cornerOf(view, outermost) {
  let [x, y] = [0, 0];
  for (let at = view; at && at !== outermost; at = at.parent) {
    const host = at.frameElement.getBoundingClientRect();
    [x, y] = [x + host.left + at.frameElement.clientLeft, y + host.top + at.frameElement.clientTop];
  }
  return [x, y];
}

const isRoot = (element) => element === element.ownerDocument.documentElement;

function overflows(box) {
  return box.scrollHeight > box.clientHeight + SLACK || box.scrollWidth > box.clientWidth + SLACK;
}

const cutTo = ([left, top, right, bottom], rects) => rects.map(([a, b, c, d]) =>
  [Math.max(a, left), Math.max(b, top), Math.min(c, right), Math.min(d, bottom)]);

// Whether an element scrolls what is in it; a page's own window is not meant.
function isScrollBox(element, outermost) {
  const view = element.ownerDocument.defaultView;
  if (!element.clientHeight || !overflows(element)) return false;
  if (isRoot(element)) return view !== outermost;
  const style = view.getComputedStyle(element);
  if (style.visibility !== "visible") return false;
  if (element === element.ownerDocument.body) {
    const root = view.getComputedStyle(element.parentElement);
    if (root.overflowX === "visible" && root.overflowY === "visible") return false; // the window's
  }
  return SCROLLS.has(style.overflowX) || SCROLLS.has(style.overflowY);
}

export class ScrollBoxes {
  constructor(view) {
    this.view = view;
    this.boxes = []; // outer ones before those inside them
    this.clips = new Map(); // how each element that was asked about cuts off what is in it
    this.around = new Map(); // boxes around each element that was asked about, the innermost first
    this.collect(view.document);
  }

  collect(doc) {
    for (const element of doc.querySelectorAll("*")) {
      if (isScrollBox(element, this.view)) this.boxes.push(element);
      const inner = element.localName === "iframe" || element.localName === "frame"
        ? element.contentDocument : null;
      if (inner) this.collect(inner);
    }
    this.known = new Set(this.boxes);
  }

  boxesAround(node) {
    if (!this.boxes.length) return this.boxes;
    const parent = node.parentElement || node.ownerDocument.defaultView.frameElement;
    if (!parent) return [];
    if (!this.around.has(parent)) {
      const outer = this.boxesAround(parent);
      this.around.set(parent, this.known.has(parent) ? [parent, ...outer] : outer);
    }
    return this.around.get(parent);
  }

  // Left, top, right and bottom of what a box shows, in the window.
  placeOf(box) {
    const view = box.ownerDocument.defaultView;
    const [x, y] = cornerOf(view, this.view);
    if (isRoot(box)) return [x, y, x + view.innerWidth, y + view.innerHeight];
    const rect = box.getBoundingClientRect();
    return [rect.left + x, rect.top + y, rect.right + x, rect.bottom + y];
  }

  // Rectangles of a node in the window, without what the boxes around it hide.
  cut(node, rects) {
    let shown = rects;
    for (const box of this.boxesAround(node)) shown = cutTo(this.placeOf(box), shown);
    return shown;
  }

  // Rectangles of what is in an element, without what elements around it cut off for good. One that
  // is placed by itself is only cut by those that it is placed in.
  clipped(element, rects) {
    let [shown, isPlaced] = [rects, false];
    for (let at = element; at && at !== at.ownerDocument.body; at = at.parentElement) {
      const { clips, position, holds, isNothing } = this.clipOf(at);
      if (isPlaced && !holds) continue;
      if (isNothing) return [];
      if (clips) shown = cutTo(this.placeOf(at), shown);
      if (position === "fixed") break;
      isPlaced = position === "absolute";
    }
    return shown;
  }

  clipOf(element) {
    if (!this.clips.has(element)) {
      const style = element.ownerDocument.defaultView.getComputedStyle(element);
      const { position, transform, clip, clipPath } = style;
      this.clips.set(element, {
        position,
        clips: style.display !== "inline" && (CLIPS.has(style.overflowX) || CLIPS.has(style.overflowY)),
        holds: position !== "static" || transform !== "none",
        isNothing: (position === "absolute" && NOTHING.test(clip)) || NOTHING.test(clipPath),
      });
    }
    return this.clips.get(element);
  }

  // Scrolls the boxes around a node so that its first rectangle is in them; returns whether any did.
  reveal(node, rectOf) {
    let hasMoved = false;
    for (const box of this.boxesAround(node)) {
      const [left, top, right, bottom] = this.placeOf(box);
      const [a, b, c, d] = rectOf();
      if (b < top || d > bottom) box.scrollTop += b - top - box.clientHeight / 3;
      if (a < left || c > right) box.scrollLeft += a - left;
      hasMoved ||= b < top || d > bottom || a < left || c > right;
    }
    return hasMoved;
  }

  // Scrolls the innermost box at a point of the window that can go further; returns whether one did.
  scrollAt(x, y, across, down) {
    for (const box of [...this.boxes].reverse()) {
      const [left, top, right, bottom] = this.placeOf(box);
      const isHere = x >= left && x <= right && y >= top && y <= bottom;
      if (isHere && this.scroll(box, across, down)) return true;
    }
    return false;
  }

  scroll(box, across, down) {
    const { scrollLeft, scrollTop } = box;
    box.scrollBy({ left: across, top: down, behavior: "instant" });
    return box.scrollLeft !== scrollLeft || box.scrollTop !== scrollTop;
  }

  // The box that shows most of the page: what scrolls where the window itself does not.
  get largest() {
    const area = (box) => box.clientWidth * box.clientHeight;
    return this.boxes.reduce((best, box) => (!best || area(box) > area(best) ? box : best), null);
  }
}
