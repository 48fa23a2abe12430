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
//! Such windows that slide are those of Halide's storage folding (Ragan-Kelley et al., PLDI 2013).

use crate::{
    chain::{Spread, Window},
    program::{Program, Role},
    refusal::Refusal,
};

/// How far a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// Rows in a strip.
    pub rate: i64,
    /// Rows done before strip 0.
    pub ahead: i64,
    /// Rows that there are.
    pub limit: i64,
}

impl Frontier {
    /// Rows done after strip `strip`.
    pub fn done(&self, strip: i64) -> i64 {
        (self.rate * (strip + 1) + self.ahead).clamp(0, self.limit.max(0))
    }

    /// Whether each strip has either no row or `rate` rows.
    pub const fn is_even(&self) -> bool {
        self.ahead % self.rate == 0 && self.limit % self.rate == 0
    }

    /// The strips that have rows, if each of them has `rate`.
    pub const fn even_strips(&self) -> Option<(i64, i64)> {
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
            true => (end.min(self.end()) - from).max(0),
            false => 0,
        }
    }

    /// One past the last strip that has rows.
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
}

impl BufferFrontier {
    /// Rows that stay from one strip to the next.
    pub const fn overlap(&self) -> i64 {
        self.made.ahead - self.kept
    }

    /// Rows that a strip holds.
    pub const fn rows(&self) -> i64 {
        self.made.rate + self.overlap()
    }

    /// Whether rows stay from one strip to the next.
    pub const fn is_carried(&self) -> bool {
        self.overlap() > 0
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

    /// How far a chain is in strips of `height` rows of its smallest result; the first strip of it has `phase` fewer.
    pub fn of(
        program: &Program,
        spread: &Spread,
        height: i64,
        phase: i64,
    ) -> Result<Self, Refusal> {
        let mut finding = Finding {
            program,
            spread,
            buffers: vec![None; spread.buffers.len()],
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
                limit: rows,
            };
            match what {
                Sink::Buffer(place) => {
                    finding.buffers[place] = Some(BufferFrontier {
                        made: front,
                        kept: -phase,
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
        for buffer in &mut buffers {
            // Where rows are left out, a strip holds those that it makes, too.
            buffer.kept = buffer.kept.min(buffer.made.ahead);
        }
        let all = || {
            nodes
                .iter()
                .chain(buffers.iter().map(|buffer| &buffer.made))
        };
        Ok(Self {
            height,
            phase,
            first: -all().map(Frontier::early).max().unwrap_or(0),
            end: nodes.iter().map(Frontier::end).max().unwrap_or(0),
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
    program: &'p Program,
    spread: &'p Spread,
    /// For each split buffer, as far as its readers are known.
    buffers: Vec<Option<BufferFrontier>>,
}

impl Finding<'_> {
    fn ends(&self) -> Result<Vec<End>, Refusal> {
        let mut last_reads: Vec<Option<usize>> = vec![None; self.spread.buffers.len()];
        for (at, link) in self.spread.links.iter().enumerate() {
            let accesses = &self.program.node(link.node).accesses;
            // One that writes nothing runs along what it reads: see `beside`.
            if !accesses.iter().any(|access| access.writes) {
                continue;
            }
            for (access, place) in accesses.iter().zip(&link.places) {
                if let Some(place) = place
                    && !access.writes
                {
                    last_reads[*place as usize] = Some(at);
                }
            }
        }
        let mut ends: Vec<End> = Vec::new();
        for (at, link) in self.spread.links.iter().enumerate() {
            let node = self.program.node(link.node);
            for (number, access) in node.accesses.iter().enumerate() {
                if !access.writes {
                    continue;
                }
                let Some(place) = link.places[number].map(|place| place as usize) else {
                    if link.windows[number].is_none() {
                        let rows = node.loops[link.split as usize].extent;
                        ends.push(End {
                            what: Sink::Sum(at),
                            rows,
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
        let split = &self.spread.buffers[place];
        self.program.buffer(split.buffer).shape[split.dimension as usize]
    }

    /// How far a link is; all that follow it are known.
    fn node(
        &mut self,
        at: usize,
        sums: impl Iterator<Item = Frontier>,
    ) -> Result<Frontier, Refusal> {
        let link = &self.spread.links[at];
        let node = self.program.node(link.node);
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
            if !node.accesses[number].writes {
                continue;
            }
            let rows = self.rows(place);
            // Nobody reads it in the chain.
            let buffer = self.buffers[place].as_mut().ok_or(Refusal::NoResult)?;
            if self.spread.buffers[place].role != Role::Between {
                buffer.made.limit = rows;
            }
            let extent = node.loops[link.split as usize].extent;
            meet(written(window, buffer, extent)?)?;
        }
        let front = match found {
            Some(front) => front,
            None => self.beside(at)?,
        };
        for (number, window, place) in link.rows() {
            if node.accesses[number].sees() {
                read(window, &front, &mut self.buffers[place])?;
            }
        }
        Ok(front)
    }
}

impl Finding<'_> {
    /// How far a link is that writes nothing, such as one that asserts something of each row: it runs along the rows of an
    /// operand.
    fn beside(&mut self, at: usize) -> Result<Frontier, Refusal> {
        let link = &self.spread.links[at];
        let node = self.program.node(link.node);
        let extent = node.loops[link.split as usize].extent;
        for (_, window, place) in link.rows() {
            let rows = self.rows(place);
            if let Some(buffer) = self.buffers[place].as_mut().filter(|_| window.is_row()) {
                // It has all of its iterations.
                buffer.made.limit = rows;
                return written(window, buffer, extent);
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
            limit: ceiling(made.limit * map.per, map.rows),
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
            limit: ceiling(made.limit - map.offset, map.stride),
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

/// Whether each number of rows that a node has done is one of rows of the buffer.
fn has_whole_groups(window: &Window, front: &Frontier) -> Result<(), Refusal> {
    let rows = [front.rate, front.ahead, front.limit];
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
                limit: scaled(node.limit),
            },
            kept: scaled(node.ahead),
        }
    } else {
        let (stride, step) = (map.stride, window.coefficient);
        BufferFrontier {
            made: Frontier {
                rate: stride * step * node.rate,
                ahead: stride * (step * (node.ahead - 1) + window.high) + map.offset + 1,
                limit: stride * (step * (node.limit - 1) + window.high) + map.offset + 1,
            },
            kept: stride * step * node.ahead + map.offset,
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

/// The least number of `size` that make `total`.
pub const fn ceiling(total: i64, size: i64) -> i64 {
    -((-total).div_euclid(size))
}
