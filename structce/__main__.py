"""``python -m structce``: the same as the command ``structce``."""

from structce.cli import main

if __name__ == "__main__":
    main()
