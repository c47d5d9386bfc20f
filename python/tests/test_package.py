"""Promises of the package besides its functions."""

import upheaval as up


def test_everything_that_is_named_is_there_and_says_what_it_is() -> None:
    for name in up.__all__:
        assert getattr(up, name) is not None
    for thing in (up.Game, up.Batch, up.Variant, up.Turn, up.Board, up.Province):
        assert thing.__doc__
    assert list(up.columns("edges")) == ["from", "to", "kind", "from_coast", "to_coast"]
    assert up.__version__.count(".") == 2
