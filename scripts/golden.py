#!/usr/bin/env python3
"""Generated sources as they were reviewed: tests/golden/NAME.mlac and a NAME/ENTRY.cu for each kernel.

usage: golden.py --mlac PATH [--rebase]

Compares byte for byte what mlac generates now; --rebase writes it instead. The first line of a spec says
what it is generated with: `# golden: -a sm_120`.
"""

import argparse
import difflib
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden"
MARK = "# golden: "
SHOWN_LINES = 40


def generate(mlac, spec):
    """Sources by file name."""
    first = spec.read_text().splitlines()[0]
    if not first.startswith(MARK):
        sys.exit(f"{spec}: the first line must be `{MARK}OPTIONS`")
    with tempfile.TemporaryDirectory() as folder:
        options = first.removeprefix(MARK).split()
        done = subprocess.run(
            [mlac, "generate", spec, *options, "-o", f"{folder}/"], stderr=subprocess.PIPE, text=True
        )
        if done.returncode != 0:
            sys.exit(done.stderr)
        return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def stored(spec):
    folder = spec.with_suffix("")
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def store(spec, sources):
    folder = spec.with_suffix("")
    folder.mkdir(exist_ok=True)
    for name in stored(spec).keys() - sources.keys():
        (folder / name).unlink()
    for name, source in sources.items():
        (folder / name).write_bytes(source)


def show_difference(name, old, new):
    lines = [text.decode(errors="replace").splitlines(keepends=True) for text in (old, new)]
    difference = list(difflib.unified_diff(*lines, f"golden/{name}", f"generated/{name}"))
    sys.stdout.writelines(difference[:SHOWN_LINES])
    if len(difference) > SHOWN_LINES:
        print(f"... and {len(difference) - SHOWN_LINES} lines more")


def compare(spec, sources):
    """Number of files that differ."""
    old = stored(spec)
    differing = sorted(
        name for name in old.keys() | sources.keys() if old.get(name) != sources.get(name)
    )
    for name in differing:
        show_difference(f"{spec.stem}/{name}", old.get(name, b""), sources.get(name, b""))
    return len(differing)


def main():
    parser = argparse.ArgumentParser(description="Compare or rewrite the golden sources.")
    parser.add_argument("--mlac", required=True)
    parser.add_argument("--rebase", action="store_true")
    arguments = parser.parse_args()
    specs = sorted(FOLDER.glob("*.mlac"))
    if not specs:
        sys.exit(f"no specs in {FOLDER}")
    differing = 0
    for spec in specs:
        sources = generate(arguments.mlac, spec)
        if arguments.rebase:
            store(spec, sources)
        else:
            differing += compare(spec, sources)
    if differing:
        sys.exit(f"{differing} files differ; if that is meant, run scripts/rebase and review them")


if __name__ == "__main__":
    main()
