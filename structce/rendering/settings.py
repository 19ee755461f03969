"""How pages are rendered, and how much a single page may take."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from structce.rendering.base import MAX_REGIONS

RULES = 3
"""Version of the rules by which a node is a region; raised whenever they change."""

VIEWPORT = (1280, 1024)
"""Window in CSS pixels: a common desktop size, our choice."""


@dataclass(frozen=True)
class Limits:
    """What one page may take; beyond it the page is an error, and the others go on.

    The defaults are our choice: far above what the largest news page needs, low enough that no
    page can stop a run or fill a machine.

    Parameters
    ----------
    seconds
        In the browser, from loading to the last region; the browser is then killed.
    memory
        Megabytes (10^6 bytes) of all processes of the browser together; it is then killed.
    regions
        Regions of one page.
    requests
        Files that a page may ask for; further ones are not there.
    request_bytes
        Bytes of one such file; a larger one is not there.
    request_seconds
        For one such file from the network.
    total_bytes
        Bytes of all files of one page together; what comes after is not there.
    quiet
        Seconds without a request after which a page whose scripts run has all that it wants.
    """

    seconds: float = 20.0
    memory: int = 2_000
    regions: int = MAX_REGIONS
    requests: int = 400
    request_bytes: int = 10_000_000
    request_seconds: float = 10.0
    total_bytes: int = 60_000_000
    quiet: float = 0.5


@dataclass(frozen=True)
class Settings:
    """How a browser shows pages.

    Parameters
    ----------
    viewport
        Window in CSS pixels.
    scripts
        Whether scripts of pages run. Off: a page stands as its publisher served it.
    network
        Whether files of pages may come from the network; it is :class:`Network` that reads
        documents so, and this says that it did.
    """

    viewport: tuple[int, int] = VIEWPORT
    scripts: bool = False
    network: bool = False
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        """Return the settings in one line, as a snapshot keeps them."""
        width, height = self.viewport
        limits = asdict(self.limits)
        usual = asdict(Limits())
        changed = [f"{key}={limits[key]:g}" for key in limits if limits[key] != usual[key]]
        switches = {"scripts": self.scripts, "network": self.network}
        on = [f"{name}={'on' if is_on else 'off'}" for name, is_on in switches.items()]
        return " ".join([f"rules={RULES}", f"{width}x{height}", *on, *changed])
