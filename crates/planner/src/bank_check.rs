//! Checks banks and their rules.

use crate::banks::{BankLayout, Banks, MAX_BANKS, is_adjacent};
use crate::validate::SharedBank;
use crate::{Buffer, Problem, validate};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The most consecutive bytes of an interleaved bank.
const MAX_WIDTH: u64 = 1 << 50;

/// Why banks or their rules are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BankError {
    /// There is no bank, or there are more than [`MAX_BANKS`].
    Count {
        /// The number of banks.
        count: usize,
    },
    /// A bank has no byte.
    Empty {
        /// The bank.
        bank: usize,
    },
    /// Interleaved banks have more than 2^50 consecutive bytes.
    Width {
        /// The bytes.
        width: u64,
    },
    /// A bank starts before the end of the one before it.
    Order {
        /// The bank.
        bank: usize,
    },
    /// A rule names a buffer that the problem does not have.
    UnknownBuffer {
        /// The id of the buffer.
        id: u64,
    },
    /// A buffer has two rules.
    TwoRules {
        /// The buffer.
        id: u64,
    },
    /// A buffer is in one group twice: it cannot be apart from itself.
    ApartTwice {
        /// The buffer.
        id: u64,
    },
    /// A rule names a bank that there is not.
    UnknownBank {
        /// The buffer.
        id: u64,
        /// The bank.
        bank: u32,
        /// The number of banks.
        banks: u32,
    },
    /// A buffer is larger than any of its banks, or than those together where it may cross.
    Size {
        /// The buffer.
        id: u64,
        /// Its size in bytes.
        size: u64,
        /// The bytes of the largest.
        most: u64,
    },
    /// A buffer is fixed where it is not in its banks.
    Fixed {
        /// The buffer.
        id: u64,
        /// Its fixed offset in bytes.
        offset: u64,
    },
    /// Two buffers that must be apart are in use at once and fixed in one bank.
    FixedTogether(SharedBank),
}

impl BankError {
    /// The error in words, with a name for each id.
    pub fn in_words<'n>(&self, name: &dyn Fn(u64) -> Cow<'n, str>) -> String {
        match *self {
            Self::Count { count: 0 } => "there are no banks".to_owned(),
            Self::Count { count } => format!("{count} banks are more than {MAX_BANKS}"),
            Self::Empty { bank } => format!("bank {bank} has no bytes"),
            Self::Width { width } => {
                format!("interleaved banks of {width} bytes are more than 2^50")
            }
            Self::Order { bank } => {
                format!("bank {bank} starts before the end of the bank before it")
            }
            Self::UnknownBuffer { id } => {
                format!(
                    "a rule for banks names buffer {}, which there is not",
                    name(id)
                )
            }
            Self::TwoRules { id } => format!("buffer {} has two rules for banks", name(id)),
            Self::ApartTwice { id } => {
                format!(
                    "buffer {} is in a group of buffers that are apart twice",
                    name(id)
                )
            }
            Self::UnknownBank { id, bank, banks } => format!(
                "buffer {} names bank {bank}, and the last bank is {}",
                name(id),
                banks - 1
            ),
            Self::Size { id, size, most } => format!(
                "buffer {} has {size} bytes, and its banks have at most {most}",
                name(id)
            ),
            Self::Fixed { id, offset } => format!(
                "buffer {} is fixed at offset {offset}, where it is not in its banks",
                name(id)
            ),
            Self::FixedTogether(SharedBank {
                first,
                second,
                bank,
                ..
            }) => format!(
                "buffers {} and {} must be apart, and are live at once and fixed in bank {bank}",
                name(first),
                name(second)
            ),
        }
    }

    /// Whether it is in the banks, whatever the buffers.
    pub fn is_of_layout(&self) -> bool {
        matches!(
            self,
            Self::Count { .. } | Self::Empty { .. } | Self::Width { .. } | Self::Order { .. }
        )
    }
}

/// The first rule that the banks of a problem violate, whose buffers are valid.
pub fn check(banks: &Banks, problem: &Problem) -> Result<(), BankError> {
    check_layout(&banks.layout)?;
    let count = banks.layout.count();
    let by_id: HashMap<u64, &Buffer> = problem.buffers.iter().map(|it| (it.id, it)).collect();
    let mut seen = HashSet::new();
    for rule in &banks.rules.placements {
        let id = rule.id;
        if !by_id.contains_key(&id) {
            return Err(BankError::UnknownBuffer { id });
        }
        if !seen.insert(id) {
            return Err(BankError::TwoRules { id });
        }
        if let Some(&bank) = rule.banks.iter().find(|bank| **bank >= count) {
            let banks = count;
            return Err(BankError::UnknownBank { id, bank, banks });
        }
    }
    for group in &banks.rules.apart {
        seen.clear();
        for &id in group {
            if !by_id.contains_key(&id) {
                return Err(BankError::UnknownBuffer { id });
            }
            if !seen.insert(id) {
                return Err(BankError::ApartTwice { id });
            }
        }
    }
    check_buffers(banks, problem)?;
    let fixed = |at: usize| problem.buffers[at].fixed_offset;
    match validate::shared(problem, banks, &fixed) {
        Some(shared) => Err(BankError::FixedTogether(shared)),
        None => Ok(()),
    }
}

fn check_layout(layout: &BankLayout) -> Result<(), BankError> {
    let count = match layout {
        BankLayout::Contiguous(banks) => banks.len(),
        BankLayout::Interleaved { count, .. } => *count as usize,
    };
    if count == 0 || count > MAX_BANKS as usize {
        return Err(BankError::Count { count });
    }
    match layout {
        BankLayout::Interleaved { width: 0, .. } => Err(BankError::Empty { bank: 0 }),
        &BankLayout::Interleaved { width, .. } if width > MAX_WIDTH => {
            Err(BankError::Width { width })
        }
        BankLayout::Interleaved { .. } => Ok(()),
        BankLayout::Contiguous(banks) => {
            for (number, bank) in banks.iter().enumerate() {
                if bank.start >= bank.end {
                    return Err(BankError::Empty { bank: number });
                }
                if number > 0 && banks[number - 1].end > bank.start {
                    return Err(BankError::Order { bank: number });
                }
            }
            Ok(())
        }
    }
}

/// Checks that each buffer can be in its banks by itself, and is where it is fixed.
fn check_buffers(banks: &Banks, problem: &Problem) -> Result<(), BankError> {
    let rules: HashMap<u64, _> = banks
        .rules
        .placements
        .iter()
        .map(|it| (it.id, it))
        .collect();
    let all = banks.layout.count();
    for buffer in problem.buffers.iter().filter(|it| it.is_active()) {
        let &Buffer { id, size, .. } = buffer;
        let rule = rules.get(&id);
        let crosses = rule.is_some_and(|rule| rule.crosses);
        let is_allowed =
            |bank: u32| rule.is_none_or(|it| it.banks.is_empty() || it.banks.contains(&bank));
        if let BankLayout::Contiguous(ranges) = &banks.layout {
            let (mut most, mut stretch) = (0, 0);
            for (number, bank) in (0..).zip(ranges) {
                let continues = crosses
                    && number > 0
                    && is_adjacent(&ranges[number as usize - 1..=number as usize]);
                let bytes = if is_allowed(number) {
                    bank.end - bank.start
                } else {
                    0
                };
                stretch = match continues && bytes > 0 {
                    true => stretch + bytes,
                    false => bytes,
                };
                most = most.max(stretch);
            }
            if size > most {
                return Err(BankError::Size { id, size, most });
            }
        }
        if let Some(offset) = buffer.fixed_offset {
            let is_right =
                banks
                    .layout
                    .run_at(size, offset)
                    .is_some_and(|run| match banks.layout {
                        BankLayout::Contiguous(_) => {
                            (crosses || run.count == 1) && run.banks(all).all(is_allowed)
                        }
                        BankLayout::Interleaved { .. } => is_allowed(run.first),
                    });
            if !is_right {
                return Err(BankError::Fixed { id, offset });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bank, BankRule, BankRules};

    fn problem() -> Problem {
        Problem::new(vec![
            Buffer::new(7, 4, [(0, 2)]),
            Buffer::new(8, 6, [(1, 3)]),
            Buffer::new(9, 99, []),
        ])
        .expect("valid")
    }

    fn of(layout: BankLayout, rules: BankRules) -> Result<(), BankError> {
        check(&Banks { layout, rules }, &problem())
    }

    fn two() -> BankLayout {
        BankLayout::equal(2, 16).expect("banks")
    }

    fn rule(id: u64, banks: &[u32], crosses: bool) -> BankRules {
        let banks = banks.to_vec();
        BankRules {
            placements: vec![BankRule { id, banks, crosses }],
            ..BankRules::default()
        }
    }

    #[test]
    fn layouts_are_checked() {
        let contiguous = |banks: &[(u64, u64)]| {
            let banks = banks.iter().map(|&(start, end)| Bank { start, end });
            of(
                BankLayout::Contiguous(banks.collect()),
                BankRules::default(),
            )
        };
        assert_eq!(contiguous(&[(0, 8), (10, 18)]), Ok(()));
        assert_eq!(contiguous(&[]), Err(BankError::Count { count: 0 }));
        assert_eq!(
            contiguous(&[(0, 8), (8, 8)]),
            Err(BankError::Empty { bank: 1 })
        );
        assert_eq!(
            contiguous(&[(0, 8), (7, 18)]),
            Err(BankError::Order { bank: 1 })
        );
        let interleaved = |count, width| {
            of(
                BankLayout::Interleaved { count, width },
                BankRules::default(),
            )
        };
        assert_eq!(interleaved(2, 1), Ok(()));
        assert_eq!(interleaved(2, 0), Err(BankError::Empty { bank: 0 }));
        let width = 1 << 51;
        assert_eq!(interleaved(2, width), Err(BankError::Width { width }));
        assert_eq!(interleaved(1025, 4), Err(BankError::Count { count: 1025 }));
    }

    #[test]
    fn rules_name_buffers_and_banks_that_there_are() {
        assert_eq!(of(two(), rule(8, &[0, 1], false)), Ok(()));
        let unknown = |id| Err(BankError::UnknownBuffer { id });
        assert_eq!(of(two(), rule(5, &[], true)), unknown(5));
        let (id, bank, banks) = (8, 2, 2);
        let error = BankError::UnknownBank { id, bank, banks };
        assert_eq!(of(two(), rule(8, &[0, 2], false)), Err(error));
        let mut twice = rule(8, &[0], false);
        twice.placements.extend(rule(8, &[1], false).placements);
        assert_eq!(of(two(), twice), Err(BankError::TwoRules { id }));
        let apart = |ids: &[u64]| BankRules {
            apart: vec![ids.to_vec()],
            ..BankRules::default()
        };
        assert_eq!(of(two(), apart(&[7, 8, 9])), Ok(()));
        assert_eq!(of(two(), apart(&[7, 6])), unknown(6));
        assert_eq!(
            of(two(), apart(&[8, 7, 8])),
            Err(BankError::ApartTwice { id })
        );
    }

    #[test]
    fn each_buffer_is_in_its_banks() {
        let sizes = |sizes: &[u64]| BankLayout::of_sizes(sizes).expect("banks");
        let size = |size, id, most| Err(BankError::Size { id, size, most });
        assert_eq!(of(sizes(&[3, 5, 4]), BankRules::default()), size(6, 8, 5));
        assert_eq!(of(sizes(&[3, 5, 4]), rule(8, &[0, 2], true)), size(6, 8, 4));
        assert_eq!(of(sizes(&[3, 5, 4]), rule(8, &[], true)), Ok(()));
        let fixed = |offsets: [u64; 2], rules| {
            let mut problem = problem();
            problem.buffers[0].fixed_offset = Some(offsets[0]);
            problem.buffers[1].fixed_offset = Some(offsets[1]);
            check(
                &Banks {
                    layout: two(),
                    rules,
                },
                &problem,
            )
        };
        assert_eq!(fixed([0, 8], rule(8, &[1], false)), Ok(()));
        let error = |id, offset| Err(BankError::Fixed { id, offset });
        assert_eq!(fixed([0, 5], rule(8, &[], false)), error(8, 5));
        assert_eq!(fixed([0, 5], rule(8, &[0], true)), error(8, 5));
        assert_eq!(fixed([14, 8], rule(8, &[], false)), error(7, 14));
        let apart = BankRules {
            apart: vec![vec![8, 7]],
            ..BankRules::default()
        };
        assert_eq!(fixed([0, 10], apart.clone()), Ok(()));
        assert!(matches!(
            fixed([0, 2], apart),
            Err(BankError::FixedTogether(_))
        ));
    }
}
