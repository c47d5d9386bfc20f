"""Writes docs/python-api.md from the stubs and the docstrings of the package.

    python api.py           compares the page with the expected one
    python api.py --write   writes it
"""

from __future__ import annotations

import ast
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "python" / "upheaval"
PAGE = ROOT.parent / "docs" / "python-api.md"

SECTIONS: list[tuple[str, list[tuple[str, list[str]]]]] = [
    ("Games", [("_upheaval.pyi", ["Game", "Turn", "OrderResult", "Event", "Board", "Province", "Variant"])]),
    ("Batches", [("batch.py", ["Batch", "Observation", "StepInfo", "Ended", "Bounds", "Padded", "columns"])]),
    ("Bots", [("bot.py", ["Bot"])]),
    ("Environments", [("pettingzoo.py", ["parallel_env"]), ("gymnasium.py", ["vector_env"])]),
    (
        "Studies",
        [
            ("study.py", ["run", "tournament", "sprt", "balance", "standings", "report", "replay", "verify"]),
            ("_upheaval.pyi", ["adjudicate"]),
            ("folder.py", ["Run"]),
            ("study.py", ["Match", "Balance", "Standings", "Standing", "Replay"]),
            ("_upheaval.pyi", ["Table"]),
        ],
    ),
    (
        "Searches",
        [
            ("tune.py", ["tune", "Tuned", "space", "Space", "Dimension", "measure", "Measured"]),
            ("tuners.py", ["optuna_objective", "optuna_constraints", "ax_client", "ax_search", "smac_scenario", "smac_target"]),
        ],
    ),
    ("Elsewhere", [("cluster.py", ["Plan", "plan", "play_part", "Executor"]), ("ray.py", ["RayExecutor"])]),
    ("What there is", [("_upheaval.pyi", ["variants", "bots", "UpheavalError"])]),
]

Definition = ast.ClassDef | ast.FunctionDef


def signature(function: ast.FunctionDef, name: str | None = None) -> str:
    """A function's line without `self`, as users call it."""
    arguments = ast.unparse(function.args)
    for first in ("self, ", "cls, "):
        arguments = arguments.removeprefix(first)
    arguments = "" if arguments in ("self", "cls") else arguments
    returns = "" if function.returns is None else f" -> {ast.unparse(function.returns)}"
    return f"{name or function.name}({arguments})" + ("" if name else returns)


def text(of: ast.AST) -> str:
    """A docstring as one paragraph a blank line apart."""
    assert isinstance(of, Definition)
    doc = ast.get_docstring(of) or ""
    return "\n\n".join(" ".join(part.split()) for part in doc.split("\n\n"))


def is_property(function: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in function.decorator_list)


def members(of: ast.ClassDef) -> list[str]:
    """A line for each attribute and method."""
    lines = []
    body = of.body
    for at, node in enumerate(body):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            what = f"`{node.name}`" if is_property(node) else f"`{signature(node)}`"
            kind = f": {ast.unparse(node.returns)}" if is_property(node) and node.returns else ""
            doc = text(node).replace("\n\n", " ")
            lines.append(f"- {what}{f' (`{kind[2:]}`)' if kind else ''}" + (f": {doc}" if doc else ""))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            following = body[at + 1] if at + 1 < len(body) else None
            said = ""
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                said = ": " + " ".join(str(following.value.value).split())
            lines.append(f"- `{node.target.id}` (`{ast.unparse(node.annotation)}`){said}")
    return lines


def entry(node: Definition) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [f"### `{node.name}`", f"```text\n{signature(node)}\n```", text(node)]
    makers = (child for child in node.body if isinstance(child, ast.FunctionDef))
    maker = next((child for child in makers if child.name in ("__new__", "__init__")), None)
    lines = [f"### `{node.name}`"]
    if maker is not None:
        lines.append(f"```text\n{signature(maker, node.name)}\n```")
    lines.append(text(node))
    lines.append("\n".join(members(node)))
    return [line for line in lines if line]


def wrapped(block: str) -> str:
    """A paragraph or a list with lines of at most 120 characters; code and headings are unchanged."""
    if block.startswith(("```", "#", "<!--")):
        return block
    lines = []
    for line in block.split("\n"):
        after = "  " if line.startswith("- ") else ""
        fit = textwrap.wrap(line, 120, subsequent_indent=after, break_long_words=False, break_on_hyphens=False)
        lines.extend(fit or [""])
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    parts = [
        "# Python, name by name",
        "The names of the package `upheaval`, made from its stubs and docstrings by `python/api.py`. "
        "[python.md](python.md) says how they are used.",
    ]
    trees = {path.name: ast.parse(path.read_text()) for path in sorted(PACKAGE.iterdir()) if path.suffix in (".py", ".pyi")}
    for title, sources in SECTIONS:
        parts.append(f"## {title}")
        for file, names in sources:
            known = {node.name: node for node in trees[file].body if isinstance(node, Definition)}
            for name in names:
                parts.extend(entry(known[name]))
    return "\n\n".join(wrapped(part) for part in parts) + "\n"


def main() -> int:
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page())
        return 0
    if PAGE.read_text() != page():
        print("docs/python-api.md differs from the stubs: python python/api.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
