"""mlac through its C interface from Python: no build step, only ctypes.

    python3 bench/mlac_ctypes.py LIBMLAC BUNDLE [--family NAME] [--tokens N] [--context N]

Launches a sparse decode on torch tensors, compares it with torch in float64, and times it. `Library` is what a benchmark
plug-in needs: load a family, plan, launch on torch's current stream.
"""
import argparse
import ctypes as c
import statistics


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("token_stride", c.c_int64), ("head_stride", c.c_int64)]


class Table(c.Structure):
    _fields_ = [("data", c.c_void_p), ("columns", c.c_int64), ("stride", c.c_int64)]


class VariantInfo(c.Structure):
    _fields_ = [("struct_bytes", c.c_uint64)] + [
        (name, c.c_int32)
        for name in (
            "heads qk_dims value_dims page topk record_bytes logical has_lse has_max_logit has_convert scale_is_fixed"
        ).split()
    ] + [("scale", c.c_float)]


class LaunchArgs(c.Structure):
    _fields_ = [
        ("struct_bytes", c.c_uint64),
        ("q", Tensor),
        ("q_latent", Tensor),
        ("q_rope", Tensor),
        ("cache", c.c_void_p),
        ("slots", c.c_int64),
        ("page_stride_bytes", c.c_int64),
        ("token_stride_bytes", c.c_int64),
        ("block_table", Table),
        ("query_start", c.c_void_p),
        ("token_request", c.c_void_p),
        ("seq_lens", c.c_void_p),
        ("key_end", c.c_void_p),
        ("indices", Table),
        ("topk_length", c.c_void_p),
        ("scale_device", c.c_void_p),
        ("has_scale", c.c_int32),
        ("scale", c.c_float),
        ("out", Tensor),
        ("lse", Tensor),
        ("max_logit", Tensor),
        ("workspace", c.c_void_p),
        ("workspace_bytes", c.c_uint64),
    ]


class Library:
    """libmlac.so with Python's errors."""

    def __init__(self, path):
        self.lib = c.CDLL(path)
        self.lib.mlac_version.restype = c.c_char_p
        self.lib.mlac_last_error.restype = c.c_char_p
        self.lib.mlac_error_name.restype = c.c_char_p
        self.lib.mlac_plan_workspace_bytes.restype = c.c_uint64

    def version(self):
        return self.lib.mlac_version().decode()

    def check(self, code):
        if code != 0:
            raise RuntimeError(f"{self.lib.mlac_error_name(code).decode()}: {self.lib.mlac_last_error().decode()}")

    def family(self, bundle_path, name):
        bundle, family = c.c_void_p(), c.c_void_p()
        self.check(self.lib.mlac_bundle_open(bundle_path.encode(), c.byref(bundle)))
        self.check(self.lib.mlac_family_load(bundle, name.encode() if name else None, c.byref(family)))
        self.lib.mlac_bundle_close(bundle)
        return family

    def variant(self, family):
        info = VariantInfo(struct_bytes=c.sizeof(VariantInfo))
        self.check(self.lib.mlac_family_variant(family, c.byref(info)))
        return info

    def plan(self, family, tokens, requests, max_seq_len):
        plan = c.c_void_p()
        self.check(
            self.lib.mlac_plan_create(
                family, c.c_int64(tokens), c.c_int64(requests), c.c_int64(max_seq_len), c.byref(plan)
            )
        )
        return plan, self.lib.mlac_plan_workspace_bytes(plan)

    def launch(self, plan, args, stream):
        args.struct_bytes = c.sizeof(LaunchArgs)
        self.check(self.lib.mlac_launch(plan, c.byref(args), c.c_void_p(stream)))


def problem(torch, info, tokens, context):
    """A sparse decode: one request a token, physical slots, rows of its own for every token."""
    make = torch.Generator(device="cuda").manual_seed(1)
    slots = tokens * context
    cache = torch.randn(slots, info.qk_dims, generator=make, device="cuda").mul_(0.1).to(torch.bfloat16)
    q = torch.randn(tokens, info.heads, info.qk_dims, generator=make, device="cuda").clamp_(-1, 1).to(torch.bfloat16)
    rows = torch.rand(tokens, context, generator=make, device="cuda").argsort(dim=1)[:, : info.topk]
    indices = (rows + torch.arange(tokens, device="cuda")[:, None] * context).to(torch.int32).contiguous()
    return q, cache, indices


def reference(torch, info, q, cache, indices):
    rows = cache[indices.long()].double()
    scores = info.scale * torch.einsum("thd,tkd->thk", q.double(), rows)
    return torch.einsum("thk,tkd->thd", scores.softmax(-1), rows[..., : info.value_dims])


def run(torch, library, family, tokens, context):
    info = library.variant(family)
    assert info.topk and not info.logical, "this benchmark passes physical indices"
    q, cache, indices = problem(torch, info, tokens, context)
    out = torch.full((tokens, info.heads, info.value_dims), float("nan"), device="cuda", dtype=torch.bfloat16)
    lse = torch.empty(tokens, info.heads, device="cuda")
    plan, workspace_bytes = library.plan(family, tokens, tokens, context)
    workspace = torch.empty(max(1, workspace_bytes), device="cuda", dtype=torch.uint8)
    args = LaunchArgs(
        q=Tensor(q.data_ptr(), 0, 0),
        cache=cache.data_ptr(),
        slots=cache.shape[0],
        indices=Table(indices.data_ptr(), info.topk, 0),
        out=Tensor(out.data_ptr(), 0, 0),
        lse=Tensor(lse.data_ptr() if info.has_lse else None, 0, 0),
        workspace=workspace.data_ptr() if workspace_bytes else None,
        workspace_bytes=workspace_bytes,
    )
    stream = torch.cuda.current_stream().cuda_stream
    times = []
    for _ in range(23):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        start.record()
        library.launch(plan, args, stream)
        stop.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(stop) * 1000)
    want = reference(torch, info, q, cache, indices)
    error = ((out.double() - want).norm() / want.norm()).item()
    library.lib.mlac_plan_free(plan)
    return statistics.median(times[3:]), error


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("bundle", nargs="?")
    parser.add_argument("--family")
    parser.add_argument("--tokens", type=int, default=16)
    parser.add_argument("--context", type=int, default=4096)
    options = parser.parse_args()
    library = Library(options.library)
    print(f"mlac {library.version()}")
    if options.bundle is None:
        return 0
    import torch

    torch.zeros(1, device="cuda")  # makes the context that the family is loaded into
    family = library.family(options.bundle, options.family)
    median, error = run(torch, library, family, options.tokens, options.context)
    print(f"tokens {options.tokens}: {median:.1f} us from Python, relative error {error:.2e}")
    library.lib.mlac_family_free(family)
    return 0 if error < 5e-3 else 3


if __name__ == "__main__":
    raise SystemExit(main())
