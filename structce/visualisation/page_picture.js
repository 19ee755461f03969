// Draws a frame, a tint and a tag over regions of a loaded page, and notes where it is cut. A
// landscape takes the place of each picture that could not be loaded, except in lines of text.
async (text) => {
  const { marks, top, height, room, above, below } = JSON.parse(text);
  const landscape = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"
    width="160" height="90" viewBox="0 0 160 90" preserveAspectRatio="xMidYMid slice">
    <path fill="#dde5ea" d="M0 0h160v90H0z"/><circle fill="#f6f2e3" cx="122" cy="24" r="10"/>
    <path fill="#a9b8c1" d="M0 62 42 34l34 30 26-18 58 34v10H0z"/>
    <path fill="#8c9da8" d="m0 76 52-14 40 16 68-12v24H0z"/></svg>`)}`;
  const sample = new Image();
  sample.src = landscape;
  await sample.decode().catch(() => {}); // a policy of the page may forbid it
  const missing = [...document.images].filter((image) =>
    sample.naturalWidth && !(image.complete && image.naturalWidth));
  for (const image of missing) { // over what the browser shows for it, so that nothing moves
    image.setAttribute("data-structce", getComputedStyle(image).position);
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`img[data-structce="static"] { position: relative !important }
    img[data-structce]::after { all: initial; content: ""; position: absolute; inset: 0;
      background: url("${landscape}") center / cover }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const root = document.documentElement;
  const sizes = [root, document.body ?? root].map((one) => [one.scrollWidth, one.scrollHeight]);
  const [pageWidth, pageHeight] = [0, 1].map((side) => Math.max(...sizes.map((one) => one[side])));
  const bottom = Math.min(pageHeight, top + height);

  // Important, so that no rule of the page moves or hides what is drawn.
  const make = (parent, style, content = "") => {
    const element = document.createElement("div");
    for (const [name, value] of Object.entries({ all: "initial", position: "absolute", ...style })) {
      element.style.setProperty(name, value, "important");
    }
    element.textContent = content;
    parent.append(element);
    return element;
  };
  const px = (...values) => values.map((value) => `${value}px`).join(" ");

  // Where a tag stands at its frame: the first place where it hides no other tag and no other region,
  // or else no other tag. Above the frame, or inside where there is no room, or below.
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "600 10px sans-serif";
  const high = 15; // pixels of a tag
  const edges = marks.map(({ box: [left, start, across, down] }) =>
    [left, start, left + across, start + down]);
  const tags = [];
  const meets = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
  const placeTag = (n, name) => {
    const [left, start, right, end] = edges[n];
    const width = pen.measureText(name).width + 10;
    const sides = right < 120 ? ["left", "right"] : ["right", "left"];
    const tops = start - top < high
      ? { inside: start - 2, below: end } : { above: start - high, below: end };
    const places = Object.entries(tops).flatMap(([level, y]) => sides.map((side) => {
      const x = side === "left" ? left - 2 : right + 2 - width;
      return { side, level, edge: [x, y, x + width, y + high] };
    }));
    const isFree = ({ edge }) => !tags.some((tag) => meets(tag, edge))
      && edge[0] >= -2 && edge[2] <= pageWidth + 2;
    const hidesNone = ({ edge }) => !edges.some((other, k) => k !== n && meets(other, edge));
    const free = places.filter(isFree);
    const chosen = free.find(hidesNone) ?? free[0] ?? places[0];
    tags.push(chosen.edge);
    return chosen;
  };
  const PLACES = {
    above: { top: px(-high), "border-radius": px(3, 3, 0, 0) },
    inside: { top: px(-2), "border-radius": px(0, 3, 0, 3) },
    below: { bottom: px(-high), "border-radius": px(0, 0, 3, 3) },
  };

  const layer = make(root, {
    left: "0", top: "0", width: px(pageWidth), height: px(bottom), overflow: "hidden",
    "z-index": "2147483647",
  });
  const inside = layer.attachShadow({ mode: "closed" }); // where no rule for "div" reaches
  const line = 2;
  for (const [n, { box, name, colour }] of marks.entries()) {
    const [left, start, across, down] = box;
    const frame = make(inside, {
      "box-sizing": "border-box", left: px(left - line), top: px(start - line),
      width: px(across + 2 * line), height: px(down + 2 * line), "border-radius": px(3),
      border: `${line}px solid ${colour}`, background: `${colour}14`,
    });
    const look = { color: "#fff", background: colour, "white-space": "nowrap" };
    const { side, level } = placeTag(n, name);
    make(frame, { ...look, [side]: px(-line), ...PLACES[level], padding: px(1, 5),
      font: "600 10px/13px sans-serif" }, name);
  }

  const note = (place, content, pixels) => make(inside, {
    left: "0", right: "0", top: px(place), height: px(room), color: "#fff", background: "#1d2a33",
    "text-align": "center", font: `600 12px/${room}px sans-serif`,
  }, content.replace("{}", pixels.toLocaleString("en")));
  if (top > 0) note(top, above, top);
  if (bottom < pageHeight) note(bottom - room, below, pageHeight - bottom);

  // What is above the first row goes where no picture reaches.
  root.style.setProperty("transform", `translateY(${-top}px)`, "important");
  // A margin or a position of the root moves the layer off the page's corner: move it back.
  const corner = layer.getBoundingClientRect();
  layer.style.setProperty("left", px(-corner.left - scrollX), "important");
  layer.style.setProperty("top", px(-corner.top - scrollY - top), "important");
}
