//! Random GPU kernels: what `memplan-merge-workgroup` writes is read back from its text, and executed by many threads.
//! `memplan-verify` must find each removed barrier and each moved buffer that an execution shows to be wrong.

mod generate;
mod parse;
mod run;

use generate::{BARRIERS, has_calls, kernel, launch};
use memplan_workgroup::{Analysis, interpret::find_fault};
use parse::{Parsed, parse};
use run::Passes;

/// The number of random kernels: `PROPTEST_CASES`, or this one.
fn cases(usual: u64) -> u64 {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

fn merge(seed: u64) -> &'static str {
    match seed % 4 {
        0 => {
            "builtin.module(memplan-merge-workgroup{alignment=1 verify=true insert-barriers=true max-barriers=3})"
        }
        _ => "builtin.module(memplan-merge-workgroup{alignment=1 verify=true})",
    }
}

const VERIFY: &str = "builtin.module(memplan-verify)";

/// Do buffers that interfere have common bytes?
fn is_wrong(parsed: &Parsed) -> bool {
    let analysis = Analysis::of(&parsed.kernel).expect("a valid kernel");
    let overlap = analysis
        .interference()
        .overlap(&parsed.kernel, &parsed.offsets);
    overlap.is_some()
}

#[test]
fn merged_kernels_have_no_race() {
    let passes = Passes::new();
    let cases = cases(300);
    let (mut merged, mut saved, mut barriers, mut most) = (0, 0, 0, 0);
    for seed in 0..cases {
        let text = kernel(seed);
        let after = passes.run(merge(seed), &text);
        let after = after.unwrap_or_else(|said| panic!("seed {seed}: {said}\n{text}"));
        let (before, parsed) = (parse(&text), parse(&after));
        let fault = find_fault(&parsed.kernel, &parsed.offsets, 60, seed);
        assert_eq!(fault, None, "seed {seed}:\n{text}\n{after}");
        assert!(!is_wrong(&parsed), "seed {seed}:\n{text}\n{after}");
        let arena = parsed.arena;
        merged += u64::from(arena > 0);
        saved += before.bytes - parsed.bytes;
        most += before.bytes;
        barriers += count(&after) - count(&text);
    }
    println!(
        "{merged} of {cases} kernels merged: {saved} of {most} bytes saved, {barriers} barriers added"
    );
    assert!(merged * 4 > cases, "{merged} of {cases} kernels");
    assert!(barriers * 40 > cases as usize, "{barriers} barriers");
}

fn count(text: &str) -> usize {
    barriers(text).len()
}

/// The barriers of a program, in its text.
fn barriers(text: &str) -> Vec<std::ops::Range<usize>> {
    let words = text.match_indices(|letter: char| letter.is_whitespace());
    let starts = words.map(|(at, _)| at + 1);
    let found = starts.filter_map(|start| {
        let word = text[start..].split_whitespace().next()?;
        let is_one = text[start..].starts_with(word) && BARRIERS.contains(&word);
        is_one.then(|| start..start + word.len())
    });
    found.collect()
}

/// Removes each barrier in turn, and asks `memplan-verify` and the interpreter.
#[test]
fn removed_barriers_are_found() {
    let passes = Passes::new();
    let (mut found, mut harmless, mut in_callees) = (0, 0, 0);
    for seed in 0..cases(1500) / 10 {
        let text = kernel(seed);
        let after = passes.run(merge(seed), &text).expect("a plan");
        let start = after.find("gpu.func").expect("a kernel");
        for barrier in barriers(&after) {
            let changed = format!("{}{}", &after[..barrier.start], &after[barrier.end..]);
            match is_found(&passes, &changed, seed) {
                true if barrier.start < start => in_callees += 1,
                true => found += 1,
                false => harmless += 1,
            }
        }
    }
    println!(
        "{found} removed barriers found, and {in_callees} in callees; {harmless} that plans do not rely on"
    );
    assert!(found > 30 && in_callees > 2, "{found} and {in_callees}");
}

/// Moves each buffer by a few bytes, or to the place of another one.
#[test]
fn moved_buffers_are_found() {
    let passes = Passes::new();
    let (mut found, mut harmless) = (0, 0);
    for seed in 0..cases(1500) / 10 {
        let text = kernel(seed);
        let after = passes.run(merge(seed), &text).expect("a plan");
        for to in [0, 1, 3, 6] {
            let views: Vec<usize> = after
                .match_indices("][] {memplan.buffer")
                .map(|(at, _)| at)
                .collect();
            for at in views {
                let Some(start) = after[..at].rfind('[') else {
                    continue;
                };
                let line = after[..start].rfind('\n').expect("lines") + 1;
                let changed = format!(
                    "{}%moved = arith.constant {to} : index\n{}[%moved{}",
                    &after[..line],
                    &after[line..start],
                    &after[at..]
                );
                if parse(&changed).leaves_arena() {
                    let said = passes
                        .run(VERIFY, &changed)
                        .expect_err("it leaves its memory");
                    assert!(said.contains("memplan-E219"), "{said}\n{changed}");
                    found += 1;
                    continue;
                }
                match is_found(&passes, &changed, seed) {
                    true => found += 1,
                    false => harmless += 1,
                }
            }
        }
    }
    println!("{found} moved buffers found, {harmless} that may be there");
    assert!(found > 100 && harmless > 100, "{found} and {harmless}");
}

/// Does `memplan-verify` refuse a changed program? It must if an execution may go wrong. Otherwise it must not, except for calls: it
/// does not know which accesses of a callee are at one time.
fn is_found(passes: &Passes, changed: &str, seed: u64) -> bool {
    let parsed = parse(changed);
    let is_wrong = is_wrong(&parsed);
    let verdict = passes.run(VERIFY, changed);
    let said = verdict.err();
    let may_differ = has_calls(seed) && !is_wrong;
    let is_right = may_differ || said.is_some() == is_wrong;
    assert!(is_right, "seed {seed}: {said:?}\n{changed}");
    if let Some(said) = &said {
        let is_code = said.contains("memplan-E218") || said.contains("memplan-E201");
        assert!(is_code, "{said}");
    }
    if find_fault(&parsed.kernel, &parsed.offsets, 20, seed).is_some() {
        assert!(is_wrong, "seed {seed}:\n{changed}");
    }
    is_wrong
}

/// In a launch, attributions share all of another one; after outlining, they have offsets.
#[test]
fn merged_launches_have_no_race() {
    let passes = Passes::new();
    let cases = cases(300);
    let outlined = format!(
        "builtin.module({},gpu-kernel-outlining,memplan-merge-workgroup{{alignment=1 verify=true}})",
        "memplan-merge-workgroup{alignment=1}"
    );
    let (mut whole, mut saved) = (0, [0; 2]);
    for seed in 0..cases {
        let text = launch(seed);
        for (number, pipeline) in [merge(seed), &outlined].into_iter().enumerate() {
            let after = passes.run(pipeline, &text);
            let after = after.unwrap_or_else(|said| panic!("seed {seed}: {said}\n{text}"));
            let kernel = after.find("gpu.module").unwrap_or(0);
            let parsed = parse(&after[kernel..]);
            let fault = find_fault(&parsed.kernel, &parsed.offsets, 60, seed);
            assert_eq!(fault, None, "seed {seed}:\n{text}\n{after}");
            assert!(!is_wrong(&parsed), "seed {seed}:\n{text}\n{after}");
            whole += u64::from(after.contains("memref.reinterpret_cast"));
            saved[number] += parse(&text).bytes - parsed.bytes;
        }
    }
    println!("{whole} of {cases} launches share attributions; {saved:?} bytes saved");
    assert!(
        whole * 8 > cases && saved[0] < saved[1],
        "{whole} launches, {saved:?}"
    );
}

/// Blocks and branches in place of loops and conditions: `memplan-verify` accepts what is merged.
#[test]
fn unstructured_kernels_are_verified() {
    let passes = Passes::new();
    let (mut merged, cases) = (0, cases(1500) / 10);
    for seed in 0..cases {
        let text = kernel(seed);
        let flat = passes.run(
            "builtin.module(gpu.module(gpu.func(convert-scf-to-cf)))",
            &text,
        );
        let flat = flat.expect("scf is lowered");
        let after = passes.run(merge(seed), &flat);
        let after = after.unwrap_or_else(|said| panic!("seed {seed}: {said}\n{flat}"));
        merged += u64::from(after.contains("memplan.buffer"));
    }
    println!("{merged} of {cases} kernels merged");
    assert!(merged * 4 > cases, "{merged} of {cases} kernels");
}
