//! Joins, the load curve and its peak, computed from the buffers alone.

use std::collections::HashMap;

use crate::{BufferReport, ScopeReport, Use, WindowReport};
use memplan_flow::{UnionFind, ids};

ids! {
    /// The place of a buffer in its scope.
    Place,
}

/// One buffer, or several that were joined in place and count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Positions in [`ScopeReport::buffers`], ascending.
    pub members: Vec<usize>,
    /// First byte in the arena: the lowest offset of the members.
    pub offset: u64,
    /// The largest size of the members.
    pub size: u64,
    /// The strictest alignment of the members.
    pub alignment: u64,
    /// Union of the members' live ranges: half-open, ascending, apart from each other.
    pub live: Vec<(u64, u64)>,
    /// The windows of the member, if it is only one. Windows of several members are in `live`, as if all bytes were in
    /// use.
    pub windows: Vec<Use>,
}

impl Block {
    /// The times at which bytes of the block are in use, and which: those with all bytes first.
    pub fn uses(&self) -> impl Iterator<Item = Use> {
        let whole = self.live.iter().map(|&(start, end)| Use {
            start,
            end,
            low: 0,
            high: self.size,
        });
        whole.chain(self.windows.iter().copied())
    }
}

/// The largest load and the first stretch of positions where it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// First position.
    pub start: u64,
    /// Position after the last.
    pub end: u64,
    /// Bytes live there.
    pub load: u64,
}

/// The buffers of `scope` with those joined in place taken together, by first member.
///
/// An `in_place_with` that names no buffer is taken as none; [`crate::Report::check`] reports it.
pub fn blocks(scope: &ScopeReport) -> Vec<Block> {
    let index: HashMap<u64, usize> = scope
        .buffers
        .iter()
        .enumerate()
        .map(|(at, buffer)| (buffer.id, at))
        .collect();
    let mut joined = UnionFind::with_capacity(scope.buffers.len());
    for (at, buffer) in scope.buffers.iter().enumerate() {
        if let Some(&other) = buffer.in_place_with.as_ref().and_then(|id| index.get(id)) {
            joined.unite(Place::new(at), Place::new(other));
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); scope.buffers.len()];
    for at in 0..scope.buffers.len() {
        members[joined.find(Place::new(at)).index()].push(at);
    }
    members.retain(|members| !members.is_empty());
    members
        .into_iter()
        .map(|members| block(&scope.buffers, members))
        .collect()
}

fn block(buffers: &[BufferReport], members: Vec<usize>) -> Block {
    let of = |at: &usize| &buffers[*at];
    let windows_of = |at: &usize| {
        let windows = of(at).windows.iter();
        windows.map(|&WindowReport { during, bytes }| Use {
            start: during.0,
            end: during.1,
            low: bytes.0,
            high: bytes.1,
        })
    };
    let mut windows: Vec<Use> = members.iter().flat_map(windows_of).collect();
    windows.retain(|one| one.start < one.end);
    let mut live: Vec<(u64, u64)> = Vec::new();
    live.extend(members.iter().flat_map(|at| &of(at).live));
    if members.len() > 1 {
        live.extend(windows.drain(..).map(|window| (window.start, window.end)));
    }
    Block {
        offset: members.iter().map(|at| of(at).offset).min().unwrap_or(0),
        size: members.iter().map(|at| of(at).size).max().unwrap_or(0),
        alignment: members.iter().map(|at| of(at).alignment).max().unwrap_or(1),
        live: union(live),
        windows,
        members,
    }
}

/// Sorts `ranges` and melts together those that touch or overlap; empty ones go.
fn union(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.retain(|(start, end)| start < end);
    ranges.sort_unstable();
    let mut out: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match out.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    out
}

/// The load as steps: from each position on, up to the next step's, that many bytes are live.
///
/// Positions ascend and loads differ from step to step; the last step is down to zero.
pub fn curve(blocks: &[Block]) -> Vec<(u64, u64)> {
    let mut events: Vec<(u64, bool, u64)> = blocks
        .iter()
        .flat_map(Block::uses)
        .flat_map(|one| {
            let bytes = one.bytes();
            [(one.start, true, bytes), (one.end, false, bytes)]
        })
        .collect();
    events.sort_unstable();
    // Wider than any sum of sizes, so that a nonsensical report gives a large load, not a small one.
    let mut load: u128 = 0;
    let mut steps: Vec<(u64, u64)> = Vec::new();
    for stretch in events.chunk_by(|a, b| a.0 == b.0) {
        for &(_, begins, size) in stretch {
            load = if begins {
                load + u128::from(size)
            } else {
                load - u128::from(size)
            };
        }
        let now = u64::try_from(load).unwrap_or(u64::MAX);
        if steps.last().map_or(0, |step| step.1) != now {
            steps.push((stretch[0].0, now));
        }
    }
    steps
}

/// The first place where `curve` is highest; `None` where nothing is ever live.
pub fn peak(curve: &[(u64, u64)]) -> Option<Peak> {
    let load = curve.iter().map(|step| step.1).max()?;
    let at = curve.iter().position(|step| step.1 == load)?;
    let start = curve[at].0;
    let end = curve.get(at + 1).map_or(start, |step| step.0);
    Some(Peak { start, end, load })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, scope, windowed};

    #[test]
    fn joined_buffers_are_one_block() {
        let mut buffers = vec![
            buffer(0, 64, 0, &[(0, 4)]),
            buffer(1, 32, 64, &[(1, 6)]),
            buffer(2, 64, 0, &[(3, 8), (10, 12)]),
        ];
        buffers[2].in_place_with = Some(0);
        let blocks = blocks(&scope(buffers));
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].members, [0, 2]);
        assert_eq!(blocks[0].live, [(0, 8), (10, 12)]);
        assert_eq!(
            curve(&blocks),
            [(0, 64), (1, 96), (6, 64), (8, 0), (10, 64), (12, 0)]
        );
        assert_eq!(
            peak(&curve(&blocks)),
            Some(Peak {
                start: 1,
                end: 6,
                load: 96
            })
        );
    }

    #[test]
    fn only_the_bytes_of_a_window_count_in_its_time() {
        let buffers = vec![
            windowed(buffer(0, 64, 0, &[(0, 4), (8, 9)]), &[((5, 8), (16, 32))]),
            buffer(1, 40, 64, &[(4, 9)]),
        ];
        assert_eq!(
            curve(&blocks(&scope(buffers))),
            [(0, 64), (4, 40), (5, 56), (8, 104), (9, 0)]
        );
    }

    #[test]
    fn windows_of_joined_buffers_count_as_whole() {
        let mut buffers = vec![
            windowed(buffer(0, 64, 0, &[(0, 4)]), &[((4, 8), (16, 32))]),
            buffer(1, 48, 0, &[(6, 9)]),
        ];
        buffers[1].in_place_with = Some(0);
        assert_eq!(curve(&blocks(&scope(buffers))), [(0, 64), (9, 0)]);
    }

    #[test]
    fn a_cycle_of_joins_ends() {
        let mut buffers = vec![buffer(0, 8, 0, &[(0, 1)]), buffer(1, 8, 0, &[(1, 2)])];
        buffers[0].in_place_with = Some(1);
        buffers[1].in_place_with = Some(0);
        assert_eq!(blocks(&scope(buffers)).len(), 1);
    }

    #[test]
    fn nothing_live_has_no_peak() {
        let blocks = blocks(&scope(vec![buffer(0, 8, 0, &[])]));
        assert_eq!(peak(&curve(&blocks)), None);
    }

    #[test]
    fn a_handover_is_no_peak() {
        let buffers = vec![buffer(0, 8, 0, &[(0, 3)]), buffer(1, 8, 0, &[(3, 5)])];
        assert_eq!(curve(&blocks(&scope(buffers))), [(0, 8), (5, 0)]);
    }
}
