"""Inputs that every contestant of a comparison shares, and the float64 reference for them.

The shapes are those of the adapters' contract: rows of 512 latent and 64 rotary elements in bf16, pages of 64 rows.
"""

import dataclasses
import math
from typing import Any

import torch

LATENT, QK_DIMS, PAGE = 512, 576, 64
ROW_BYTES = {"bf16": 1152, "fp8": 656}
USUAL_SCALE = QK_DIMS**-0.5  # what the contract fixes
DEVICE = "cuda"
FP8_GROUP = 128  # latent elements that share a factor
FP8_LARGEST = 448.0
FILL_ROWS = 1 << 20  # drawn at a time

InputSet = dict[str, torch.Tensor]


@dataclasses.dataclass(frozen=True)
class Case:
    """One size; the names are the contract's."""

    op: str  # sparse_decode or dense_decode
    h: int  # heads
    b: int  # requests
    s_q: int  # query tokens a request
    s_kv: int  # keys a request
    topk: int = 0
    causal: bool = False
    page: int = PAGE  # mlac's, for its own block tables

    @property
    def tokens(self) -> int:
        return self.b * self.s_q

    @property
    def n(self) -> int:
        return self.topk or self.s_kv

    @property
    def rows(self) -> int:
        """Cache rows that a launch reads."""
        return self.tokens * self.topk if self.topk else self.b * self.s_kv


class Pool:
    """Cache rows far beyond the L2, drawn once, in both layouts the contract knows.

    bf16 is [rows, 576]; fp8 is [pages, 64, 1, 656] bytes a row: 512 e4m3, four f32 factors, 64 bf16.
    """

    def __init__(self, rows: int, with_fp8: bool, seed: int) -> None:
        make = torch.Generator(device=DEVICE).manual_seed(seed)
        self.rows, self.pages = rows, rows // PAGE
        self.bf16 = torch.empty(rows, QK_DIMS, dtype=torch.bfloat16, device=DEVICE)
        self.fp8 = None
        if with_fp8:
            self.fp8 = torch.empty(self.pages, PAGE, 1, ROW_BYTES["fp8"], dtype=torch.uint8, device=DEVICE)
        for start in range(0, rows, FILL_ROWS):
            part = self.bf16[start : start + FILL_ROWS]
            part.copy_(torch.randn(part.shape, generator=make, device=DEVICE))
            if self.fp8 is not None:
                flat = self.fp8.view(rows, ROW_BYTES["fp8"])
                flat[start : start + FILL_ROWS] = packed_fp8(part)

    def fetch(self, rows: torch.Tensor, layout: str) -> torch.Tensor:
        """Rows of these numbers in f64, as the layout holds them."""
        if layout == "bf16":
            return self.bf16[rows].double()
        return unpacked_fp8(self.fp8.view(self.rows, ROW_BYTES["fp8"])[rows])


def packed_fp8(rows: torch.Tensor) -> torch.Tensor:
    """bf16 rows as 656 bytes each; a factor is the power of two that brings its group below e4m3's largest."""
    groups = rows[:, :LATENT].float().view(len(rows), -1, FP8_GROUP)
    factors = torch.exp2((groups.abs().amax(-1) / FP8_LARGEST).clamp_min(1e-30).log2().ceil())
    narrow = (groups / factors[..., None]).to(torch.float8_e4m3fn).view(torch.uint8)
    parts = (narrow.view(len(rows), LATENT), factors.view(torch.uint8), rows[:, LATENT:].contiguous().view(torch.uint8))
    return torch.cat(parts, dim=1)


def unpacked_fp8(raw: torch.Tensor) -> torch.Tensor:
    narrow = raw[:, :LATENT].contiguous().view(torch.float8_e4m3fn).double().view(len(raw), -1, FP8_GROUP)
    factors = raw[:, LATENT : LATENT + 16].contiguous().view(torch.float32).double()
    rope = raw[:, LATENT + 16 :].contiguous().view(torch.bfloat16).double()
    return torch.cat(((narrow * factors[..., None]).view(len(raw), LATENT), rope), dim=1)


def block_rows(page: int) -> int:
    """Rows of the pieces a request's cache is made of: whole pages of the contract's and of mlac's."""
    return math.lcm(PAGE, page)


def pool_rows(cases: list[Case], wanted: int) -> int:
    """Rows of a pool that holds every case, and twice as much so that its sets are apart."""
    block = block_rows(cases[0].page)
    needed = max(case.b * -(-case.s_kv // block) * block for case in cases)
    return -(-max(wanted, 2 * needed) // block) * block


def set_count(case: Case, layout_bytes: int, l2_bytes: int) -> int:
    """Sets that together hold more than five times the L2 cache, so that it holds none of the next one."""
    wanted = 5 * l2_bytes // (case.rows * layout_bytes) + 1
    return max(2, min(600, wanted))


def table_of(blocks: torch.Tensor, block: int, page: int, columns: int) -> torch.Tensor:
    """Page numbers of requests that consist of these blocks."""
    each = block // page
    pages = blocks[:, :, None] * each + torch.arange(each, device=blocks.device)
    return pages.view(len(blocks), -1)[:, :columns].to(torch.int32).contiguous()


def make_set(case: Case, pool: Pool, make: torch.Generator) -> InputSet:
    block = block_rows(case.page)
    count = -(-case.s_kv // block)
    order = torch.randperm(pool.rows // block, generator=make, device=DEVICE)
    blocks = order[: case.b * count].view(case.b, count)
    query = torch.randn(case.b, case.s_q, case.h, QK_DIMS, generator=make, device=DEVICE)
    drawn = {
        "q": query.to(torch.bfloat16),
        "block_table": table_of(blocks, block, PAGE, -(-case.s_kv // PAGE)),
        "mlac_table": table_of(blocks, block, case.page, -(-case.s_kv // case.page)),
        "seqlens": torch.full((case.b,), case.s_kv, dtype=torch.int32, device=DEVICE),
    }
    if case.topk:
        # What the first query token of a request sees, they all see.
        seen = case.s_kv - case.s_q + 1 if case.causal else case.s_kv
        places = torch.rand(case.tokens, seen, generator=make, device=DEVICE).argsort(-1)[:, : case.topk]
        places = places.reshape(case.b, -1)
        rows = torch.gather(blocks, 1, places // block) * block + places % block
        shape = (case.b, case.s_q, case.topk)
        drawn["positions"] = places.view(shape).to(torch.int32).contiguous()
        drawn["idx"] = rows.view(shape).to(torch.int32).contiguous()
    return drawn


def make_sets(case: Case, pool: Pool, count: int, seed: int) -> list[InputSet]:
    make = torch.Generator(device=DEVICE).manual_seed(seed)
    return [make_set(case, pool, make) for _ in range(count)]


def rows_of(case: Case, inputs: InputSet, token: int) -> torch.Tensor:
    """Physical rows that a token attends to."""
    if case.topk:
        return inputs["idx"].view(case.tokens, -1)[token].long()
    pages = inputs["block_table"][token // case.s_q].long()
    rows = pages[:, None] * PAGE + torch.arange(PAGE, device=DEVICE)
    return rows.view(-1)[: case.s_kv]


def relative_error(case: Case, pool: Pool, inputs: InputSet, layout: str, scale: float, out: Any) -> float:
    """|out - reference| / |reference| over a few tokens, the first and the last among them; NaN where out has one."""
    picked = sorted({token * (case.tokens - 1) // 3 for token in range(4)})
    got = out.reshape(case.tokens, -1, LATENT)[picked, : case.h].double()
    query = inputs["q"].view(case.tokens, case.h, QK_DIMS)
    want = torch.empty_like(got)
    for place, token in enumerate(picked):
        keys = pool.fetch(rows_of(case, inputs, token), layout)
        weights = torch.softmax(scale * (query[token].double() @ keys.T), -1)
        want[place] = weights @ keys[:, :LATENT]
    return ((got - want).norm() / want.norm()).item()
