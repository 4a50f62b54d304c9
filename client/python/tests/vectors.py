"""The test vectors of the project, which all clients share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[3]

WIRE = _ROOT / "core/src/test/resources/io/canopygrid/wire/client/vectors.json"
CODECS = _ROOT / "server/src/test/resources/io/canopygrid/server/codec/codec-vectors.json"
ERRORS = _ROOT / "docs/reference/errors.md"


def load(file: Path) -> Any:
    """The content of a file of vectors."""
    return json.loads(file.read_text(encoding="utf-8"))
