"""What runs where Spark has its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from skewer import _skewer
from skewer._errors import Error

if TYPE_CHECKING:
    import pyarrow

Batches: TypeAlias = "Iterator[pyarrow.RecordBatch]"


def sent(task: Task) -> Callable[[Batches], Batches]:
    """Return a task as a function that says what to do where skewer is not installed."""
    import pickle

    packed, version = pickle.dumps(task), _skewer.__version__

    # Nested functions are pickled by value and not by name, so this one also runs where skewer is not installed.
    def run(batches: Batches) -> Batches:
        import pickle
        import sys

        try:
            import skewer.spark  # noqa: F401
        except ImportError as error:
            raise RuntimeError(
                f"the Python of this task, {sys.executable}, cannot import skewer ({error}). Install skewer {version} "
                "on all machines, or send an environment with `spark.archives`, and name its Python in the environment "
                "variable PYSPARK_PYTHON before the session is made; docs/spark.md shows how"
            ) from None
        yield from pickle.loads(packed)(batches)

    return run


class Task:
    """What all tasks have in common; Spark sends it to them."""

    def __init__(self) -> None:
        self.version = _skewer.__version__

    def check(self) -> None:
        if _skewer.__version__ != self.version:
            raise Error(
                f"this task has skewer {_skewer.__version__}, and the driver {self.version}: "
                "install the same on all machines"
            )


def batches_of(parts: Iterable[Any]) -> Batches:
    """Yield what is found as batches of pyarrow."""
    import pyarrow

    for found in parts:
        yield from pyarrow.RecordBatchReader.from_stream(found)
