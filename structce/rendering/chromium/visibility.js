// What hides a node by its box: where it is, how large, and what the boxes around it cut off.
(() => {
  // A form hides its own properties behind fields of the same name; the getters do not.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const widthOf = getter(Element, "clientWidth");
  const heightOf = getter(Element, "clientHeight");

  // Wholly left of or above what can be scrolled to.
  const isOffScreen = (view, box) => box.right <= view.left || box.bottom <= view.top;

  // Whether a medium is a point, such as count visitors: by the size that it says it has.
  const isPoint = (node, tag) => {
    const sides = ["width", "height"].map((name) => {
      const value = (node.getAttribute(name) || "").trim();
      return /^[\d.]+(px)?$/.test(value) ? parseFloat(value) : NaN;
    });
    return tag === "img" ? sides.every((side) => side <= 1) : sides.some((side) => side <= 1);
  };

  // What an element cuts off wholly: nothing, what flows in it, or all below it. Text of inline
  // elements is not cut.
  const cutBy = (node, tag, style) => {
    const path = style.clipPath;
    if (path !== "none" && isNothing(path)) return "all";
    const { clip, overflow, display } = style;
    if (clip !== "auto" && /^(absolute|fixed)$/.test(style.position)) {
      const [top, right, bottom, left] = clip.match(/-?[\d.]+/g) || [];
      if (right - left <= 1 || bottom - top <= 1) return "all";
    }
    if (overflow === "visible" || display === "inline" || tag === "html" || tag === "body") {
      return "";
    }
    return widthOf(node) <= 1 || heightOf(node) <= 1 ? "flow" : "";
  };

  // Whether an element is cut off, and whether what is placed against the page or against a box
  // around is, too: that is cut only where such a box is.
  const cutsOf = (above, node, tag, style, isMedium) => {
    const cut = isMedium ? "" : cutBy(node, tag, style);
    if (!cut && !above.isClipped) return above.cuts;
    const { position } = style;
    const { flow, absolute, fixed } = above.cuts;
    const own = position === "fixed" ? fixed : position === "absolute" ? absolute : flow;
    const inside = own || cut !== "";
    return {
      flow: inside, fixed: fixed || cut === "all",
      absolute: position !== "static" ? inside : absolute || cut === "all",
    };
  };

  // Whether a clipping path, as it is computed, leaves nothing.
  const isNothing = (path) => {
    const numbers = path.match(/-?[\d.]+(?=%|px)/g) || [];
    const values = numbers.map(Number);
    if (path.startsWith("inset(")) {
      const [top, right = top, bottom = top, left = right] = values;
      const isShare = !/[1-9][\d.]*px/.test(path);
      return isShare && (top + bottom >= 100 || left + right >= 100);
    }
    if (/^(circle|ellipse)\(/.test(path)) return values.length > 0 && values[0] === 0;
    return path.startsWith("polygon(") && new Set(values).size === 1;
  };

  return { getter, isOffScreen, isPoint, cutsOf };
})()
