"""The command that the package installs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import skewer

from conftest import CLASSICS, FOOL

COMMAND = str(Path(sys.executable).parent / "skewer")


@pytest.mark.parametrize("command", [[COMMAND], [sys.executable, "-m", "skewer"]])
def test_exit_codes_and_outputs_are_those_of_the_command(command: list[str]) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], capture_output=True, text=True)

    assert run("--version").stdout == f"skewer {skewer.__version__}\n"
    found = run("search", "-e", "mate", "-f", "ids", str(CLASSICS))
    assert found.returncode == 0 and len(found.stdout.splitlines()) == 8
    assert run("search", "-e", "false", str(CLASSICS)).returncode == 1
    refused = run("search", "-e", "chekc", str(CLASSICS))
    assert refused.returncode == 2 and "chekc" in refused.stderr
    assert run("search", "--nonsense").returncode == 2


def test_games_come_from_standard_input() -> None:
    command = [COMMAND, "search", "-q", "-e", "mate", "-f", "count", "-"]
    found = subprocess.run(command, input=FOOL, capture_output=True, text=True)
    assert found.returncode == 0 and "1" in found.stdout


def test_who_reads_the_output_may_stop() -> None:
    with subprocess.Popen([COMMAND, "help", "--list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, 1)


@pytest.mark.parametrize("ignored", [False, True])
def test_an_interrupt_ends_it_with_what_was_found(ignored: bool) -> None:
    """Unless it came ignored; then another signal does."""
    action = signal.SIG_IGN if ignored else signal.SIG_DFL
    with subprocess.Popen(
        [COMMAND, "search", "-q", "-e", "mate", "-f", "ids", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, action),
    ) as process:
        assert process.stdin and process.stdout
        # Standard input stays open: there might be more games. What is found has to fit into a pipe, as nobody reads it
        # meanwhile.
        process.stdin.write((FOOL.encode() + b"\n") * 6_000)
        process.stdin.flush()
        assert process.stdout.readline() == b"1:4\n"
        process.send_signal(signal.SIGINT)
        if ignored:
            process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=120)
    assert process.returncode == (143 if ignored else 130)
    assert b"what was found in the first" in said and b"Traceback" not in said
