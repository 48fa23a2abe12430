//! Rare shapes of object files, from assembly.

use std::{fs, path::PathBuf};

use crate::support::{Lab, join, llvm, run};
use memplan_elf::JoinError;
use object::{Object, ObjectSection, ObjectSymbol, SymbolSection, elf, read::elf::ElfFile64};

fn assemble(lab: &Lab, target: &str, sources: &[&str]) -> Vec<PathBuf> {
    let flags = format!("--target={target}-linux-gnu");
    let compile =
        |(number, source): (usize, &&str)| lab.compile(&format!("{number}.s"), source, &flags);
    sources.iter().enumerate().map(compile).collect()
}

fn joined(sources: &[&str]) -> Vec<u8> {
    let lab = Lab::new();
    let objects = assemble(&lab, "x86_64", sources);
    fs::read(lab.join(&objects)).expect("the joined object")
}

fn refusal(target: &str, sources: &[&str]) -> String {
    let lab = Lab::new();
    join(&assemble(&lab, target, sources))
        .expect_err("it is refused")
        .to_string()
}

fn contents(bytes: &[u8], name: &str) -> Vec<Vec<u8>> {
    let file: ElfFile64 = ElfFile64::parse(bytes).expect("an object");
    file.sections()
        .filter(|section| section.name() == Ok(name))
        .map(|section| section.data().expect("its bytes").to_vec())
        .collect()
}

/// The flags of all sections of this name.
fn flags(bytes: &[u8], name: &str) -> Vec<u64> {
    let file: ElfFile64 = ElfFile64::parse(bytes).expect("an object");
    file.sections()
        .filter(|section| section.name() == Ok(name))
        .map(|section| {
            section
                .elf_section_header()
                .sh_flags
                .get(object::Endianness::Little)
                .0
        })
        .collect()
}

/// The symbols of this name: binding, visibility, value, size, and section.
fn symbols(bytes: &[u8], name: &str) -> Vec<(u8, u8, u64, u64, SymbolSection)> {
    let file: ElfFile64 = ElfFile64::parse(bytes).expect("an object");
    file.symbols()
        .filter(|symbol| symbol.name() == Ok(name))
        .map(|symbol| {
            let raw = symbol.elf_symbol();
            (
                raw.st_info.0 >> 4,
                raw.st_other.0 & 3,
                raw.st_value.get(object::Endianness::Little),
                symbol.size(),
                symbol.section(),
            )
        })
        .collect()
}

#[test]
fn no_unit_is_an_error_and_one_is_itself() {
    assert_eq!(join(&[]), Err(JoinError::NoUnits));
    let bytes = joined(&[".globl f\nf: ret"]);
    assert_eq!(contents(&bytes, ".text"), [[0xc3]]);
}

#[test]
fn the_same_units_are_the_same_bytes() {
    let sources = [
        ".globl f\nf: ret\n.quad h, x",
        ".globl g\ng: .quad f, a, c, b\n.comm d,4",
        "h: .quad h",
    ];
    assert_eq!(joined(&sources), joined(&sources));
}

#[test]
fn seventy_thousand_sections_have_extended_indices() {
    let lab = Lab::new();
    let unit = |from: u32| {
        let function =
            |n: u32| format!(".section .text.f{n},\"ax\",@progbits\n.globl f{n}\nf{n}: ret\n");
        let functions: String = (from..from + 35_000).map(function).collect();
        format!("{functions}.Lhere: .quad .Lhere")
    };
    let objects = assemble(
        &lab,
        "x86_64",
        &[&unit(0), &unit(35_000), ".globl last\nlast: .quad f69999"],
    );
    let bytes = join(&objects).expect("joins");
    let file: ElfFile64 = ElfFile64::parse(&*bytes).expect("an object");
    assert!(file.sections().count() > 70_000);
    for number in [0, 1, 65_279, 65_280, 69_999] {
        let name = format!("f{number}");
        let symbol = file.symbol_by_name(&name).expect("the function");
        let section = file
            .section_by_index(symbol.section_index().expect("its section"))
            .expect("its section");
        assert_eq!(section.name(), Ok(&*format!(".text.f{number}")));
    }
    let path = lab.write("joined.o", &bytes);
    let text = run(llvm("llvm-readelf"), ["-h".as_ref(), path.as_os_str()]);
    assert!(text.contains("(7000"), "{text}");
}

#[test]
fn alignment_is_kept_and_padding_is_nops_or_zeros() {
    let source = ".globl a\na: ret\n.data\n.byte 1\n.bss\n.byte 0";
    let other = ".p2align 4\n.globl b\nb: ret\n.data\n.p2align 3\n.quad 2\n.bss\n.p2align 6\nz: .skip 8\n.globl z";
    let bytes = joined(&[source, other]);
    let mut text = vec![0x90; 17];
    (text[0], text[16]) = (0xc3, 0xc3);
    assert_eq!(contents(&bytes, ".text"), [text]);
    assert_eq!(
        contents(&bytes, ".data"),
        [[1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]]
    );
    assert_eq!(symbols(&bytes, "z")[0].2, 64);
    assert_eq!(symbols(&bytes, "b")[0].2, 16);
}

#[test]
fn the_most_constraining_visibility_counts() {
    for (first, second, expected) in [
        (
            ".hidden s\n.globl s\ns: ret",
            ".globl s\n.quad s",
            elf::STV_HIDDEN,
        ),
        (".globl s\ns: ret", ".hidden s\n.quad s", elf::STV_HIDDEN),
        (
            ".protected s\n.globl s\ns: ret",
            ".hidden s\n.quad s",
            elf::STV_HIDDEN,
        ),
        (
            ".protected s\n.globl s\ns: ret",
            ".internal s\n.quad s",
            elf::STV_INTERNAL,
        ),
        (
            ".weak s\ns: ret",
            ".protected s\n.globl s\ns: ret",
            elf::STV_PROTECTED,
        ),
    ] {
        assert_eq!(
            symbols(&joined(&[first, second]), "s")[0].1,
            expected.0,
            "{first} {second}"
        );
    }
}

#[test]
fn weak_references_are_weak_until_one_is_not() {
    let weak = ".weak s\n.quad s";
    assert_eq!(symbols(&joined(&[weak, weak]), "s")[0].0, elf::STB_WEAK.0);
    assert_eq!(
        symbols(&joined(&[weak, ".quad s", weak]), "s")[0].0,
        elf::STB_GLOBAL.0
    );
}

#[test]
fn commons_take_the_largest_size_and_alignment() {
    let bytes = joined(&[".comm c,4,16", ".comm c,400,4", ".quad c"]);
    assert_eq!(
        symbols(&bytes, "c"),
        [(1, 0, 16, 400, SymbolSection::Common)]
    );
    let weak = ".weak c\n.data\nc: .quad 1\n.size c,8";
    for sources in [[weak, ".comm c,4,4"], [".comm c,4,4", weak]] {
        assert_eq!(symbols(&joined(&sources), "c")[0].4, SymbolSection::Common);
    }
    let strong = ".globl c\n.data\nc: .quad 1\n.size c,8";
    for sources in [[strong, ".comm c,4,4"], [".comm c,4,4", strong]] {
        assert_eq!(symbols(&joined(&sources), "c")[0].3, 8);
    }
}

#[test]
fn absolute_symbols_stay_absolute() {
    let bytes = joined(&[
        "local = 0x1234\n.globl all\nall = 0x77\n.quad local",
        ".globl f\nf: .quad all",
    ]);
    assert_eq!(
        symbols(&bytes, "all"),
        [(1, 0, 0x77, 0, SymbolSection::Absolute)]
    );
    assert_eq!(
        symbols(&bytes, "local"),
        [(0, 0, 0x1234, 0, SymbolSection::Absolute)]
    );
}

#[test]
fn symbols_are_ordered_by_unit_and_undefined_ones_by_name() {
    let bytes = joined(&[
        ".quad zz\n.weak w\nw: .quad aa\n.globl b\nb: ret\nl1: ret",
        ".globl a\na: ret\nl2: ret\n.globl w\nw: .quad mm",
    ]);
    let file: ElfFile64 = ElfFile64::parse(&*bytes).expect("an object");
    let names: Vec<_> = file
        .symbols()
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(names, ["l1", "l2", "w", "b", "a", "aa", "mm", "zz"]);
}

#[test]
fn source_files_are_named_once_with_their_symbols() {
    let source = |file: &str, local: &str| format!(".file \"{file}\"\n{local}: ret");
    let sources = [
        source("x.c", "l1"),
        source("y.c", "l2"),
        source("x.c", "l3"),
    ];
    let bytes = joined(&sources.each_ref().map(|source| &**source));
    let file: ElfFile64 = ElfFile64::parse(&*bytes).expect("an object");
    let names: Vec<_> = file
        .symbols()
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(names, ["x.c", "l1", "l3", "y.c", "l2"]);
}

#[test]
fn the_first_group_is_kept_and_others_go_with_what_refers_from_them() {
    let unit = |value: u32| {
        format!(
            r#".section .text.g,"axG",@progbits,g,comdat
            .weak g
            g: .cfi_startproc
            .Lstart: movl ${value}, %eax
            ret
            .cfi_endproc
            .text
            .globl user{value}
            user{value}: .cfi_startproc
            call g
            ret
            .cfi_endproc
            .section .debug_info,"",@progbits
            .quad .Lstart"#
        )
    };
    let bytes = joined(&[&unit(1), &unit(2), &unit(3)]);
    assert_eq!(contents(&bytes, ".text.g"), [[0xb8, 1, 0, 0, 0, 0xc3]]);
    assert_eq!(contents(&bytes, ".group").len(), 1);
    let file: ElfFile64 = ElfFile64::parse(&*bytes).expect("an object");
    let relocs = |name| {
        file.section_by_name(name)
            .expect("a section")
            .relocations()
            .count()
    };
    assert_eq!(
        relocs(".eh_frame"),
        4,
        "one for each user and one for the function"
    );
    assert_eq!(relocs(".debug_info"), 3, "all lead to the one that stays");
    let common_parts = contents(&bytes, ".eh_frame")[0]
        .chunks(4)
        .filter(|word| *word == *b"\x01zR\0")
        .count();
    assert_eq!(common_parts, 1);
}

#[test]
fn references_to_what_a_dropped_group_alone_has_are_refused() {
    let unit = ".section .text.g,\"axG\",@progbits,g,comdat\n.weak g\ng: ret\n.Lin: ret\n.data\n.quad .Lin";
    let message = refusal("x86_64", &[unit, unit]);
    assert_eq!(
        message,
        "1.s.o: a reference from .data into a section group that another unit has, is not supported"
    );
}

#[test]
fn the_stack_is_executable_if_a_unit_says_so_or_nothing() {
    let quiet = ".section .note.GNU-stack,\"\",@progbits";
    let executable = ".section .note.GNU-stack,\"x\",@progbits";
    for (sources, expected) in [
        (vec![quiet, quiet], vec![0]),
        (vec![quiet, executable], vec![4]),
        (vec![quiet, "ret"], vec![4]),
        (vec!["ret", "ret"], vec![]),
    ] {
        assert_eq!(
            flags(&joined(&sources), ".note.GNU-stack"),
            expected,
            "{sources:?}"
        );
    }
    let lab = Lab::new();
    let bytes = join(&assemble(&lab, "aarch64", &[quiet, "ret"])).expect("joins");
    assert_eq!(flags(&bytes, ".note.GNU-stack"), [0]);
}

#[test]
fn features_are_those_of_all_units() {
    let note = |features: u32| {
        format!(
            ".section .note.gnu.property,\"a\",@note\n.p2align 3\n.long 4, 16, 5\n.asciz \"GNU\"\n\
             .long 0xc0000002, 4, {features}, 0"
        )
    };
    let bytes = joined(&[&note(3), &note(1)]);
    let found = contents(&bytes, ".note.gnu.property");
    assert_eq!(found[0].len(), 32);
    assert_eq!(found[0][24], 1);
    assert!(contents(&joined(&[&note(3), &note(0)]), ".note.gnu.property").is_empty());
    assert!(contents(&joined(&[&note(3), "ret"]), ".note.gnu.property").is_empty());
}

#[test]
fn linked_sections_follow_what_they_are_linked_to() {
    let unit = |name: &str| {
        format!(
            ".section .text.{name},\"ax\",@progbits\n.L{name}: ret\n\
             .section marks,\"ao\",@progbits,.text.{name}\n.quad .L{name}\n"
        )
    };
    let both = format!("{}{}", unit("a"), unit("b"));
    let bytes = joined(&[&both, &unit("b")]);
    let found = contents(&bytes, "marks");
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [8, 16]);
}

#[test]
fn hints_to_the_linker_are_dropped() {
    let bytes = joined(&[".addrsig\n.addrsig_sym f\n.globl f\nf: ret\n.cg_profile f, f, 10"]);
    assert!(contents(&bytes, ".llvm_addrsig").is_empty());
    assert!(contents(&bytes, ".llvm.call-graph-profile").is_empty());
}

#[test]
fn merged_sections_that_cannot_be_cut_stay_as_they_are() {
    // Relocated; an unterminated string; a symbol after the end; an alignment larger than an entry; a symbol of two
    // entries; an incomplete entry.
    for (asked, odd) in [
        ("M\",@progbits,8", ".quad f"),
        ("MS\",@progbits,1", ".ascii \"open\""),
        ("M\",@progbits,8", ".quad 1\n.globl end\nend:"),
        ("M\",@progbits,8", ".p2align 4\n.quad 1\n.quad 1"),
        (
            "M\",@progbits,8",
            ".globl two\n.size two,16\ntwo: .quad 1\n.quad 1",
        ),
        ("M\",@progbits,8", ".quad 1\n.long 1"),
    ] {
        let merged = joined(&[&format!(".section .odd,\"a{asked}\n{odd}"), "f: ret"]);
        let plain = joined(&[&format!(".section .odd,\"a\",@progbits\n{odd}"), "f: ret"]);
        assert_eq!(contents(&merged, ".odd"), contents(&plain, ".odd"));
        assert_eq!(flags(&merged, ".odd"), [2]);
    }
}

#[test]
fn strings_keep_their_alignment() {
    let unit = ".section .rodata.str1.8,\"aMS\",@progbits,1\n.p2align 3\n.asciz \"bbb\"\n.p2align 3\ns: .asciz \"a\"\n.data\n.quad s";
    let bytes = joined(&[unit, unit]);
    let pool = &contents(&bytes, ".rodata.str1.8")[0];
    let at = |word: &[u8]| {
        pool.windows(word.len())
            .position(|window| window == word)
            .expect("the word")
    };
    assert_eq!((at(b"bbb\0") % 8, at(b"a\0") % 8), (0, 0));
    assert_eq!(
        pool.windows(4).filter(|window| window == b"bbb\0").count(),
        1
    );
    assert_eq!(symbols(&bytes, "s")[0].2, at(b"a\0") as u64);
}

#[test]
fn differences_between_objects_are_reported() {
    let lab = Lab::new();
    let x86 = lab.compile("x86.s", "ret", "");
    let arm = lab.compile("arm.s", "ret", "--target=aarch64-linux-gnu");
    let message = join(&[x86.clone(), arm])
        .expect_err("it is refused")
        .to_string();
    assert_eq!(
        message,
        "arm.s.o: it is for machine 183, unlike the earlier objects"
    );
    let soft = lab.compile("soft.s", "ret", "--target=riscv64-linux-gnu -mabi=lp64");
    let double = lab.compile("double.s", "ret", "--target=riscv64-linux-gnu -mabi=lp64d");
    let message = join(&[soft, double])
        .expect_err("it is refused")
        .to_string();
    assert!(
        message.starts_with("double.s.o: its flags are "),
        "{message}"
    );
    let small = lab.compile("small.s", "ret", "-m32");
    let message = join(&[x86.clone(), small])
        .expect_err("it is refused")
        .to_string();
    assert_eq!(
        message,
        "small.s.o: an object that is not 64 bits wide is not supported"
    );
    let mut swapped = fs::read(&x86).expect("an object");
    swapped[5] = elf::ELFDATA2MSB.0;
    let message = join(&[lab.write("big.o", swapped)])
        .expect_err("it is refused")
        .to_string();
    assert_eq!(
        message,
        "big.o: an object that is not little-endian is not supported"
    );
    let program = lab.path("program");
    run(
        "ld",
        [
            "-e".as_ref(),
            "0".as_ref(),
            "-o".as_ref(),
            program.as_os_str(),
            x86.as_os_str(),
        ],
    );
    let message = join(&[program]).expect_err("it is refused").to_string();
    assert_eq!(
        message,
        "program: a file that is not a relocatable object is not supported"
    );
}

#[test]
fn conflicting_definitions_are_reported() {
    let message = refusal(
        "x86_64",
        &[".globl f\nf: ret", ".globl g\ng: ret", ".globl f\nf: ret"],
    );
    assert_eq!(message, "symbol f is defined in 0.s.o and in 2.s.o");
    let tls = ".section .tdata,\"awT\",@progbits\n.globl t\n.type t,@tls_object\nt: .quad 1";
    let message = refusal(
        "x86_64",
        &[tls, ".globl t\n.type t,@object\n.data\n.quad t"],
    );
    assert_eq!(
        message,
        "1.s.o: symbol t is not thread-local, unlike the earlier objects"
    );
}

#[test]
fn unsupported_objects_are_reported() {
    let lab = Lab::new();
    // A section is compressed only if that makes it smaller.
    let functions: String = (0..100)
        .map(|number| format!("int f{number}(int x) {{ return x + {number}; }}\n"))
        .collect();
    let compressed = lab.compile("compressed.c", &functions, "-g -gz=zlib");
    let message = join(&[compressed]).expect_err("it is refused").to_string();
    assert!(
        message.ends_with("which is compressed, is not supported"),
        "{message}"
    );
    let message = refusal("x86_64", &[".data\n.byte 1", ".data\n.p2align 22\n.byte 1"]);
    assert!(message.contains("an alignment of 4194304"), "{message}");
}

#[test]
fn private_names_are_local_and_their_groups_are_none() {
    let lab = Lab::new();
    let group = ".section .text.h,\"axG\",@progbits,h,comdat\n.weak h\n.hidden h\nh: ret\n.text\n";
    let objects = assemble(
        &lab,
        "x86_64",
        &[
            &format!(".globl f\nf: call h\ncall p\ncall gone\n{group}"),
            &format!(".globl g\ng: call h\n.globl p\n.hidden p\np: ret\n{group}"),
        ],
    );
    let mut joiner = memplan_elf::Joiner::new();
    for (number, object) in objects.iter().enumerate() {
        let bytes = fs::read(object).expect("an object");
        joiner.add(&number.to_string(), &bytes).expect("it joins");
    }
    for name in ["h", "p", "gone", "nobody's"] {
        joiner.keep_private(name).expect("there is room");
    }
    let bytes = joiner.finish().expect("an object");
    let bindings = |name| {
        let symbols = symbols(&bytes, name).into_iter();
        symbols
            .map(|(binding, visibility, ..)| (binding, visibility))
            .collect::<Vec<_>>()
    };
    assert_eq!(bindings("h"), [(elf::STB_LOCAL.0, 0)]);
    assert_eq!(bindings("p"), [(elf::STB_LOCAL.0, 0)]);
    assert_eq!(bindings("f"), [(elf::STB_GLOBAL.0, 0)]);
    // An undefined symbol must remain visible.
    assert_eq!(bindings("gone"), [(elf::STB_GLOBAL.0, 0)]);
    assert_eq!(contents(&bytes, ".group").len(), 0);
    assert_eq!(contents(&bytes, ".text.h"), [[0xc3]]);
    assert_eq!(flags(&bytes, ".text.h")[0] & elf::SHF_GROUP.0, 0);
}

#[test]
fn a_joiner_that_refused_a_unit_makes_no_object() {
    let mut joiner = memplan_elf::Joiner::new();
    assert!(matches!(
        joiner.add("none", b""),
        Err(JoinError::Malformed { .. })
    ));
    assert_eq!(joiner.add("none", b""), Err(JoinError::Refused));
    assert_eq!(joiner.finish(), Err(JoinError::Refused));
}
