"""What copies: memref.copy, linalg.copy and linalg.transpose in the text of a program, and those that a call executes."""
import math
import re

COPY = re.compile(r"^ *(?:memref\.copy %[\w#]+, (%[\w#]+)(?: \{.*\})? : .* to (memref<.*>)"
                  r"|linalg\.(?:copy|transpose) ins\(.*\) outs\((%[\w#]+) : (memref<.*>)\).*)$", re.MULTILINE)
BYTES = {"f64": 8, "i64": 8, "index": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "i8": 1, "i1": 1}
# Called with the bytes of each.
COUNTER = "calls_moved"


def written(match):
    """What a copy writes: the value, the bytes of what is known of its shape, and the axes that only the run knows."""
    value, kind = match.group(1) or match.group(3), match.group(2) or match.group(4)
    *shape, element = re.match(r"memref<([^,<>]*)", kind).group(1).split("x")
    known = math.prod(int(size) for size in shape if size != "?") * BYTES[element]
    return value, kind, known, [axis for axis, size in enumerate(shape) if size == "?"]


def copied(text):
    """How many copies there are, and the bytes that they write where these are known."""
    all_written = [written(match) for match in COPY.finditer(text)]
    return len(all_written), sum(known for *_, known, axes in all_written if not axes)


def counted(text):
    """The program, which tells of each copy that it executes how many bytes that writes."""
    made = 0

    def with_call(match):
        nonlocal made
        made += 1
        value, kind, known, axes = written(match)
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
