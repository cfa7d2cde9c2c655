"""The contestants: mlac over its C interface, and the adapters of a folder, all by one contract.

An adapter is a Python file that defines NAME, OPS (operation to cache layout), available(), variants(case) and
prepare(case, pool, sets, variant, tools), which returns (run, info): run(i) enqueues the work for set i on the current
stream and returns [b, s_q, h, 512]. It may raise Unsupported, which it finds among its globals.
"""

import importlib.util
import json
import pathlib
import sys
import weakref
from types import ModuleType
from typing import Any, Callable, Protocol

import torch

from compare_inputs import USUAL_SCALE, Case, InputSet, Pool
from mlac_ctypes import LaunchArgs, Library, Table, Tensor

OUR_NAME = "mlac (C ABI)"
OUTPUTS = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}


class Unsupported(Exception):
    """An adapter's word that it cannot do a case."""


class Adapter(Protocol):
    NAME: str
    OPS: dict[str, str]

    def variants(self, case: Case) -> list[str]: ...

    def prepare(self, case: Case, pool: Pool, sets: list[InputSet], variant: str, tools: Any) -> tuple: ...


def bundled_variant(bundle: str, name: str | None) -> dict[str, Any]:
    """The attention's fields as the bundle holds them."""
    folder = pathlib.Path(bundle)
    listed = json.loads((folder / "bundle.json").read_text())["families"]
    found = [item for item in listed if name in (None, "", item["name"])]
    names = sorted({item["name"] for item in found})
    if len(names) != 1:
        held = ", ".join(sorted({item["name"] for item in listed}))
        raise ValueError(f"{bundle} holds {held}; choose one with --family")
    family = folder / names[0] / f"family.{found[0]['target']}.json"
    return json.loads(family.read_text())["variant"]


def operation_of(variant: dict[str, Any]) -> str:
    """The contract's name for it; ValueError where the contract has none."""
    wanted = {"latent": 512, "rope": 64, "query": "bf16", "cache": "bf16", "value_is_record": False}
    for key, value in wanted.items():
        if variant[key] != value:
            raise ValueError(f"the peers' contract has {key} {value}; {variant['name']} has {variant[key]}")
    if variant["iterate"] == "window":
        raise ValueError("the peers' contract has no windows")
    return "dense_decode" if variant["iterate"] == "dense" else "sparse_decode"


class Mlac:
    """mlac's own adapter."""

    NAME = OUR_NAME

    def __init__(self, library: Library, family: Any, variant: dict[str, Any]) -> None:
        self.library, self.family, self.variant = library, family, variant
        self.info = library.variant(family)
        self.OPS = {operation_of(variant): "bf16"}
        self.scale = self.info.scale if self.info.scale_is_fixed else USUAL_SCALE

    def variants(self, case: Case) -> list[str]:
        return [""]

    def prepare(self, case: Case, pool: Pool, sets: list[InputSet], variant: str, tools: Any) -> tuple:
        plan, workspace_bytes = self.library.plan(self.family, case.tokens, case.b, case.s_kv)
        device = pool.bf16.device
        rows = (case.tokens, case.h)
        kind = OUTPUTS[self.variant["output"]]
        out = torch.full((*rows, self.info.value_dims), float("nan"), device=device, dtype=kind)
        lse, most = (torch.empty(rows, device=device) for _ in range(2))
        workspace = torch.empty(max(1, workspace_bytes), device=device, dtype=torch.uint8)
        launches = []
        for one in sets:
            args = LaunchArgs(cache=pool.bf16.data_ptr(), slots=pool.rows)
            args.q = Tensor(one["q"].data_ptr(), 0, 0)
            args.out = Tensor(out.data_ptr(), 0, 0)
            if self.info.has_lse:
                args.lse = Tensor(lse.data_ptr(), 0, 0)
            if self.info.has_max_logit:
                args.max_logit = Tensor(most.data_ptr(), 0, 0)
            if workspace_bytes:
                args.workspace, args.workspace_bytes = workspace.data_ptr(), workspace_bytes
            if not self.info.scale_is_fixed:
                args.has_scale, args.scale = 1, self.scale
            self._set_keys(args, one)
            launches.append(args)
        shape = (case.b, case.s_q, case.h, self.info.value_dims)

        def run(i: int) -> torch.Tensor:
            self.library.launch(plan, launches[i], torch.cuda.current_stream().cuda_stream)
            return out.view(shape)

        # What the launches point at lives as long as they do.
        run.held = (lse, most, workspace)  # type: ignore[attr-defined]
        weakref.finalize(run, self.library.lib.mlac_plan_free, plan)
        return run, {"config": f"splits={self.library.splits(plan)}"}

    def _set_keys(self, args: LaunchArgs, one: InputSet) -> None:
        if self.info.topk:
            indices = one["positions" if self.info.logical else "idx"]
            args.indices = Table(indices.data_ptr(), self.info.topk, 0)
        if self.info.logical or not self.info.topk:
            table = one["mlac_table"]
            args.block_table = Table(table.data_ptr(), table.shape[1], 0)
            args.seq_lens = one["seqlens"].data_ptr()


def load_file(path: pathlib.Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("peer_" + path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    module.Unsupported = Unsupported  # type: ignore[attr-defined]
    spec.loader.exec_module(module)
    return module


def load_adapters(folder: str, left_out: Callable[[str, str], None]) -> list[Any]:
    """Every adapter of the folder that can run here; `left_out` is told of the others, and why."""
    adapters = []
    for path in sorted(pathlib.Path(folder).glob("*.py")):
        try:
            module = load_file(path)
            reason = module.available()
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
        if reason:
            left_out(path.stem, str(reason).replace("\n", " "))
        else:
            adapters.append(module)
    return adapters
