"""Executes a notebook and compares what it prints with what is written in it; `--save` writes that down instead."""

import sys
import time

import nbformat
from nbclient import NotebookClient


def printed(notebook) -> list[tuple[int, str]]:
    """What the cells print, by number. Figures are left out: their bytes depend on fonts and versions."""
    texts = []
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            if "image/png" not in output.get("data", {}):
                texts.append((number, text))
    return texts


def main() -> int:
    arguments = sys.argv[1:]
    save = "--save" in arguments
    (path,) = (argument for argument in arguments if argument != "--save")
    notebook = nbformat.read(path, as_version=4)
    before = printed(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    began = time.monotonic()
    # A cell that fails raises, and the traceback names it. A kernel sends what a cell prints in as many pieces as it has
    # time for: they are one output here, so that a slow machine writes the same notebook.
    resources = {"metadata": {"path": "notebooks"}}
    NotebookClient(notebook, timeout=600, record_timing=False, coalesce_streams=True, resources=resources).execute()
    print(f"{path}: {time.monotonic() - began:.1f} s", flush=True)
    if save:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, path)
        return 0
    after = printed(notebook)
    if after == before:
        return 0
    for (number, was), (_, now) in zip(before, after):
        if was != now:
            print(f"{path}, cell {number}: what is written in the notebook\n{was}\nand what came out\n{now}")
            break
    print(f"{path} is stale: `notebooks/run --save` writes what comes out; then read whether its words still hold")
    return 1


if __name__ == "__main__":
    sys.exit(main())
