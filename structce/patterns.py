"""Regular expressions that are compiled when they are first used.

Two hundred of them took a tenth of the time of a command that reads one page, which needs a few.
"""

from __future__ import annotations

import re
from typing import AnyStr, Generic, cast


def lazy_pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return the pattern of an expression, which is compiled when one of its methods is called."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(expression, flags))


class _LazyPattern(Generic[AnyStr]):
    def __init__(self, expression: AnyStr, flags: int) -> None:
        self.pattern: AnyStr = expression
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Compile the pattern, and keep what is asked of it: the next time it is found at once."""
        value = self.__dict__[name] = getattr(re.compile(self.pattern, self._flags), name)
        return value
