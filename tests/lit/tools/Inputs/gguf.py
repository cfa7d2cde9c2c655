"""Writes the header of a small GGUF file: gguf.py FILE ARCHITECTURE [BYTES: cut off there]."""
import struct
import sys


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


path, architecture = sys.argv[1:3]
numbers = {
    "attention.head_count": 64,
    "attention.key_length_mla": 256,
    "attention.kv_lora_rank": 512,
    "rope.dimension_count": 64,
    "attention.indexer.top_k": 2048,
}
entries = [text("general.architecture") + struct.pack("<I", 8) + text(architecture)]
entries += [text(f"{architecture}.{key}") + struct.pack("<II", 4, value) for key, value in numbers.items()]
head = b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + b"".join(entries)
with open(path, "wb") as file:
    file.write(head[: int(sys.argv[3])] if len(sys.argv) > 3 else head)
