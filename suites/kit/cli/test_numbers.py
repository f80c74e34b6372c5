"""Options that are numbers: what makes no sense is usage, with the option's name."""

from __future__ import annotations

import pytest

from tokassay.cli import main

WRONG = {
    "--timeout": ["0", "-1", "nan", "inf", "x"],
    "--memory": ["0", "-5", "1.5"],
    "--restarts": ["-1"],
    "--failures": ["-1"],
    "--diagnose": ["-1", "nan"],
    "--jobs": ["0", "-2"],
}


@pytest.mark.parametrize(("option", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_a_number_that_makes_no_sense_is_usage(option: str, value: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["run", f"{option}={value}"])
    assert ended.value.code == 2
    assert f"argument {option}: " in capsys.readouterr().err
