"""One game: orders, outcomes, changes of the map, copies, texts."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import upheaval as up


def test_a_game_is_played_by_orders_as_texts() -> None:
    game = up.Game("standard", seed=1)
    assert (game.phase, game.stage, game.powers[2]) == ("S1901M", "movement", "FRANCE")
    assert game.get_orderable_locations("FRANCE") == ["BRE", "MAR", "PAR"]
    assert "A PAR - BUR" in game.get_all_possible_orders()["PAR"]
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"])
    game.set_orders("GERMANY", ["A MUN - BUR"])
    turn = game.process()
    results = {result.order: result for result in turn.results}
    assert results["A PAR - BUR"].succeeded
    assert results["A MUN - BUR"].words[0] == "bounce" and results["A MUN - BUR"].reason
    assert sorted(game.get_units("FRANCE")) == ["A BUR", "A MAR", "F MAO"]
    assert game.board["BUR"].unit_power == "FRANCE" and game.board["BUR"].unit == "A BUR"
    assert "PAR" in game.board["BUR"].neighbours
    assert len(game.board) == len(list(game.board)) == len(game.board.items())


def test_an_order_that_cannot_be_given_says_why_and_changes_nothing() -> None:
    game = up.Game()
    game.set_orders("FRANCE", ["A PAR H"])
    with pytest.raises(up.UpheavalError, match="A PAR - MOS: it cannot be reached from there"):
        game.set_orders("FRANCE", ["F BRE - MAO", "A PAR - MOS"])
    assert game.get_orders("FRANCE") == ["A PAR H"]
    refused = game.set_orders("FRANCE", ["F BRE - MAO", "A PAR - MOS"], strict=False)
    assert refused == [("A PAR - MOS", "it cannot be reached from there")]
    assert game.get_orders() == dict.fromkeys(game.powers, []) | {"FRANCE": ["F BRE - MAO"]}
    with pytest.raises(up.UpheavalError, match="NOWHERE"):
        game.set_orders("NOWHERE", [])


def test_orders_are_read_as_people_type_them() -> None:
    game = up.Game()
    game.set_orders("FRANCE", ["Army Paris to Burgundy", "mar s par-bur"])
    assert game.get_orders("FRANCE") == ["A PAR - BUR", "A MAR S A PAR - BUR"]
    with pytest.raises(up.UpheavalError, match="did you mean Burgundy"):
        game.set_orders("FRANCE", ["Paris - Burgndy"])
    with pytest.raises(up.UpheavalError, match="`ARMY` is not a unit"):
        game.set_orders("FRANCE", ["Army Paris to Burgundy"], typed=False)


def test_the_map_changes_and_says_so() -> None:
    game = up.Game("black-hole", seed=7, last_year=1902)
    changes: list[str] = []
    while not game.is_game_done:
        before = set(game.board)
        turn = game.process()
        changes += turn.map_changes
        gone = {change.split()[1] for change in turn.map_changes}
        assert gone <= before and not gone & set(game.board)
        assert all(event.phase and event.kind for event in turn.events)
    assert len(changes) == 4 and all(change.startswith("collapse ") for change in changes)
    assert len(game.outcome) == 7 and game.winner is None


@pytest.mark.parametrize("variant", up.variants())
def test_copies_go_their_own_way_from_the_same_place(variant: str) -> None:
    game = up.Game(variant, seed=3, last_year=1903)
    for _ in range(4):
        for power in game.awaited():
            game.set_orders(power, [orders[0] for orders in game.legal_orders(power).values()], strict=False)
        game.process()
    copies = [game.clone(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    copies.append(up.Game.from_bytes(game.to_bytes()))
    before = game.state_hash
    assert {other.state_hash for other in copies} == {before}
    copies[0].process()
    assert game.state_hash == before
    game.process()
    for other in copies[1:]:
        other.process()
    assert {other.state_hash for other in copies} == {game.state_hash}


def test_a_game_goes_on_from_its_state_and_from_a_position_of_ones_own() -> None:
    game = up.Game("schizo-ii", seed=3, number=4, last_year=1902)
    game.process()
    state = game.state()
    assert state is not None and state["phase"] == game.phase and state["nature"] == {"seed": 3, "block": 4}
    branches = [up.Game.resume(state), up.Game.resume(json.dumps(state)), up.Game.resume(state, "schizo-ii")]
    while not game.is_game_done:
        game.process()
        for branch in branches:
            branch.process()
            assert branch.state_hash == game.state_hash and branch.state() == game.state()
    assert pickle.loads(pickle.dumps(branches[0])).state_hash == game.state_hash
    assert game.state() is None
    powers = {"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}}
    duel: dict[str, Any] = {"id": 1, "phase": "F1905M", "nature": {"seed": 1}, "powers": powers}
    assert up.Game.resume(duel).get_orderable_locations("FRANCE") == ["PAR"]
    with pytest.raises(up.UpheavalError, match="draws from a seed"):
        up.Game.resume(duel | {"nature": []})


def test_a_guess_knows_what_the_power_knows_and_cannot_be_saved() -> None:
    game = up.Game("black-hole", seed=7)
    first = {game.imagine("FRANCE", seed).process().map_changes[0] for seed in range(20)}
    assert len(first) > 5
    guess = game.imagine("FRANCE", 1)
    assert guess.is_imagined and not game.is_imagined
    with pytest.raises(up.UpheavalError, match="imagined"):
        guess.to_bytes()


def test_rules_of_ones_own_come_from_texts_dicts_and_files(tmp_path: Path) -> None:
    text = up.Variant("black-hole").text.replace("count = 1", "count = 2")
    keys = up.Variant("black-hole").to_dict()
    holes = next(entry for entry in keys["changes"] if entry["id"] == "holes")
    holes["count"] = 2
    path = tmp_path / "two.toml"
    path.write_text(text)
    games = [up.Game(variant, seed=7) for variant in (up.Variant.from_text(text), keys, path, str(path))]
    changes = [game.process().map_changes for game in games]
    assert len(changes[0]) == 2 and all(change == changes[0] for change in changes)
    with pytest.raises(up.UpheavalError, match="black-hole"):
        up.Game("blackhole")
    holes["count"] = "many"
    with pytest.raises(up.UpheavalError, match="a whole number from 1 to 10"):
        up.Game(keys)
    assert pickle.loads(pickle.dumps(up.Variant("schizo-ii"))).id == "schizo-ii"


def test_a_game_is_drawn_and_kept_as_a_replay(tmp_path: Path) -> None:
    game = up.Game("seismic-1971", seed=2, last_year=1901)
    while not game.is_game_done:
        game.process()
    assert game.to_svg().startswith("<svg ") and game._repr_svg_() == game.to_svg()
    assert game.board_dict()["counts"]["faces"] == 77
    path = tmp_path / "game.json"
    game.to_replay(path)
    kept = json.loads(path.read_text())
    assert kept["format"] == "upheaval-game" and kept["end"]["state"] == game.state_hash


@pytest.mark.parametrize(
    "call",
    [
        lambda: up.Game.from_bytes(b"\xff\x00"),
        lambda: up.Game.from_bytes(b"{}"),
        lambda: up.Game("standard", last_year=1),
        lambda: up.Game(17),  # type: ignore[arg-type]
        lambda: up.Game("standard", seed=-1),
        lambda: up.Game("./no/such.toml"),
        lambda: up.Variant.from_text("x" * 1000),
        lambda: up.Variant.from_dict({"a": {1, 2}}),
        lambda: up.Variant.from_dict({"a": None}),
    ],
)
def test_bad_input_is_an_exception(call: object) -> None:
    assert callable(call)
    with pytest.raises((ValueError, TypeError, OverflowError, OSError)):
        call()
