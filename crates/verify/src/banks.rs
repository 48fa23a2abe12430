//! Banks of arenas: which of them bytes are in, and which slices may not share one.
//!
//! A slice lies in one bank, or in those that its attributes name. The buffers that an operation with
//! `memplan.operands_apart` reads or writes are in different ones, whatever the path. Slices of a group (`memplan.apart`)
//! share no bank while both are in use: for the machine, a write to one of them clobbers the others in its banks.

use super::{
    codes,
    fault::Fault,
    program::{Action, ArenaId, OpId, Program, SliceId, Token, ValueId},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// The most banks of an arena.
const MOST_BANKS: u32 = 1024;

/// The banks of an arena.
#[derive(Clone, Debug)]
pub enum Banks {
    /// The addresses of each.
    Contiguous(Vec<Range<u64>>),
    /// Banks that take turns from address 0 on.
    Interleaved {
        /// How many there are.
        count: u64,
        /// Consecutive bytes in one bank.
        width: u64,
    },
}

impl Banks {
    /// Reads the text of the attribute.
    pub fn parse(text: &str) -> Option<Self> {
        match memplan_bytes::Banks::parse(text, MOST_BANKS).ok()? {
            memplan_bytes::Banks::Ranges(ranges) => {
                let ranges = ranges.into_iter().map(|(start, end)| start..end);
                Some(Self::Contiguous(ranges.collect()))
            }
            memplan_bytes::Banks::Interleaved { count, width } if width > 0 => {
                let count = count.into();
                Some(Self::Interleaved { count, width })
            }
            _ => None,
        }
    }

    /// The banks of bytes; of interleaved ones that of the first byte comes first.
    fn touched(&self, bytes: &Range<u64>) -> Vec<u64> {
        if bytes.is_empty() {
            return Vec::new();
        }
        match self {
            Self::Contiguous(ranges) => {
                let numbered = (0..).zip(ranges);
                let touched =
                    numbered.filter(|(_, bank)| bank.start < bytes.end && bytes.start < bank.end);
                touched.map(|(number, _)| number).collect()
            }
            Self::Interleaved { count, width } => {
                let (first, last) = (bytes.start / width, (bytes.end - 1) / width);
                let strips = (last - first).saturating_add(1).min(*count);
                (0..strips).map(|next| (first + next) % count).collect()
            }
        }
    }

    /// Whether all bytes are in some bank.
    fn has_all(&self, bytes: &Range<u64>) -> bool {
        match self {
            Self::Contiguous(ranges) => {
                let inside = ranges.iter().map(|bank| {
                    let (start, end) = (bank.start.max(bytes.start), bank.end.min(bytes.end));
                    end.saturating_sub(start)
                });
                inside.sum::<u64>() == bytes.end - bytes.start
            }
            Self::Interleaved { .. } => true,
        }
    }

    /// Why bytes may not be where they are: they are in one bank, or may cross, and the banks are allowed. No allowed banks
    /// are all of them.
    pub fn misplaced(&self, bytes: &Range<u64>, allowed: &[i64], crosses: bool) -> Option<String> {
        let touched = self.touched(bytes);
        let (first, last) = (touched.first()?, touched.last()?);
        let concerned = match self {
            _ if !self.has_all(bytes) => return Some("has bytes outside of the banks".to_owned()),
            Self::Contiguous(_) if first != last && !crosses => {
                return Some(format!("lies across banks {first} and {last}"));
            }
            Self::Contiguous(_) => &touched[..],
            Self::Interleaved { .. } => &touched[..1],
        };
        let is_allowed = |bank: &u64| {
            let mut allowed = allowed.iter();
            allowed.any(|one| u64::try_from(*one) == Ok(*bank))
        };
        let wrong = concerned.iter().find(|bank| !is_allowed(bank));
        let wrong = wrong.filter(|_| !allowed.is_empty())?;
        Some(format!("lies in bank {wrong}, which is none of its banks"))
    }
}

/// An operation whose operands are apart.
#[derive(Clone, Debug)]
pub struct ApartOperands {
    /// The operation.
    pub op: OpId,
    /// The operands in memory spaces in which an arena has banks: number, memory space by its number, value.
    pub operands: Vec<(usize, usize, ValueId)>,
}

/// The banks of a function, and what is apart.
#[derive(Debug, Default)]
pub struct BankRules {
    /// The arenas with banks.
    pub arenas: FxHashMap<ArenaId, Banks>,
    /// The slices of each group, each in one arena.
    pub groups: Vec<Vec<SliceId>>,
    /// Operations whose operands are apart.
    pub operands: Vec<ApartOperands>,
    /// For each slice of a group, those that are apart from it and share a bank.
    sharing: FxHashMap<SliceId, SmallVec<[SliceId; 1]>>,
}

impl BankRules {
    /// The slices that are apart from one, and share a bank with it.
    pub fn sharing(&self, slice: SliceId) -> &[SliceId] {
        self.sharing.get(&slice).map_or(&[], |all| all)
    }
}

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

#[cfg(test)]
mod tests {
    use super::Banks;

    #[test]
    fn bytes_are_in_allowed_banks() {
        let banks = Banks::parse("0-8,8-16,20-28").expect("banks");
        assert_eq!(banks.misplaced(&(0..8), &[], false), None);
        assert_eq!(banks.misplaced(&(9..9), &[0], false), None);
        assert!(banks.misplaced(&(4..12), &[], false).is_some());
        assert_eq!(banks.misplaced(&(4..12), &[0, 1], true), None);
        assert!(banks.misplaced(&(4..12), &[0], true).is_some());
        assert!(banks.misplaced(&(12..24), &[], true).is_some());
        let banks = Banks::parse("4x4").expect("banks");
        assert_eq!(banks.touched(&(14..18)), [3, 0]);
        assert_eq!(banks.misplaced(&(14..18), &[3], false), None);
        assert!(banks.misplaced(&(14..18), &[0], false).is_some());
        assert!(Banks::parse("4").is_none() && Banks::parse("4x0").is_none());
    }
}
