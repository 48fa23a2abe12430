//! How far each operation of a chain is after each strip.
//!
//! Strips are counted t = first, first + 1, …; after strip t, a node has done `rate * (t + 1) + ahead` rows, at least none and
//! at most `limit`, and so has a buffer. From the last node upward: where an operand is read at rows c * x to c * x + high of a
//! view with offset o and stride s,
//!
//! ```text
//! rate of the buffer  = s * c * rate of the node
//! ahead of the buffer = s * (c * ahead of the node - c + high) + o + 1     the largest of its readers
//! kept of the buffer  = s * c * ahead of the node + o                      the smallest of its readers
//! ```
//!
//! so that each row is computed once, when its first reader needs it. From strip t on, rows from `rate * t + kept` on are
//! read. A buffer with `ahead` above `kept` is a *line buffer*: rows between these stay from one strip to the next.
//!
//! Or the rows between these are computed again in each strip, so that nothing stays: then a node that writes the buffer
//! begins that many rows before, and reads more of its own operands.
//!
//! Such windows that slide are those of Halide's storage folding (Ragan-Kelley et al., PLDI 2013).

use crate::{
    chain::{Spread, Window},
    program::{BufferId, Role},
    refusal::Refusal,
};

/// How far a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frontier {
    /// Rows that a strip adds.
    pub rate: i64,
    /// Rows done before strip 0.
    pub ahead: i64,
    /// Rows before these that each strip computes again.
    pub again: i64,
    /// Rows that there are.
    pub limit: i64,
    /// Whether each strip of the chain has as many rows as the others, some of them again.
    pub is_full: bool,
}

impl Frontier {
    /// Rows done after strip `strip`.
    pub fn done(&self, strip: i64) -> i64 {
        (self.rate * (strip + 1) + self.ahead).clamp(0, self.limit.max(0))
    }

    /// The first row of strip `strip`.
    pub fn start(&self, strip: i64) -> i64 {
        (self.rate * strip + self.ahead - self.again).clamp(0, self.limit.max(0))
    }

    /// Most rows of a strip.
    pub const fn rows(&self) -> i64 {
        self.rate + self.again
    }

    /// Whether each strip has either no row or as many as the others.
    pub const fn is_even(&self) -> bool {
        let has_whole = self.ahead % self.rate == 0 && self.limit % self.rate == 0;
        self.is_full || (self.again == 0 && has_whole)
    }

    /// The strips that have rows, if each of them has as many.
    pub const fn even_strips(&self) -> Option<(i64, i64)> {
        if self.is_full {
            return Some((i64::MIN, i64::MAX));
        }
        if !self.is_even() {
            return None;
        }
        let before = self.ahead / self.rate;
        Some((-before, self.limit / self.rate - before))
    }

    /// How many of the strips from `first` to before `end` have rows.
    pub fn strips(&self, first: i64, end: i64) -> i64 {
        let from = first.max(-ceiling(self.ahead, self.rate));
        match self.limit > 0 {
            true => {
                let last = ceiling(self.limit - self.ahead + self.again, self.rate);
                (end.min(last) - from).max(0)
            }
            false => 0,
        }
    }

    /// How many rows the strips from `first` to before `end` compute, those that are computed again each time.
    pub fn executed(&self, first: i64, end: i64) -> i64 {
        let done = |ahead: i64| sum_of_clamped(self.rate, ahead, self.limit.max(0), first, end);
        done(self.ahead + self.rate) - done(self.ahead - self.again)
    }

    /// One past the last strip that has new rows.
    fn end(&self) -> i64 {
        ceiling(self.limit - self.ahead, self.rate)
    }

    /// Strips before strip 0 that have rows.
    fn early(&self) -> i64 {
        ceiling(self.ahead.max(0), self.rate)
    }
}

/// How far a buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFrontier {
    /// The rows that are made.
    pub made: Frontier,
    /// Strip t reads rows from `rate * t + kept` on.
    pub kept: i64,
    /// Whether each strip computes all rows that it reads, those that an earlier one computed, too.
    pub is_again: bool,
}

impl BufferFrontier {
    /// Rows that two strips hold that follow each other.
    pub const fn overlap(&self) -> i64 {
        self.made.ahead - self.kept
    }

    /// Rows that a strip holds.
    pub const fn rows(&self) -> i64 {
        self.made.rate + self.overlap()
    }

    /// Whether rows stay from one strip to the next.
    pub const fn is_carried(&self) -> bool {
        !self.is_again && self.overlap() > 0
    }
}

/// How far all of a chain is, along one dimension.
#[derive(Clone, Debug)]
pub struct Frontiers {
    /// Rows in a strip of the result with the fewest rows.
    pub height: i64,
    /// How many rows fewer the first strip of that has.
    pub phase: i64,
    /// The first strip; the first ones only fill line buffers.
    pub first: i64,
    /// One past the last strip.
    pub end: i64,
    /// For each link of the chain.
    pub nodes: Vec<Frontier>,
    /// For each split buffer.
    pub buffers: Vec<BufferFrontier>,
}

impl Frontiers {
    /// Number of strips.
    pub const fn strips(&self) -> i64 {
        self.end - self.first
    }

    /// Lets each node have all of its iterations, and each buffer all of its rows, whether these are needed or not.
    pub fn have_all_rows(&mut self, spread: &Spread) {
        for (front, link) in self.nodes.iter_mut().zip(&spread.links) {
            front.limit = link.extent;
        }
        for (front, split) in self.buffers.iter_mut().zip(&spread.buffers) {
            front.made.limit = split.rows;
        }
        self.end = self.nodes.iter().map(Frontier::end).max().unwrap_or(0);
    }

    /// How far a chain is in strips of `height` rows of its smallest result; the first strip of it has `phase` fewer.
    pub fn of(spread: &Spread, height: i64, phase: i64) -> Result<Self, Refusal> {
        Self::with_again(spread, height, phase, &[])
    }

    /// The same, where strips compute all rows that they read of some buffers; these are sorted.
    pub fn with_again(
        spread: &Spread,
        height: i64,
        phase: i64,
        again: &[BufferId],
    ) -> Result<Self, Refusal> {
        let is_again = spread
            .buffers
            .iter()
            .map(|split| split.role == Role::Between && again.binary_search(&split.buffer).is_ok());
        let mut finding = Finding {
            spread,
            buffers: vec![None; spread.buffers.len()],
            is_again: is_again.collect(),
        };
        let ends = finding.ends()?;
        let least = ends
            .iter()
            .map(|end| end.rows)
            .min()
            .ok_or(Refusal::NoResult)?;
        if height >= least {
            return Err(Refusal::OneStrip);
        }
        let rate = |rows: i64| match height * rows % least {
            0 => Ok(height * rows / least),
            _ => Err(Refusal::Rates),
        };
        let mut sums = Vec::new();
        for End { what, rows } in ends {
            let rate = rate(rows)?;
            if phase != 0 && rate != height {
                return Err(Refusal::Rates);
            }
            let front = Frontier {
                rate,
                ahead: -phase,
                again: 0,
                limit: rows,
                is_full: false,
            };
            match what {
                Sink::Buffer(place) => {
                    finding.buffers[place] = Some(BufferFrontier {
                        made: front,
                        kept: -phase,
                        is_again: false,
                    });
                }
                Sink::Sum(link) => sums.push((link, front)),
            }
        }
        let mut nodes = Vec::with_capacity(spread.links.len());
        for link in (0..spread.links.len()).rev() {
            let sums = sums.iter().filter(|(of, _)| *of == link);
            nodes.push(finding.node(link, sums.map(|(_, front)| *front))?);
        }
        nodes.reverse();
        let buffers = finding.buffers.into_iter().collect::<Option<Vec<_>>>();
        let mut buffers = buffers.ok_or(Refusal::NoResult)?;
        for (buffer, is_again) in buffers.iter_mut().zip(finding.is_again) {
            // Where rows are left out, a strip holds those that it makes, too.
            buffer.kept = buffer.kept.min(buffer.made.ahead);
            buffer.is_again = is_again && buffer.overlap() > 0;
        }
        // What strip 0 computes again needs no strip before it.
        let lasting = |again: bool, front: &Frontier| (!again).then(|| front.early());
        let early = nodes
            .iter()
            .filter_map(|front| lasting(front.again > 0, front));
        let filled = buffers
            .iter()
            .filter_map(|buffer| lasting(buffer.is_again, &buffer.made));
        let first = -early.chain(filled).max().unwrap_or(0);
        let end = nodes.iter().map(Frontier::end).max().unwrap_or(0);
        for front in nodes.iter_mut().filter(|front| front.again > 0) {
            let begins_inside = front.rate * first + front.ahead >= front.again;
            front.is_full = begins_inside && front.rate * end + front.ahead <= front.limit;
        }
        Ok(Self {
            height,
            phase,
            first,
            end,
            nodes,
            buffers,
        })
    }
}

/// A result of the chain: its rows say how many strips there are.
struct End {
    what: Sink,
    rows: i64,
}

enum Sink {
    /// A split buffer that no later node of the chain reads.
    Buffer(usize),
    /// What a link accumulates.
    Sum(usize),
}

struct Finding<'p> {
    spread: &'p Spread,
    /// For each split buffer, as far as its readers are known.
    buffers: Vec<Option<BufferFrontier>>,
    /// Those of which strips compute all rows that they read.
    is_again: Vec<bool>,
}

impl Finding<'_> {
    fn ends(&self) -> Result<Vec<End>, Refusal> {
        let mut last_reads: Vec<Option<usize>> = vec![None; self.spread.buffers.len()];
        for (at, link) in self.spread.links.iter().enumerate() {
            // One that writes nothing runs along what it reads: see `beside`.
            if link.writers() == 0 {
                continue;
            }
            for (number, place) in link.places.iter().enumerate() {
                if let Some(place) = place
                    && !link.writes(number)
                {
                    last_reads[*place as usize] = Some(at);
                }
            }
        }
        let mut ends: Vec<End> = Vec::new();
        for (at, link) in self.spread.links.iter().enumerate() {
            for (number, place) in link.places.iter().enumerate() {
                if !link.writes(number) {
                    continue;
                }
                let Some(place) = place.map(|place| place as usize) else {
                    if link.windows[number].is_none() {
                        ends.push(End {
                            what: Sink::Sum(at),
                            rows: link.extent,
                        });
                    }
                    continue;
                };
                let split = &self.spread.buffers[place];
                let is_known =
                    |end: &End| matches!(end.what, Sink::Buffer(other) if other == place);
                if last_reads[place].is_some_and(|last| last > at) || ends.iter().any(is_known) {
                    continue;
                }
                if split.role == Role::Between {
                    return Err(Refusal::NoResult);
                }
                ends.push(End {
                    what: Sink::Buffer(place),
                    rows: self.rows(place),
                });
            }
        }
        Ok(ends)
    }

    /// Rows of a split buffer.
    fn rows(&self, place: usize) -> i64 {
        self.spread.buffers[place].rows
    }

    /// How far a link is; all that follow it are known.
    fn node(
        &mut self,
        at: usize,
        sums: impl Iterator<Item = Frontier>,
    ) -> Result<Frontier, Refusal> {
        let link = &self.spread.links[at];
        let mut found: Option<Frontier> = None;
        let mut meet = |front: Frontier| match &mut found {
            None => {
                found = Some(front);
                Ok(())
            }
            Some(known) if known.rate == front.rate => {
                known.ahead = known.ahead.max(front.ahead);
                known.limit = known.limit.max(front.limit);
                Ok(())
            }
            Some(_) => Err(Refusal::Rates),
        };
        sums.into_iter().try_for_each(&mut meet)?;
        for (number, window, place) in link.rows() {
            if !link.writes(number) {
                continue;
            }
            let rows = self.rows(place);
            // Nobody reads it in the chain.
            let buffer = self.buffers[place].as_mut().ok_or(Refusal::NoResult)?;
            if self.spread.buffers[place].role != Role::Between {
                buffer.made.limit = rows;
            }
            meet(written(window, buffer, link.extent)?)?;
        }
        let mut front = match found {
            Some(front) => front,
            None => self.beside(at)?,
        };
        front.again = self.again(at, &front)?;
        for (number, window, place) in link.rows() {
            if link.writes(number) {
                reach(window, &front, &mut self.buffers[place])?;
            }
        }
        for (number, window, place) in link.rows() {
            if link.sees(number) {
                read(window, &front, &mut self.buffers[place])?;
            }
        }
        Ok(front)
    }
}

impl Finding<'_> {
    /// How many rows of a link each strip computes again.
    fn again(&self, at: usize, front: &Frontier) -> Result<i64, Refusal> {
        let link = &self.spread.links[at];
        let mut written = link
            .rows()
            .filter(|(number, _, place)| link.writes(*number) && self.is_again[*place]);
        let Some((_, window, place)) = written.next() else {
            return Ok(0);
        };
        let buffer = self.buffers[place].ok_or(Refusal::NoResult)?;
        let map = &window.map;
        if link.writers() > 1 || map.is_grouped() {
            return Err(Refusal::Again);
        }
        let from = ceiling(buffer.kept - map.offset, map.stride);
        Ok((front.ahead - from).max(0))
    }

    /// How far a link is that writes nothing, such as one that asserts something of each row: it runs along the rows of an
    /// operand.
    fn beside(&mut self, at: usize) -> Result<Frontier, Refusal> {
        let link = &self.spread.links[at];
        for (_, window, place) in link.rows() {
            let rows = self.rows(place);
            if let Some(buffer) = self.buffers[place].as_mut().filter(|_| window.is_row()) {
                // It has all of its iterations.
                buffer.made.limit = rows;
                return written(window, buffer, link.extent);
            }
        }
        Err(Refusal::NoResult)
    }
}

/// How far a node has to be that writes a buffer. If it makes groups of rows, the buffer is as far as these.
fn written(window: &Window, buffer: &mut BufferFrontier, extent: i64) -> Result<Frontier, Refusal> {
    let made = &mut buffer.made;
    let map = &window.map;
    let front = if map.is_grouped() {
        if made.rate * map.per % map.rows != 0 {
            return Err(Refusal::Rates);
        }
        let front = Frontier {
            rate: made.rate * map.per / map.rows,
            ahead: ceiling(made.ahead * map.per, map.rows),
            again: 0,
            limit: ceiling(made.limit * map.per, map.rows),
            is_full: false,
        };
        made.ahead = made.ahead.max(ceiling(front.ahead * map.rows, map.per));
        front
    } else {
        if made.rate % map.stride != 0 {
            return Err(Refusal::Rates);
        }
        Frontier {
            rate: made.rate / map.stride,
            ahead: ceiling(made.ahead - map.offset, map.stride),
            again: 0,
            limit: ceiling(made.limit - map.offset, map.stride),
            is_full: false,
        }
    };
    if front.rate == 0 {
        return Err(Refusal::Rates);
    }
    let front = Frontier {
        limit: front.limit.min(extent),
        ..front
    };
    if map.is_grouped() {
        has_whole_groups(window, &front)?;
    }
    Ok(front)
}

/// A node is as far as any of its results needs, so that the others may be further than their readers need. A strip holds all
/// that it writes.
fn reach(
    window: &Window,
    node: &Frontier,
    buffer: &mut Option<BufferFrontier>,
) -> Result<(), Refusal> {
    let map = &window.map;
    let rows = |iterations: i64| match map.is_grouped() {
        true => iterations * map.rows / map.per,
        false => map.stride * (iterations - 1) + map.offset + 1,
    };
    if map.is_grouped() {
        has_whole_groups(window, node)?;
    }
    let first = match map.is_grouped() {
        true => node.ahead * map.rows / map.per,
        false => map.stride * (node.ahead - node.again) + map.offset,
    };
    if let Some(BufferFrontier { made, kept, .. }) = buffer {
        made.ahead = made.ahead.max(rows(node.ahead));
        made.limit = made.limit.max(rows(node.limit));
        *kept = first.min(*kept);
    }
    Ok(())
}

/// Whether each number of rows that a node has done is one of rows of the buffer.
fn has_whole_groups(window: &Window, front: &Frontier) -> Result<(), Refusal> {
    let rows = [front.rate, front.ahead, front.again, front.limit];
    match rows
        .into_iter()
        .all(|rows| window.map.has_whole_groups(rows))
    {
        true => Ok(()),
        false => Err(Refusal::Rates),
    }
}

/// How far a buffer has to be that a node reads.
fn read(
    window: &Window,
    node: &Frontier,
    buffer: &mut Option<BufferFrontier>,
) -> Result<(), Refusal> {
    let map = &window.map;
    let needed = if map.is_grouped() {
        has_whole_groups(window, node)?;
        let scaled = |rows: i64| rows * map.rows / map.per;
        BufferFrontier {
            made: Frontier {
                rate: scaled(node.rate),
                ahead: scaled(node.ahead),
                again: 0,
                limit: scaled(node.limit),
                is_full: false,
            },
            kept: scaled(node.ahead - node.again),
            is_again: false,
        }
    } else {
        let (stride, step) = (map.stride, window.coefficient);
        BufferFrontier {
            made: Frontier {
                rate: stride * step * node.rate,
                ahead: stride * (step * (node.ahead - 1) + window.high) + map.offset + 1,
                again: 0,
                limit: stride * (step * (node.limit - 1) + window.high) + map.offset + 1,
                is_full: false,
            },
            kept: stride * step * (node.ahead - node.again) + map.offset,
            is_again: false,
        }
    };
    match buffer {
        None => *buffer = Some(needed),
        Some(known) if known.made.rate == needed.made.rate => {
            known.made.ahead = known.made.ahead.max(needed.made.ahead);
            known.made.limit = known.made.limit.max(needed.made.limit);
            known.kept = known.kept.min(needed.kept);
        }
        Some(_) => return Err(Refusal::Rates),
    }
    Ok(())
}

/// The sum of `rate * t + offset`, at least 0 and at most `limit`, for t from `first` to before `end`.
fn sum_of_clamped(rate: i64, offset: i64, limit: i64, first: i64, end: i64) -> i64 {
    // From these on, it is above 0, and at the limit.
    let above = ceiling(1 - offset, rate).clamp(first, end.max(first));
    let full = ceiling(limit - offset, rate).clamp(above, end.max(first));
    let count = full - above;
    let steps = rate * (count * (above + full - 1) / 2) + offset * count;
    steps + limit * (end.max(first) - full)
}

/// The least number of `size` that make `total`.
pub const fn ceiling(total: i64, size: i64) -> i64 {
    -((-total).div_euclid(size))
}
