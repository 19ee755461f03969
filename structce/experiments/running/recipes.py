"""How another process comes by a learner that a user's file defines."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from dataclasses import dataclass
from functools import partial, reduce
from types import ModuleType
from typing import cast

from structce.errors import LearnerError
from structce.experiments.running.data import Data
from structce.experiments.running.fitting import Make, do
from structce.experiments.running.units import Outcome, Raised, Task


@dataclass(frozen=True)
class Recipe:
    """What makes a learner, or where it stands.

    A class of a user's file cannot be imported by its name elsewhere, so its file travels instead;
    on a cluster the file must stand at the same place on every machine.

    Parameters
    ----------
    make
        None for one that is named.
    module, name, file
        Of one that is named.
    """

    make: Make | None
    module: str = ""
    name: str = ""
    file: str = ""

    @classmethod
    def of(cls, make: Make) -> Recipe:
        """Return the recipe of what makes a learner."""
        if isinstance(make, partial):
            return cls(make)
        module, name = make.__module__, make.__qualname__
        is_named = module in sys.modules and module != "__main__" and "<locals>" not in name
        if module.split(".")[0] == "structce" or not is_named:
            return cls(make)
        try:
            file = inspect.getsourcefile(make) or ""
        except TypeError:  # its module has no file
            file = ""
        return cls(None, module, name, file)

    def do(self, task: Task, data: Data) -> Outcome:
        """Return what comes of a unit; that its learner cannot be brought here is a value, too."""
        try:
            make = self.make or self._found()
        except Exception as error:  # whatever a file of a user raises is one failed row
            why = f"{type(error).__name__}: {error}"
            return Raised(f"LearnerError: {self.module}.{self.name} is not here: {why}")
        return do(task, make, data)

    def _found(self) -> Make:
        module = sys.modules.get(self.module) or self._loaded()
        found = reduce(getattr, self.name.split("."), cast(object, module))
        if not callable(found):
            raise LearnerError("it makes no learners")
        return cast(Make, found)

    def _loaded(self) -> ModuleType:
        spec = importlib.util.spec_from_file_location(self.module, self.file)
        if spec is None or spec.loader is None:
            return importlib.import_module(self.module)
        module = importlib.util.module_from_spec(spec)
        sys.modules[self.module] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[self.module]
            raise
        return module
