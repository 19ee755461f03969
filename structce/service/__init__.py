"""HTTP service: labelling, extraction and explanation of pages for programs in any language."""

from structce.service.app import ServiceOptions
from structce.service.run import LOOPBACKS, run_service
from structce.service.work import WorkSetup, check_setup

__all__ = ["LOOPBACKS", "ServiceOptions", "WorkSetup", "check_setup", "run_service"]
