//! Validates the rules of banks.

use super::{Violation, used};
use crate::banks::{BankLayout, Banks};
use crate::{Buffer, Problem};
use std::collections::{BTreeMap, HashMap};

/// Checks that each buffer lies in its banks, and that buffers that are apart share none. O(n log n) in the buffers and
/// in the members of groups, times the banks of each.
pub fn check(problem: &Problem, banks: &Banks, offsets: &[u64]) -> Result<(), Violation> {
    let rules: HashMap<u64, _> = banks
        .rules
        .placements
        .iter()
        .map(|it| (it.id, it))
        .collect();
    for (buffer, &offset) in problem.buffers.iter().zip(offsets) {
        if !is_used(buffer) {
            continue;
        }
        let id = buffer.id;
        let rule = rules.get(&id);
        let is_allowed =
            |bank: &u32| rule.is_none_or(|rule| rule.banks.is_empty() || rule.banks.contains(bank));
        let touched = touched(&banks.layout, offset, buffer.size);
        match &banks.layout {
            BankLayout::Contiguous(ranges) => {
                let end = offset + buffer.size;
                let bytes = touched.iter().map(|&bank| {
                    let range = ranges[bank as usize];
                    range.end.min(end) - range.start.max(offset)
                });
                if bytes.sum::<u64>() != buffer.size {
                    return Err(Violation::OutsideBanks { id, offset });
                }
                if touched.len() > 1 && !rule.is_some_and(|rule| rule.crosses) {
                    return Err(Violation::CrossesBanks { id, offset });
                }
                if let Some(&bank) = touched.iter().find(|bank| !is_allowed(bank)) {
                    return Err(Violation::Bank { id, offset, bank });
                }
            }
            BankLayout::Interleaved { .. } => {
                if let Some(&bank) = touched.first().filter(|bank| !is_allowed(bank)) {
                    return Err(Violation::Bank { id, offset, bank });
                }
            }
        }
    }
    match shared(problem, banks, &|at| Some(offsets[at])) {
        Some(shared) => Err(Violation::SharedBank(shared)),
        None => Ok(()),
    }
}

/// Two buffers of a group that touch one bank while both are in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedBank {
    /// The buffer that was in use first.
    pub first: u64,
    /// The buffer whose use starts.
    pub second: u64,
    /// The bank.
    pub bank: u32,
    /// The time.
    pub time: u64,
}

/// The first two of the buffers that have an offset which share a bank and may not: a sweep over time for each group, which
/// maintains who is in which bank.
pub(crate) fn shared(
    problem: &Problem,
    banks: &Banks,
    offset: &dyn Fn(usize) -> Option<u64>,
) -> Option<SharedBank> {
    let at: HashMap<u64, usize> = problem.buffers.iter().map(|it| it.id).zip(0..).collect();
    for group in &banks.rules.apart {
        let members = group.iter().filter_map(|id| at.get(id));
        let mut events: Vec<(u64, bool, usize)> = Vec::new();
        for &member in members.filter(|&&member| offset(member).is_some()) {
            let buffer = &problem.buffers[member];
            for (time, ..) in used(buffer).filter(|_| buffer.size > 0) {
                events.push((time.start, true, member));
                events.push((time.end, false, member));
            }
        }
        events.sort_unstable(); // ends before starts
        let mut occupied: BTreeMap<u32, u64> = BTreeMap::new(); // bank: buffer there
        for (time, starts, member) in events {
            let buffer = &problem.buffers[member];
            for bank in touched(&banks.layout, offset(member).unwrap_or(0), buffer.size) {
                if !starts {
                    occupied.remove(&bank);
                } else if let Some(first) = occupied.insert(bank, buffer.id) {
                    let second = buffer.id;
                    return Some(SharedBank {
                        first,
                        second,
                        bank,
                        time,
                    });
                }
            }
        }
    }
    None
}

fn is_used(buffer: &Buffer) -> bool {
    buffer.size > 0 && used(buffer).next().is_some()
}

/// The banks with one of these bytes; of interleaved ones that of the first byte comes first.
fn touched(layout: &BankLayout, offset: u64, size: u64) -> Vec<u32> {
    let end = offset.saturating_add(size);
    match layout {
        BankLayout::Contiguous(banks) => {
            let numbered = (0..).zip(banks);
            let touched = numbered.filter(|(_, bank)| bank.start < end && offset < bank.end);
            touched.map(|(number, _)| number).collect()
        }
        BankLayout::Interleaved { count, width } => {
            let strips = offset / width..=(end - 1) / width;
            let banks = strips.map(|strip| (strip % u64::from(*count)) as u32);
            banks.take(*count as usize).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::validate;
    use super::*;
    use crate::{BankRule, BankRules, Solution};

    /// Three buffers; the second may be in the banks 0 and 2, the third may cross from bank to bank. The first and the
    /// second are apart, and so are the second and the third, which are never in use at once.
    fn problem(layout: BankLayout) -> Problem {
        let rule = |id, banks: &[u32], crosses| BankRule {
            id,
            banks: banks.to_vec(),
            crosses,
        };
        let rules = BankRules {
            placements: vec![rule(1, &[0, 2], false), rule(2, &[], true)],
            apart: vec![vec![0, 1], vec![1, 2]],
        };
        let buffers = vec![
            Buffer::new(0, 4, [(0, 2)]),
            Buffer::new(1, 4, [(1, 3)]),
            Buffer::new(2, 6, [(3, 4)]),
        ];
        let problem = Problem::new(buffers).expect("valid");
        problem.with_banks(Banks { layout, rules })
    }

    fn checked(layout: BankLayout, offsets: [u64; 3]) -> Result<(), Violation> {
        let problem = problem(layout);
        problem.check().expect("valid");
        validate(&problem, &Solution::new(&problem, offsets.to_vec()))
    }

    #[test]
    fn each_rule_of_contiguous_banks_is_checked() {
        let check = |offsets| checked(BankLayout::equal(3, 24).expect("banks"), offsets);
        assert_eq!(check([8, 0, 0]), Ok(()));
        assert_eq!(check([8, 20, 5]), Ok(()));
        let crosses = Violation::CrossesBanks { id: 0, offset: 5 };
        assert_eq!(check([5, 20, 0]), Err(crosses));
        let outside = Violation::OutsideBanks { id: 2, offset: 19 };
        assert_eq!(check([8, 0, 19]), Err(outside));
        let (id, offset, bank) = (1, 12, 1);
        assert_eq!(check([0, 12, 0]), Err(Violation::Bank { id, offset, bank }));
        let shared = SharedBank {
            first: 0,
            second: 1,
            bank: 2,
            time: 1,
        };
        assert_eq!(check([16, 20, 0]), Err(Violation::SharedBank(shared)));
    }

    #[test]
    fn each_rule_of_interleaved_banks_is_checked() {
        let layout = || BankLayout::Interleaved { count: 3, width: 4 };
        assert_eq!(checked(layout(), [4, 12, 1]), Ok(()));
        let (id, offset, bank) = (1, 16, 1);
        let wrong = Violation::Bank { id, offset, bank };
        assert_eq!(checked(layout(), [4, 16, 1]), Err(wrong));
        let shared = SharedBank {
            first: 0,
            second: 1,
            bank: 0,
            time: 1,
        };
        assert_eq!(
            checked(layout(), [0, 23, 8]),
            Err(Violation::SharedBank(shared))
        );
    }
}
