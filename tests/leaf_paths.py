"""Paths of text leaves, as the extension writes them."""


def leaf_paths(leaves):
    """Return the names of elements from the root down to each leaf."""
    paths = []
    for element in leaves.element.tolist():
        path = []
        while element >= 0:
            path.insert(0, leaves.tag[element])
            element = int(leaves.parent[element])
        paths.append(path)
    return paths
