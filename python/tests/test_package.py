"""Promises of the package besides its functions."""

import pytest
import upheaval as up
from upheaval import _cpu


def test_an_old_processor_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _cpu.missing("flags\t\t: fpu avx2 bmi1") == {"avx", "bmi2", "f16c", "fma", "abm", "movbe"}
    assert not _cpu.missing("processor : 0")
    monkeypatch.setattr(_cpu, "missing", lambda _: {"avx2"})
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.delenv("UPHEAVAL_CPU_CHECK", raising=False)
    with pytest.raises(ImportError, match="needs a processor with avx2"):
        _cpu.check()
    monkeypatch.setenv("UPHEAVAL_CPU_CHECK", "off")
    _cpu.check()


def test_everything_that_is_named_is_there_and_says_what_it_is() -> None:
    for name in up.__all__:
        assert getattr(up, name) is not None
    for thing in (up.Game, up.Batch, up.Variant, up.Turn, up.Board, up.Province):
        assert thing.__doc__
    assert list(up.columns("edges")) == ["from", "to", "kind", "from_coast", "to_coast"]
    assert up.__version__.count(".") == 2
