//! Writes a chain as loops over strips.
//!
//! ```text
//! borders                            what is kept between strips of the outer dimension
//! for outer strip
//!   line buffers                     what is kept between strips of the inner dimension
//!   for strip
//!     move what stays of line buffers
//!     strip buffers
//!     for each operation: if it has rows in this strip, execute it on parts of these
//! ```
//!
//! An operation that has all rows of a strip or none is executed on parts of static size. For others, the number of rows
//! is computed.

mod block;
mod execute;
mod frees;
mod memory;
mod numbers;
mod operand;
mod record;
mod rows;
mod writer;

use super::{length_shapes::LengthShapes, read::BlockReading};
use crate::shapes::size_of;
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Op, Origin, Val, erase, is_unused, origin, replace_all_uses, results},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Semantics;
use memplan_strips::{
    amounts::Amounts,
    chain::Spread,
    frontiers::Frontiers,
    program::{BufferId, Role},
};
use numbers::{Constants, Known, Operation};
use record::Lines;
use rows::CurrentStrip;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use writer::{Item, Kind, Memory, Writer};

pub use block::BlockWriting;

/// What is recorded of a chain, for reports.
#[derive(Clone, Copy, Debug)]
pub struct ChainFacts {
    /// Its number in the function.
    pub number: u64,
    /// The most bytes that are held in it without strips.
    pub before: u64,
    /// The same with strips.
    pub after: u64,
    /// What it does in a call.
    pub amounts: Amounts,
    /// Innermost iterations that strips repeat in a call.
    pub repeated: u64,
}

/// Writes a chain along its dimensions, the innermost first. Each pair of `taken` becomes one buffer.
pub fn write<'c>(
    block: &mut BlockWriting<'_, 'c>,
    splits: &[(&Spread, &Frontiers)],
    taken: &[(BufferId, BufferId)],
    facts: &ChainFacts,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let kind = Kind::Strips(facts);
    write_loops(block, splits, kind, semantics)?;
    for numbers in taken {
        let value = |buffer: BufferId| block.reading.buffers[buffer.index()];
        let (Some(from), Some(into)) = (value(numbers.0), value(numbers.1)) else {
            continue;
        };
        if let Some(Origin::Result(op, _)) = origin(into) {
            block.frees.join(numbers.0, numbers.1);
            replace_all_uses(into, from);
            erase(op);
        }
    }
    Ok(())
}

/// Writes the chain of a number as a loop over items, whose number is known only at run time.
pub fn write_items<'c>(
    block: &mut BlockWriting<'_, 'c>,
    spread: &Spread,
    frontiers: &Frontiers,
    chain: u64,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let reading = block.reading;
    let builder = place(reading, spread)?;
    let (seed, split) = spread.seed;
    let node = reading.program.node(seed);
    let written = node.accesses.iter().position(|access| access.writes);
    let loops = semantics.linear_loops(reading.ops[seed.index()]);
    let found = written.zip(loops).and_then(|(number, loops)| {
        let mut indices = node.accesses[number].indices.iter();
        let dimension = indices.position(|index| index.as_loop() == Some(split))?;
        let mut given = reading.operands[seed.index()].iter();
        let place = given.position(|(_, access)| *access == number)?;
        Some((loops.memref(place)?, dimension as i64))
    });
    let (memref, dimension) = found.ok_or_else(BuildError::unexpected)?;
    let count = match size_of(memref, Some(dimension), semantics) {
        Some(count) => count,
        None => builder.dimension(memref, dimension)?,
    };
    let splits = [(spread, frontiers)];
    write_loops(block, &splits, Kind::Items(count, chain), semantics)
}

/// Writes the chain of a number as a loop over strips along a length that is known only at run time.
pub fn write_lengths<'c>(
    block: &mut BlockWriting<'_, 'c>,
    spread: &Spread,
    frontiers: &Frontiers,
    lengths: &LengthShapes<'c>,
    chain: u64,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let splits = [(spread, frontiers)];
    write_loops(block, &splits, Kind::Lengths(lengths, chain), semantics)
}

/// After the last operation of a chain.
fn place<'c>(reading: &BlockReading<'c>, spread: &Spread) -> Result<Builder<'c>, BuildError> {
    let last = reading.ops[spread.nodes.end - 1];
    let seed = reading.ops[spread.seed.0.index()];
    Builder::after(last, seed.location()).ok_or_else(BuildError::unexpected)
}

/// Writes the loops in place of the operations.
fn write_loops<'c>(
    block: &mut BlockWriting<'_, 'c>,
    splits: &[(&Spread, &Frontiers)],
    kind: Kind<'_, 'c>,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let reading = block.reading;
    let frees_strips = block.frees.settle(reading, splits[0].0);
    let builder = place(reading, splits[0].0)?;
    let (constants, known) = (Constants::new(builder, kind.lengths()), Known::new());
    let mut writer = Writer {
        reading,
        pairs: &block.pairs,
        maps: &block.maps,
        splits,
        semantics,
        constants: &constants,
        known: &known,
        lengths: RefCell::default(),
        kind,
        frees_strips,
        work: Vec::new(),
        clamped: Vec::new(),
        borders: FxHashMap::default(),
    };
    writer.work = writer.in_order();
    writer.clamped = (0..splits.len())
        .map(|dimension| writer.clamped(dimension))
        .collect();
    writer.outer(&builder)?;
    erase_chain(reading, splits[0].0);
    Ok(())
}

/// Erases what the loops replace.
fn erase_chain(reading: &BlockReading<'_>, spread: &Spread) {
    for link in &spread.links {
        erase(reading.ops[link.node.index()]);
    }
    let is_gone = |buffer: BufferId| {
        let place = spread.place(buffer);
        place.is_some_and(|place| spread.buffers[place].role == Role::Between)
    };
    for (through, buffer) in reading.views.iter().zip(&reading.viewed).rev() {
        if let Some(op) = through.last().filter(|_| is_gone(*buffer))
            && results(*op).all(is_unused)
        {
            erase(*op);
        }
    }
    for split in spread
        .buffers
        .iter()
        .filter(|split| split.role == Role::Between)
    {
        if let Some(Origin::Result(op, _)) = reading.buffers[split.buffer.index()].and_then(origin)
            && results(op).all(is_unused)
        {
            erase(op);
        }
    }
}

impl<'c> Writer<'_, 'c> {
    /// The links, with the copies of borders: before the first link that touches a buffer, and after the last one that
    /// writes it.
    fn in_order(&self) -> Vec<Item> {
        let links = &self.spread().links;
        let mut last_writes: FxHashMap<usize, usize> = FxHashMap::default();
        for (at, link) in links.iter().enumerate() {
            for access in &self.reading.program.node(link.node).accesses {
                if let Some(place) = self.spread().place(access.buffer).filter(|_| access.writes) {
                    last_writes.insert(place, at);
                }
            }
        }
        let mut items = Vec::new();
        let mut loaded = vec![false; self.spread().buffers.len()];
        for (at, link) in links.iter().enumerate() {
            let accesses = &self.reading.program.node(link.node).accesses;
            let places = accesses
                .iter()
                .filter_map(|access| self.spread().place(access.buffer));
            let mut places: SmallVec<[usize; 4]> =
                places.filter(|place| self.has_border(*place)).collect();
            places.sort_unstable();
            places.dedup();
            for place in &places {
                if !std::mem::replace(&mut loaded[*place], true) {
                    items.push(Item::Load(*place));
                }
            }
            items.push(Item::Link(at));
            for place in places {
                if last_writes.get(&place) == Some(&at) {
                    items.push(Item::Store(place));
                }
            }
        }
        items
    }

    fn outer(&mut self, builder: &Builder<'c>) -> Result<(), BuildError> {
        if self.splits.len() == 1 {
            let outermost = self.inner(builder, None)?;
            self.record_chain(outermost);
            return Ok(());
        }
        let mut borders: Vec<Val<'c>> = Vec::new();
        for place in 0..self.spread().buffers.len() {
            if self.has_border(place) {
                let border = self.allocate(builder, place, |dimension| {
                    let front = self.buffer_front(dimension, place);
                    match dimension {
                        0 => front.made.limit,
                        _ => front.overlap(),
                    }
                })?;
                self.record_lines(border.0, place, Lines::Border)?;
                borders.push(border.0);
                self.borders.insert(place, border);
            }
        }
        let bounds = self.bounds(1)?;
        let known = self.known;
        let outermost = builder.for_each(bounds, |inside, strip| {
            known.inside(|| {
                let mut current = CurrentStrip::new(strip, self.splits[1].1);
                for item in 0..self.work.len() {
                    let front = self.front(1, self.work[item]);
                    self.clamp(inside, &mut current, front)?;
                }
                self.inner(inside, Some(&current)).map(|_| ())
            })
        })?;
        self.record_chain(outermost);
        self.free(builder, borders)
    }

    fn bounds(&self, dimension: usize) -> Result<[Val<'c>; 3], BuildError> {
        let frontiers = self.splits[dimension].1;
        Ok([
            self.constants.get(frontiers.first)?,
            match self.kind {
                Kind::Strips(_) => self.constants.get(frontiers.end)?,
                Kind::Items(count, _) => count,
                Kind::Lengths(..) => self.constants.largest(&self.ends()?)?,
            },
            self.constants.get(1)?,
        ])
    }

    fn inner(
        &mut self,
        builder: &Builder<'c>,
        outer: Option<&CurrentStrip<'c>>,
    ) -> Result<Op<'c>, BuildError> {
        let mut lines: Vec<Option<Memory<'c>>> = Vec::new();
        let hosts = self.hosts();
        for (place, host) in hosts.iter().enumerate() {
            let rows = |dimension| self.buffer_front(dimension, place).rows();
            let memory = match self.is_before_strips(place) && host.is_none() {
                true => Some(self.allocate(builder, place, rows)?),
                false => None,
            };
            if let Some((memory, _)) = memory.as_ref().filter(|_| self.has_lines(place)) {
                self.record_lines(*memory, place, Lines::Line)?;
            }
            lines.push(memory);
        }
        let bounds = self.bounds(0)?;
        let known = self.known;
        let kept = lines.iter().flatten().map(|(memory, _)| *memory);
        let kept: Vec<Val<'c>> = kept.collect();
        let strips = builder.for_each(bounds, |inside, strip| {
            known.inside(|| self.strip(inside, strip, outer, lines))
        })?;
        self.free(builder, kept)?;
        Ok(strips)
    }

    fn strip(
        &mut self,
        builder: &Builder<'c>,
        strip: Val<'c>,
        outer: Option<&CurrentStrip<'c>>,
        mut memory: Vec<Option<Memory<'c>>>,
    ) -> Result<(), BuildError> {
        for (place, lines) in memory.iter().enumerate() {
            if let Some(lines) = lines.as_ref().filter(|_| self.has_lines(place)) {
                self.keep(builder, place, lines)?;
            }
        }
        let mut own: Vec<Val<'c>> = Vec::new();
        for place in self.hosts().into_iter().enumerate() {
            match place {
                (place, None) if self.is_between(place) && !self.is_before_strips(place) => {
                    let rows = |dimension| self.buffer_front(dimension, place).rows();
                    let allocated = self.allocate(builder, place, rows)?;
                    own.push(allocated.0);
                    memory[place] = Some(allocated);
                }
                _ => {}
            }
        }
        for (place, host) in self.hosts().into_iter().enumerate() {
            if let Some(host) = host {
                memory[place] = memory[host].clone();
            }
        }
        let mut current = CurrentStrip::new(strip, self.splits[0].1);
        let mut from = 0;
        while from < self.work.len() {
            let key = |item: Item| {
                let front = self.front(0, item);
                let outer_front = outer.map(|_| self.front(1, item));
                let kind = match item {
                    Item::Link(_) => 0,
                    Item::Load(_) => 1,
                    Item::Store(_) => 2,
                };
                (front, outer_front.filter(|_| kind == 0), kind)
            };
            let this = key(self.work[from]);
            let same = self.work[from..]
                .iter()
                .take_while(|item| key(**item) == this);
            let to = from + same.count();
            let condition = self.condition(builder, &mut current, outer, self.work[from])?;
            let group: Vec<Item> = self.work[from..to].to_vec();
            let both = [Some(&current), outer];
            match condition {
                None => self.items(builder, &group, both, &memory)?,
                Some(condition) => {
                    let known = self.known;
                    builder.if_then(condition, |inside| {
                        known.inside(|| self.items(inside, &group, both, &memory))
                    })?;
                }
            }
            from = to;
        }
        self.free(builder, own)
    }

    /// Frees memory of strips, if the program frees what lies between the operations.
    fn free(&self, builder: &Builder<'c>, memory: Vec<Val<'c>>) -> Result<(), BuildError> {
        for memory in memory.into_iter().filter(|_| self.frees_strips) {
            builder.dealloc(memory)?;
        }
        Ok(())
    }

    /// When an item is executed; `None` if it always is.
    fn condition(
        &self,
        builder: &Builder<'c>,
        current: &mut CurrentStrip<'c>,
        outer: Option<&CurrentStrip<'c>>,
        item: Item,
    ) -> Result<Option<Val<'c>>, BuildError> {
        let front = self.front(0, item);
        self.clamp(builder, current, front)?;
        let mut conditions = self.has_rows(builder, current, 0, front)?;
        let numbers = self.numbers(builder);
        if let Some(outer) = outer {
            let frontiers = self.splits[1].1;
            match item {
                Item::Link(_) => {
                    conditions.extend(self.has_rows(builder, outer, 1, self.front(1, item))?);
                }
                // The first strip has nothing to load, and the last one nothing to store.
                Item::Load(_) => {
                    let first = self.constants.get(frontiers.first)?;
                    conditions.push(numbers.binary(Operation::Less, first, outer.strip)?);
                }
                Item::Store(_) => {
                    let last = self.constants.get(frontiers.end - 1)?;
                    conditions.push(numbers.binary(Operation::Less, outer.strip, last)?);
                }
            }
        }
        numbers.all(&conditions)
    }

    fn items(
        &mut self,
        builder: &Builder<'c>,
        items: &[Item],
        both: [Option<&CurrentStrip<'c>>; 2],
        memory: &[Option<Memory<'c>>],
    ) -> Result<(), BuildError> {
        for item in items {
            match item {
                Item::Link(link) => self.execute(builder, *link, both, memory)?,
                Item::Load(place) => self.border(builder, *place, true, both, memory)?,
                Item::Store(place) => self.border(builder, *place, false, both, memory)?,
            }
        }
        Ok(())
    }
}
