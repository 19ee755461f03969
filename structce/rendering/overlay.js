// Draws a frame, a tint and a tag over each region of a loaded page.
(text) => {
  const layer = document.createElement("div");
  layer.style.cssText = "all:initial;position:absolute;left:0;top:0;z-index:2147483647";
  for (const { box, name, colour, tint, inside } of JSON.parse(text)) {
    const [left, top, width, height] = box;
    const frame = document.createElement("div");
    const line = inside ? 1 : 2;
    const cover = tint.toString(16).padStart(2, "0");
    frame.style.cssText = `all:initial;position:absolute;box-sizing:border-box;` +
      `left:${left - line}px;top:${top - line}px;width:${width + 2 * line}px;` +
      `height:${height + 2 * line}px;border:${line}px solid ${colour};` +
      `background:${colour}${cover};border-radius:3px`;
    const tag = document.createElement("div");
    tag.textContent = name;
    tag.style.cssText = inside
      ? "all:initial;position:absolute;right:0;top:0;padding:0 3px;white-space:nowrap;" +
        `font:600 9px/11px sans-serif;color:#fff;background:${colour};border-radius:0 0 0 3px`
      : "all:initial;position:absolute;right:-2px;top:-15px;padding:1px 5px;" +
        `font:600 10px/13px sans-serif;color:#fff;background:${colour};border-radius:3px 3px 0 0`;
    frame.append(tag);
    layer.append(frame);
  }
  document.body.append(layer);
}
