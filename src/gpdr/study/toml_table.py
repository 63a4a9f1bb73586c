"""A table of a TOML file, read with care: every key known, every value of its kind."""

from __future__ import annotations

from typing import Any, TypeVar

from gpdr.errors import InputError, unknown_name

Value = TypeVar("Value", bool, int, float, str, list[Any], dict[str, Any])

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


class Table:
    """Keys are taken out one after another; `finish` complains about those that nobody wanted."""

    def __init__(self, content: object, place: str) -> None:
        if not isinstance(content, dict):
            raise InputError(f"{place}: expected a table, got {content!r}")
        self._content: dict[str, Any] = dict(content)
        self._wanted: list[str] = []
        self.place = place

    def take(self, key: str, kind: type[Value], default: Value | None = None, least: float | None = None) -> Value:
        """The value of a key; without a default it must be there."""
        self._wanted.append(key)
        if key not in self._content:
            if default is None:
                raise InputError(f"{self.place}: {key} is missing: expected {_KINDS[kind]}")
            return default
        value = self._content.pop(key)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise InputError(f"{self.place}: {key}: expected {_KINDS[kind]}, got {value!r}")
        if least is not None and isinstance(value, int | float) and value < least:
            raise InputError(f"{self.place}: {key}: expected at least {least:g}, got {value!r}")
        return value

    def take_any(self, key: str, default: object) -> Any:
        """The value of a key, of whatever kind."""
        self._wanted.append(key)
        return self._content.pop(key, default)

    def take_name(self, default: str) -> str:
        """The name under which tables show what this table describes."""
        name = self.take("name", str, default)
        if not name.strip() or not name.isprintable():
            raise InputError(f"{self.place}: name: expected a text of one line to be shown in tables, got {name!r}")
        return name

    def part(self, key: str) -> Table:
        """A table within; empty if absent."""
        return Table(self.take(key, dict, {}), f"{self.place}: [{key}]")

    def parts(self, key: str) -> list[Table]:
        """A list of tables within; none if absent."""
        return [Table(part, f"{self.place}: {key} {n}") for n, part in enumerate(self.take(key, list, []), 1)]

    def rest(self) -> dict[str, Any]:
        """All that has not been taken, for those who check it themselves."""
        content, self._content = self._content, {}
        return content

    def finish(self) -> None:
        for key in self._content:
            error = unknown_name("key", key, self._wanted)
            raise InputError(f"{self.place}: {error}")
