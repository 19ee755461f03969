"""Actions of an annotator on the labelling page that is open in a browser's tab."""


def wait_version(tab, n):
    """Wait until the server has answered the n-th action."""
    tab.wait_for_selector(f"body[data-version='{n}']")


def label_of(tab, i):
    return str(tab.inner_text(f"#row-{i} .chip"))


def row_with(tab, text):
    """Return the number of the first region that contains a text."""
    return int(tab.locator(".row", has_text=text).first.get_attribute("data-i"))


def point_at(tab, i):
    """Move the mouse to where a region is drawn on the page, and return the place."""
    tab.evaluate("i => window.structce.view.reveal(i)", i)
    x, y = tab.evaluate("i => window.structce.view.screenPlace(i)", i)
    tab.mouse.move(x, y)
    return x, y


def click_region(tab, i, keys=(), button="left"):
    """Click a region on the page, not in the list, while keys are held down."""
    place = point_at(tab, i)
    for key in keys:
        tab.keyboard.down(key)
    tab.mouse.click(*place, button=button)
    for key in keys:
        tab.keyboard.up(key)
