""".mtok, the binary file of MNN's pipeline tokenizer (clauses ``mtok.*``).

Reading proves the structure: counts, types, and every length inside the file. Vocabulary and merges
stay in the bytes and are looked up there; their content is proven when somebody is strict.
"""

from __future__ import annotations

from pathlib import Path

from ...core.description import Description
from ...core.errors import FormatError
from ...core.unicode.single_points import VERSIONS as TABLE_VERSIONS
from .companion import with_device
from .header import is_header
from .losing import missing
from .projecting import project
from .reading import parse
from .writing import written

__all__ = ["NAME", "TABLE_VERSIONS", "beside", "missing", "parse", "probe", "project", "serialize"]

NAME = "mtok"


def probe(data: bytes) -> bool:
    """The first line is ``430 4``."""
    return is_header(data)


def beside(description: Description, folder: Path) -> Description:
    """The description with the header lists and the tail that its folder's configuration gives."""
    return with_device(description, folder)


def serialize(description: Description) -> bytes:
    """The file's bytes. FormatError names the first thing that would be lost; `project` drops it instead."""
    for loss in missing(description):
        raise FormatError(f".mtok cannot hold it: {loss.reason}", field=loss.field)
    return written(project(description))
