//! Where the banks of an arena are, and which of them bytes are in.

use std::ops::Range;

/// The most banks of an arena.
const MOST_BANKS: u32 = 1024;

/// The banks of an arena.
#[derive(Clone, Debug)]
pub enum Banks {
    /// The addresses of each.
    Contiguous(Vec<Range<u64>>),
    /// Banks that alternate from address 0 on.
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
    pub fn touched(&self, bytes: &Range<u64>) -> Vec<u64> {
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
