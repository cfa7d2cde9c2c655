"""Checks `predicted.gpus` of `mlac explain --gpu all --json` against the token's cost and itself."""

import json
import sys

predicted = json.load(open(sys.argv[1]))["predicted"]
token = predicted["token"]
moved = sum(token[key] for key in ("cacheBytes", "queryBytes", "indexBytes", "outputBytes"))
gpus = {roof["gpu"]: roof for roof in predicted["gpus"]}
assert len(gpus) == len(predicted["gpus"]) >= 4, gpus.keys()
assert [name for name, roof in gpus.items() if roof["wasMeasured"]] == ["H200"]


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


for name, roof in gpus.items():
    assert ("not measured" in roof["trust"]) == (name != "H200"), roof["trust"]
    assert [point["batch"] for point in roof["points"]] == [1, 4, 16, 64, 128]
    last = 0
    for point in roof["points"]:
        batch = point["batch"]
        assert near(point["memoryNs"], batch * moved / roof["attainedBytesPerNs"]), point
        assert near(point["tensorNs"], batch * token["flops"] / (1000 * roof["tensorTflops"])), point
        assert point["roofNs"] == max(point["memoryNs"], point["tensorNs"])
        assert near(point["overRoof"], point["predictedNs"] / point["roofNs"])
        # The model moves no faster than memory and multiplies no faster than the tensor cores.
        assert point["overRoof"] >= 0.98, (name, point)
        assert point["predictedNs"] >= last, (name, point)
        last = point["predictedNs"]

# The same kernels and the same memory; only the slower GPU can take longer.
big, small = (gpus[name]["points"][-1] for name in ("RTX PRO 6000 Blackwell", "RTX 5090"))
assert small["predictedNs"] >= big["predictedNs"], (big, small)
assert gpus["GB10"]["points"][-1]["predictedNs"] > 3 * small["predictedNs"]
