//! Slices in banks: which of them may not share one.
//!
//! A slice lies in one bank, or in those that its attributes name. The buffers that an operation with
//! `memplan.operands_apart` reads or writes are in different ones, whatever the path. Slices of a group (`memplan.apart`)
//! share no bank while both are in use: for the machine, a write to one of them clobbers the others in its banks.

use super::{
    codes,
    fault::Fault,
    program::{Action, OpId, Program, SliceId, Token, ValueId},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The banks that a slice touches, in any slot.
fn banks_of(program: &Program, slice: SliceId) -> Vec<u64> {
    let place = &program.slices[slice.index()];
    let banks = program.banks.arenas.get(&place.arena);
    let touched = place
        .slots
        .iter()
        .flat_map(|slot| banks.map(|banks| banks.touched(slot)));
    touched.flatten().collect()
}

/// The first bank that two slices of one arena share.
fn shared(program: &Program, one: SliceId, other: SliceId) -> Option<u64> {
    let arena = |slice: SliceId| program.slices[slice.index()].arena;
    if arena(one) != arena(other) {
        return None;
    }
    let others = banks_of(program, other);
    let mut own = banks_of(program, one).into_iter();
    own.find(|bank| others.contains(bank))
}

/// Finds the slices of groups that share banks. Groups are small: all pairs are compared.
pub fn close(program: &mut Program) {
    let mut sharing: FxHashMap<SliceId, SmallVec<[SliceId; 1]>> = FxHashMap::default();
    for group in &program.banks.groups {
        for one in group {
            for other in group {
                if one != other && shared(program, *one, *other).is_some() {
                    let known = sharing.entry(*one).or_default();
                    if !known.contains(other) {
                        known.push(*other);
                    }
                }
            }
        }
    }
    program.banks.sharing = sharing;
}

/// The operations whose operands are apart, and are not.
pub fn faults(program: &Program) -> Vec<Fault> {
    let mut faults = Vec::new();
    if program.banks.operands.is_empty() {
        return faults;
    }
    let refs = refs(program);
    let mut touched: FxHashMap<OpId, Vec<ValueId>> = FxHashMap::default();
    for action in &program.actions {
        let values: Vec<ValueId> = match &action.action {
            Action::Access { .. } | Action::Donate { .. } | Action::Token(Token::Start(_)) => {
                action.action.uses().collect()
            }
            _ => continue,
        };
        touched.entry(action.op).or_default().extend(values);
    }
    for apart in &program.banks.operands {
        let touched = touched.get(&apart.op).map_or(&[][..], |all| all);
        let own = apart.operands.iter();
        let own: Vec<_> = own.filter(|(.., value)| touched.contains(value)).collect();
        for (place, (number, space, value)) in own.iter().enumerate() {
            for (before, other_space, other) in &own[..place] {
                if space == other_space
                    && let Some(why) = meet(program, &refs[value.index()], &refs[other.index()])
                {
                    faults.push(Fault::Malformed {
                        op: apart.op,
                        code: codes::BANK,
                        reason: format!(
                            "operands {before} and {number} have to be in different banks: {why}"
                        ),
                    });
                }
            }
        }
    }
    faults
}

/// Why the slices that two operands may be are not apart.
fn meet(program: &Program, one: &[SliceId], other: &[SliceId]) -> Option<String> {
    if one.is_empty() || other.is_empty() {
        return Some("one of them is no buffer of an arena with banks".to_owned());
    }
    for first in one {
        for second in other {
            let name = |slice: &SliceId| program.slices[slice.index()].buffer;
            if first == second {
                return Some(format!("both may be buffer {}", name(first)));
            }
            let has_banks = |slice: &SliceId| {
                let arena = program.slices[slice.index()].arena;
                program.banks.arenas.contains_key(&arena)
            };
            if !has_banks(first) || !has_banks(second) {
                return Some("one of them is no buffer of an arena with banks".to_owned());
            }
            if let Some(bank) = shared(program, *first, *second) {
                let (first, second) = (name(first), name(second));
                return Some(format!("buffers {second} and {first} are in bank {bank}"));
            }
        }
    }
    None
}

/// The slices that each value may refer to on any path.
fn refs(program: &Program) -> Vec<SmallVec<[SliceId; 1]>> {
    let mut refs: Vec<SmallVec<[SliceId; 1]>> = vec![SmallVec::new(); program.values.len()];
    let mut sources: Vec<(ValueId, ValueId)> = Vec::new();
    for action in &program.actions {
        match &action.action {
            Action::Birth { slice, result, .. } => refs[result.index()].push(*slice),
            Action::Alias {
                result,
                sources: from,
            } => sources.extend(from.iter().map(|from| (*from, *result))),
            _ => {}
        }
    }
    let edges = program.nodes.iter().flat_map(|node| &node.edges);
    sources.extend(edges.flat_map(|edge| edge.binds.iter().copied()));
    // Most values have one source that comes before them. Only loops take another round.
    let mut is_new = true;
    while is_new {
        is_new = false;
        for (from, to) in &sources {
            for slice in refs[from.index()].clone() {
                let known = &mut refs[to.index()];
                if !known.contains(&slice) {
                    known.push(slice);
                    is_new = true;
                }
            }
        }
    }
    refs
}
