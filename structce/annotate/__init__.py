"""Labelling page: people label the regions of pages in a browser, helped by a model."""

from structce.annotate.pages import add_sources
from structce.annotate.proposals import Proposer
from structce.annotate.scheme import LabelScheme, default_scheme, read_scheme
from structce.annotate.server import AccessRules, build_app
from structce.annotate.session import ORDERS, Order, Session
from structce.annotate.trail import is_annotator_name
from structce.annotate.training import BackgroundTraining
from structce.annotate.workspace import Workspace, create_workspace

__all__ = [
    "ORDERS", "AccessRules", "BackgroundTraining", "LabelScheme", "Order", "Proposer", "Session",
    "Workspace", "add_sources", "build_app", "create_workspace", "default_scheme",
    "is_annotator_name", "read_scheme",
]  # fmt: skip
