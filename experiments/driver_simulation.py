"""How many workers one driver serves: a simulation of `upheaval.cluster.distribute`, for docs/cluster.md.

Workers play tasks of some chunks; the driver hands tasks out, three for each worker at most, and takes their chunks in order.
The costs were measured; see the page.
"""

import heapq
import random

# As in upheaval.cluster.
SECONDS_A_TASK = 1.0
SECONDS_A_TASK_AND_WORKER = 0.004


def simulate(workers: int, play: float, accept: float, hand_out: float, chunks: int, seed: int = 1) -> float:
    """The share of their time in which the workers play, for chunks that take `play` seconds on average."""
    dice = random.Random(seed)
    size = max(1, round(max(SECONDS_A_TASK, workers * SECONDS_A_TASK_AND_WORKER) / play))
    tasks = chunks // size
    free = [0.0] * workers
    heapq.heapify(free)
    done: list[float] = []
    driver = 0.0
    busy = 0.0
    for task in range(tasks):
        if task >= 3 * workers:
            # The window is full until the oldest task is taken.
            driver = max(driver, done[task - 3 * workers]) + size * accept
        driver += hand_out
        begin = max(heapq.heappop(free), driver)
        seconds = size * play * dice.uniform(0.8, 1.2)
        busy += seconds
        done.append(begin + seconds)
        heapq.heappush(free, begin + seconds)
    for task in range(max(0, tasks - 3 * workers), tasks):
        driver = max(driver, done[task]) + size * accept
    return busy / (workers * driver)


def main() -> None:
    for accept in (0.008, 0.003):
        row = [
            f"{workers}: {simulate(workers, play=0.39, accept=accept, hand_out=0.001, chunks=400 * workers):.2f}"
            for workers in (8, 16, 32, 64, 128, 256, 512, 1000)
        ]
        print(f"{1000 * accept:g} ms a chunk  ", "  ".join(row))


if __name__ == "__main__":
    main()
