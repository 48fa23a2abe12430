//! Fuzzing: for any input bytes, joining succeeds or returns an error.

use std::{fs, sync::LazyLock};

use crate::support::Lab;
use memplan_elf::{JoinError, Joiner};
use proptest::prelude::*;

const ODD: &str = r#"
.file "odd.s"
.section .text.g,"axG",@progbits,g,comdat
.weak g
g: .cfi_startproc
.cfi_personality 0x9b, DW.ref.p
.Lstart: movl $1, %eax
ret
.cfi_endproc
.text
.globl user
user: .cfi_startproc
call g
lea .Lword(%rip), %rax
.cfi_endproc
.section marks,"ao",@progbits,.text.g
.quad .Lstart
.section .rodata.str1.1,"aMS",@progbits,1
.asciz "one"
.Lword: .asciz "two"
.section .rodata.cst8,"aM",@progbits,8
here: .quad 1, 2, 3
.section .debug_info,"",@progbits
.quad .Lstart, here
.section .note.gnu.property,"a",@note
.p2align 3
.long 4, 16, 5
.asciz "GNU"
.long 0xc0000002, 4, 3, 0
.comm shared,40,16
.section .tbss,"awT",@nobits
.p2align 4
.skip 32
.section .note.GNU-stack,"",@progbits
.addrsig
"#;

/// Object files to mutate.
static OBJECTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let lab = Lab::new();
    let program = "static int a; const char *word(int x) { return x ? \"one\" : \"other\"; }\n\
        double scale(double x) { return x * 3.25 + a++; } int main(void) { return word(1)[0]; }";
    [
        lab.compile("odd.s", ODD, ""),
        lab.compile("program.c", program, "-O1 -g"),
        lab.compile("arm.c", program, "-O1 -g --target=aarch64-linux-gnu"),
        lab.compile("riscv.c", program, "-O1 -g --target=riscv64-linux-gnu"),
        lab.compile("throws.cpp", "struct E {}; inline void f(int x) { if (x) throw E(); } void g() { try { f(1); } catch (E &) {} }", "-O0"),
    ]
    .map(|object| fs::read(object).expect("an object"))
    .into()
});

/// Joins a mutated object file before and after the original one.
fn try_both(changed: &[u8], original: &[u8]) {
    for order in [[changed, original], [original, changed]] {
        let joined = memplan_elf::join(order.into_iter().map(|bytes| ("unit", bytes)));
        if let Ok(joined) = joined {
            assert!(joined.len() < 64 << 20, "{} bytes", joined.len());
            match memplan_elf::join([("joined", &*joined)]) {
                // A malformed input may lead to a malformed joined object.
                Ok(_) | Err(JoinError::Malformed { .. } | JoinError::Unsupported { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Boundary values.
fn odd_value() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u8>().prop_map(u64::from),
        any::<u64>(),
        (0u32..64).prop_map(|bit| 1 << bit),
        (0u32..64).prop_map(|bit| (1u64 << bit).wrapping_sub(1)),
        Just(0xffff_fff0),
        Just(0xffff),
        Just(0xfff2),
    ]
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(
        which in 0usize..5,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let original = &OBJECTS[which];
        let mut changed = original.clone();
        for (at, byte) in changes {
            changed[at.index(original.len())] = byte;
        }
        try_both(&changed, original);
    }

    #[test]
    fn changed_headers_and_tables_do_not_panic(
        which in 0usize..5,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, odd_value()), 1..4),
    ) {
        let original = &OBJECTS[which];
        let mut changed = original.clone();
        // LLVM writes the section headers at the end.
        let sections = u64::from_le_bytes(original[40..48].try_into().expect("a header")) as usize;
        for (at, width, value) in changes {
            let width = 1 << width;
            let words = (original.len() - sections) / width + 64 / width;
            let at = at.index(words) * width;
            let at = if at < 64 { at } else { sections + at - 64 };
            let end = (at + width).min(original.len());
            changed[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
        }
        try_both(&changed, original);
    }

    #[test]
    fn cut_objects_do_not_panic(which in 0usize..5, at in any::<prop::sample::Index>()) {
        let original = &OBJECTS[which];
        try_both(&original[..at.index(original.len())], original);
    }
}

#[test]
fn the_objects_as_they_are_join() {
    for object in OBJECTS.iter() {
        let mut joiner = Joiner::new();
        joiner.add("unit", object).expect("it joins");
        joiner.finish().expect("it joins");
    }
}
