//! The bound of buffers that conflict pairwise.
//!
//! In every plan each of them has bytes of its own. A byte that is forbidden at some time of each
//! of them belongs to none. If all offsets are multiples of A, the distance from each offset to the
//! next is at least the size of the lower buffer, rounded up to A. The bound does not depend on
//! when the buffers are live.

use super::error::CertificateError;
use crate::{Buffer, LiveRange, Problem};
use std::collections::{HashMap, HashSet};

/// The lowest possible end of the highest of the buffers with these ids.
pub fn bound(problem: &Problem, ids: &[u64]) -> Result<u64, CertificateError> {
    let by_id: HashMap<u64, &Buffer> = problem.buffers.iter().map(|it| (it.id, it)).collect();
    let mut clique: Vec<&Buffer> = Vec::with_capacity(ids.len());
    let mut seen = HashSet::with_capacity(ids.len());
    for &id in ids {
        let buffer = by_id.get(&id).copied();
        clique.push(buffer.ok_or(CertificateError::UnknownBuffer { id })?);
        if !seen.insert(id) {
            let (first, second) = (id, id);
            return Err(CertificateError::NoConflict { first, second });
        }
    }
    if !all_live_at_once(&clique) {
        for (index, buffer) in clique.iter().enumerate() {
            if let Some(other) = clique[..index].iter().find(|it| !conflict(it, buffer)) {
                let (first, second) = (other.id, buffer.id);
                return Err(CertificateError::NoConflict { first, second });
            }
        }
    }
    let sum = clique.iter().map(|buffer| buffer.size).sum();
    let forbidden = problem.forbidden.iter().filter(|range| {
        let time = [range.time()];
        clique.iter().all(|buffer| overlap(&buffer.live, &time))
    });
    let flowing = end_around(sum, forbidden.map(|it| (it.start, it.end)).collect());
    Ok(flowing.max(rounded(&clique)))
}

/// Whether all are live at one time: a sweep that handles ends before starts.
fn all_live_at_once(clique: &[&Buffer]) -> bool {
    let ranges = clique.iter().flat_map(|buffer| &buffer.live);
    let mut events: Vec<(u64, bool)> = ranges
        .flat_map(|range| [(range.start, true), (range.end, false)])
        .collect();
    events.sort_unstable();
    let mut live = 0;
    events.iter().any(|&(_, starts)| {
        live = if starts { live + 1 } else { live - 1 };
        live == clique.len()
    })
}

/// Whether the buffers are different and conflict.
pub fn conflict(a: &Buffer, b: &Buffer) -> bool {
    a.id != b.id && overlap(&a.live, &b.live)
}

pub fn overlap(a: &[LiveRange], b: &[LiveRange]) -> bool {
    a.iter()
        .any(|x| b.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// The end of `bytes` bytes placed from 0 around the `taken` ranges.
pub fn end_around(bytes: u64, mut taken: Vec<(u64, u64)>) -> u64 {
    if bytes == 0 {
        return 0;
    }
    taken.sort_unstable();
    let (mut end, mut counted) = (bytes, 0);
    for (start, after) in taken {
        if start >= end {
            break;
        }
        let start = start.max(counted);
        end = end.saturating_add(after.saturating_sub(start));
        counted = counted.max(after);
    }
    end
}

/// The greatest common divisor.
pub fn common_divisor(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        other => common_divisor(other, one % other),
    }
}

/// The sizes rounded up to the alignment that all have in common, less the largest rounding of any of them.
fn rounded(clique: &[&Buffer]) -> u64 {
    let alignments = clique.iter().map(|buffer| buffer.alignment);
    let grain = alignments.reduce(common_divisor).unwrap_or(1);
    let (mut sum, mut most) = (0, 0);
    for buffer in clique {
        let rounded = buffer.size.next_multiple_of(grain);
        sum += rounded;
        most = most.max(rounded - buffer.size);
    }
    sum - most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Forbidden;

    /// Three buffers that conflict pairwise, and a fourth that conflicts with the first alone.
    fn problem() -> Problem {
        Problem::new(vec![
            Buffer::new(7, 3, [(0, 1), (2, 3)]).aligned(4),
            Buffer::new(8, 5, [(0, 1), (4, 5)]).aligned(4),
            Buffer::new(9, 2, [(2, 3), (4, 5)]).aligned(2),
            Buffer::new(4, 9, [(2, 3)]),
        ])
        .expect("a valid problem")
    }

    #[test]
    fn pairwise_conflicting_buffers_need_the_sum() {
        assert_eq!(bound(&problem(), &[]), Ok(0));
        assert_eq!(bound(&problem(), &[7, 8]), Ok(9)); // 3 rounded to 4, and 5
        assert_eq!(bound(&problem(), &[9, 7, 8]), Ok(11)); // 4 and 6 and 2, less 1
        assert_eq!(bound(&problem(), &[4, 7, 9]), Ok(14));
    }

    #[test]
    fn buffers_without_conflict_are_no_clique() {
        let error = |first, second| Err(CertificateError::NoConflict { first, second });
        assert_eq!(bound(&problem(), &[7, 8, 4]), error(8, 4));
        assert_eq!(bound(&problem(), &[7, 8, 7]), error(7, 7));
        let unknown = Err(CertificateError::UnknownBuffer { id: 1 });
        assert_eq!(bound(&problem(), &[7, 1]), unknown);
    }

    #[test]
    fn only_bytes_forbidden_for_all_count() {
        let problem = |range: Forbidden| problem().with_forbidden(range);
        let ids = [7, 8, 9];
        assert_eq!(bound(&problem(Forbidden::new(4, 8)), &ids), Ok(14));
        assert_eq!(bound(&problem(Forbidden::new(9, 99)), &ids), Ok(100));
        assert_eq!(bound(&problem(Forbidden::new(10, 99)), &ids), Ok(11));
        let during = |start, end| problem(Forbidden::new(4, 8).during(start, end));
        assert_eq!(bound(&during(2, 5), &ids), Ok(14));
        assert_eq!(bound(&during(2, 4), &ids), Ok(11)); // the second is not live then
        let two = problem(Forbidden::new(2, 6)).with_forbidden(Forbidden::new(4, 7));
        assert_eq!(bound(&two, &ids), Ok(15));
    }
}
