"""The command, for what it does in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence

from skewer._errors import Error


def run(arguments: Sequence[str], *, may_end_with: Sequence[int] = (0,), named: Callable[[str], str]) -> str:
    """Run the command and return what it says. ``named`` names arguments of Python in place of options of the command.

    Raises:
        Error: if it ends with an exit code that it may not end with.

    """
    command = [sys.executable, "-m", "skewer", *arguments]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        _, said = process.communicate()
    except BaseException:
        # The command leaves its output as it was, and no other files.
        process.terminate()
        process.communicate()
        raise
    if process.returncode not in may_end_with:
        # Advice about the command line is only for its users.
        said = said.partition("\n\nFor more information, try")[0]
        raise Error(named(said.strip().removeprefix("error: ")))
    return named(said.strip())
