"""check_binding.py BENCH LIBMLAC MLAC_H: the ctypes binding against the library and its header."""

import ctypes
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import mlac_ctypes  # noqa: E402

library = mlac_ctypes.Library(sys.argv[2])
assert re.fullmatch(r"\d+\.\d+\.\d+", library.version())
try:
    library.family("/no/such/bundle", None)
    sys.exit("a bundle that is not there was opened")
except RuntimeError as error:
    assert "/no/such/bundle" in str(error), error

header = re.sub(r"/\*.*?\*/", "", open(sys.argv[3]).read(), flags=re.S)


def fields(struct):
    body = re.search(r"typedef struct " + struct + r" \{(.*?)\}", header, flags=re.S).group(1)
    return re.findall(r"(\w+);", body)


structs = {
    "mlac_tensor": mlac_ctypes.Tensor,
    "mlac_table": mlac_ctypes.Table,
    "mlac_variant_info": mlac_ctypes.VariantInfo,
    "mlac_launch_args": mlac_ctypes.LaunchArgs,
}
for name, struct in structs.items():
    assert [field[0] for field in struct._fields_] == fields(name), name
assert ctypes.sizeof(mlac_ctypes.Tensor) == 24 and ctypes.sizeof(mlac_ctypes.Table) == 24
