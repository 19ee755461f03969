"""Pages whose files may come from the network, because the user said so."""

from __future__ import annotations

from dataclasses import dataclass, replace

from structce.rendering.addresses import is_url
from structce.rendering.document import Document, decode
from structce.rendering.network.live import LiveResources, Recorder
from structce.rendering.resources import Resource, Resources
from structce.rendering.settings import Settings
from structce.rendering.sources import Source


@dataclass(frozen=True)
class Beside:
    """Files from one place, and from another where the first has none."""

    first: Resources
    second: Resources

    @property
    def base(self) -> str:
        """Address of the page, as the first place has it."""
        return self.first.base

    def get(self, url: str) -> Resource | None:
        """Return the file of the first place that has it."""
        return self.first.get(url) or self.second.get(url)


@dataclass(frozen=True)
class Network:
    """Reads sources such that their pages may ask the network for their files.

    Parameters
    ----------
    settings
        Of the renderer. Pages whose scripts run get no file of the folder or archive that they are
        in: a script that reads a file could tell the network what it holds.
    recorder
        Keeps all that came, so that the pages can be rendered again without the network.
    """

    settings: Settings
    recorder: Recorder | None = None

    def read(self, source: Source) -> Document:
        """Return the document of a source.

        A page from a file may ask for what its folder or archive does not hold, if its address is
        known.

        Raises
        ------
        SourceError
            As :meth:`Source.read`.
        """
        if is_url(source.name):
            live = LiveResources(
                source.name, limits=self.settings.limits, recorder=self.recorder, is_named=True
            )
            page = live.page()
            document = decode(
                page.data, name=source.name, url=page.url, content_type=page.content_type
            )
            return replace(document, resources=live)
        document = source.read()
        if not is_url(document.url):
            return document
        live = LiveResources(document.url, limits=self.settings.limits, recorder=self.recorder)
        local = document.resources
        if local is None or self.settings.scripts:
            return replace(document, resources=live)
        return replace(document, resources=Beside(local, live))
