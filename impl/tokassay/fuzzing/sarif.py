"""Findings of a campaign as SARIF 2.1.0."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, Sequence

from tokassay import __version__

from .storing import Finding
from .target import programs

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def text(findings: Sequence[Finding]) -> str:
    """One rule for each target, one result for each finding; ASCII JSON."""
    rules = sorted({finding.target for finding in findings})
    driver = {"name": "tokassay fuzz", "version": __version__, "rules": [_rule(name) for name in rules]}
    results = [_result(finding, rules.index(finding.target)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str) -> Dict[str, Any]:
    return {"id": f"fuzz.{name}", "shortDescription": {"text": programs()[name].help}}


def _result(finding: Finding, place: int) -> Dict[str, Any]:
    found = finding.found
    said = f"{finding.engine}: {finding.cause or found.signature}\ncase: {json.dumps(finding.case)[:1000]}"
    where = {
        "artifactLocation": {"uri": f"fuzz/{finding.target.replace('-', '_')}.py"},
        "region": {"startLine": 1},
    }
    return {
        "ruleId": f"fuzz.{finding.target}",
        "ruleIndex": place,
        "level": "error",
        "message": {"text": f"{said}\nexpected: {found.expected!a:.300}\ngot: {found.got!a:.300}"},
        "locations": [
            {
                "physicalLocation": where,
                "logicalLocations": [{"fullyQualifiedName": finding.key, "kind": "member"}],
            }
        ],
        "partialFingerprints": {
            "finding/v1": hashlib.sha256(finding.key.encode("utf-8", "replace")).hexdigest()
        },
    }
