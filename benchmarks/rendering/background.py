"""Background thread: work that goes on while something is measured."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Self


class BackgroundThread(ABC):
    """Context manager whose work runs beside the body of the context until that is over."""

    def __enter__(self) -> Self:
        self.is_over = threading.Event()
        self._thread = threading.Thread(target=self.run, name=type(self).__name__)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        self._thread.join()

    @abstractmethod
    def run(self) -> None:
        """Do the work; end soon after ``is_over`` is set."""
