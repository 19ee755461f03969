"""Copy of the tables of the package as JSON, which is read in a tenth of the time of TOML.

Tables are edited as TOML, beside the modules that use them. Run it after a change, as a test asks:

    python -m tools.tables
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from structce.language.vocabulary import TABLES

PACKAGE = Path(__file__).resolve().parents[1] / "structce"
ROOMS = ("article", "features", "language", "page")


def copied_tables() -> str:
    """Return all tables as one JSON object, by their rooms and names."""
    files = [file for room in ROOMS for file in sorted((PACKAGE / room).glob("*.toml"))]
    tables = {
        f"{file.parent.name}/{file.stem}": tomllib.loads(file.read_text(encoding="utf-8"))
        for file in files
    }
    return json.dumps(tables, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    """Write the copy into the package."""
    path = PACKAGE / "language" / TABLES
    path.write_text(copied_tables(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
