"""Counts copies: memref.copy, linalg.copy and linalg.transpose in the text of a program, and as executed."""
import math
import re

COPY = re.compile(r"^ *(?:memref\.copy %[\w#]+, (%[\w#]+)(?: \{.*\})? : .* to (memref<.*>)"
                  r"|linalg\.(?:copy|transpose) ins\(.*\) outs\((%[\w#]+) : (memref<.*>)\).*)$", re.MULTILINE)
BYTES = {"f64": 8, "i64": 8, "index": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "i8": 1, "i1": 1}
# The function that is called with the bytes of each copy.
COUNTER = "calls_moved"


def copy_target(match):
    """The target of a copy: its value, type, the product of element size and static dimensions in bytes, and the dynamic axes."""
    value, kind = match.group(1) or match.group(3), match.group(2) or match.group(4)
    *shape, element = re.match(r"memref<([^,<>]*)", kind).group(1).split("x")
    known = math.prod(int(size) for size in shape if size != "?") * BYTES[element]
    return value, kind, known, [axis for axis, size in enumerate(shape) if size == "?"]


def copied(text):
    """The number of copies, and the bytes that those of static size write."""
    all_written = [copy_target(match) for match in COPY.finditer(text)]
    return len(all_written), sum(known for *_, known, axes in all_written if not axes)


def counted(text):
    """The program with a call after each copy that reports the bytes written."""
    made = 0

    def with_call(match):
        nonlocal made
        made += 1
        value, kind, known, axes = copy_target(match)
        bytes_name = f"%moved{made}"
        lines = [match.group(0), f"{bytes_name} = arith.constant {known} : index"]
        for axis in axes:
            name = f"%moved{made}_{axis}"
            lines += [f"{name}_axis = arith.constant {axis} : index",
                      f"{name}_size = memref.dim {value}, {name}_axis : {kind}",
                      f"{name} = arith.muli {bytes_name}, {name}_size : index"]
            bytes_name = name
        return "\n".join([*lines, f"func.call @{COUNTER}({bytes_name}) : (index) -> ()"])

    return COPY.sub(with_call, text)
