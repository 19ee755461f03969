"""HTTP service: labelling and extraction of pages, for programs in any language."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names
from structce.service.app import LOOPBACKS
from structce.service.work import WorkSetup

if TYPE_CHECKING:
    from structce.service.server import run_service

__all__ = ["LOOPBACKS", "WorkSetup", "run_service"]

__getattr__ = lazy_names(__name__, {"run_service": f"{__name__}.server"})
