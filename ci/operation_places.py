"""Finds places that refer to one operation, for structure.py: in Rust, and in the C++ shim."""
import re
from dataclasses import dataclass

from rust_source import Token, closing, imports

# The current and the former name of the enum of operation kinds.
KINDS = ("OpKind", "Known")
# Predicates about one operation's name or kind. Fields of NameInfo:
FIELDS = {"is_openmp", "is_gpu", "is_vector", "is_asynchronous", "starts_transfer"}
# Fields with common names, counted only for `info` and `info(…)`.
FIELDS_OF_INFO = {"space"}
# Functions and methods, each with the folder in which it counts. For common names, that is the folder of its module.
FUNCTIONS = {
    "runs_in_parallel": "",
    "may_store_by_symbol": "",
    "has_foreign_model": "",
    "is_wait": "crates/passes/",
    "is_dead_end": "",
    "grows": "crates/passes/src/ownership_dealloc/",
    "runs_once": "crates/passes/src/regions/",
    "is_parallel_loop": "crates/passes/src/regions/",
    "Kind::of": "crates/passes/src/reorder/",
}
# String methods that test a part of a name, counted for `name` in crates that read IR. LLVM IR has no operations.
TEXT_TESTS = {"starts_with", "ends_with", "contains", "split_once", "strip_prefix", "strip_suffix"}
READ_IR = ("crates/lifetimes/", "crates/mlir/", "crates/passes/", "crates/summaries/", "crates/verify/")
READ_LLVM_IR = ("crates/mlir/src/llvm/", "crates/mlir/src/llvm.rs")

# `mlir-opt --show-dialects`, without those of its tests.
DIALECTS = """acc affine amdgpu amx arith arm_neon arm_sme arm_sve async bufferization builtin cf complex dlti emitc func
gpu index irdl linalg llvm math memref ml_program mpi nvgpu nvvm omp pdl pdl_interp ptr quant rocdl scf shape shard smt
sparse_tensor spirv tensor tosa transform ub vector wasmssa x86vector xegpu xevm""".split()
OPERATION = re.compile(rf"(?:{'|'.join(DIALECTS)})(?:\.[a-z_][a-z_0-9]*)+")
DIALECT = re.compile(rf"(?:{'|'.join(DIALECTS)})\.")
# Attributes, an intrinsic and a file with names like those of operations.
NO_OPERATIONS = {
    "bufferization.manual_deallocation", "gpu.container_module", "index.html", "llvm.coro.begin",
    "llvm.emit_c_interface", "llvm.linkage", "llvm.module_asm", "llvm.target_triple",
}

CAST = re.compile(r"\b(?:(?:isa|cast|dyn_cast)(?:_or_null|_if_present|_and_nonnull|_and_present)?|getDefiningOp"
                  r"|getParentOfType|getOps|Case)\s*<([^<>()]*)>")
OPERATION_CLASS = re.compile(r"(?:::)?(?:\w+::)*(\w+Op)")
# Interfaces with names like those of operations.
INTERFACES = {"LinalgOp"}
CPP_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


@dataclass(frozen=True, order=True)
class Place:
    """`kind`: variant, name, predicate or cast. `text`: the operation, or the predicate."""
    file: str
    line: int
    kind: str
    text: str


def is_operation(token):
    return token.kind == "string" and OPERATION.fullmatch(token.text) and token.text not in NO_OPERATIONS


def kinds(modules):
    """The variants of the enum of operation kinds, and its names: its own and aliases."""
    variants, names = set(), set(KINDS)
    for module in modules:
        all_tokens = module.tokens
        defined = [at for at in range(len(all_tokens) - 2)
                   if all_tokens[at].text == "enum" and all_tokens[at + 1].text in KINDS]
        # Variants that a macro creates from pairs with names.
        pairs = {one.text for one, two, three in zip(all_tokens, all_tokens[1:], all_tokens[2:])
                 if one.kind == "ident" and two.text in ("=", "=>") and is_operation(three)}
        for at in defined:
            # Another enum may have the former name.
            if pairs or all_tokens[at + 1].text == KINDS[0]:
                body = all_tokens[at + 3:closing(all_tokens, at + 2)]
                variants |= pairs | {one.text for one, two in zip(body, body[1:])
                                     if one.kind == "ident" and one.text[0].isupper() and two.text in (",", "(", "{")}
        names |= {one.known_as for one in imports(all_tokens)[0]
                  if one.path[-1] in KINDS and one.known_as != "_"}
        for at in range(len(all_tokens) - 2):
            if all_tokens[at].text == "type" and all_tokens[at + 2].text == "=":
                end = next(end for end in range(at, len(all_tokens)) if all_tokens[end].text == ";")
                if all_tokens[end - 1].text in KINDS:
                    names.add(all_tokens[at + 1].text)
    return variants, names


def of_kinds(module, variants, names):
    """Mentions of variants: by the name of the enum, by `Self` in its `impl`, or by an import."""
    all_tokens = module.tokens
    found, skipped = imports(all_tokens)
    bare = {}
    for one in found:
        if len(one.path) > 1 and one.path[-2] in names:
            if one.path[-1] == "*":
                bare.update((variant, variant) for variant in variants)
            elif one.path[-1] in variants:
                bare[one.known_as] = one.path[-1]
    skipped = {at for start, end in skipped for at in range(start, end)}
    own = set()
    for at, token in enumerate(all_tokens):
        if token.text == "impl" and token.kind == "ident":
            opens = next((end for end in range(at, len(all_tokens)) if all_tokens[end].text == "{"), None)
            if opens and all_tokens[opens - 1].text in names:
                own.update(range(opens, closing(all_tokens, opens)))
    for at, token in enumerate(all_tokens):
        if token.kind != "ident" or at in skipped:
            continue
        is_path = at > 1 and all_tokens[at - 1].text == "::"
        if is_path and token.text in variants:
            owner = all_tokens[at - 2].text
            if owner in names or (owner == "Self" and at in own):
                yield Place(module.file, token.line, "variant", token.text)
        elif token.text in bare and not (at and all_tokens[at - 1].text in ("::", ".", "fn", "struct", "enum")):
            yield Place(module.file, token.line, "variant", bare[token.text])


def of_names(module):
    """Strings that are an operation's name, or a dialect's prefix of names."""
    for token in module.tokens:
        if is_operation(token):
            yield Place(module.file, token.line, "name", token.text)
        elif token.kind == "string" and DIALECT.fullmatch(token.text) and not module.file.startswith(READ_LLVM_IR):
            yield Place(module.file, token.line, "predicate", token.text)


def of_predicates(module):
    """Calls of predicates, and reads of fields that are predicates."""
    around = 2 * [Token("mark", "", 0)]
    all_tokens = around + module.tokens + around
    skipped = {at for start, end in imports(all_tokens)[1] for at in range(start, end)}
    for at in range(2, len(all_tokens) - 2):
        token = all_tokens[at]
        if token.kind == "ident" and at not in skipped:
            if token.text in TEXT_TESTS:
                is_predicate = tests_name(all_tokens, at, module.file)
            elif all_tokens[at - 1].text == "." and all_tokens[at + 1].text != "(":
                is_predicate = token.text in FIELDS or (
                    token.text in FIELDS_OF_INFO and called(all_tokens, at - 2) == "info")
            else:
                is_predicate = is_function(all_tokens, at, module.file)
            if is_predicate:
                yield Place(module.file, token.line, "predicate", token.text)


def is_function(all_tokens, at, file):
    """Whether a predicate is called at `at`, or passed as an argument."""
    before = all_tokens[at - 1].text
    function = all_tokens[at].text
    folder = FUNCTIONS.get(function)
    if before == "::":
        folder = FUNCTIONS.get(f"{all_tokens[at - 2].text}::{function}", folder)
    if folder is None or not file.startswith(folder):
        return False
    return before != "fn" and (all_tokens[at + 1].text == "(" or before in ("(", ","))


def tests_name(all_tokens, at, file):
    """Whether the method at `at` tests a part of an operation's name. `of_names` finds prefixes of dialects."""
    part = all_tokens[at + 2]
    return (file.startswith(READ_IR) and not file.startswith(READ_LLVM_IR)
            and [all_tokens[at - 2].text, all_tokens[at - 1].text, all_tokens[at + 1].text] == ["name", ".", "("]
            and part.kind in ("string", "char") and not DIALECT.fullmatch(part.text) and not part.text.startswith("!"))


def called(all_tokens, at):
    """The name at `at`, or the name of the function whose arguments end there."""
    depth = 0
    while at >= 0:
        depth += (all_tokens[at].text == ")") - (all_tokens[at].text == "(")
        if depth == 0:
            return all_tokens[at - 1 if all_tokens[at].text == "(" else at].text
        at -= 1
    return ""


def in_rust(modules, is_counted):
    """The places in all modules whose files count."""
    variants, names = kinds(modules)
    return sorted(place for module in modules if is_counted(module.file)
                  for places in (of_kinds(module, variants, names), of_names(module), of_predicates(module))
                  for place in places)


def in_shim(file, source):
    """Casts to the class of one operation."""
    source = CPP_SKIPPED.sub(lambda skipped: "\n" * skipped[0].count("\n"), source)
    for cast in CAST.finditer(source):
        for name in cast[1].split(","):
            found = OPERATION_CLASS.fullmatch(name.strip())
            if found and found[1] not in INTERFACES:
                yield Place(file, source.count("\n", 0, cast.start()) + 1, "cast", found[1])
