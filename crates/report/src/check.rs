//! Rechecks a report from its own numbers.
//!
//! For every scope:
//!
//! 1. ids are unique, alignments are powers of two and no stricter than the arena's, live ranges
//!    are not empty, ascend and do not overlap; windows neither, and they have some of the buffer's bytes;
//! 2. every buffer keeps its alignment, lies within the arena, and has no excluded address;
//! 3. a join leads to a buffer of the scope, at the same offset and no smaller, and never in a
//!    circle; a buffer that is another one again has its size and alignment, and is never live with it;
//! 4. no two blocks (buffers, joined ones as one) use a byte at the same position;
//! 5. naive and load are what the buffers say, load <= lower bound <= planned, lower bound <=
//!    naive unless addresses are excluded or there are banks, and `optimal` says whether planned is the lower bound;
//! 6. the lower bound is what its proof gives. A search can only be repeated with its certificate,
//!    which a report does not hold, and so can a proof that is not named: of these, 5 is all.
//!
//! For every curve of costs, budgets ascend, costs do not, and no cost is below its bound.
//!
//! For every chain, the strips are those of its dimensions, and line buffers in arenas are buffers of the scope.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::bounds;
use crate::chains;
use crate::load::{self, Block};
use crate::units::grouped;
use crate::{
    BanksReport, BufferReport, ChainReport, ExcludedReport, FunctionReport, Report, ReportError,
    ScopeReport,
};

type Outcome = Result<(), String>;

impl Report {
    /// Recomputes every number from the buffers and compares; the first contradiction is the
    /// error. A report that passes describes a plan in which no live buffer overwrites another.
    pub fn check(&self) -> Result<(), ReportError> {
        if self.version != Self::VERSION {
            return Err(ReportError::Version {
                found: self.version.into(),
            });
        }
        self.check_chunks()?;
        for function in &self.functions {
            if let Some(costs) = &function.costs {
                costs.check().map_err(|problem| {
                    let place = format!("function '{}', costs", function.name);
                    ReportError::Inconsistent { place, problem }
                })?;
            }
            for (number, chain) in function.chains.iter().enumerate() {
                chain
                    .check()
                    .and_then(|()| check_lines(function, chain))
                    .map_err(|problem| {
                        let place = format!("function '{}', chain {number}", function.name);
                        ReportError::Inconsistent { place, problem }
                    })?;
            }
            for (number, scope) in function.scopes.iter().enumerate() {
                check_scope(scope)
                    .map_err(|problem| inconsistent(function, number, scope, problem))?;
            }
        }
        Ok(())
    }

    /// Each function is in one chunk.
    fn check_chunks(&self) -> Result<(), ReportError> {
        let mut next = 0;
        for (number, chunk) in self.chunks.iter().enumerate() {
            if chunk.first != next {
                return Err(ReportError::Inconsistent {
                    place: format!("chunk {number}"),
                    problem: format!("first is {}, not {next}", chunk.first),
                });
            }
            next = next.saturating_add(chunk.functions);
        }
        match self.chunks.is_empty() || next == self.functions.len() as u64 {
            true => Ok(()),
            false => Err(ReportError::Inconsistent {
                place: "chunks".to_owned(),
                problem: format!("they have {next} functions of {}", self.functions.len()),
            }),
        }
    }
}

/// The line buffers of a chain that are in arenas are there, with these sizes.
fn check_lines(function: &FunctionReport, chain: &ChainReport) -> Outcome {
    for lines in &chain.line_buffers {
        let (Some(scope), Some(id)) = (lines.scope, lines.id) else {
            continue;
        };
        let scope = usize::try_from(scope).ok();
        let scope = scope.and_then(|scope| function.scopes.get(scope));
        let mut buffers = scope.into_iter().flat_map(|scope| &scope.buffers);
        let is_there = buffers.any(|buffer| buffer.id == id && Some(buffer.size) == lines.size);
        require(is_there, || {
            let size = chains::known(lines.size, grouped);
            format!("line buffer {id} of {size} bytes is no buffer")
        })?;
    }
    Ok(())
}

fn inconsistent(
    function: &FunctionReport,
    number: usize,
    scope: &ScopeReport,
    problem: String,
) -> ReportError {
    let place = format!(
        "function '{}', scope {number} ({})",
        function.name, scope.kind
    );
    ReportError::Inconsistent { place, problem }
}

fn check_scope(scope: &ScopeReport) -> Outcome {
    check_banks(scope)?;
    check_buffers(scope)?;
    check_joins(scope)?;
    check_again(scope)?;
    let blocks = load::blocks(scope);
    check_overlaps(scope, &blocks)?;
    check_sums(scope, &blocks)
}

fn check_buffers(scope: &ScopeReport) -> Outcome {
    require(scope.alignment.is_power_of_two(), || {
        format!(
            "the arena's alignment {} is not a power of two",
            scope.alignment
        )
    })?;
    let mut ids = HashSet::new();
    for buffer in &scope.buffers {
        let id = buffer.id;
        require(ids.insert(id), || format!("two buffers have the id {id}"))?;
        require(buffer.alignment.is_power_of_two(), || {
            format!(
                "buffer {id}: alignment {} is not a power of two",
                buffer.alignment
            )
        })?;
        require(buffer.alignment <= scope.alignment, || {
            format!(
                "buffer {id}: alignment {} is stricter than the arena's {}",
                buffer.alignment, scope.alignment
            )
        })?;
        require(buffer.offset.is_multiple_of(buffer.alignment), || {
            format!(
                "buffer {id}: offset {} is not a multiple of its alignment {}",
                buffer.offset, buffer.alignment
            )
        })?;
        let end = u128::from(buffer.offset) + u128::from(buffer.size);
        require(end <= u128::from(scope.planned_bytes), || {
            format!(
                "buffer {id}: ends at {end}, beyond the {} planned bytes",
                scope.planned_bytes
            )
        })?;
        let is_common = |range: &&ExcludedReport| {
            buffer.size > 0 && u128::from(range.start) < end && buffer.offset < range.end
        };
        if let Some(range) = scope.excluded.iter().find(is_common) {
            return Err(format!(
                "buffer {id}: has addresses of {} to {}, which are excluded",
                range.start, range.end
            ));
        }
        require(buffer.live.iter().all(|range| range.0 < range.1), || {
            format!("buffer {id}: a live range is empty or runs backwards")
        })?;
        require(
            buffer.live.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            || format!("buffer {id}: live ranges overlap or are out of order"),
        )?;
        check_windows(buffer)?;
    }
    Ok(())
}

/// Contiguous banks are in order, and have all bytes of all buffers.
fn check_banks(scope: &ScopeReport) -> Outcome {
    let ranges = match &scope.banks {
        None => return Ok(()),
        Some(BanksReport::Interleaved { count, width }) => {
            return require(*count > 0 && *width > 0, || {
                format!("{count} banks of {width} bytes are none")
            });
        }
        Some(BanksReport::Contiguous { ranges }) => ranges,
    };
    let are_ordered = ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    let have_bytes = ranges.iter().all(|(start, end)| start < end);
    require(are_ordered && have_bytes, || {
        "a bank has no bytes, or banks are out of order".to_owned()
    })?;
    for buffer in &scope.buffers {
        let end = buffer.offset.saturating_add(buffer.size);
        let inside = ranges
            .iter()
            .map(|(from, to)| (*to).min(end).saturating_sub((*from).max(buffer.offset)));
        require(inside.sum::<u64>() == buffer.size, || {
            format!("buffer {}: has bytes that are in no bank", buffer.id)
        })?;
    }
    Ok(())
}

/// O(windows times live ranges): both are few.
fn check_windows(buffer: &BufferReport) -> Outcome {
    let id = buffer.id;
    let mut reached = 0;
    for window in &buffer.windows {
        let ((start, end), (low, high)) = (window.during, window.bytes);
        require(low < high && high <= buffer.size, || {
            format!("buffer {id}: the window of the bytes {low} to {high} is empty or not inside")
        })?;
        let mut live = buffer.live.iter();
        let is_apart = live.all(|range| end <= range.0 || range.1 <= start);
        require(start < end && reached <= start && is_apart, || {
            format!(
                "buffer {id}: the window during [{start}, {end}) is empty, out of order or in a live range"
            )
        })?;
        reached = end;
    }
    require(
        buffer.windows.is_empty() || buffer.in_place_with.is_none(),
        || format!("buffer {id}: has windows, but takes over the bytes of another"),
    )
}

fn check_joins(scope: &ScopeReport) -> Outcome {
    let by_id: HashMap<u64, _> = scope
        .buffers
        .iter()
        .map(|buffer| (buffer.id, buffer))
        .collect();
    // Buffers known to lead to an end, so that long chains are walked once.
    let mut settled: HashMap<u64, bool> = HashMap::new();
    for buffer in &scope.buffers {
        let mut walked = Vec::new();
        let mut at = buffer;
        while let Some(host_id) = at.in_place_with {
            let id = at.id;
            match settled.get(&id) {
                Some(true) => break,
                Some(false) => return Err(format!("buffer {id}: joined with itself")),
                None => settled.insert(id, false),
            };
            walked.push(id);
            let host = *by_id.get(&host_id).ok_or_else(|| {
                format!("buffer {id}: in place with {host_id}, which is not a buffer")
            })?;
            require(at.offset == host.offset, || {
                format!(
                    "buffer {id}: in place with {host_id}, but at offset {} and not {}",
                    at.offset, host.offset
                )
            })?;
            require(at.size <= host.size, || {
                format!(
                    "buffer {id}: in place with {host_id}, but of {} bytes where that has {}",
                    at.size, host.size
                )
            })?;
            at = host;
        }
        settled.extend(walked.into_iter().map(|id| (id, true)));
    }
    Ok(())
}

/// What counts for nothing by itself is what it says it is.
fn check_again(scope: &ScopeReport) -> Outcome {
    let by_id: HashMap<u64, &BufferReport> = scope
        .buffers
        .iter()
        .map(|buffer| (buffer.id, buffer))
        .collect();
    let mut groups: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
    for buffer in &scope.buffers {
        let (id, first) = (buffer.id, buffer.same_as.unwrap_or(buffer.id));
        let known = by_id.get(&first).filter(|known| known.same_as.is_none());
        let known =
            known.ok_or_else(|| format!("buffer {id}: again {first}, which is not a buffer"))?;
        require(
            (known.size, known.alignment) == (buffer.size, buffer.alignment),
            || format!("buffer {id}: again {first}, but of another size"),
        )?;
        groups.entry(first).or_default().extend(&buffer.live);
    }
    for buffer in &scope.buffers {
        let Some(live) = groups.get_mut(&buffer.id) else {
            continue;
        };
        live.sort_unstable();
        let id = buffer.id;
        require(live.windows(2).all(|pair| pair[0].1 <= pair[1].0), || {
            format!("buffer {id} is there twice at one position")
        })?;
    }
    Ok(())
}

/// Sweeps over the positions with the live blocks kept by offset: as long as they are disjoint, a
/// new one can only meet its two neighbours.
fn check_overlaps(scope: &ScopeReport, blocks: &[Block]) -> Outcome {
    let mut events: Vec<(u64, bool, usize, u64, u64)> = Vec::new();
    for (at, block) in blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| block.size > 0)
    {
        for one in block.uses() {
            let low = block.offset.saturating_add(one.low);
            events.push((one.start, true, at, low, one.bytes()));
            events.push((one.end, false, at, low, one.bytes()));
        }
    }
    // Ends come before beginnings at the same position: ranges are half-open.
    events.sort_unstable();
    let id_of = |at: usize| scope.buffers[blocks[at].members[0]].id;
    // The first byte, the one after the last, and the block.
    let mut live: BTreeMap<u64, (u128, usize)> = BTreeMap::new();
    for (position, begins, at, offset, bytes) in events {
        if !begins {
            live.remove(&offset);
            continue;
        }
        let end = u128::from(offset) + u128::from(bytes);
        let below = live.range(..=offset).next_back();
        let below = below.filter(|(_, (other_end, _))| *other_end > u128::from(offset));
        let above = live.range(offset..).next();
        let above = above.filter(|(other_offset, _)| u128::from(**other_offset) < end);
        if let Some((_, &(_, other))) = below.or(above) {
            let (first, second) = (id_of(other).min(id_of(at)), id_of(other).max(id_of(at)));
            return Err(format!(
                "buffers {first} and {second} are both live at position {} and share bytes",
                scope.time(position)
            ));
        }
        live.insert(offset, (end, at));
    }
    Ok(())
}

fn check_sums(scope: &ScopeReport, blocks: &[Block]) -> Outcome {
    let rounded = |size: u64, to: u64| u128::from(size).next_multiple_of(u128::from(to));
    let naive: u128 = scope
        .buffers
        .iter()
        .filter(|b| b.same_as.is_none())
        .map(|b| rounded(b.size, b.alignment))
        .sum();
    require(naive == u128::from(scope.naive_bytes), || {
        format!(
            "naive_bytes is {}, the buffers say {naive}",
            scope.naive_bytes
        )
    })?;
    let load = load::peak(&load::curve(blocks)).map_or(0, |peak| peak.load);
    require(load == scope.load_bytes, || {
        format!("load_bytes is {}, the buffers say {load}", scope.load_bytes)
    })?;
    let (bound, planned) = (scope.lower_bound_bytes, scope.planned_bytes);
    require(load <= bound, || {
        format!("lower_bound_bytes {bound} is below the load {load}")
    })?;
    require(bound <= planned, || {
        format!("planned_bytes {planned} is below the lower bound {bound}")
    })?;
    let is_free = scope.excluded.is_empty() && scope.banks.is_none();
    require(!is_free || u128::from(bound) <= naive, || {
        format!("lower_bound_bytes {bound} is above the naive {naive}, which always suffices")
    })?;
    require(scope.optimal == (bound == planned), || {
        format!(
            "optimal is {}, with {planned} planned and a bound of {bound}",
            scope.optimal
        )
    })?;
    check_proof(scope, blocks)
}

fn check_proof(scope: &ScopeReport, blocks: &[Block]) -> Outcome {
    let bound = scope.lower_bound_bytes;
    let proof = scope.lower_bound_proof.as_str();
    let proven = match proof {
        "nothing" => 0,
        "load" => scope.load_bytes,
        "alignment" => bounds::by_alignment(blocks),
        "end" => bounds::by_end(blocks),
        // What a search proves is not known here, nor which buffers meet two by two.
        "clique" | "search" | "distances" | "banks" | "" => bound,
        other => return Err(format!("lower_bound_proof '{other}' is no kind of proof")),
    };
    // Excluded addresses and banks only raise a bound.
    let is_free = scope.excluded.is_empty() && scope.banks.is_none();
    let holds = bound == proven || !is_free && bound > proven;
    require(holds, || {
        format!("lower_bound_bytes is {bound}, and what the {proof} proves is {proven}")
    })
}

fn require(holds: bool, problem: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(problem()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, report, scope, windowed};

    fn small() -> Vec<BufferReport> {
        vec![
            buffer(0, 64, 0, &[(0, 4), (9, 12)]),
            buffer(1, 32, 64, &[(1, 6)]),
            buffer(2, 30, 0, &[(4, 9)]),
        ]
    }

    fn problem(change: impl FnOnce(&mut ScopeReport)) -> String {
        let mut scope = scope(small());
        change(&mut scope);
        match report(vec![scope]).check() {
            Err(ReportError::Inconsistent { problem, .. }) => problem,
            other => panic!("expected a contradiction, found {other:?}"),
        }
    }

    #[test]
    fn a_true_report_passes() {
        assert_eq!(report(vec![scope(small())]).check(), Ok(()));
        assert_eq!(report(vec![scope(Vec::new())]).check(), Ok(()));
        assert_eq!(Report::default().check(), Ok(()));
    }

    #[test]
    fn the_place_is_named() {
        let mut bad = scope(small());
        bad.load_bytes += 1;
        let error = report(vec![scope(small()), bad])
            .check()
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "function 'forward', scope 1 (function): load_bytes is 97, the buffers say 96"
        );
    }

    #[test]
    fn a_join_passes() {
        let mut buffers = small();
        buffers.push(BufferReport {
            in_place_with: Some(1),
            ..buffer(3, 32, 64, &[(5, 8)])
        });
        assert_eq!(report(vec![scope(buffers)]).check(), Ok(()));
    }

    /// While it uses only its first and then only its last bytes, others have the rest.
    fn with_windows() -> Vec<BufferReport> {
        vec![
            windowed(
                buffer(0, 64, 0, &[(0, 2), (6, 8)]),
                &[((2, 4), (0, 16)), ((4, 6), (48, 64))],
            ),
            buffer(1, 48, 16, &[(2, 4)]),
            buffer(2, 48, 0, &[(4, 6)]),
        ]
    }

    #[test]
    fn others_may_use_the_bytes_outside_of_a_window() {
        assert_eq!(report(vec![scope(with_windows())]).check(), Ok(()));
    }

    #[test]
    fn each_contradiction_of_windows_is_found() {
        type Change = fn(&mut [BufferReport]);
        let cases: &[(Change, &str)] = &[
            (
                |b| b[0].windows[0].bytes.1 = 17,
                "buffers 0 and 1 are both live at position 2 and share bytes",
            ),
            (
                |b| b[2].live[0].0 = 3,
                "buffers 0 and 2 are both live at position 3 and share bytes",
            ),
            (
                |b| b[0].windows[1].bytes.1 = 65,
                "the window of the bytes 48 to 65 is empty or not inside",
            ),
            (
                |b| b[0].windows[1].bytes = (8, 8),
                "the window of the bytes 8 to 8 is empty",
            ),
            (
                |b| b[0].windows[1].during.1 = 7,
                "the window during [4, 7) is empty, out of order or in a live range",
            ),
            (|b| b[0].windows.swap(0, 1), "the window during [2, 4)"),
            (|b| b[0].windows[0].during.1 = 2, "the window during [2, 2)"),
            (
                |b| (b[0].in_place_with, b[1].offset) = (Some(1), 0),
                "buffer 0: has windows, but takes over",
            ),
        ];
        for (change, expected) in cases {
            let mut buffers = with_windows();
            change(&mut buffers);
            let found = report(vec![scope(buffers)])
                .check()
                .unwrap_err()
                .to_string();
            assert!(
                found.contains(expected),
                "expected '{expected}', found '{found}'"
            );
        }
    }

    /// Offsets are multiples of 8, so that the buffer below takes 24 bytes, and the load is not met.
    #[test]
    fn a_bound_that_alignment_forces_passes() {
        let mut aligned = scope(vec![
            buffer(0, 20, 0, &[(0, 2)]),
            buffer(1, 12, 24, &[(0, 2)]),
        ]);
        aligned.lower_bound_bytes = 36;
        aligned.lower_bound_proof = "alignment".into();
        aligned.optimal = true;
        assert_eq!(report(vec![aligned]).check(), Ok(()));
    }

    #[test]
    fn a_bound_from_a_search_or_from_nobody_knows_where_passes() {
        for proof in ["clique", "search", "distances", ""] {
            let mut searched = scope(small());
            (searched.planned_bytes, searched.lower_bound_bytes) = (104, 100);
            searched.optimal = false;
            searched.lower_bound_proof = proof.into();
            assert_eq!(report(vec![searched]).check(), Ok(()));
        }
    }

    #[test]
    fn another_version_fails() {
        let mut report = report(Vec::new());
        report.version = 2;
        assert_eq!(report.check(), Err(ReportError::Version { found: 2 }));
    }

    #[test]
    fn excluded_addresses_may_raise_the_bound_and_have_no_buffer() {
        let change = |start| {
            move |scope: &mut ScopeReport| {
                (scope.planned_bytes, scope.lower_bound_bytes) = (200, 200);
                scope.lower_bound_proof = "clique".into();
                scope.excluded.push(ExcludedReport {
                    start,
                    end: 190,
                    state: String::new(),
                });
            }
        };
        let mut scope = scope(small());
        change(96)(&mut scope);
        assert_eq!(report(vec![scope]).check(), Ok(()));
        let text = problem(change(95));
        assert!(
            text.contains("buffer 1: has addresses of 95 to 190"),
            "{text}"
        );
    }

    #[test]
    fn banks_may_raise_the_bound_and_have_all_bytes() {
        let with = |ranges: &[(u64, u64)]| {
            let ranges = ranges.to_vec();
            move |scope: &mut ScopeReport| {
                (scope.planned_bytes, scope.lower_bound_bytes) = (200, 200);
                scope.lower_bound_proof = "banks".into();
                scope.banks = Some(BanksReport::Contiguous { ranges });
            }
        };
        let mut right = scope(small());
        with(&[(0, 64), (64, 128)])(&mut right);
        assert_eq!(report(vec![right]).check(), Ok(()));
        let text = problem(with(&[(0, 64), (64, 95)]));
        assert!(
            text.contains("buffer 1: has bytes that are in no bank"),
            "{text}"
        );
        let text = problem(with(&[(0, 64), (60, 128)]));
        assert!(text.contains("banks are out of order"), "{text}");
        let (count, width) = (0, 4);
        let banks = Some(BanksReport::Interleaved { count, width });
        let text = problem(|scope| scope.banks = banks);
        assert!(text.contains("0 banks of 4 bytes are none"), "{text}");
    }

    #[test]
    fn each_contradiction_is_found() {
        type Change = fn(&mut ScopeReport);
        let cases: &[(Change, &str)] = &[
            (|s| s.naive_bytes -= 2, "naive_bytes is 126"),
            (|s| s.load_bytes -= 1, "load_bytes is 95"),
            (|s| s.lower_bound_bytes -= 1, "below the load"),
            (|s| s.lower_bound_bytes += 1, "below the lower bound"),
            (
                |s| (s.planned_bytes, s.lower_bound_bytes) = (200, 200),
                "above the naive",
            ),
            (|s| s.planned_bytes += 1, "optimal is true"),
            (|s| s.optimal = false, "optimal is false"),
            (
                |s| s.lower_bound_proof = "luck".into(),
                "'luck' is no kind of proof",
            ),
            (
                |s| s.lower_bound_proof = "nothing".into(),
                "lower_bound_bytes is 96, and what the nothing proves is 0",
            ),
            (
                |s| s.lower_bound_proof = "end".into(),
                "lower_bound_bytes is 96, and what the end proves is 64",
            ),
            (
                |s| {
                    (s.planned_bytes, s.lower_bound_bytes) = (97, 97);
                    s.lower_bound_proof = "alignment".into();
                },
                "lower_bound_bytes is 97, and what the alignment proves is 96",
            ),
            (
                |s| (s.planned_bytes, s.lower_bound_bytes) = (97, 97),
                "lower_bound_bytes is 97, and what the load proves is 96",
            ),
            (|s| s.planned_bytes -= 8, "buffer 1: ends at 96"),
            (|s| s.alignment = 0, "alignment 0 is not a power of two"),
            (|s| s.alignment = 4, "stricter than the arena's 4"),
            (|s| s.buffers[1].alignment = 12, "buffer 1: alignment 12"),
            (
                |s| s.buffers[1].offset = 4,
                "not a multiple of its alignment",
            ),
            (
                |s| s.buffers[1].offset = 56,
                "buffers 0 and 1 are both live at position 1",
            ),
            (
                |s| s.buffers[2].live[0].0 = 3,
                "buffers 0 and 2 are both live at position 3",
            ),
            (|s| s.buffers[0].live.swap(0, 1), "out of order"),
            (|s| s.buffers[0].live[0] = (4, 4), "empty or runs backwards"),
            (|s| s.buffers[2].id = 1, "two buffers have the id 1"),
            (
                |s| s.buffers[1].in_place_with = Some(7),
                "which is not a buffer",
            ),
            (
                |s| s.buffers[1].in_place_with = Some(0),
                "but at offset 64 and not 0",
            ),
            (
                |s| s.buffers[0].in_place_with = Some(2),
                "of 64 bytes where that has 30",
            ),
            (
                |s| s.buffers[0].in_place_with = Some(0),
                "joined with itself",
            ),
        ];
        for (change, expected) in cases {
            let found = problem(change);
            assert!(
                found.contains(expected),
                "expected '{expected}', found '{found}'"
            );
        }
    }
}
