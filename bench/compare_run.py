"""The cases of a comparison, one after the other: inputs, contestants, checks, and times taken in turn."""

import dataclasses
import gc
import json
import os
import statistics
import sys
import traceback
from typing import Any

import torch

import compare_inputs
from compare_inputs import ROW_BYTES, USUAL_SCALE, Case, InputSet, Pool, make_sets, pool_rows, relative_error, set_count
from compare_peers import OUR_NAME, Mlac, Unsupported, bundled_variant, load_adapters, operation_of
from compare_timing import WARM_UPS, Launches, Tools, launches_for
from mlac_ctypes import Library

MOST_RELATIVE_ERROR = 5e-3  # of the norm; rounding outputs to bf16 alone is worth 2e-3


class Wrong(Exception):
    """Outputs that are not the reference's."""


def context_is_lost() -> bool:
    try:
        torch.cuda.synchronize()
        torch.zeros(1, device=compare_inputs.DEVICE).item()
        return False
    except RuntimeError:
        return True


@dataclasses.dataclass
class Contestant:
    name: str
    ours: bool
    layout: str
    scale: float
    config: str
    launches: Launches
    samples: list[float] = dataclasses.field(default_factory=list)
    error: float = 0.0  # the worst of the checks


class Comparison:
    """Raises what keeps it from starting: OSError, ValueError, RuntimeError."""

    def __init__(self, request: Any, lines: Any) -> None:
        self.request, self.lines = request, lines
        self.ours_wrong = False
        variant = bundled_variant(request.bundle, request.family)
        self.cases = cases_of(request, variant)
        device = torch.cuda.get_device_properties(0)
        Tools.sms, self.l2_bytes = device.multi_processor_count, device.L2_cache_size
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.zeros(1, device=compare_inputs.DEVICE)  # makes the context that the family is loaded into
        library = Library(request.lib)
        self.mlac = Mlac(library, library.family(request.bundle, variant["name"]), variant)
        self.adapters = [self.mlac, *self.load_peers()]
        if not request.restarted:
            lines.put("machine", device=device.name, torch=torch.__version__, mlac=library.version())

    def load_peers(self) -> list[Any]:
        adapters = load_adapters(self.request.peers, self.left_out) if self.request.peers else []
        fitting = []
        for adapter in adapters:
            if self.cases[0].op in adapter.OPS:
                fitting.append(adapter)
            else:
                self.left_out(adapter.NAME, f"has no {self.cases[0].op}")
        return fitting

    def left_out(self, name: str, reason: str) -> None:
        if self.request.restarted:
            return
        print(f"compare.py: {name} is left out: {reason}", file=sys.stderr)
        self.lines.put("skipped", contestant=name, reason=reason)

    def run(self) -> bool:
        """Every case. True where outputs of ours were wrong."""
        layouts = {adapter.OPS[self.cases[0].op] for adapter in self.adapters}
        pool = Pool(pool_rows(self.cases, self.request.rows), "fp8" in layouts, self.request.seed)
        row_bytes = min(ROW_BYTES[layout] for layout in layouts)
        for case in self.cases:
            count = set_count(case, row_bytes, self.l2_bytes)
            try:
                self.run_case(case, pool, make_sets(case, pool, count, self.request.seed))
            except torch.cuda.OutOfMemoryError as error:
                self.lines.put("skipped", contestant=f"b={case.b}", reason=str(error).splitlines()[0])
            gc.collect()
            torch.cuda.empty_cache()
        for adapter in self.adapters:
            if hasattr(adapter, "finish"):
                self.guarded(adapter.NAME, self.cases[-1], [], adapter.finish)
        self.lines.put("done")
        return self.ours_wrong

    def run_case(self, case: Case, pool: Pool, sets: list[InputSet]) -> None:
        rows: list[dict[str, Any]] = []  # of those that failed
        ready: list[Contestant] = []
        for adapter in self.adapters:
            if adapter.NAME in self.request.without:
                continue
            for variant in self.variants_of(adapter, case, rows):
                name = f"{adapter.NAME} {variant}".strip()
                if name in self.request.without:
                    continue
                prepared = self.guarded(name, case, rows, self.prepare, adapter, variant, name, case, pool, sets)
                if prepared is not None:
                    ready.append(prepared)
        for turn in range(WARM_UPS + self.request.iterations):
            for contestant in list(ready):
                us = self.guarded(contestant.name, case, rows, contestant.launches.time_us)
                if us is None:
                    ready.remove(contestant)
                elif turn >= WARM_UPS:
                    contestant.samples.append(us)
        finished = [
            self.guarded(one.name, case, rows, self.finish, one, case, pool, sets) for one in ready
        ]
        for row in [row for row in finished if row is not None] + rows:
            self.lines.put("row", **row)

    def variants_of(self, adapter: Any, case: Case, rows: list[dict[str, Any]]) -> list[str]:
        return self.guarded(adapter.NAME, case, rows, adapter.variants, case) or []

    def prepare(
        self, adapter: Any, variant: str, name: str, case: Case, pool: Pool, sets: list[InputSet]
    ) -> Contestant:
        run, info = adapter.prepare(case, pool, sets, variant, Tools)
        layout = adapter.OPS[case.op]
        ours = adapter is self.mlac
        scale = self.mlac.scale if ours else USUAL_SCALE
        error = checked(case, pool, sets[0], layout, scale, run(0))
        streamed = info.get("timing") == "stream"
        launches = Launches(run, len(sets), launches_for(len(sets)), streamed)
        words = [info.get("config", ""), "fp8 rows" if layout == "fp8" else "", "no graph" if streamed else ""]
        config = ", ".join(word for word in words if word)
        return Contestant(name, ours, layout, scale, config, launches, error=error)

    def finish(self, one: Contestant, case: Case, pool: Pool, sets: list[InputSet]) -> dict[str, Any]:
        """What the last timed launch left is checked too."""
        launches = one.launches
        error = checked(case, pool, sets[launches.last_set], one.layout, one.scale, launches.output)
        return {
            "contestant": one.name,
            "ours": one.ours,
            "batch": case.b,
            "median_us": statistics.median(one.samples),
            "min_us": min(one.samples),
            "max_us": max(one.samples),
            "relative_error": max(one.error, error),
            "sets": len(sets),
            "config": one.config,
        }

    def guarded(self, name: str, case: Case, rows: list[dict[str, Any]], step: Any, *args: Any) -> Any:
        """What a step of a contestant gives; None where it failed, which becomes a row."""
        try:
            return step(*args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a peer may do anything, exit included
            problem = f"{type(error).__name__}: {error}".splitlines()[0][:300]
            wrong = isinstance(error, Wrong)
            if not isinstance(error, (Unsupported, Wrong)):
                traceback.print_exc(limit=6)
        print(f"compare.py: {name}, b={case.b}: {problem}", file=sys.stderr)
        ours = name == OUR_NAME
        row = {"contestant": name, "ours": ours, "batch": case.b, "problem": problem, "wrong": wrong}
        self.ours_wrong = self.ours_wrong or (ours and wrong)
        if context_is_lost():
            self.lines.put("row", **row)
            self.restart_without(name, case)
        rows.append(row)
        return None

    def restart_without(self, name: str, case: Case) -> None:
        """Starts this program anew, from this case on: no work can be done in a CUDA context that faulted."""
        print(f"compare.py: starts again without {name}", file=sys.stderr)
        left = [one.b for one in self.cases[self.cases.index(case) :]]
        without = [*self.request.without, name]
        again = dataclasses.replace(self.request, batch=left, without=without, restarted=True)
        self.lines.give_back()
        sys.stderr.flush()
        script = os.path.abspath(sys.argv[0])
        text = json.dumps(dataclasses.asdict(again))
        os.execv(sys.executable, [sys.executable, script, "--resume", text])


def checked(case: Case, pool: Pool, inputs: InputSet, layout: str, scale: float, out: Any) -> float:
    """The relative error of outputs; raises Wrong where it is too large, or no number."""
    torch.cuda.synchronize()
    error = relative_error(case, pool, inputs, layout, scale, out)
    if not error <= MOST_RELATIVE_ERROR:
        raise Wrong(f"outputs differ from the float64 reference by {error:.2e} of its norm; {MOST_RELATIVE_ERROR} may")
    return error


def cases_of(request: Any, variant: dict[str, Any]) -> list[Case]:
    """ValueError where the bundle and the request do not go together."""
    op = operation_of(variant)
    if request.heads not in (0, variant["heads"]):
        raise ValueError(f"--heads {request.heads}: {variant['name']} has {variant['heads']}")
    if op == "dense_decode" and request.queries != 1:
        raise ValueError("dense attention is compared for one query token a request; leave --queries at 1")
    most = variant["max_queries"]
    if request.queries < variant["min_queries"] or (most and request.queries > most):
        taken = f"{variant['min_queries']} to {most or 'any'}"
        raise ValueError(f"--queries {request.queries}: {variant['name']} takes {taken}")
    if request.context - request.queries + 1 < variant["topk"]:
        raise ValueError(f"--context {request.context}: at least the top-k of {variant['topk']} keys are needed")
    sizes = dict(h=variant["heads"], s_q=request.queries, s_kv=request.context, topk=variant["topk"])
    return [Case(op, b=b, causal=variant["causal"], page=variant["page"], **sizes) for b in request.batch]
