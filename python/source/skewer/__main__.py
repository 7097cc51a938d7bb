"""The command ``skewer``: ``python -m skewer`` is the same."""

from __future__ import annotations

import signal
import sys

from skewer import _skewer


def main() -> None:
    """Run the command with the arguments of this process."""
    # The command handles Ctrl-C itself. Where it does not, Ctrl-C ends the process as usual. If it was ignored from
    # the start, it stays ignored.
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_skewer.main(["skewer", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
