"""Iterates over the items of lists. Both clients use this code, and differ only in how they load a page."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Set, Tuple

#: The maximum number of items of a page.
MAX_PER_PAGE = 100


class NumberedPages:
    """
    New entries move the others back while the caller reads, so the next page can repeat an item. Repeated items are
    left out.
    """

    def __init__(self, query: Optional[Mapping[str, Any]]) -> None:
        self._query = _with_limit(query)
        self._number = 1
        self._before: Set[Any] = set()
        self.is_over = False

    def query(self) -> Dict[str, Any]:
        return {**self._query, "page": self._number}

    def items_of(self, page: Mapping[str, Any]) -> List[Any]:
        keys = [(_key_of(item), item) for item in page["data"]]
        fresh = [item for key, item in keys if key not in self._before]
        self._before = {key for key, _ in keys}
        self.is_over = self._number >= page["pagination"]["total_pages"]
        self._number += 1
        return fresh


class CursorPages:
    """Misses no entry and repeats none."""

    def __init__(self, query: Optional[Mapping[str, Any]]) -> None:
        self._query = _with_limit(query)
        self._cursor: Optional[str] = None
        self.is_over = False

    def query(self) -> Dict[str, Any]:
        return {**self._query, "cursor": self._cursor}

    def items_of(self, page: Mapping[str, Any]) -> List[Any]:
        self._cursor = page["pagination"]["next_cursor"]
        self.is_over = self._cursor is None
        return list(page["data"])


def _with_limit(query: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    given = dict(query or {})
    if given.get("limit") is None:
        given["limit"] = MAX_PER_PAGE
    return given


def _key_of(item: Mapping[str, Any]) -> Tuple[Any, Any]:
    return (item.get("id"), item.get("version"))
