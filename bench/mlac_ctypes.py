"""mlac through its C interface from Python: no build step, only ctypes. compare.py shows it at work.

Pointers are integers, such as a tensor's data_ptr(); a stream is torch.cuda.current_stream().cuda_stream. The context
that a family is loaded into must be current: any operation on a CUDA tensor makes it so.
"""

import ctypes as c


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
    ] + [("scale", c.c_float), ("has_merge", c.c_int32), ("has_sink", c.c_int32)]


class Param(c.Structure):
    _fields_ = [("name", c.c_char_p), ("value", c.c_double), ("data", c.c_void_p)]


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
        ("schedule", c.c_void_p),
        ("params", c.POINTER(Param)),
        ("param_count", c.c_uint64),
        ("sinks", c.c_void_p),
    ]


class Library:
    """libmlac.so with Python's errors."""

    def __init__(self, path: str) -> None:
        self.lib = c.CDLL(path)
        self.lib.mlac_version.restype = c.c_char_p
        self.lib.mlac_last_error.restype = c.c_char_p
        self.lib.mlac_error_name.restype = c.c_char_p
        self.lib.mlac_plan_workspace_bytes.restype = c.c_uint64

    def version(self) -> str:
        return self.lib.mlac_version().decode()

    def check(self, code: int) -> None:
        if code != 0:
            name = self.lib.mlac_error_name(code).decode()
            raise RuntimeError(f"{name}: {self.lib.mlac_last_error().decode()}")

    def family(self, bundle_path: str, name: str | None) -> c.c_void_p:
        """The attention of that name; without a name the bundle's only one."""
        bundle, family = c.c_void_p(), c.c_void_p()
        self.check(self.lib.mlac_bundle_open(bundle_path.encode(), c.byref(bundle)))
        try:
            wanted = name.encode() if name else None
            self.check(self.lib.mlac_family_load(bundle, wanted, c.byref(family)))
        finally:
            self.lib.mlac_bundle_close(bundle)
        return family

    def variant(self, family: c.c_void_p) -> VariantInfo:
        info = VariantInfo(struct_bytes=c.sizeof(VariantInfo))
        self.check(self.lib.mlac_family_variant(family, c.byref(info)))
        return info

    def plan(
        self, family: c.c_void_p, tokens: int, requests: int, max_seq_len: int
    ) -> tuple[c.c_void_p, int]:
        """A plan, and the bytes of workspace that its launches need."""
        plan = c.c_void_p()
        self.check(
            self.lib.mlac_plan_create(
                family,
                c.c_int64(tokens),
                c.c_int64(requests),
                c.c_int64(max_seq_len),
                c.byref(plan),
            )
        )
        return plan, self.lib.mlac_plan_workspace_bytes(plan)

    def splits(self, plan: c.c_void_p) -> int:
        return self.lib.mlac_plan_splits(plan)

    def launch(self, plan: c.c_void_p, args: LaunchArgs, stream: int) -> None:
        args.struct_bytes = c.sizeof(LaunchArgs)
        self.check(self.lib.mlac_launch(plan, c.byref(args), c.c_void_p(stream)))
