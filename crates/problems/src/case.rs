//! Random problems and what must hold for them: a fuzz target is `check_*(&TestCase::from_bytes(data))`.

use crate::oracle::{meet, optimum, right_by_pairs};
use crate::proof;
use memplan_planner::validate::{Violation, validate};
use memplan_planner::{
    Buffer, Effort, Forbidden, LiveRange, Options, Outcome, PlanError, Planner, Problem, Reuse,
    Solution, certificate, csv,
};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use std::collections::HashMap;
use std::time::Duration;

/// One buffer before it is made valid.
#[derive(Clone, Debug)]
pub struct RawBuffer {
    /// Bytes.
    pub size: u16,
    /// The logarithm to base 2 of its alignment.
    pub log_alignment: u8,
    /// When it is live first.
    pub start: u8,
    /// Lengths of live ranges and of the holes between them, in turn, from there on.
    pub lengths: Vec<u8>,
    /// It has to lie there, or so.
    pub fixed: Option<u8>,
}

/// A forbidden range before it is made valid.
#[derive(Clone, Debug)]
pub struct RawForbidden {
    /// Its first byte, or so.
    pub start: u16,
    /// One byte less than it has.
    pub length: u8,
    /// Whether it lies above all that is planned.
    pub high: bool,
    /// Start and length in time.
    pub during: Option<(u8, u8)>,
}

impl RawForbidden {
    fn range(&self) -> Forbidden {
        let start = u64::from(self.start % 512) + if self.high { 1 << 40 } else { 0 };
        let range = Forbidden::new(start, start + 1 + u64::from(self.length));
        match self.during {
            Some((time, length)) => {
                let time = u64::from(time % 32);
                range.during(time, time + 1 + u64::from(length % 16))
            }
            None => range,
        }
    }
}

/// A problem before it is made valid.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// What is to be placed.
    pub buffers: Vec<RawBuffer>,
    /// Where nothing may lie.
    pub forbidden: Vec<RawForbidden>,
}

impl TestCase {
    /// Cases of up to `count` buffers whose sizes are below `size`.
    pub fn strategy(count: usize, size: u16) -> impl Strategy<Value = TestCase> {
        let fixed = proptest::option::weighted(0.1, any::<u8>());
        let buffer = (0..size, 0u8..8, any::<u8>(), vec(any::<u8>(), 0..4), fixed).prop_map(
            |(size, log_alignment, start, lengths, fixed)| RawBuffer {
                size,
                log_alignment,
                start,
                lengths,
                fixed,
            },
        );
        let during = proptest::option::of(any::<(u8, u8)>());
        let forbidden = (any::<u16>(), any::<u8>(), any::<bool>(), during).prop_map(
            |(start, length, high, during)| RawForbidden {
                start,
                length,
                high,
                during,
            },
        );
        // Half of the cases have none.
        let forbidden = proptest::option::of(vec(forbidden, 1..4));
        (vec(buffer, 0..=count), forbidden).prop_map(|(buffers, forbidden)| TestCase {
            buffers,
            forbidden: forbidden.unwrap_or_default(),
        })
    }

    /// The same case with nothing forbidden.
    pub fn without_forbidden(&self) -> TestCase {
        TestCase {
            buffers: self.buffers.clone(),
            forbidden: Vec::new(),
        }
    }

    /// Reads a case from the bytes of a fuzzer; seven for a buffer or a forbidden range.
    pub fn from_bytes(data: &[u8]) -> TestCase {
        let buffer = |bytes: &[u8]| RawBuffer {
            size: u16::from_le_bytes([bytes[0], bytes[1]]),
            log_alignment: bytes[2] % 8,
            start: bytes[3],
            lengths: bytes[4..6].to_vec(),
            fixed: bytes[6].is_multiple_of(8).then_some(bytes[6]),
        };
        let forbidden = |bytes: &[u8]| RawForbidden {
            start: u16::from_le_bytes([bytes[0], bytes[1]]),
            length: bytes[2],
            high: bytes[3].is_multiple_of(4),
            during: bytes[3].is_multiple_of(2).then_some((bytes[4], bytes[5])),
        };
        let (ranges, buffers): (Vec<&[u8]>, Vec<&[u8]>) =
            data.chunks_exact(7).partition(|bytes| bytes[6] % 16 == 1);
        TestCase {
            buffers: buffers.into_iter().map(buffer).collect(),
            forbidden: ranges.into_iter().map(forbidden).collect(),
        }
    }

    /// The first `count` buffers with few bytes and few points in time, so that everything can be
    /// tried.
    pub fn tiny(&self, count: usize) -> TestCase {
        let buffer = |raw: &RawBuffer| RawBuffer {
            size: raw.size % 5,
            log_alignment: [0, 0, 0, 0, 0, 1, 1, 2][usize::from(raw.log_alignment % 8)],
            start: raw.start % 6,
            lengths: raw.lengths.iter().map(|length| length % 4).collect(),
            fixed: raw.fixed.map(|fixed| fixed % 8),
        };
        let forbidden = |raw: &RawForbidden| RawForbidden {
            start: raw.start % 12,
            length: raw.length % 4,
            high: false,
            during: raw.during.map(|(time, length)| (time % 6, length % 4)),
        };
        TestCase {
            buffers: self.buffers.iter().take(count).map(buffer).collect(),
            forbidden: self.forbidden.iter().take(2).map(forbidden).collect(),
        }
    }

    /// The first `count` buffers, each with bytes and a hole: here some are live at once by pairs,
    /// and not all together at any time.
    pub fn holed(&self, count: usize) -> TestCase {
        let buffer = |raw: &RawBuffer| {
            let length = |index: usize| raw.lengths.get(index).copied().unwrap_or(raw.start / 8);
            RawBuffer {
                size: 1 + raw.size % 4,
                log_alignment: 0,
                start: raw.start % 8,
                lengths: vec![length(0) % 3, length(1) % 2, length(2) % 3],
                fixed: None,
            }
        };
        TestCase {
            buffers: self.buffers.iter().take(count).map(buffer).collect(),
            forbidden: Vec::new(),
        }
    }

    /// A valid problem: ids are sparse; a fixed offset and a forbidden range stay where they hurt
    /// nobody.
    pub fn problem(&self) -> Problem {
        let mut buffers: Vec<Buffer> = Vec::new();
        for (index, raw) in (0u64..).zip(&self.buffers) {
            let free = Buffer::new(index * 1_000_003 % 65_537, raw.size.into(), [])
                .aligned(1 << raw.log_alignment);
            let mut time = u64::from(raw.start % 32);
            let mut buffer = free;
            for (turn, &length) in raw.lengths.iter().enumerate() {
                let end = time + 1 + u64::from(length % 8);
                if turn % 2 == 0 {
                    buffer.live.push(LiveRange { start: time, end });
                }
                time = end;
            }
            if let Some(fixed) = raw.fixed {
                let fixed = buffer
                    .clone()
                    .fixed_at(u64::from(fixed) << raw.log_alignment);
                buffers.push(fixed);
                if Problem::new(buffers.clone()).is_ok() {
                    continue;
                }
                buffers.pop();
            }
            buffers.push(buffer);
        }
        let mut problem = Problem::new(buffers).expect("a valid problem");
        for forbidden in &self.forbidden {
            problem.forbidden.push(forbidden.range());
            if problem.check().is_err() {
                problem.forbidden.pop();
            }
        }
        problem
    }
}

/// The effort of a planner on a random problem.
const STEPS: u64 = 100_000;

/// Every planner gives a plan that the validator accepts, within the bounds, twice the same, and a
/// certificate that the checker accepts; `auto` is as good as those that it tries.
pub fn check_planners(case: &TestCase) {
    let problem = case.problem();
    let bounds = problem.bounds();
    assert!(bounds.load <= bounds.lower_bound);
    let options = Options::default().with_effort(Effort::Steps(STEPS));
    let auto = Planner::Auto
        .solve_with(&problem, &options)
        .expect("a plan");
    for planner in Planner::ALL {
        let outcome = planner.solve_with(&problem, &options).expect("a plan");
        assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
        let proven = outcome.bounds.lower_bound;
        assert_eq!(
            (outcome.bounds.naive, outcome.bounds.load),
            (bounds.naive, bounds.load)
        );
        assert!(proven >= bounds.lower_bound);
        assert_eq!(
            certificate::check(&problem, &outcome.certificate),
            Ok(proven),
            "{planner}"
        );
        assert!(
            outcome.solution.peak >= auto.bounds.lower_bound.max(proven),
            "{planner} is better than the lower bound"
        );
        assert_eq!(outcome.optimal, outcome.solution.peak == proven);
        let tried = !matches!(
            planner,
            Planner::ByConflicts
                | Planner::Locality
                | Planner::HillClimb
                | Planner::Large
                | Planner::Exact
        );
        assert!(
            !tried || auto.solution.peak <= outcome.solution.peak,
            "{planner} is better than auto"
        );
        assert_eq!(
            planner.solve_with(&problem, &options).as_ref(),
            Ok(&outcome),
            "{planner} is not deterministic"
        );
    }
    for planner in [Planner::Auto, Planner::Exact] {
        proof::check_proven(planner, &problem, &options);
    }
}

/// More effort never gives a worse plan or a worse bound, nor takes back an answer; the same effort
/// gives the same again.
pub fn check_effort(case: &TestCase) {
    let problem = case.problem();
    let bounds = problem.bounds();
    let peak = Planner::BySize
        .solve(&problem)
        .expect("a plan")
        .solution
        .peak;
    let capacities = [bounds.lower_bound, bounds.lower_bound.midpoint(peak)];
    let bounded = capacities.map(|capacity| problem.clone().with_capacity(capacity));
    for planner in [Planner::Auto, Planner::Exact, Planner::HillClimb] {
        for problem in bounded.iter().chain([&problem]) {
            let solve = |steps| {
                let options = Options::default().with_effort(Effort::Steps(steps));
                let answer = planner.solve_with(problem, &options);
                let again = planner.solve_with(problem, &options);
                assert_eq!(again, answer, "{planner} is not deterministic");
                worth(&answer)
            };
            let worths = [1_000, 10_000, 100_000, 1_000_000].map(solve);
            for (less, more) in worths.iter().zip(&worths[1..]) {
                assert!(
                    less.peak >= more.peak && less.bound <= more.bound,
                    "{planner}, with more effort each time: {worths:?} for {problem:?}"
                );
            }
        }
    }
}

/// What an answer says, in bytes; without a plan as if that had the best peak.
#[derive(Debug)]
struct Worth {
    peak: u64,
    bound: u64,
}

fn worth(answer: &Result<Outcome, PlanError>) -> Worth {
    let of = |outcome: &Outcome| Worth {
        peak: outcome.solution.peak,
        bound: outcome.bounds.lower_bound,
    };
    match answer {
        Ok(outcome) => of(outcome),
        Err(PlanError::Capacity { best, .. }) => of(best),
        &Err(PlanError::Infeasible { lower_bound, .. }) => Worth {
            peak: 0,
            bound: lower_bound,
        },
        Err(error) => panic!("{error}"),
    }
}

/// Whatever the seed, and without any time, there is a plan, and what is proven is so.
pub fn check_options(case: &TestCase, seed: u64) {
    let problem = case.problem();
    for planner in Planner::ALL {
        for time_limit in [None, Some(Duration::ZERO)] {
            let options = Options {
                effort: Effort::Steps(30_000),
                seed,
                time_limit,
            };
            let outcome = planner.solve_with(&problem, &options).expect("a plan");
            assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
            let proven = certificate::check(&problem, &outcome.certificate);
            assert_eq!(proven, Ok(outcome.bounds.lower_bound), "{planner}");
        }
    }
}

/// The validator, which sweeps, and a look at every pair of buffers agree on any offsets: here a
/// plan in which some buffers were moved by what `moves` says.
pub fn check_validator(case: &TestCase, moves: &[(u8, i8)]) {
    let problem = case.problem();
    let mut offsets = Planner::BySize
        .solve(&problem)
        .expect("a plan")
        .solution
        .offsets;
    for &(index, by) in moves {
        let count = offsets.len().max(1);
        if let Some(offset) = offsets.get_mut(usize::from(index) % count) {
            *offset = offset.saturating_add_signed(by.into());
        }
    }
    let solution = Solution::new(&problem, offsets);
    assert_eq!(
        validate(&problem, &solution).is_ok(),
        right_by_pairs(&problem, &solution)
    );
}

/// The reuse distance, which is counted by intervals, and a look at every byte agree.
pub fn check_reuse(case: &TestCase) {
    let problem = case.problem();
    let plan = Planner::Locality.solve(&problem).expect("a plan").solution;
    let mut events = Vec::new();
    for (index, buffer) in problem.buffers.iter().enumerate() {
        for range in &buffer.live {
            events.push((range.start, range.end, index));
        }
    }
    events.sort_unstable();
    let mut ended: HashMap<u64, (u64, usize)> = HashMap::new(); // byte -> end, and who used it
    let (mut bytes, mut total) = (0, 0);
    for (start, end, index) in events {
        let low = plan.offsets[index];
        for byte in low..low + problem.buffers[index].size {
            if let Some((before, who)) = ended.insert(byte, (end, index))
                && (before < start || who != index)
            {
                bytes += 1;
                total += u128::from(start - before);
            }
        }
    }
    assert_eq!(Reuse::of(&problem, &plan), Reuse { bytes, total });
}

/// Of every two buffers live at once, one moved into the other is found.
pub fn check_seeded_overlaps(case: &TestCase) {
    let mut problem = case.without_forbidden().problem();
    for buffer in &mut problem.buffers {
        buffer.alignment = 1;
        buffer.fixed_offset = None;
    }
    let plan = Planner::Auto.solve(&problem).expect("a plan").solution;
    let buffers = &problem.buffers;
    for first in 0..buffers.len() {
        for second in 0..buffers.len() {
            let (a, b) = (&buffers[first], &buffers[second]);
            if first == second || a.size == 0 || b.size == 0 || !meet(a, b) {
                continue;
            }
            let mut offsets = plan.offsets.clone();
            offsets[second] = offsets[first] + a.size - 1; // the last byte of one is the first of the other
            let found = validate(&problem, &Solution::new(&problem, offsets));
            assert!(matches!(found, Err(Violation::Overlap { .. })), "{found:?}");
        }
    }
}

/// On tiny problems: lower bound <= optimum <= every planner, and all that is proven is so.
pub fn check_against_optimum(case: &TestCase) {
    let problem = case.problem();
    let optimum = optimum(&problem);
    for planner in Planner::ALL {
        proof::check_claims(planner, &problem, optimum);
    }
    proof::check_exact(&problem, optimum);
}

/// What is written as CSV is the same problem when read.
pub fn check_csv(case: &TestCase) {
    let mut problem = case.without_forbidden().problem();
    let text = csv::write(&problem, None);
    for buffer in &mut problem.buffers {
        buffer.live.dedup_by(|next, previous| {
            let touch = previous.end == next.start;
            if touch {
                previous.end = next.end;
            }
            touch
        });
    }
    assert_eq!(csv::read(&text), Ok(problem));
}

/// Any text is read or is an error with a place in it; one that is read can be solved, and gives a
/// text with offsets that is read again as the same problem.
pub fn check_csv_text(text: &str) {
    let table = match csv::Table::read(text) {
        Ok(table) => table,
        Err(error) => {
            let lines = text.split('\n').count();
            assert!(
                (1..=lines).contains(&error.line),
                "{error} in {lines} lines"
            );
            let fields = text.split('\n').nth(error.line - 1).unwrap_or("");
            let fields = fields.split(',').count();
            assert!(
                (1..=fields).contains(&error.column),
                "{error} in {fields} fields"
            );
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            return;
        }
    };
    let solve = |space: &csv::Space| {
        Planner::FirstFit
            .solve(&space.problem)
            .expect("a plan")
            .solution
    };
    let solutions: Vec<Solution> = table.spaces.iter().map(solve).collect();
    let solved = table.with_offsets(&solutions);
    let again = csv::Table::read(&solved).expect("what was written is readable");
    assert_eq!(again.unsolved(), None);
    assert_eq!(again.spaces.len(), table.spaces.len());
    for ((before, after), solution) in table.spaces.iter().zip(&again.spaces).zip(&solutions) {
        assert_eq!(before.name, after.name);
        let fixed = before.problem.buffers.iter().zip(&solution.offsets);
        let fixed: Vec<Buffer> = fixed
            .map(|(buffer, &offset)| buffer.clone().fixed_at(offset))
            .collect();
        assert_eq!(after.problem.buffers, fixed);
    }
    assert_eq!(again.with_offsets(&solutions), solved);
}

/// A text with something wrong in it, most likely: some bytes of the CSV of a case changed, taken
/// out or put in, as pairs of a place and what to do there.
pub fn mutated_csv(case: &TestCase, spaces: bool, edits: &[(u16, u8)]) -> String {
    const ODD: &[u8] = b",,\n\r\"-@: 0917x\xff\xef\xbb\xbf;\t+";
    let mut text = csv::write(&case.problem(), None);
    if spaces {
        let lines = text.lines().enumerate().map(|(number, line)| match number {
            0 => format!("{line},space\n"),
            _ => format!("{line},{}\n", number % 3),
        });
        text = lines.collect();
    }
    let mut bytes = text.into_bytes();
    for &(place, edit) in edits {
        let place = usize::from(place) % bytes.len().max(1);
        let odd = ODD[usize::from(edit) % ODD.len()];
        match edit / 64 {
            0 if !bytes.is_empty() => _ = bytes.remove(place),
            1 => bytes.insert(place, odd),
            2 => bytes.truncate(place),
            _ if !bytes.is_empty() => bytes[place] = odd,
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
