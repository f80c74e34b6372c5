"""A target's seeds as a zip file. Usage: python fuzz/cluster/seed_corpus.py fuzz/TARGET.py OUT.zip"""

from __future__ import annotations

import hashlib
import sys
import zipfile
from pathlib import Path

from tokassay.fuzzing.coverage import program_of


def main(target: Path, out: Path) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for seed in sorted(set(program_of(target).seeds())):
            archive.writestr(hashlib.sha256(seed).hexdigest()[:20], seed)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
