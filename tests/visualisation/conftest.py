"""Pages whose regions and boxes a test names."""

import numpy as np
import pytest
from msgspec.structs import replace


@pytest.fixture
def paged(make_page):
    """Return a page with one region a text, one below the other, and what one wants of boxes."""

    def build(texts, boxes=None, *, title="News", renderer="chromium", viewport=(1280, 1024)):
        page = make_page("<body>" + "".join(f"<p>region {n}</p>" for n in range(len(texts))))
        if boxes is None:
            boxes = [(10, 40 * n, 600, 20) for n in range(len(texts))]
        about = {"renderer": renderer, "viewport": viewport, "text": tuple(texts)}
        boxes = np.array(boxes, dtype=np.float32).reshape(-1, 4)
        return replace(page, boxes=boxes, metadata=replace(page.metadata, title=title), **about)

    return build
