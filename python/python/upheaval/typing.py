"""Names of types that functions take."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from upheaval._upheaval import Variant

VariantLike: TypeAlias = "str | PathLike[str] | dict[str, Any] | Variant"
"""A rule set: the id of one that ships, the path of a variant file, a dict with its keys, or a `Variant`."""
