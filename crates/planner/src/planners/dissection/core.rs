//! The graph of a dissection after reduction, made planar.
//!
//! If two lines were wrongly merged or one was wrongly split, the graph is not planar. Then some
//! boxes are left out: those of doubtful lines first, then the smallest that suffice.

use super::network::{Edge, NONE, Network};
use super::planarity::{self, Rotation};
use std::cmp::Reverse;

/// Vertices of the smallest windows of time that are made planar, and the growth factor of the
/// windows. Finding a crossing costs some drawings of its window.
const WINDOW: usize = 1 << 7;
const GROWTH: usize = 4;

/// The budget, in drawings of the whole graph or the same work in windows.
const DRAWINGS: usize = 64;

/// The confidence below which a line is doubtful.
const MIN_CONFIDENCE: u32 = 30;

/// A box of the core.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    pub from: u32,
    pub to: u32,
    /// Bytes.
    pub size: u64,
    /// The edge in the network.
    pub name: u32,
    /// The confidence and the vertex of the more doubtful of its lines; without a doubtful line the
    /// maximum and none.
    confidence: (u32, u32),
}

/// The boxes that are left, and lines in order of time.
pub struct Core {
    pub lines: usize,
    pub strips: Vec<Strip>,
    left_out: Vec<Strip>,
    /// The budget that is left, in boxes drawn.
    budget: usize,
}

impl Core {
    pub fn new(network: &Network) -> Self {
        let confidence = |vertex: u32| match network.confidence(vertex) {
            confidence if confidence < MIN_CONFIDENCE => (confidence, vertex),
            _ => (u32::MAX, NONE),
        };
        let strips: Vec<Strip> = (0..)
            .zip(&network.edges)
            .filter(|(_, edge)| edge.size > 0)
            .map(|(name, &Edge { from, to, size })| Strip {
                from,
                to,
                size,
                name,
                confidence: confidence(from).min(confidence(to)),
            })
            .collect();
        let mut core = Core {
            lines: 0,
            budget: strips.len() * DRAWINGS,
            strips,
            left_out: Vec::new(),
        };
        core.number(network.vertices(), |vertex| network.time(vertex));
        core
    }

    /// Renumbers the lines that have strips, in order of `time`.
    fn number(&mut self, vertices: u32, time: impl Fn(u32) -> u32) {
        let ends = self.strips.iter().flat_map(|strip| [strip.from, strip.to]);
        let mut lines: Vec<u32> = ends.collect();
        lines.sort_unstable_by_key(|&line| (time(line), line));
        lines.dedup();
        let mut number = vec![NONE; vertices as usize];
        for (new, &old) in (0..).zip(&lines) {
            number[old as usize] = new;
        }
        for strip in &mut self.strips {
            strip.from = number[strip.from as usize];
            strip.to = number[strip.to as usize];
        }
        self.lines = lines.len();
    }

    /// The ends of the strips, and of an outer edge that closes the drawing.
    fn ends(&self) -> Vec<(u32, u32)> {
        let strips = self.strips.iter().map(|strip| (strip.from, strip.to));
        strips.chain([(self.lines as u32 - 1, 0)]).collect()
    }

    /// Leaves out strips that prevent a drawing, and draws the rest. `None` if the budget does not
    /// suffice.
    pub fn draw(&mut self) -> Option<Rotation> {
        if self.strips.is_empty() {
            return None;
        }
        if let Some(rotation) = planarity::draw(self.lines, &self.ends()) {
            return Some(rotation);
        }
        let mut out = vec![false; self.strips.len()];
        let mut size = WINDOW;
        loop {
            self.thin_out(size, &mut out)?;
            if size >= self.lines {
                break;
            }
            size *= GROWTH;
        }
        self.leave_out(&mut out)?;
        planarity::draw(self.lines, &self.ends())
    }

    /// The network's edges of the strips that were left out.
    pub fn left_out(&self) -> impl Iterator<Item = u32> {
        self.left_out.iter().map(|strip| strip.name)
    }

    /// Leaves out strips until each window of `size` lines is planar, with all lines before it
    /// merged into one, and all after it.
    fn thin_out(&mut self, size: usize, out: &mut [bool]) -> Option<()> {
        let windows = self.lines.div_ceil(size);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); windows];
        for (index, strip) in (0u32..).zip(&self.strips) {
            let (first, last) = (strip.from as usize / size, strip.to as usize / size);
            members[first].push(index);
            if last != first {
                members[last].push(index);
            }
        }
        for (window, mut strips) in members.into_iter().enumerate() {
            strips.retain(|&strip| !out[strip as usize]);
            strips.sort_unstable_by_key(|&index| {
                let strip = &self.strips[index as usize];
                (Reverse(strip.confidence), Reverse(strip.size), index)
            });
            let start = window * size;
            let end = (start + size).min(self.lines);
            let mut sure = 0; // the number of strips known to be drawable
            while !self.is_drawable(start, end, &strips)? {
                let mut all = strips.len();
                while all - sure > 1 {
                    let middle = sure.midpoint(all);
                    if self.is_drawable(start, end, &strips[..middle])? {
                        sure = middle;
                    } else {
                        all = middle;
                    }
                }
                let bad = self.strips[strips[sure] as usize];
                for &index in &strips[sure..] {
                    let strip = self.strips[index as usize];
                    out[index as usize] |= strip.name == bad.name
                        || (bad.confidence.1 != NONE && strip.confidence == bad.confidence);
                }
                strips.retain(|&strip| !out[strip as usize]);
            }
        }
        Some(())
    }

    /// Whether these strips are planar; `None` if the budget is spent.
    fn is_drawable(&mut self, start: usize, end: usize, strips: &[u32]) -> Option<bool> {
        self.budget = self.budget.checked_sub(strips.len())?;
        let before = start.saturating_sub(1);
        let within = |line: usize| (line.clamp(before, end) - before) as u32;
        let ends = strips.iter().map(|&strip| {
            let Strip { from, to, .. } = self.strips[strip as usize];
            (within(from as usize), within(to as usize))
        });
        let ends: Vec<(u32, u32)> = ends.chain([(within(self.lines - 1), within(0))]).collect();
        Some(planarity::is_planar(end - before + 1, &ends))
    }

    /// Removes the strips in `out`, and further ones at lines that would have none on one side.
    fn leave_out(&mut self, out: &mut [bool]) -> Option<()> {
        let last = self.lines as u32 - 1;
        loop {
            let mut into = vec![0u32; self.lines];
            let mut from = into.clone();
            for (strip, _) in self.strips.iter().zip(&*out).filter(|&(_, &out)| !out) {
                from[strip.from as usize] += 1;
                into[strip.to as usize] += 1;
            }
            let loose = |line: u32| {
                (into[line as usize] == 0 && line != 0)
                    || (from[line as usize] == 0 && line != last)
            };
            if loose(0) || loose(last) {
                return None;
            }
            let mut more = false;
            for (strip, out) in self.strips.iter().zip(&mut *out) {
                if !*out && (loose(strip.from) || loose(strip.to)) {
                    *out = true;
                    more = true;
                }
            }
            if !more {
                break;
            }
        }
        let strips = std::mem::take(&mut self.strips);
        for (strip, &out) in strips.into_iter().zip(&*out) {
            if out {
                self.left_out.push(strip);
            } else {
                self.strips.push(strip);
            }
        }
        self.number(self.lines as u32, |line| line);
        Some(())
    }
}
