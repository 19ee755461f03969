// Draws a frame and a tag over each region of a loaded page.
(text) => {
  const layer = document.createElement("div");
  layer.style.cssText = "all:initial;position:absolute;left:0;top:0;z-index:2147483647";
  for (const { box, name, colour } of JSON.parse(text)) {
    const [left, top, width, height] = box;
    const frame = document.createElement("div");
    frame.style.cssText = `all:initial;position:absolute;box-sizing:border-box;left:${left - 2}px;` +
      `top:${top - 2}px;width:${width + 4}px;height:${height + 4}px;border:2px solid ${colour};` +
      `background:${colour}14;border-radius:3px`;
    const tag = document.createElement("div");
    tag.textContent = name;
    tag.style.cssText = "all:initial;position:absolute;right:-2px;top:-15px;padding:1px 5px;" +
      `font:600 10px/13px sans-serif;color:#fff;background:${colour};border-radius:3px 3px 0 0`;
    frame.append(tag);
    layer.append(frame);
  }
  document.body.append(layer);
}
