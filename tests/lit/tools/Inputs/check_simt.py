"""check_simt.py RUN.json TARGET INTERLEAVINGS NAME: checks `mlac run --on simt --json`.

check_simt.py A.json B.json: checks that two runs counted the same.
"""

import json
import sys


def counts(launch):
    return {key: value for key, value in launch.items() if key != "seconds"}


runs = [json.load(open(name)) for name in sys.argv[1:3] if name.endswith(".json")]
if len(runs) == 2:
    first, second = ([counts(launch) for launch in run["simt"]["launches"]] for run in runs)
    sys.exit(first != second and f"{first}\n{second}")

run = runs[0]
target, interleavings, name = sys.argv[2], int(sys.argv[3]), sys.argv[4]
simt = run["simt"]
assert run["on"] == "simt" and run["target"] == simt["target"] == target
assert run["passed"] and simt["findings"] == []
assert simt["interleavings"] == interleavings and simt["orderSeed"] == interleavings
assert all(tensor["passed"] and tensor["unwritten"] == 0 for tensor in run["tensors"])

# The planner's choice, then each attention kernel in one piece, then a batch cut by its lengths; in
# the fixed order only, whatever the number of orders.
kernels = [launch["kernel"] for launch in simt["launches"]]
expected = [run["kernel"]]
if run["splits"] > 1:
    expected.append(name + "_combine")
classes = ["_few", "_some", "_many"] + ["_grouped"] * any(kernel == name + "_grouped" for kernel in kernels)
for kernel in (name + suffix for suffix in classes):
    if run["splits"] > 1 or kernel != run["kernel"]:
        expected.append(kernel)
expected += [name + "_schedule", name + "_few", name + "_combine"]
if "convert" in run:
    expected.append(name + "_convert")
    assert run["convert"]["wrong"] == 0
if "merge" in run:
    # Drawn parts, then the problem in four shards, each as the planner cuts it.
    assert run["merge"]["passed"] and run["merge"]["merges"] == 5
    shard = [run["kernel"]] + [name + "_combine"] * (run["splits"] > 1)
    expected += 4 * [name + "_merge"] + 4 * shard + [name + "_merge"]
assert kernels == expected, (kernels, expected)

attention = simt["launches"][0]
assert attention["ctas"] == run["gridCtas"]
assert attention["matrixProducts"] == attention["matrixLoads"] > 0
assert attention["matrixConflicts"] == 0 and attention["asyncBytes"] > 0
for launch in simt["launches"]:
    assert launch["globalStoreBytes"] > 0 and launch["seconds"] >= 0
