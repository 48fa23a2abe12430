#!/usr/bin/env python3
"""Tests of the parsing in structure.py."""
import os
import sys
import tempfile
import unittest

import lit_files
import module_cycles
import operation_places
import structure
from rust_source import Module, Reader, imports, is_test, tokens

ENUM = 'pub enum Known { Other, $($variant,)* } known! { Load = "memref.load", Store = "memref.store", Copy = "a.b", }'


def module(source, file="crates/passes/src/hoist/mod.rs"):
    return Module((), file, True, tokens(source))


def places(source, file="crates/passes/src/hoist/mod.rs"):
    """The places in `source`, with the enum in another module."""
    names = module(ENUM, "crates/mlir/src/names.rs")
    found = operation_places.in_rust([names, module(source, file)], lambda counted: counted == file)
    return [(place.kind, place.text) for place in found]


class Tree(unittest.TestCase):
    """Files in a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, **files):
        """`a__b` is the file crates/c/src/a/b.rs."""
        for name, source in files.items():
            path = os.path.join(self.root, "crates/c/src", *name.split("__")) + ".rs"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)

    def read(self):
        return Reader(self.root).read("crates/c/src/lib.rs")

    def cycles(self):
        return [[(edge.user, edge.used) for edge in cycle] for cycle in module_cycles.cycles("c", self.read())]


class Tokens(unittest.TestCase):
    def texts(self, source):
        return [(token.kind, token.text) for token in tokens(source)]

    def test_comments_are_left_out(self):
        self.assertEqual(self.texts('a // "b"\n/* c /* d */ e */ f /// g\n'), [("ident", "a"), ("ident", "f")])

    def test_texts_of_all_kinds(self):
        for source in ('"x.y"', 'r"x.y"', 'r#"x.y"#', 'b"x.y"', 'br##"x.y"##', 'c"x.y"'):
            self.assertEqual(self.texts(source), [("string", "x.y")], source)
        self.assertEqual(self.texts(r'"a\"b" c'), [("string", r'a\"b'), ("ident", "c")])
        self.assertEqual(self.texts('r#"a"b"# c'), [("string", 'a"b'), ("ident", "c")])

    def test_characters_and_lifetimes(self):
        self.assertEqual([kind for kind, _ in self.texts(r"'a' 'a '\'' '\u{7f}' '\"' b'{' &'static")],
                         ["char", "lifetime", "char", "char", "char", "char", "mark", "lifetime"])

    def test_ranges_are_no_numbers(self):
        self.assertEqual([text for _, text in self.texts("0..5 1.5 x.0")], ["0", ".", ".", "5", "1.5", "x", ".", "0"])

    def test_lines(self):
        self.assertEqual([token.line for token in tokens('a\n"b\nc"\n/* \n */ d')], [1, 2, 5])


class Tests(Tree):
    def test_attributes(self):
        for attribute, expected in (("cfg(test)", True), ("cfg(all(test, not(loom)))", True),
                                    ("cfg(all(loom, test))", True), ("cfg(not(test))", False),
                                    ("cfg(all(unix, not(test)))", False), ("cfg(any(test, unix))", False),
                                    ("cfg_attr(test, x)", False)):
            self.assertEqual(is_test([token.text for token in tokens(attribute)]), expected, attribute)

    def test_lines_and_tokens_without_tests(self):
        self.write(lib="mod a;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod b {\n    fn x() {}\n}\nconst A: u8 = 1;\n"
                       "#[cfg(test)]\nconst fn f() { one() }\nfn g() { two() }\n",
                   a="#![cfg(test)]\nfn x() {}\n", tests="mod deep;\n", tests__deep="fn y() {}\n")
        reader = Reader(self.root)
        found = reader.read("crates/c/src/lib.rs")
        self.assertEqual([one.path for one in found.walk()], [()])
        # Test functions are no modules: their lines count.
        self.assertEqual(found.lines, 11 - 2 - 4)
        self.assertEqual([token.text for token in found.tokens if token.text in ("one", "two")], ["two"])
        self.assertEqual({os.path.basename(file) for file in reader.test_files}, {"a.rs", "tests.rs", "deep.rs"})

    def test_nested_modules(self):
        self.write(lib="mod a;\nmod b { mod c; pub(crate) mod d { fn x() {} } }\n", a__mod="mod e;\n", a__e="", b__c="")
        self.assertEqual(sorted(one.path for one in self.read().walk()),
                         [(), ("a",), ("a", "e"), ("b",), ("b", "c"), ("b", "d")])


class Places(unittest.TestCase):
    def test_variants_by_any_path(self):
        for source in ("x == Known::Load", "memplan_mlir::names::Known::Load", "use names::Known as K; K::Load",
                       "use names::{Known::{self, *}}; f(Load)", "use names::Known::Load; f(Load)",
                       "use names::Known::Load as L; f(L)", "type K = names::Known; K::Load",
                       "impl From<u8> for Known { fn f() -> Self { Self::Load } }"):
            self.assertEqual(places(source), [("variant", "Load")], source)

    def test_others_are_none(self):
        for source in ("Other2::Load", "Known::Elsewhere", "// Known::Load", '"Known::Load"', "Self::Load", "Load"):
            self.assertEqual(places(source), [], source)

    def test_each_mention_counts(self):
        self.assertEqual(len(places("matches!(x, Known::Load | Known::Store) || y == Known::Other")), 3)

    def test_names(self):
        self.assertEqual(places('"memref.load"'), [("name", "memref.load")])
        for source in ('"memref.load %x"', '"memref"', '"memplan.lent"', '"llvm.emit_c_interface"', '"index.html"'):
            self.assertEqual(places(source), [], source)

    def test_predicates(self):
        for source, expected in (("info.is_gpu && x", "is_gpu"), ("names.info(f(op)).space == x", "space"),
                                 ("info.space", "space"), ('name.starts_with("gpu.")', "gpu."),
                                 ('name.contains("async")', "contains"),
                                 ("names.runs_in_parallel(op)", "runs_in_parallel"),
                                 ("is_wait(known)", "is_wait"), ("all.any(is_wait)", "is_wait")):
            self.assertEqual(places(source), [("predicate", expected)], source)
        for source in ("self.space", "slots.space", "fn is_wait(known: Known) {}", "use a::is_wait;",
                       "x.is_gpu()", 'text.contains("async")', 'name.strip_prefix("!async.value<")'):
            self.assertEqual(places(source), [], source)
        self.assertEqual(places('name.starts_with("llvm.")', "crates/mlir/src/llvm/module.rs"), [])

    def test_casts(self):
        source = """
            // isa<memref::LoadOp>(op)
            if (auto copy = dyn_cast<memref::CopyOp>(op)) return isa<MemRefType>(type) || isa<linalg::LinalgOp>(op);
            value.getDefiningOp<memref::GetGlobalOp>(); dyn_cast_or_null<scf::IfOp>(op); cast<LoopLikeOpInterface>(op);
            isa<memref::LoadOp,
                memref::DimOp>(op);"""
        found = operation_places.in_shim("a.cpp", source)
        self.assertEqual([(place.line, place.text) for place in found],
                         [(3, "CopyOp"), (4, "GetGlobalOp"), (4, "IfOp"), (5, "LoadOp"), (5, "DimOp")])


class Cycles(Tree):
    def test_imports(self):
        found, ranges = imports(tokens("use a::{self, b::{c as d, *}, super::e}; fn f() -> impl X + use<'a> {} use g;"))
        self.assertEqual([("::".join(one.path), one.known_as) for one in found],
                         [("a::self", "a"), ("a::b::c", "d"), ("a::b::*", "*"), ("a::super::e", "e"), ("g", "g")])
        self.assertEqual(len(ranges), 2)

    def test_by_use_and_by_path(self):
        self.write(lib="mod a; mod b; mod c;", a="use super::b::X;", b="fn f() { crate::c::g() }",
                   c="use crate::{a::Y};")
        self.assertEqual(self.cycles(),
                         [[("crate::a", "crate::b"), ("crate::b", "crate::c"), ("crate::c", "crate::a")]])

    def test_ancestors_are_none(self):
        self.write(lib="mod a; pub use a::X; pub mod b { use super::a::X; }", a="mod c; use crate::Y; use c::Z;",
                   a__c="use super::W; use super::super::V;")
        self.assertEqual(self.cycles(), [])

    def test_two_cycles(self):
        self.write(lib="mod a; mod b; mod c; mod d;", a="use crate::b::X; use crate::c::Y;", b="use crate::a::X;",
                   c="use crate::d::X;", d="use crate::c::X;")
        self.assertEqual([len(cycle) for cycle in self.cycles()], [2, 2])

    def test_tests_are_none(self):
        self.write(lib="mod a; mod b;", a="use crate::b::X;", b="#[cfg(test)] mod tests { use crate::a::Y; }")
        self.assertEqual(self.cycles(), [])

    def test_files_of_one_type(self):
        self.write(lib="mod a; mod b;", a="use crate::b::X; impl<'c> T<'c> {}",
                   b="use crate::a::X; impl Drop for T<'_> {}")
        lists = module_cycles.FILES_OF_ONE_TYPE
        self.addCleanup(setattr, module_cycles, "FILES_OF_ONE_TYPE", lists)
        module_cycles.FILES_OF_ONE_TYPE = (("c", "crate", "T", ("a", "b")),)
        self.assertEqual(self.cycles(), [])
        module_cycles.FILES_OF_ONE_TYPE = (("c", "crate", "U", ("a", "b")),)
        self.assertEqual(len(self.cycles()), 1)


class LitFiles(unittest.TestCase):
    def test_long_files_and_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "lit/pass"))
            run = "// RUN: " + "x" * 113
            for name, text in (("lit/pass/long.mlir", "\n" * 251), ("lit/pass/short.mlir", "\n" * 250),
                               ("lit/pass/run.test", run + "\n// CHECK-" + run[3:] + "\n" + run[:-1])):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as opened:
                    opened.write(text)
            self.assertEqual(lit_files.long_files(folder), ["lit/pass/long.mlir: 251 lines"])
            self.assertEqual(lit_files.long_runs(folder), ["lit/pass/run.test:1: 121 characters"])


class Whole(unittest.TestCase):
    def test_groups(self):
        for file, expected in (("crates/passes/src/hoist/mod.rs", "passes/hoist"),
                               ("crates/passes/src/counts.rs", "passes/counts"), ("crates/passes/src/lib.rs", "passes"),
                               ("crates/lifetimes/src/live.rs", "lifetimes"), ("mlir-plugin/capi/rules.rs", "plugin")):
            self.assertEqual(structure.group(file), expected)

    def test_all_files_are_read(self):
        for _, folder, files in structure.crates(structure.HERE):
            for target in structure.targets_of(structure.HERE, folder, files):
                self.assertIn(target.file, files)

    def test_files_of_one_type_are_there(self):
        roots = {crate: Reader(structure.HERE).read(files[0]) for crate, _, files in structure.crates(structure.HERE)}
        for crate, _, what, files in module_cycles.FILES_OF_ONE_TYPE:
            groups = module_cycles.files_of_one_type(crate, roots[crate])
            self.assertIn(sorted(files), [sorted(path[-1] for path in group) for group in groups], what)


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    if not done.wasSuccessful():
        sys.exit(1)
    print(f"{done.testsRun} passed")
