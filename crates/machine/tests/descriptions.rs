//! Descriptions of machines: what they say, and what is refused at which line.

use memplan_machine::{Cost, Machine, Reserved};
use memplan_planner::{Bank, BankLayout};
use proptest::prelude::*;

const EXAMPLE: &str = r#"
version = 1
unit = "cycle"

[[space]]
name = "fast"
memory_space = 1
size = "64KiB"
alignment = 64
reserved = ["4KiB-5KiB", "0-1KiB", "1024-0x800"]
read = 1
write = 1.25
slower = "dram"
copies_beside = true

[[space]]
name = "dram"
memory_space = "default"
read = 10
write = 10.5
"#;

#[test]
fn an_example_is_read() {
    let machine = Machine::parse(EXAMPLE).expect("right");
    assert_eq!((&*machine.unit, machine.spaces.len()), ("cycle", 2));
    let fast = machine.named("fast").expect("is there");
    let dram = machine.space(fast.slower.expect("has one"));
    assert_eq!((&*fast.memory_space, fast.size), ("1", Some(64 << 10)));
    assert_eq!((fast.read, fast.write), (Cost(1000), Cost(1250)));
    assert_eq!(fast.write.to_string(), "1.25");
    let reserved = |start, end| Reserved { start, end };
    assert_eq!(fast.reserved, [reserved(0, 2048), reserved(4096, 5120)]);
    assert!(fast.copies_beside && !dram.copies_beside);
    assert_eq!(
        (&*dram.name, &*dram.memory_space, dram.size),
        ("dram", "", None)
    );
    assert_eq!(machine.of_memory_space(""), Some(dram));
    assert_eq!(machine.of_memory_space("2"), None);
}

#[test]
fn banks_are_a_number_sizes_addresses_or_interleaved() {
    let banks = |text: &str| {
        let text = format!(
            "version = 1\n[[space]]\nname = \"a\"\nmemory_space = 1\n{}\n",
            text.replace("; ", "\n")
        );
        let machine = Machine::parse(&text).expect("right");
        (machine.spaces[0].banks.clone(), machine.spaces[0].size)
    };
    let contiguous = |ranges: &[(u64, u64)]| {
        let banks = ranges.iter().map(|&(start, end)| Bank { start, end });
        Some(BankLayout::Contiguous(banks.collect()))
    };
    let two = contiguous(&[(0, 4096), (4096, 8192)]);
    assert_eq!(banks("size = 8192; banks = 2"), (two.clone(), Some(8192)));
    assert_eq!(banks("banks = [4096, \"4KiB\"]"), (two, Some(8192)));
    let apart = contiguous(&[(0, 16), (32, 48)]);
    assert_eq!(banks("banks = \"0-16,32-48\""), (apart, Some(48)));
    let (count, width) = (32, 4);
    let interleaved = Some(BankLayout::Interleaved { count, width });
    assert_eq!(banks("banks = \"32x4\""), (interleaved, None));
    assert_eq!(banks("size = 64"), (None, Some(64)));
}

/// The error of a description: `head`, and spaces of one line each.
fn error(head: &str, spaces: &[&str]) -> String {
    let spaces: Vec<String> = spaces
        .iter()
        .map(|space| format!("[[space]]\n{}\n", space.replace("; ", "\n")))
        .collect();
    let text = format!("{head}\n{}", spaces.concat());
    Machine::parse(&text).expect_err("wrong").to_string()
}

#[test]
fn the_example_of_the_manual_is_read() {
    let text = include_str!("../../../lit/memplan-merge-alloc/Inputs/npu.toml");
    let machine = Machine::parse(text).expect("right");
    assert_eq!(machine.spaces.len(), 2);
}

#[test]
fn each_error_names_the_line_and_what_is_expected() {
    let one = "name = \"a\"; memory_space = 1";
    let right = "version = 1";
    for (head, spaces, message) in [
        ("", &[one][..], "no version: write version = 1"),
        (
            "version = 2",
            &[one],
            "line 1: version 2 is not known; this memplan reads version 1",
        ),
        (
            "version = \"1\"",
            &[one],
            "line 1: 'version' takes an integer, not \"1\"",
        ),
        (right, &[], "no memory space is described"),
        (
            "version = 1\nspeed = 3",
            &[one],
            "line 2: unknown key 'speed'; known are version, unit",
        ),
        (
            "version = 1\nunit = 3",
            &[one],
            "line 2: 'unit' takes a text in quotes, not 3",
        ),
        (
            "version = 1\nspace = 3",
            &[],
            "line 2: 'space' is a list of tables: write [[space]] before each",
        ),
        (
            right,
            &["memory_space = 1"],
            "line 2: the space has no 'name'",
        ),
        (
            right,
            &["name = \"a\""],
            "line 2: space 'a' has no 'memory_space', such as \"1\", \"#gpu.address_space<workgroup>\" or \"default\"",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = -1"],
            "line 5: 'size' takes bytes below 2^63, such as 65536 or \"64KiB\", not -1",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = \"8EiB\""],
            "line 5: 'size' takes bytes below 2^63, such as 65536 or \"64KiB\", not \"8EiB\"",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; banks = 4"],
            "line 5: 'banks' divides the 'size' of space 'a', which it does not have: list the size of each bank",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = 10; banks = 4"],
            "line 6: the 10 bytes of space 'a' are no multiple of its 4 banks",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = 30; banks = [16, 16]"],
            "line 6: the banks of space 'a' end at byte 32, beyond its 30 bytes",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; banks = [\"16-32\", \"0-16\"]"],
            "line 5: space 'a': bank 1 starts before the end of the bank before it",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; banks = \"4y8\""],
            "line 5: 'banks' takes a number of banks up to 1024, the size or the addresses of each, or COUNTxWIDTH for interleaved ones, such as 4, [\"16KiB\", \"16KiB\"] or \"32x4\", not \"4y8\"",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; banks = []"],
            "line 5: space 'a': there are no banks",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = 0"],
            "line 5: space 'a' has no bytes",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; alignment = 48"],
            "line 5: 'alignment' takes a power of two up to 1GiB",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = 32; alignment = 64"],
            "line 6: space 'a' has 32 bytes, fewer than its alignment of 64",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; reserved = [\"8-4\"]"],
            "line 5: 'reserved' takes ranges of addresses that are not empty, such as [\"0-1KiB\"], not [\"8-4\"]",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = 64; reserved = \"0-65\""],
            "line 6: 0-65 is not within the 64 bytes of space 'a'",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; size = 64; reserved = [\"0-32\", \"16-64\"]"],
            "line 6: all 64 bytes of space 'a' are reserved",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; read = -2"],
            "line 5: 'read' takes a number from 0 to 1000000 with at most three decimals, such as 1 or 0.25, not -2",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; copies_beside = 1"],
            "line 5: 'copies_beside' takes true or false, not 1",
        ),
        (
            right,
            &[one, "name = \"a\"; memory_space = 2"],
            "line 5: space 'a' is described already, at line 2",
        ),
        (
            right,
            &[
                "name = \"a\"; memory_space = \"default\"",
                "name = \"b\"; memory_space = 0",
            ],
            "line 5: 'b' and 'a' (line 2) are two names for one memory space",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; slower = \"c\""],
            "line 5: 'slower' names 'c', which is not described; known are a",
        ),
        (
            right,
            &["name = \"a\"; memory_space = 1; slower = \"a\""],
            "line 2: 'slower' leads back to 'a': a to a",
        ),
        (
            right,
            &[
                "name = \"x\"; memory_space = 3; slower = \"a\"",
                "name = \"a\"; memory_space = 1; slower = \"b\"",
                "name = \"b\"; memory_space = 2; slower = \"a\"",
            ],
            "line 6: 'slower' leads back to 'a': a to b to a",
        ),
        (
            right,
            &[
                "name = \"a\"; memory_space = 1; read = 2; slower = \"b\"",
                "name = \"b\"; memory_space = 2",
            ],
            "line 2: 'b' is said to be slower than 'a', but costs less (1 and 1 a byte, not 2 and 1)",
        ),
    ] {
        assert_eq!(error(head, spaces), message);
    }
    let twice = error("version = 1\nversion = 1", &[one]);
    assert!(twice.starts_with("line 2: "), "{twice}");
    let broken = error("version = 1\nunit = ", &[one]);
    assert!(broken.starts_with("line 2: "), "{broken}");
}

proptest! {
    #[test]
    fn costs_read_what_they_print(thousandths in 0..1_000_000_000_u64) {
        let cost = Cost(thousandths);
        prop_assert_eq!(Cost::parse(&cost.to_string()), Some(cost));
    }

    #[test]
    fn no_text_is_a_panic(text in "[ -~\n]{0,200}") {
        _ = Machine::parse(&text);
        _ = Machine::parse(&format!("version = 1\n[[space]]\n{text}"));
    }
}
