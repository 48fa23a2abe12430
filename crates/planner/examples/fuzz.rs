//! Runs checks on random problems until the time is over, and prints the input of a check that
//! fails.
//!
//! ```text
//! cargo run --release -p memplan-planner --example fuzz -- SECONDS [SEED]
//! cargo run --release -p memplan-planner --example fuzz -- BYTES
//! ```
//!
//! Another SEED, a number, gives other problems. BYTES is an input that a run has printed: x and
//! hexadecimal digits. Every check then runs on this input only. Overflows are found without
//! optimization or with `CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true`.

use memplan_planner::{Certificate, Node, Problem, Refutation, certificate, csv};
use memplan_problems::{answers, banks, case::TestCase, csv_text, numbers::Numbers, proof};
use std::error::Error;
use std::panic;
use std::time::{Duration, Instant};

/// A check: its name, the longest useful input in bytes, and its function.
type Check = (&'static str, u64, fn(&[u8]));

/// All checks of an input.
const CHECKS: [Check; 20] = [
    ("planners", 280, |data| {
        answers::check_planners(&TestCase::from_bytes(data));
    }),
    ("effort", 210, |data| {
        answers::check_effort(&TestCase::from_bytes(data));
    }),
    ("options", 210, |data| {
        answers::check_options(&TestCase::from_bytes(data), seed(data));
    }),
    ("validator", 140, |data| {
        answers::check_validator(&TestCase::from_bytes(data), &moves(data));
    }),
    ("overlaps", 112, |data| {
        answers::check_seeded_overlaps(&TestCase::from_bytes(data));
    }),
    ("optimum", 42, |data| {
        answers::check_against_optimum(&TestCase::from_bytes(&data[..data.len().min(42)]));
    }),
    ("exact", 63, |data| {
        proof::check_solved(&TestCase::from_bytes(data));
    }),
    ("holes", 42, |data| {
        proof::check_holed(&TestCase::from_bytes(data));
    }),
    ("refutations", 80, |data| {
        proof::check_refutations(&TestCase::from_bytes(data), data);
    }),
    ("corrupted proofs", 200, |data| {
        proof::check_corrupted(&TestCase::from_bytes(data), &edits(data));
    }),
    ("windows", 28, |data| {
        answers::check_windows_solved(&TestCase::from_bytes(data));
    }),
    ("distances", 80, |data| {
        proof::check_distances(&TestCase::from_bytes(data), &splits(data));
    }),
    ("integer program", 63, |data| {
        proof::check_against_milp(&TestCase::from_bytes(data));
    }),
    ("banks", 210, |data| {
        banks::check_planners(&TestCase::from_bytes(data), seed(data));
    }),
    ("few buffers in banks", 84, |data| {
        banks::check_solved(&TestCase::from_bytes(data), 12, seed(data));
    }),
    ("corrupted proofs of banks", 70, |data| {
        banks::check_corrupted(&TestCase::from_bytes(data), seed(data), &edits(data));
    }),
    ("reuse", 112, |data| {
        answers::check_reuse(&TestCase::from_bytes(data));
    }),
    ("csv", 280, |data| {
        csv_text::check_csv(&TestCase::from_bytes(data));
    }),
    ("csv text", 140, |data| {
        let text = csv::write(&TestCase::from_bytes(data).problem(), None);
        csv_text::check_csv_text(&with_edits(text, data));
    }),
    ("certificate text", 140, |data| {
        if let Ok(certificate) = certificate::from_text(&with_edits(certificate_text(data), data)) {
            let _ = certificate.check(&Problem::default());
        }
    }),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let first = arguments.first().ok_or("how many seconds?")?;
    if let Some(digits) = first.strip_prefix('x') {
        let data = from_digits(digits).ok_or("no hexadecimal digits")?;
        for (name, _, check) in CHECKS {
            println!("{name}");
            check(&data);
        }
        return Ok(());
    }
    let seed = arguments.get(1).map_or(Ok(1), |seed| seed.parse())?;
    let time = Duration::from_secs(first.parse()?);
    run(time, seed)
}

/// The progress of a check.
struct Progress {
    check: Check,
    numbers: Numbers,
    count: u64,
    spent: Duration,
}

/// Runs all checks for the same time. Their inputs depend only on the seed.
fn run(time: Duration, seed: u64) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut all = CHECKS.map(|check| Progress {
        check,
        numbers: Numbers(seed),
        count: 0,
        spent: Duration::ZERO,
    });
    let mut reported = 0;
    while start.elapsed() < time
        && let Some(next) = all.iter_mut().min_by_key(|progress| progress.spent)
    {
        let (name, most, check) = next.check;
        let length = next.numbers.below(most + 1);
        let data: Vec<u8> = (0..length).map(|_| next.numbers.below(256) as u8).collect();
        let before = Instant::now();
        if panic::catch_unwind(|| check(&data)).is_err() {
            return Err(format!("{name} fails on x{}", digits(&data)).into());
        }
        next.spent += before.elapsed();
        next.count += 1;
        if start.elapsed().as_secs() >= reported + 10 {
            reported = start.elapsed().as_secs();
            let checks: u64 = all.iter().map(|progress| progress.count).sum();
            println!("{reported} s, {checks} checks");
        }
    }
    for progress in all {
        println!("{:<16} {:>9}", progress.check.0, progress.count);
    }
    Ok(())
}

fn digits(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_digits(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.map(byte).collect()
}

fn seed(data: &[u8]) -> u64 {
    let bytes = data.iter().rev().take(8);
    bytes.fold(0, |seed, &byte| seed << 8 | u64::from(byte))
}

fn moves(data: &[u8]) -> Vec<(u8, i8)> {
    let pairs = data.rchunks_exact(2).take(3);
    pairs.map(|pair| (pair[0], pair[1] as i8)).collect()
}

fn edits(data: &[u8]) -> Vec<(u8, u16, u16)> {
    let groups = data.rchunks_exact(5).take(20);
    let number = |low, high| u16::from_le_bytes([low, high]);
    groups
        .map(|it| (it[0], number(it[1], it[2]), number(it[3], it[4])))
        .collect()
}

fn splits(data: &[u8]) -> Vec<(u8, u8, i8, u16)> {
    let groups = data.rchunks_exact(5).take(24);
    groups
        .map(|it| {
            (
                it[0],
                it[1],
                it[2] as i8,
                u16::from_le_bytes([it[3], it[4]]),
            )
        })
        .collect()
}

/// The text of a refutation with arbitrary nodes and times.
fn certificate_text(data: &[u8]) -> String {
    let nodes = data.iter().map(|&byte| match byte % 4 {
        0 => Node::Branch(byte.into()),
        1 => Node::Clique(byte.into()),
        2 => Node::Lemma(byte.into()),
        _ => Node::Leaf(byte.into()),
    });
    let refutation = Refutation {
        times: data.iter().map(|&byte| byte.into()).collect(),
        nodes: nodes.collect(),
        ..Refutation::default()
    };
    certificate::to_text(99, &Certificate::Search(refutation))
}

/// Changes some letters of the text.
fn with_edits(text: String, data: &[u8]) -> String {
    let mut bytes = text.into_bytes();
    for (at, what, with) in edits(data) {
        let at = usize::from(at) % (bytes.len() + 1);
        match what % 4 {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, with as u8),
            2 => bytes.splice(at..at, *b",-").for_each(drop),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = with as u8;
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
