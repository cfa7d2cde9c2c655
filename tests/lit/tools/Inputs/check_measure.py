"""Checks `mlac explain --measure --json`: counters, closed forms and the token's cost agree.

check_measure.py FILE HEADS
"""

import json
import sys

FLOPS_PER_PRODUCT = 2 * 16 * 8 * 16
TILE_KEYS = 16
TILE_HEADS = 8


def check_gather(counted, token, head_ctas, bulk):
    """What the variant asks for, once a head CTA; bulk copies fill up tiles with rows of zeros."""
    row_bytes = token["cacheBytes"] // token["keys"]
    rows = counted["asyncBytes"] // row_bytes
    assert counted["asyncBytes"] == rows * row_bytes
    if bulk:
        assert counted["asyncCopies"] == rows and rows % (TILE_KEYS * head_ctas) == 0
        assert rows >= head_ctas * token["keys"]
    else:
        assert counted["asyncBytes"] == head_ctas * token["cacheBytes"]
        assert counted["asyncCopies"] * 16 >= counted["asyncBytes"]
    assert counted["asyncSectors"] * 32 == counted["asyncBytes"]


def check_products(counted, token, head_ctas, schedule):
    """What the variant asks for, in whole tiles and head groups, however warps divide the dims."""
    dims = token["paddedFlops"] // (2 * token["keys"] * padded_heads)
    heads = TILE_HEADS * head_ctas * int(schedule["head_groups"]) * int(schedule["head_tiles"])
    entries = token["indexBytes"] // 4 or token["keys"]
    keys = (entries + TILE_KEYS - 1) // TILE_KEYS * TILE_KEYS
    flops = counted["matrixProducts"] * FLOPS_PER_PRODUCT
    assert flops == 2 * heads * keys * dims
    assert counted["matrixLoads"] * int(schedule["head_tiles"]) == counted["matrixProducts"]
    if keys == token["keys"] and heads == padded_heads:
        assert flops == token["paddedFlops"]


explained = json.load(open(sys.argv[1]))
padded_heads = (int(sys.argv[2]) + TILE_HEADS - 1) // TILE_HEADS * TILE_HEADS
token = explained["predicted"]["token"]
measured = [kernel for kernel in explained["kernels"] if kernel["role"] == "attention"]
assert [kernel["class"] for kernel in measured][:3] == ["few", "some", "many"]
assert all("measured" not in k for k in explained["kernels"] if k["role"] != "attention")

for kernel in measured:
    counted, expected = kernel["measured"], kernel["expected"]
    if kernel["queryGroup"] > 1:  # without closed forms
        assert counted["ctas"] > 0 and expected == {}
        continue
    assert kernel["asExpected"] and kernel["measuredTokens"] == 1
    assert len(expected) >= 12
    for name, value in expected.items():
        assert counted[name] == value, (kernel["entry"], name, counted[name], value)
    schedule = dict(word.split("=") for word in kernel["schedule"].split())
    check_gather(counted, token, kernel["ctasPerToken"], schedule["gather"] == "bulk")
    check_products(counted, token, kernel["ctasPerToken"], schedule)
    # Elements of `out`, then lse and max_logit.
    assert counted["globalStoreBytes"] >= token["outputBytes"]
    assert counted["sharedLoads"] > 0 and counted["globalLoadSectors"] > 0
