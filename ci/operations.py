#!/usr/bin/env python3
"""The operations of stock mlir-opt that touch memrefs, read from the .td files of the installed LLVM.

An operation is listed because of an operand or a result whose type constraint refers through its records to one of NAMES,
or because of a region, whose operations may touch any memref. The table has the reason, and the memory effects and
interfaces in the .td file. `--left-out` prints the other operations of these dialects and the omitted dialects, with
reasons."""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

LLVM = Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"))
INCLUDE = LLVM / "include"

# Files that define dialects and are not named *Ops.td.
OTHER_FILES = ["AMDGPU/IR/AMDGPU.td", "AMX/AMX.td", "ArmNeon/ArmNeon.td", "ArmSVE/IR/ArmSVE.td",
               "X86Vector/X86Vector.td"]

# Operations that no .td file defines.
WRITTEN_IN_CXX = {"affine.dma_start": "transfers between memrefs, with a tag",
                  "affine.dma_wait": "waits for a transfer by its tag"}

LEFT_OUT_DIALECTS = {
    "emitc": "C, written from a program that is planned",
    "irdl": "defines dialects",
    "nvvm": "numbers and LLVM's pointers, after the lowering to LLVM",
    "pdl": "patterns of rewriting",
    "pdl_interp": "patterns of rewriting",
    "quant": "numbers and tensors",
    "rocdl": "numbers and LLVM's pointers, after the lowering to LLVM",
    "shape": "shapes, before bufferization",
    "smt": "formulas of a solver",
    "spirv": "pointers of its own, after the lowering to SPIR-V",
    "test": "MLIR's own tests",
    "tosa": "tensors, before bufferization",
    "transform": "programs that transform programs",
    "wasmssa": "WebAssembly's own memory",
    "xevm": "numbers and LLVM's pointers, after the lowering to LLVM",
}

# The kind of a type constraint, and a pattern of the names of its records. The first match counts.
NAMES = [
    ("MemRef", re.compile(r"MemRef|Memref|BufferLike")),
    ("Shaped", re.compile(r"AnyShaped|IsShapedTypePred")),
    ("token", re.compile(r"Token|^Async_|^MPI_Request$|Nbarrier|MBarrierGroup")),
    ("pointer", re.compile(r"Pointer|Ptr(?!_(Shaped|IntLike|Mask1D|Any1D))(Type|LikeType|1DType|Metadata)")),
    # Types that hold an address.
    ("handle", re.compile(r"^GPU_Sparse|TensorMapDescriptor|WarpgroupMatrixDescriptor|TensorDesc|MemDesc"
                          r"|^AMDGPU_TDM")),
    ("AnyType", re.compile(r"^AnyType$|^LLVM_(Type|LoadableType|AnyAggregate|AnyNonAggregate)$")),
]

# Operations of listed dialects that match a name above although they use no address.
TENSORS = "tensors only: none is left after bufferization"
NUMBERS = "numbers only: its definition or its verifier allows no other type"
LEFT_OUT = [
    (r"tensor\..*", TENSORS),
    (r"linalg\.pack", TENSORS),
    (r"complex\.bitcast", NUMBERS),
    (r"arm_sve\.intr\..*", NUMBERS),
    (r"arm_sme\.intr\.(cntsd|read\..*)", NUMBERS),
    (r"llvm\.intr\.(abs|a?(sin|cos|tan)h?|atan2|bitreverse|bswap|ceil|copysign|ct(lz|pop)|cttz|exp(2|10)?|expect"
     r"|expect\.with\.probability|fabs|floor|fma|fmuladd|frexp|fsh[lr]|get\.active\.lane\.mask|is\.fpclass|ldexp"
     r"|ll?r(int|ound)|log(2|10)?|(max|min)(num|imum)|nearbyint|powi?|rint|round(even)?|[su](add|sub|shl)\.sat"
     r"|[su](add|sub|mul)\.with\.overflow|sincos|[su](max|min)|sqrt|trunc|vscale)", NUMBERS),
    (r"llvm\.intr\.(experimental\.constrained\..*|vector\.(reduce\..*|(de)?interleave2)|vp\.reduce\..*)", NUMBERS),
    (r"llvm\.intr\.vp\.(s|u|f)?(add|sub|mul|div|rem|neg|max|min|ma|muladd)", NUMBERS),
    (r"llvm\.intr\.vp\.(and|or|xor|ashr|lshr|shl|fpext|fptrunc|fpto[su]i|[su]itofp|[sz]ext|trunc)", NUMBERS),
    (r"llvm\.intr\.coro\.(align|size)", NUMBERS),
]

# Operations that match no name above and still affect memory.
ALSO = [
    (r"(memref|ml_program|llvm\.mlir)\.global", "memory without an operation that allocates it"),
    (r"omp\.target_(alloc|free)mem", "the address is a number"),
    (r"llvm\.(insertelement|shufflevector|intr\.masked\.(gather|scatter))",
     "elements may be pointers"),
    (r"(gpu|omp|mpi)\.barrier|amdgpu\.(lds|sched)_barrier|(llvm|xegpu)\.fence|gpu\.printf|llvm\.intr\.debugtrap",
     "memory accesses keep their order around it"),
    (r"acc\.wait|amdgpu\.memory_counter_wait|omp\.taskyield", "waits for asynchronous operations"),
    (r"acc\.(init|set|shutdown)|gpu\.set_default_device", "changes the device that others use"),
    (r"cf\.assert|llvm\.intr\.(ubsan)?trap|(llvm|ub)\.unreachable|omp\.cancel(lation_point)?",
     "control may not go on after it"),
    (r"(acc|gpu|omp)\.terminator", "ends a region that touches memory"),
    (r"xegpu\.alloc_nbarrier", "memory of barriers"),
]

# Interfaces and traits about memory or control flow.
RELEVANT_TRAITS = re.compile(r"MemoryEffect|ViewLike|Async|Region|LoopLike|Branch|Call(Op|able)|Copy|Allocation|Deallocation"
                             r"|ViewFlow|Structured|DestinationStyle|AutomaticAllocation|Isolated|IsTerminator|ReturnLike|Atomic"
                             r"|Speculat|NoMemoryEffect|RecursiveMemory|Promotable|SafeMemorySlot|AccessGroup|Symbol$"
                             r"|SelectLike|Parallel|Offload|Outlineable|LinalgStructured|Linalg(Contraction|Convolution)"
                             r"|PointerLike|DistinctObjects|AlignmentAttr|IndexedAccess|VectorTransfer|PureTrait|Bounds"
                             r"|AffineRead|AffineWrite|ParallelCombining|InParallel|Cast")


class Definitions:
    """All records of one .td file."""

    def __init__(self, path):
        command = [LLVM / "bin/llvm-tblgen", "-dump-json", f"-I{INCLUDE}", f"-I{path.parent}", path]
        self.records = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

    def __getitem__(self, reference):
        return self.records[reference["def"] if isinstance(reference, dict) else reference]

    def operations(self):
        """Name and record of each operation, including those of included files."""
        for name in self.records["!instanceof"].get("Op", []):
            record = self[name]
            dialect = self[record["opDialect"]]["name"]
            yield dialect, f"{dialect}.{record['opName']}", record

    def names(self, reference, seen):
        """The names of a constraint's records, including superclasses, nested predicates and wrapped types."""
        record = self[reference]
        if record["!name"] in seen:
            return
        seen.add(record["!name"])
        if not record["!anonymous"]:
            yield record["!name"]
        yield from record["!superclasses"]
        # If the condition always holds, every type matches.
        if record.get("predExpr") == "true" and "CPred" in record["!superclasses"]:
            yield "AnyType"
        for field in ("predicate", "children", "allowedTypes", "baseType"):
            inner = record.get(field)
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, dict) and "def" in one:
                    yield from self.names(one, seen)

    def kind(self, constraint):
        """The kind in NAMES of a constraint."""
        names = set(self.names(constraint, set()))
        # The element types of vectors and tensors are unrestricted in these classes, which is no reason to list them.
        return next((kind for kind, name in NAMES if any(map(name.search, names))), None)

    def effects(self, decorators):
        """Memory effects in the .td file: Read, Write, Allocate, Free, and their resource if it is not the default one."""
        found = []
        for decorator in decorators or []:
            record = self[decorator]
            if "MemoryEffect" in record["!superclasses"]:
                effect = record["effect"].rsplit("::", 1)[-1]
                resource = record["resource"].rsplit("::", 1)[-1]
                found.append(effect if resource == "DefaultResource" else f"{effect}({resource})")
        return found

    def traits(self, references):
        """Names of interfaces and traits, and effects without an operand."""
        for reference in references:
            record = self[reference]
            if "TraitList" in record["!superclasses"]:
                yield from self.traits(record["traits"])
            elif "effects" in record:
                found = self.effects(record["effects"])
                yield from (f"effect:{effect}" for effect in found) if found else ["NoMemoryEffect"]
            else:
                name = record.get("cppInterfaceName") or record.get("trait") or record["!name"]
                if RELEVANT_TRAITS.search(name):
                    yield re.sub(r"<.*", "", name).removesuffix("::Trait").removesuffix("::Impl").rsplit("::", 1)[-1]

    def described(self, record):
        """The reasons to list an operation, and its facts in the .td file."""
        why, effects = [], {}
        for part, word in (("arguments", "operand"), ("results", "result")):
            for number, (reference, name) in enumerate(record[part]["args"]):
                constraint, variable = reference, self[reference]
                if "OpVariable" in variable["!superclasses"]:
                    constraint = variable["constraint"]
                    found = self.effects(variable["decorators"])
                    if found:
                        effects[name or f"{word} {number}"] = found
                if "TypeConstraint" in self[constraint]["!superclasses"]:
                    kind = self.kind(constraint)
                    if kind:
                        why.append({word: name or number, "names": kind})
        why += [{"region": name or number} for number, (_, name) in enumerate(record["regions"]["args"])]
        return {"why": why, "effects": effects, "traits": sorted(set(self.traits(record["traits"])))}


def files():
    """The .td files that define operations."""
    dialects = INCLUDE / "mlir/Dialect"
    found = [path for path in sorted(dialects.rglob("*Ops.td")) if "Transform" not in path.relative_to(INCLUDE).as_posix()]
    left_out = {"EmitC", "IRDL", "PDL", "PDLInterp", "Quant", "Shape", "SMT", "SPIRV", "Tosa", "WasmSSA"}
    left_out_files = {"NVVMOps.td", "ROCDLOps.td", "XeVMOps.td"}
    found = [path for path in found
             if path.relative_to(dialects).parts[0] not in left_out and path.name not in left_out_files]
    return [INCLUDE / "mlir/IR/BuiltinOps.td", *found, *(dialects / path for path in OTHER_FILES)]


def read(path):
    """The operations of one file: name -> description."""
    definitions = Definitions(path)
    return {name: definitions.described(record) for dialect, name, record in definitions.operations()
            if dialect not in LEFT_OUT_DIALECTS}


def unregistered(names):
    """The names that mlir-opt does not know. Each is parsed in a chunk of its own, and the error tells unknown names."""
    text = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in names)
    run = subprocess.run([LLVM / "bin/mlir-opt", "--split-input-file", "-", "-o", os.devnull], input=text, text=True,
                         stderr=subprocess.PIPE, check=False)
    return set(re.findall(r"(?:unregistered operation '|Dialect .* not found for custom op '|"
                          r"operation being parsed with an unregistered dialect.*\n.*\"|"
                          r"created with unregistered dialect.*\n.*\")([\w.]+)", run.stderr))


def operations():
    """The listed operations, and the others with reasons, both by name."""
    everything = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(read, files()):
            everything |= found
    for name, reason in WRITTEN_IN_CXX.items():
        everything[name] = {"why": [{"operation": name, "names": reason}], "effects": {}, "traits": []}
    unknown = unregistered(sorted(everything))
    listed, left_out = {}, {}
    for name, described in sorted(everything.items()):
        reason, also = (next((reason for pattern, reason in table if re.fullmatch(pattern, name)), None)
                        for table in (LEFT_OUT, ALSO))
        if also and not described["why"]:
            described["why"] = [{"operation": name, "names": also}]
        if name in unknown:
            left_out[name] = "mlir-opt does not register it"
        elif not described["why"]:
            left_out[name] = "no operand, result or region that holds an address"
        elif reason:
            left_out[name] = reason
        else:
            listed[name] = described
    return listed, left_out


def table(rows):
    """A table with columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def shown(described):
    """The cells of a listed operation."""
    why = ", ".join(f"{next(iter(one.values()))}: {one.get('names', 'region')}" for one in described["why"])
    effects = ", ".join(f"{name}: {'+'.join(found)}" for name, found in described["effects"].items())
    return [why, effects, " ".join(described["traits"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--names", action="store_true", help="names alone, a line each")
    parser.add_argument("--left-out", action="store_true", help="what is left out, with the reason")
    parser.add_argument("dialects", nargs="*", help="only these")
    arguments = parser.parse_args()
    listed, left_out = operations()
    if arguments.left_out:
        listed = {**LEFT_OUT_DIALECTS, **left_out}
    if arguments.dialects:
        listed = {name: what for name, what in listed.items() if name.split(".")[0] in arguments.dialects}
    if arguments.names:
        print("\n".join(listed))
    elif arguments.json:
        json.dump(listed, sys.stdout, indent=1)
        print()
    elif listed:
        print(table([[name, *([what] if arguments.left_out else shown(what))] for name, what in listed.items()]))


if __name__ == "__main__":
    main()
