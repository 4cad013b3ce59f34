"""Addresses that must not be mailed, and waiting for an import."""

from __future__ import annotations

import time
from typing import Callable, Optional

from ._generated import types as t
from ._generated.resources import SuppressionsResource

#: The final states of an import.
ENDS = ("done", "failed")


class Suppressions(SuppressionsResource):
    def wait_for_import(
        self,
        id: str,
        *,
        on_progress: Optional[Callable[[t.SuppressionImport], None]] = None,
        interval: float = 0.5,
    ) -> t.SuppressionImport:
        """Returns when the import is done or has failed. `on_progress` receives its progress."""
        while True:
            state = self.get_import(id)
            if on_progress is not None:
                on_progress(state)
            if state["status"] in ENDS:
                return state
            time.sleep(interval)
