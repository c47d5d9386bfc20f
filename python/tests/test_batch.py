"""Many games at once."""

import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import upheaval as up
from numpy.typing import NDArray


def draw(seen: up.Observation, dice: np.random.Generator) -> NDArray[np.int32]:
    """A choice for each ask, each equally likely."""
    return (dice.random(len(seen.asks)) * seen.counts).astype(np.int32)


@pytest.mark.parametrize("variant", up.variants())
def test_a_batch_is_the_same_games_as_texts_play(variant: str) -> None:
    batch = up.Batch(variant, 2, seed=5, autoreset="disabled", last_year=1902)
    games = [up.Game(variant, seed=5, number=number, last_year=1902) for number in range(2)]
    # A batch waits only where a caller is asked, a game also before the changes at its start.
    for game in games:
        if not game.awaited():
            game.process()
    dice = np.random.default_rng(1)
    seen = batch.observe()
    while len(seen.asks):
        chosen = draw(seen, dice)
        # Lists of retreats are one order for several asks, and are left to the rules here, like exemptions.
        word = np.array(up.ASK_KINDS)[seen.asks[:, 1]]
        chosen[np.isin(word, ["list", "exempt", "announce", "landing"])] = -1
        texts: dict[tuple[int, str], list[str]] = {}
        for ask, choice in zip(seen.asks, chosen, strict=True):
            seat = seen.seats[ask[0]]
            orders = texts.setdefault((int(seat[0]), batch.powers[seat[1]]), [])
            if choice >= 0 and (text := batch.order_text(int(ask[6] + choice))):
                orders.append(text)
        for (slot, power), orders in texts.items():
            games[slot].set_orders(power, orders, strict=False)
        for slot in {slot for slot, _ in texts}:
            games[slot].process()
        seen, _, terminated, truncated, _ = batch.step(chosen)
        assert batch.state_hashes() == [game.state_hash for game in games]
    assert all(game.is_game_done for game in games)


def test_rewards_ends_and_last_boards() -> None:
    batch = up.Batch("standard", 4, {"FRANCE": "caller", "*": "random"}, seed=1, last_year=1901, reward="centre-count")
    dice = np.random.default_rng(2)
    seen = batch.reset()
    ended: list[up.Ended] = []
    for _ in range(30):
        seen, rewards, terminated, truncated, info = batch.step(draw(seen, dice))
        over = terminated | truncated
        assert over.sum() == len(info.ended)
        assert np.allclose(rewards.sum(axis=1)[~over], 0)
        for row, game in enumerate(info.ended):
            assert info.final is not None
            shares = 100 * np.array(game["centres"]) / 34
            assert np.allclose(rewards[game["slot"]], shares, atol=1e-3)
            assert info.final.games[row, 0] == game["number"]
            assert min(game["places"]) == 1 and isinstance(game["places"], list)
        ended += info.ended
    numbers = [game["number"] for game in ended]
    assert len(numbers) > 8 and sorted(numbers) == list(range(len(numbers)))


def test_arrays_are_written_in_place_and_copies_are_not() -> None:
    batch = up.Batch("standard", 8, seed=1)
    seen = batch.observe()
    kept = seen.copy()
    dice = np.random.default_rng(3)
    later, *_ = batch.step(draw(seen, dice))
    assert np.shares_memory(seen.nodes, later.nodes)
    assert not np.shares_memory(kept.nodes, later.nodes)
    assert (kept.nodes[:, 6] != later.nodes[:, 6]).any()


def test_fixed_shapes_hold_the_same_choices() -> None:
    bounds = up.Bounds()
    ragged, fixed = (up.Batch("double-reversible", 3, seed=4) for _ in range(2))
    dice = np.random.default_rng(4)
    seen = ragged.observe()
    for _ in range(25):
        chosen = draw(seen, dice)
        shaped = fixed.observe_padded(bounds)
        actions = np.full(shaped.asks.shape[:3], -1, np.int32)
        number: dict[int, int] = {}
        for ask, choice in zip(seen.asks, chosen, strict=True):
            slot, power, *_ = seen.seats[ask[0]]
            index = number.get(int(ask[0]), 0)
            number[int(ask[0])] = index + 1
            assert shaped.mask[slot, power, index].sum() == ask[7] - ask[6]
            actions[slot, power, index] = choice
        fixed.step_padded(bounds, actions)
        seen, *_ = ragged.step(chosen)
        assert fixed.state_hashes() == ragged.state_hashes()


def test_memory_of_another_shape_is_refused() -> None:
    batch, bounds = up.Batch("standard", 2), up.Bounds(nodes=100)
    into = batch.new_padded(bounds)
    into.nodes = np.asfortranarray(into.nodes)
    with pytest.raises(up.UpheavalError, match="not contiguous"):
        batch.observe_padded(bounds, into)
    into.nodes = np.zeros((100, 2, 14), np.int32)
    with pytest.raises(up.UpheavalError, match="must have the shape"):
        batch.observe_padded(bounds, into)
    with pytest.raises(up.UpheavalError, match="bounds are from 1"):
        up.Bounds(choices=0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_games": 0}, "expected from 1 to"),
        ({"seats": {"*": "grandmaster"}}, "there is no bot `grandmaster`"),
        ({"seats": {"FRANC": "random"}}, "FRANC"),
        ({"seats": {"*": "random"}}, "no seat belongs to the caller"),
        ({"reward": "glory"}, "there is no score `glory`"),
        ({"autoreset": "never"}, "there is no autoreset `never`"),
        ({"last_year": 1700}, "last_year 1700 is before"),
        ({"variant": "standrad"}, "standard"),
    ],
)
def test_a_batch_that_cannot_be_made_says_why(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(up.UpheavalError, match=words):
        up.Batch(**arguments)  # type: ignore[arg-type]


def test_choices_that_cannot_be_made_change_nothing() -> None:
    batch = up.Batch("standard", 1, seed=1)
    before = batch.state_hashes()
    with pytest.raises(up.UpheavalError, match="expected 22 choices, one for each ask, found 3"):
        batch.step([0, 0, 0])
    with pytest.raises(up.UpheavalError, match="expected a choice from 0 to 12, or -1 for none, for ask 0"):
        batch.step([999] + 21 * [0])
    for wrong in (["a"] * 22, [0.9] * 22, [float("nan")] * 22, [True] * 22, [1j] * 22):
        with pytest.raises(up.UpheavalError, match="choices are whole numbers"):
            batch.step(wrong)
    with pytest.raises(up.UpheavalError, match="expected a choice from 0 to 12, or -1 for none, for ask 0"):
        batch.step(np.full(22, 2**32))
    with pytest.raises(up.UpheavalError, match="slot 0 is listed twice"):
        batch.reset_slots([0, 0])
    with pytest.raises(up.UpheavalError, match="no row"):
        batch.order_text(10**6)
    assert batch.state_hashes() == before


def _in_a_fork(batch: up.Batch, queue: "multiprocessing.Queue[str]") -> None:
    try:
        batch.step(np.zeros(batch.num_asks, np.int32))
        queue.put("stepped")
    except up.UpheavalError as error:
        queue.put(str(error))


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_a_forked_process_is_told_to_spawn() -> None:
    context = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[str] = context.Queue()
    worker = context.Process(target=_in_a_fork, args=(up.Batch("standard", 64), queue))
    worker.start()
    assert "spawn" in queue.get(timeout=60)
    worker.join()


def test_threads_may_share_a_batch() -> None:
    batch = up.Batch("standard", 4, seed=1)

    def look(turn: int) -> int:
        if turn == 0:
            batch.step(np.zeros(88, np.int32))
        return len(batch.observe().games)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(look, range(200))) == {4}


def test_no_memory_is_lost() -> None:
    """Ten thousand steps of a small batch, after ten thousand others, do not make the process larger."""
    program = """
import resource, numpy as np, upheaval as up
batch = up.Batch("black-hole", 4, seed=1, last_year=1904)
dice = np.random.default_rng(1)
seen = batch.observe()
def steps(count):
    global seen
    for _ in range(count):
        seen, *_ = batch.step((dice.random(len(seen.asks)) * seen.counts).astype(np.int32))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
first = steps(10_000)
print(steps(10_000) - first)
"""
    grown = int(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout)
    assert grown < 2_000, f"{grown} kB"


def test_a_bot_is_asked_what_it_would_choose() -> None:
    batch = up.Batch("schizo-ii", 4, {"FRANCE": up.CALLER, "*": "dumbbot"}, seed=2, last_year=1902)
    seen = batch.reset()
    while len(seen.asks):
        before = seen.copy()
        advised = batch.advise("dumbbot")
        assert advised.shape == (len(seen.asks),) and (advised >= -1).all() and (advised < seen.counts).all()
        assert (advised == batch.advise("dumbbot")).all(), "the dice follow from the game"
        assert all((getattr(before, table) == getattr(seen, table)).all() for table in ("games", "nodes", "orders"))
        # The kinds of the orders of `hold`: none, or to hold.
        held = seen.orders[seen.asks[:, 6] + np.maximum(batch.advise("hold"), 0), 0]
        assert {up.ORDER_KINDS[kind] for kind in held} <= {"none", "hold", "disband", "remove", "coast", "stay"}
        seen, *_ = batch.step(advised)
        if seen.games[0, 1] > 1901:
            break
    with pytest.raises(up.UpheavalError, match="name a bot"):
        batch.advise("caller")
    with pytest.raises(up.UpheavalError, match="there is no bot `x`"):
        batch.advise("x")
