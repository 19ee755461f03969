// Reading of DOM nodes that no page can mislead: a form answers `form.firstChild` with the field
// that is named so, the getters of the prototypes do not.

const getter = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (node) => get.call(node);
};

/** Return the functions by which a tree of the browser is read. */
export const browserTree = () => ({
  kindOf: getter(Node.prototype, "nodeType"),
  nameOf: getter(Element.prototype, "localName"),
  dataOf: getter(CharacterData.prototype, "data"),
  parentOf: getter(Node.prototype, "parentNode"),
  firstOf: getter(Node.prototype, "firstChild"),
  nextOf: getter(Node.prototype, "nextSibling"),
  attributeOf: (node, name) => Element.prototype.getAttribute.call(node, name),
});

export const ELEMENT = 1;
export const TEXT = 3;
