"""Text in, text out: every stage printed and checked with FileCheck."""

import os

import lit.formats

config.name = "mlac"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".mlac"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.mlac_test_exec_root
config.excludes = ["Inputs"]

# A tool that was not built is a failure of the tests that need it: nothing here is skipped for that.
for name, tool in (
    ("%mlac_opt", "mlac-opt"),
    ("%mlac_run", "mlac-run"),
    ("%mlac", "mlac"),
):
    config.substitutions.append((name + r"\b", os.path.join(config.mlac_tools_dir, tool)))

config.environment["PATH"] = os.pathsep.join(
    (config.llvm_tools_dir, config.environment.get("PATH", ""))
)
# Tests neither read nor fill the cache of the person who runs them.
config.environment["MLAC_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
