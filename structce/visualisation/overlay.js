// Shows why a region has its label while it is pointed at, has the focus, or is pinned.
"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const byRegion = (selector) => new Map(all(selector).map((one) => [one.dataset.region, one]));
  const boxes = byRegion(".box");
  const items = byRegion(".item");
  const reasons = byRegion(".reason");
  const hint = document.querySelector("#hint");
  const side = document.querySelector("#why");
  let shown = null;
  let pinned = null;

  const show = (region) => {
    if (region === shown) return;
    for (const group of [boxes, items]) {
      group.get(shown)?.classList.remove("now");
      group.get(region)?.classList.add("now");
    }
    if (shown !== null) reasons.get(shown).hidden = true;
    hint.hidden = region !== null;
    if (region !== null) reasons.get(region).hidden = false;
    side.scrollTop = 0;
    shown = region;
  };

  const pin = (region) => {
    for (const group of [boxes, items]) {
      group.get(pinned)?.classList.remove("pinned");
      group.get(pinned)?.setAttribute("aria-pressed", "false");
      group.get(region)?.classList.add("pinned");
      group.get(region)?.setAttribute("aria-pressed", "true");
    }
    pinned = region;
    document.body.classList.toggle("is-pinned", pinned !== null);
    if (region !== null) show(region);
  };

  const reveal = (element) => element?.scrollIntoView({
    block: "center",
    behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
  });

  const toggle = (isOpen) => {
    document.body.classList.toggle("shows-list", isOpen);
    document.querySelector("#toggle").setAttribute("aria-expanded", String(isOpen));
  };

  const regionOf = (event) => event.target.closest?.("[data-region]:not(.reason)")?.dataset.region;

  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const region = regionOf(event);
      if (region !== undefined && pinned === null) show(region);
      if (kind === "mouseover" || !event.target.matches(".box")) return;
      items.get(region)?.scrollIntoView({ block: "nearest" });
    });
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("#release")) return pin(null);
    const region = regionOf(event);
    if (region === undefined) return undefined;
    pin(region === pinned ? null : region);
    const isOnPicture = event.target.closest(".box");
    if (pinned !== null) reveal((isOnPicture ? items : boxes).get(region));
    if (!isOnPicture) toggle(false); // on a telephone the list covers what was chosen from it
    return undefined;
  });

  const next = (element, step) => {
    const same = all(element.matches(".box") ? ".box" : ".item").filter((one) => !one.hidden);
    return same[same.indexOf(element) + step];
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return pin(null);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step || regionOf(event) === undefined) return undefined;
    event.preventDefault();
    const target = next(event.target, step);
    target?.focus();
    if (pinned !== null && target) pin(target.dataset.region);
    return undefined;
  });

  const filter = () => {
    const labels = new Set(all("#labels input:checked").map((one) => one.value));
    const background = document.querySelector("#background").checked;
    for (const one of [...boxes.values(), ...items.values()]) {
      one.hidden = one.classList.contains("of-background") ? !background
        : !labels.has(one.dataset.label);
    }
  };

  // A tag that would hide another one stands at the other end of its box, or waits until its
  // region is pointed at. Places are read before any is changed, so that the page is laid out twice.
  const tags = [...boxes.values()].filter((box) => !box.classList.contains("of-background"))
    .map((box) => ({ box, tag: box.querySelector("span") }));
  const overlaps = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;

  const placeTags = () => {
    for (const { box } of tags) box.classList.remove("no-room", "at-other-end");
    const measured = tags.filter(({ box }) => !box.hidden).map(({ box, tag }) => {
      const [around, own] = [box.getBoundingClientRect(), tag.getBoundingClientRect()];
      const left = box.classList.contains("at-left") ? around.right - own.width : around.left;
      return { box, places: [own, { left, right: left + own.width, top: own.top,
        bottom: own.bottom }] };
    });
    const taken = [];
    for (const { box, places } of measured) {
      const place = places.findIndex((one) => !taken.some((other) => overlaps(one, other)));
      if (place === -1) box.classList.add("no-room");
      else taken.push(places[place]);
      if (place === 1) box.classList.add("at-other-end");
    }
  };

  const update = () => {
    filter();
    placeTags();
  };
  document.addEventListener("change", update);
  new ResizeObserver(placeTags).observe(document.querySelector("#sheet"));
  update(); // browsers keep what was ticked before a page was loaded again

  document.querySelector("#toggle").addEventListener("click", () => {
    toggle(!document.body.classList.contains("shows-list"));
  });
  document.body.classList.add("has-script");

  // The first labelled region may stand far below menus and pictures.
  const first = all(".box:not(.of-background)").find((one) => !one.hidden);
  first?.scrollIntoView({ block: "center", inline: "start", behavior: "instant" });
})();
