#!/usr/bin/env python3
"""Writes the GPU differential suite: specs.mlac with every variant, suite.json with the launches to verify.

    make_suite.py FOLDER
    mlac pack FOLDER/specs.mlac -a sm_90 -o FOLDER/bundle
    mlac pack FOLDER/cp_async.mlac -a sm_90 --set gather=cp_async -o FOLDER/bundle_cp_async
    mlac-run --suite FOLDER/suite.json          # on the GPU machine

The variants are heads x iteration x rope; the launches stress each with every difficulty that verify/ can draw, with both
kernels of the family, split and whole.
"""
import json
import pathlib
import sys

HEADS = [1, 5, 8, 10, 11, 16, 20, 32, 64, 128]
ITERATIONS = {
    "k64p": "topk 64 physical",
    "k192": "topk 192 logical",
    "k2048": "topk 2048 logical",
    "k2048p": "topk 2048 physical",
    "k2176": "topk 2176 logical",
    "dense": "dense",
    "window": "window 512",
}


def spec(name, heads, iterate, **words):
    lines = {
        "heads": heads,
        "latent": 512,
        "rope": 64,
        "q": "bf16",
        "cache": "bf16 page 64",
        "iterate": iterate,
        "queries": "1..4" + ("" if "physical" in iterate else " causal"),
        "scale": 0.0416,
        "output": "bf16 lse natural",
    }
    lines.update(words)
    body = "".join(f"  {word} {value}\n" for word, value in lines.items())
    return f"attention {name} {{\n{body}}}\n"


def matrix():
    for heads in HEADS:
        for short, iterate in ITERATIONS.items():
            for rope in (64, 0):
                yield f"h{heads}_{short}_r{rope}", spec(f"h{heads}_{short}_r{rope}", heads, iterate, rope=rope)


def specials():
    """Pages, types, outputs and sizes off the beaten path."""
    many = {
        "page1": spec("page1", 8, "topk 2048 logical", cache="bf16 page 1"),
        "page2304": spec("page2304", 8, "topk 2048 logical", cache="bf16 page 2304"),
        "page3": spec("page3", 11, "dense", cache="bf16 page 3"),
        "f16": spec("f16", 16, "topk 2048 logical", q="f16", cache="f16 page 64", output="f16 lse natural"),
        "f16dense": spec("f16dense", 8, "dense", q="f16", cache="f16 page 16", output="f32 lse base2"),
        "record": spec("record", 16, "topk 2048 logical", value="record"),
        "record64": spec("record64", 64, "dense", value="record", latent=448),
        "wide": spec("wide", 8, "topk 2048 physical", latent=1024),
        "odd": spec("odd", 24, "dense", latent=496, rope=16),
        "small": spec("small", 8, "dense", latent=16, rope=0),
        "any": spec("any", 8, "topk 2048 logical", queries="any causal"),
        "anydense": spec("anydense", 16, "dense", queries="any causal"),
        "runtime": spec("runtime", 8, "dense", scale="runtime", output="f32 lse natural max_logit"),
        "maxlogit": spec("maxlogit", 20, "topk 192 logical", output="bf16 lse base2 empty +inf max_logit"),
        "nolse": spec("nolse", 8, "topk 64 physical", output="bf16"),
        "k1": spec("k1", 8, "topk 1 logical"),
        "k2051": spec("k2051", 8, "topk 2051 logical"),
        "k65536": spec("k65536", 8, "topk 65536 physical"),
        "windowany": spec("windowany", 8, "window 100", queries="any"),
        "uncausal": spec("uncausal", 8, "dense", queries="1..4"),
    }
    many.update(ruled())
    return many.items()


def ruled():
    """Rules on single keys, with parameters of each kind, and sinks."""
    capped = {"param cap": ": f32 = 30", "score(s)": "= softcap(s, cap)"}
    biased = {
        "param slope": ": f32 per head",
        "param gain": ": f32",
        "param bias": ": f32 per token",
        "score(s, h, q, k, t)": "= gain * s - slope[h] * (q - k) / 1000 + bias[t]",
        "mask(h, q, k)": "= q - k < 900 && (k + h) % 7 != 0",
        "sink": "per head",
    }
    return {
        "capped": spec("capped", 8, "topk 2048 logical", **capped),
        "cappeddense": spec("cappeddense", 16, "dense", sink="per head", **capped),
        "biased": spec("biased", 8, "dense", **biased),
        "biasedpicked": spec("biasedpicked", 16, "topk 192 logical", output="f32 lse base2 max_logit", **biased),
        "biasedany": spec("biasedany", 5, "dense", **{**biased, "queries": "any causal"}),
        "sunk": spec("sunk", 64, "topk 2048 physical", sink="per head"),
    }


# flashinfer#4336, flashinfer#3828, vllm#55563: head counts and top-k widths that other kernels lack or silently skip.
PUBLIC_HEADS = [5, 8, 10, 12, 16, 20, 32, 64, 128]
PUBLIC_TOPK = [1, 64, 128, 192, 256, 512, 1024, 2048, 2051, 2176]


def public_shapes():
    for heads in PUBLIC_HEADS:
        for at, topk in enumerate(PUBLIC_TOPK):
            indices = "logical" if at % 2 else "physical"
            yield f"pub{heads}_{topk}", spec(f"pub{heads}_{topk}", heads, f"topk {topk} {indices}")


# One of each kind of kernel: for the sanitizers, and with the gather that sm_80 has.
FAMILIES = ["h8_k2048_r64", "h16_dense_r64", "h64_k2048p_r64", "h128_window_r0", "f16", "record", "page1", "runtime"]


def launches(name, kernels):
    """Few tokens and many, each kernel of the family, whole rows, split ones, and batches cut by their lengths."""
    long = "k65536" in name
    context = 70000 if long else 4500 if "20" in name or "21" in name else 1300
    heads = int(name[1:].split("_")[0]) if name.startswith("h") else 8
    tokens = 5 if heads >= 64 or long else 12
    base = {"family": name, "bundle": "bundle", "stress": True}
    if name.startswith("pub"):
        yield {**base, "tokens": 4, "context": 2500, "seed": 21}
        return
    yield {**base, "tokens": tokens, "context": context, "seed": 11}
    yield {**base, "tokens": tokens, "context": context, "seed": 12, "kernel": 0, "splits": 1}
    yield {**base, "tokens": 3, "context": context, "seed": 13, "kernel": 0, "splits": 7}
    yield {**base, "tokens": 3, "context": context, "seed": 14, "splits": 5}
    yield {**base, "tokens": 2, "context": 40, "seed": 15, "splits": 9}
    # vllm#54541, vllm#46514: four shards of the keys, merged by their LSE; and drawn partial results.
    yield {"family": name, "bundle": "bundle", "tokens": 4, "context": context, "seed": 16, "merge": True}
    for kernel, grouped in kernels:
        for splits in (1, 3):
            yield {**base, "tokens": 3, "context": context, "seed": 17, "kernel": kernel, "splits": splits}
            if grouped:
                few = {"explicit_key_end": False, "empty_rows": False}
                yield {**base, "tokens": 19, "context": context, "seed": 19, "kernel": kernel, "splits": splits}
                yield {**base, **few, "tokens": 8, "context": context, "seed": 20, "kernel": kernel, "splits": splits}
    for kernel, grouped in [(0, False), *kernels]:
        if not grouped:
            yield {**base, "tokens": tokens, "context": context, "seed": 18, "kernel": kernel, "balance": True}


def other_kernels(folder, name):
    """Attention kernels of a packed variant beside the first, which the fixed launches name: their numbers, and whether
    they take tokens in groups."""
    families = sorted((folder / "bundle" / name).glob("family.*.json"))
    if not families:
        return []
    kernels = json.loads(families[0].read_text())["kernels"]
    return [
        (index, kernel["query_group"] > 1)
        for index, kernel in enumerate(kernels)
        if kernel["role"] == "attention" and index > 0
    ]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    variants = dict(matrix())
    variants.update(specials())
    variants.update(public_shapes())
    cases = [case for name in variants for case in launches(name, other_kernels(folder, name))]
    # Slots whose first element lies past 2^31 (tokenspeed#501, flashinfer#3136), and a grid for prefill.
    cases.append({"family": "h8_k2048_r64", "bundle": "bundle", "tokens": 4, "context": 4500, "page_bias": 60000})
    cases.append({"family": "h8_k2048p_r64", "bundle": "bundle", "tokens": 4, "context": 4500, "page_bias": 60000})
    cases.append({"family": "h8_dense_r64", "bundle": "bundle", "tokens": 4, "context": 4500, "page_bias": 60000})
    # vllm#52512: short rows hold 0..len-1 and then -1.
    for context in (1, 64, 2047, 2048):
        cases.append(
            {"family": "h8_k2048_r64", "bundle": "bundle", "tokens": 4, "context": context, "identity_indices": True}
        )
    # vLLM sm_12x review comment: T = K = 2048, the last rows exact.
    cases.append({"family": "any", "bundle": "bundle", "tokens": 2048, "requests": 1, "context": 2048})
    cases.append({"family": "anydense", "bundle": "bundle", "tokens": 8192, "requests": 4, "context": 2500})
    for case in [case for case in cases if case["family"] in FAMILIES and "requests" not in case]:
        cases.append({**case, "bundle": "bundle_cp_async"})
    small = [
        {"family": name, "bundle": bundle, "stress": True, "tokens": 2, "context": 300, "kernel": kernel, **cut}
        for bundle in ("bundle", "bundle_cp_async")
        for name in FAMILIES
        for kernel, grouped in [(0, False), *other_kernels(folder, name)]
        for cut in ({"splits": 1}, {"splits": 3}, *([] if grouped else [{"balance": True}]))
    ]
    (folder / "sanitize.json").write_text(json.dumps({"cases": small}, indent=1) + "\n")
    (folder / "cp_async.mlac").write_text("\n".join(variants[name] for name in FAMILIES))
    (folder / "specs.mlac").write_text("\n".join(variants.values()))
    (folder / "suite.json").write_text(json.dumps({"cases": cases}, indent=1) + "\n")
    print(f"{len(variants)} variants, {len(cases)} launches in {folder}")


if __name__ == "__main__":
    main()
