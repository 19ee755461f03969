// Ends what moves by itself, so that a page looks the same whenever it is read.
//
// Animations and transitions go to their end; those without an end are taken away. What is paused,
// or follows the scrolling, stands still already.
() => {
  const SECONDS = 86400;  // into a drawing: by then, what ends has ended
  const ROUNDS = 100;  // of transitions that the end of others has begun, as in what inherits
  const isMoving = ({ effect, playState, timeline }) =>
    effect && playState === "running" && timeline && !("source" in timeline);
  const end = (animation) => {
    const isEndless = animation.effect.getComputedTiming().endTime === Infinity;
    if (isEndless || !animation.playbackRate) animation.cancel();
    else animation.finish();
  };
  const endDrawing = (svg) => {
    svg.pauseAnimations();
    svg.setCurrentTime(SECONDS);
  };
  // Nobody can ask for the animation of running text; in a new element it has not begun.
  const endRunning = (marquee) => {
    const still = marquee.cloneNode(false);
    still.append(...marquee.childNodes);
    marquee.replaceWith(still);
    still.stop();
  };
  // A form hides its own properties behind fields of the same name; the getter does not.
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot");
  const shadowOf = (node) =>
    get.call(node) || (globalThis.closedRoots && globalThis.closedRoots.get(node));
  const endBelow = (root, { getAnimations, querySelectorAll }) => {
    const find = (names) => Array.from(querySelectorAll.call(root, names));
    find("marquee").forEach(endRunning);
    find("svg").forEach(endDrawing);
    for (let round = 0; round < ROUNDS; round += 1) {
      const moving = getAnimations.call(root).filter(isMoving);
      if (!moving.length) break;
      moving.forEach(end);
    }
    for (const node of find("*")) {
      const shadow = shadowOf(node);
      if (shadow) endBelow(shadow, ShadowRoot.prototype);
    }
    for (const frame of find("iframe, frame")) {
      if (frame.contentDocument) endBelow(frame.contentDocument, Document.prototype);
    }
  };
  endBelow(document, Document.prototype);
}
