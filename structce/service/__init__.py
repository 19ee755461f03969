"""HTTP service: labelling, extraction and explanation of pages for programs in any language."""

from structce.service.errors import Failure, ServiceError
from structce.service.requests import PageInput
from structce.service.run import LOOPBACKS, ServiceOptions, run_service, served_methods
from structce.service.work import WorkSetup, check_setup

__all__ = [
    "LOOPBACKS", "Failure", "PageInput", "ServiceError", "ServiceOptions", "WorkSetup",
    "check_setup", "run_service", "served_methods",
]  # fmt: skip
