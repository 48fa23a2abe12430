//! At which offsets buffers with windows have bytes in common.
//!
//! For two buffers, the differences of offsets at which a pair of their ranges meets form an open interval.

use crate::Problem;
use crate::buffer::{Buffer, LiveRange};
use std::cmp::Reverse;

/// The most pairs of ranges that are listed.
const MOST_PAIRS: usize = 1 << 22;

/// Offsets of `item`, relative to that of another one, at which the two meet: more than `above` and less than `below`.
#[derive(Clone, Copy)]
pub struct Meeting {
    pub other: u32,
    pub above: i64,
    pub below: i64,
}

/// Where each buffer meets others. `None` if there are too many pairs.
pub fn meetings(problem: &Problem) -> Option<Vec<Vec<Meeting>>> {
    let mut events: Vec<(u64, bool, u32, u64, u64)> = Vec::new();
    for (at, buffer) in (0..).zip(&problem.buffers) {
        if buffer.is_active() {
            for (time, low, high) in buffer.uses() {
                events.push((time.start, true, at, low, high));
                events.push((time.end, false, at, low, high));
            }
        }
    }
    events.sort_unstable();
    let mut meetings: Vec<Vec<Meeting>> = vec![Vec::new(); problem.buffers.len()];
    let mut live: Vec<(u32, u64, u64)> = Vec::new();
    let mut pairs = 0;
    for (_, starts, at, low, high) in events {
        if !starts {
            live.retain(|range| *range != (at, low, high));
            continue;
        }
        pairs += live.len();
        if pairs > MOST_PAIRS {
            return None;
        }
        for &(other, bottom, top) in &live {
            let (low, high) = (low as i64, high as i64);
            let (bottom, top) = (bottom as i64, top as i64);
            meetings[at as usize].push(Meeting {
                other,
                above: bottom - high,
                below: top - low,
            });
            meetings[other as usize].push(Meeting {
                other: at,
                above: low - top,
                below: high - bottom,
            });
        }
        live.push((at, low, high));
    }
    for meetings in &mut meetings {
        meetings.sort_unstable_by_key(|it| (it.other, it.above, Reverse(it.below)));
        meetings.dedup_by_key(|it| (it.other, it.above, it.below));
    }
    Some(meetings)
}

/// The offsets at which a buffer meets forbidden ranges, as open intervals.
pub fn forbidden(problem: &Problem, buffer: &Buffer) -> Vec<(i64, i64)> {
    let mut all = Vec::new();
    if !buffer.is_active() {
        return all;
    }
    for range in &problem.forbidden {
        let at_once = |time: &LiveRange| {
            let during = range.time();
            time.start < during.end && during.start < time.end
        };
        for (_, low, high) in buffer.uses().filter(|(time, ..)| at_once(time)) {
            all.push((
                range.start as i64 - high as i64,
                range.end as i64 - low as i64,
            ));
        }
    }
    all
}
