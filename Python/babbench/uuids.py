"""UUIDs as the bench writes them, and as Python packages do."""

from __future__ import annotations

from typing import Union
from uuid import UUID

BASE = "-0000-1000-8000-00805f9b34fb"
UUIDLike = Union[str, int, UUID]


def short(value: UUIDLike) -> str:
    """As the bench has it: four digits where the Bluetooth SIG assigned it, else 36 characters; upper case."""
    text = f"{value:04x}" if isinstance(value, int) else str(value).lower()
    if text.startswith("0x"):
        text = text[2:]
    if len(text) == 8 and all(character in "0123456789abcdef" for character in text):
        text += BASE
    if len(text) == 32:
        text = str(UUID(text))
    if len(text) == 36 and text.startswith("0000") and text.endswith(BASE):
        text = text[4:8]
    if len(text) not in (4, 36) or not all(character in "0123456789abcdef-" for character in text):
        raise ValueError(f"{value!r} is no UUID; write four hexadecimal digits or 36 characters")
    return text.upper()


def full(value: UUIDLike) -> str:
    """36 characters, lower case."""
    text = short(value).lower()
    return "0000" + text + BASE if len(text) == 4 else text
