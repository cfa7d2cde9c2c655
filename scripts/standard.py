"""The standard kernels that budgets and evidence are listed for, and what `mlac explain` says of them."""

import json
import subprocess

SPEC = """attention {name} {{
  heads    {heads}
  latent   512
  rope     64
  cache    bf16 page 64
  iterate  {iterate}
  queries  1
  scale    0.0625
  output   bf16 lse natural
}}
"""

# Name, heads, iteration.
VARIANTS = [
    ("h8", 8, "topk 2048 logical"),
    ("h16", 16, "topk 2048 logical"),
    ("h32", 32, "topk 2048 logical"),
    ("h64", 64, "topk 2048 logical"),
    ("h128", 128, "topk 2048 logical"),
    ("dense16", 16, "dense"),
]


def explain(mlac, variant, *options):
    """What `mlac explain --json` prints of a variant, as a dictionary."""
    name, heads, iterate = variant
    done = subprocess.run(
        [mlac, "explain", "-", "--json", *options],
        input=SPEC.format(name=name, heads=heads, iterate=iterate),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def schedule_of(kernel):
    """The words of a kernel's schedule by key; empty for kernels without one."""
    return dict(word.split("=") for word in kernel.get("schedule", "").split())
