//! Random problems.

use memplan_planner::{Buffer, Forbidden, LiveRange, Problem, ProblemError};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};

/// The alignments of random buffers, in bytes: most are powers of two.
pub const ALIGNMENTS: [u64; 12] = [1, 2, 4, 8, 16, 32, 64, 128, 3, 5, 6, 24];

/// One buffer before it is made valid.
#[derive(Clone, Debug)]
pub struct RawBuffer {
    /// Bytes.
    pub size: u16,
    /// The index of its alignment in [`ALIGNMENTS`].
    pub alignment: u8,
    /// The start of its first live range.
    pub start: u8,
    /// The lengths of its live ranges and of the holes between them, alternating.
    pub lengths: Vec<u8>,
    /// A number from which the fixed offset follows.
    pub fixed: Option<u8>,
}

/// A forbidden range before it is made valid.
#[derive(Clone, Debug)]
pub struct RawForbidden {
    /// A number from which the first byte follows.
    pub start: u16,
    /// Its size in bytes, less 1.
    pub length: u8,
    /// Whether it lies above all plans.
    pub high: bool,
    /// Start and length of the time in which it is forbidden.
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
    /// The buffers.
    pub buffers: Vec<RawBuffer>,
    /// The forbidden ranges.
    pub forbidden: Vec<RawForbidden>,
}

impl TestCase {
    /// Cases of up to `count` buffers whose sizes are below `size`.
    pub fn strategy(count: usize, size: u16) -> impl Strategy<Value = TestCase> {
        let fixed = proptest::option::weighted(0.1, any::<u8>());
        let buffer = (
            0..size,
            0..ALIGNMENTS.len() as u8,
            any::<u8>(),
            vec(any::<u8>(), 0..4),
            fixed,
        )
            .prop_map(|(size, alignment, start, lengths, fixed)| RawBuffer {
                size,
                alignment,
                start,
                lengths,
                fixed,
            });
        let during = proptest::option::of(any::<(u8, u8)>());
        let forbidden = (any::<u16>(), any::<u8>(), any::<bool>(), during).prop_map(
            |(start, length, high, during)| RawForbidden {
                start,
                length,
                high,
                during,
            },
        );
        // Half of the cases have no forbidden ranges.
        let forbidden = proptest::option::of(vec(forbidden, 1..4));
        (vec(buffer, 0..=count), forbidden).prop_map(|(buffers, forbidden)| TestCase {
            buffers,
            forbidden: forbidden.unwrap_or_default(),
        })
    }

    /// The same case without forbidden ranges.
    pub fn without_forbidden(&self) -> TestCase {
        TestCase {
            buffers: self.buffers.clone(),
            forbidden: Vec::new(),
        }
    }

    /// Reads a case from the input of a fuzzer: seven bytes for each buffer or forbidden range.
    pub fn from_bytes(data: &[u8]) -> TestCase {
        let buffer = |bytes: &[u8]| RawBuffer {
            size: u16::from_le_bytes([bytes[0], bytes[1]]),
            alignment: bytes[2] % ALIGNMENTS.len() as u8,
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

    /// The first `count` buffers with few bytes and few points in time, so that exhaustive search
    /// is possible.
    pub fn tiny(&self, count: usize) -> TestCase {
        let buffer = |raw: &RawBuffer| RawBuffer {
            size: raw.size % 5,
            alignment: [0, 0, 0, 0, 0, 1, 1, 2, 8, 0, 9, 1][usize::from(raw.alignment)],
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

    /// The problem of the case, in which most holes are windows.
    pub fn problem_with_windows(&self) -> Problem {
        let mut problem = self.problem();
        for (at, buffer) in problem.buffers.iter_mut().enumerate() {
            let holes: Vec<LiveRange> = buffer
                .live
                .windows(2)
                .map(|pair| LiveRange {
                    start: pair[0].end,
                    end: pair[1].start,
                })
                .collect();
            for (number, hole) in holes.into_iter().enumerate() {
                let low = (at as u64 * 7 + number as u64 * 5) % buffer.size.max(1);
                let high = low + 1 + (at as u64 * 3) % (buffer.size.max(1) - low);
                if hole.start < hole.end && high <= buffer.size && at % 4 != 3 {
                    *buffer = buffer
                        .clone()
                        .with_window((hole.start, hole.end), low, high);
                }
            }
        }
        while let Err(error) = problem.check() {
            // Windows of fixed buffers may meet others.
            assert!(
                matches!(
                    error,
                    ProblemError::FixedOverlap { .. } | ProblemError::FixedForbidden { .. }
                ),
                "{error}"
            );
            for buffer in &mut problem.buffers {
                buffer.fixed_offset = None;
            }
        }
        problem
    }

    /// The first `count` buffers, each with bytes and a hole. Such buffers may conflict pairwise
    /// without all being live at one time.
    pub fn holed(&self, count: usize) -> TestCase {
        let buffer = |raw: &RawBuffer| {
            let length = |index: usize| raw.lengths.get(index).copied().unwrap_or(raw.start / 8);
            RawBuffer {
                size: 1 + raw.size % 4,
                alignment: 0,
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

    /// The valid problem of the case. Ids are sparse. Fixed offsets and forbidden ranges that would
    /// make it invalid are dropped.
    pub fn problem(&self) -> Problem {
        let mut buffers: Vec<Buffer> = Vec::new();
        for (index, raw) in (0u64..).zip(&self.buffers) {
            let free = Buffer::new(index * 1_000_003 % 65_537, raw.size.into(), [])
                .aligned(ALIGNMENTS[usize::from(raw.alignment)]);
            let mut time = u64::from(raw.start % 32);
            let mut buffer = free;
            for (index, &length) in raw.lengths.iter().enumerate() {
                let end = time + 1 + u64::from(length % 8);
                if index % 2 == 0 {
                    buffer.live.push(LiveRange { start: time, end });
                }
                time = end;
            }
            if let Some(fixed) = raw.fixed {
                let fixed = buffer.clone().fixed_at(u64::from(fixed) * buffer.alignment);
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
