//! [`Aliases`] against a search from each value.

use memplan_lifetimes::{
    alias::{Aliases, Root, WIDE},
    program::{BlockId, BufferId, Program, ValueFact, ValueId, ValueKind},
};

fn value(program: &mut Program, kind: ValueKind, sources: &[usize]) {
    program.values.push(ValueFact {
        kind,
        sources: sources.iter().map(|source| ValueId::new(*source)).collect(),
        external: false,
        block: BlockId(0),
        position: 0,
        extent: None,
        is_whole: false,
    });
}

/// Allocations, and merges that each take the next one and an allocation: one cycle of merges.
fn rotation(count: usize) -> Program {
    let mut program = Program::default();
    for buffer in 0..count {
        value(&mut program, ValueKind::Alloc(BufferId::new(buffer)), &[]);
    }
    for at in 0..count {
        let sources = [at, count + (at + 1) % count];
        value(&mut program, ValueKind::Merge, &sources);
    }
    program
}

#[test]
fn values_of_a_cycle_may_be_whatever_enters_it() {
    let count = 600;
    let aliases = Aliases::of(&rotation(count));
    for merge in count..2 * count {
        let merge = ValueId::new(merge);
        assert_eq!(aliases.buffers(merge).count(), count);
        assert!(!aliases.is_external(merge));
    }
}

#[test]
fn a_value_of_too_many_roots_is_not_followed() {
    for (count, is_external) in [(WIDE, false), (WIDE + 1, true)] {
        let aliases = Aliases::of(&rotation(count));
        assert_eq!(aliases.is_external(ValueId::new(count)), is_external);
    }
}

#[test]
fn roots_are_what_a_search_finds() {
    for seed in 0..2000u64 {
        let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut below = |count: usize| {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % count
        };
        let count = 2 + below(12);
        let mut program = Program::default();
        for index in 0..count {
            let sources: Vec<usize> = (0..1 + below(3)).map(|_| below(count)).collect();
            match below(8) {
                0 | 1 => value(&mut program, ValueKind::Alloc(BufferId::new(index)), &[]),
                2 => value(&mut program, ValueKind::Argument(index as u32), &[]),
                3 => value(&mut program, ValueKind::Unknown, &[]),
                4 => value(&mut program, ValueKind::View, &sources[..1]),
                _ => value(&mut program, ValueKind::Merge, &sources),
            }
        }
        let aliases = Aliases::of(&program);
        for index in 0..count {
            let mut seen = vec![false; count];
            let mut found: Vec<Root> = Vec::new();
            let at = ValueId::new(index);
            aliases.visit_origins(&program, at, &mut seen, |root| found.push(root));
            // A cycle of views, as unreachable code may hold, is a source of its own.
            let is_unknown = (0..count).any(|one| {
                let fact = &program.values[one];
                let is_base = aliases.base(ValueId::new(one)).index() == one;
                let opens = matches!(fact.kind, ValueKind::Unknown)
                    || matches!(fact.kind, ValueKind::View) && is_base;
                seen[one] && opens
            });
            found.sort_unstable();
            assert_eq!(aliases.roots(at), found, "seed {seed}, value {index}");
            let has_argument = found.iter().any(|root| matches!(root, Root::Argument(_)));
            let is_external = aliases.is_external(at);
            assert_eq!(
                is_external,
                is_unknown || has_argument,
                "seed {seed}, value {index}"
            );
        }
    }
}
