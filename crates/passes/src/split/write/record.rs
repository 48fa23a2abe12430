//! What an operation was before it was split, as it was read: `memplan-verify` compares the strips with this.
//!
//! Nothing of it comes from the search or from the frontiers, except the claim which iterations each strip has.

use super::{
    super::length_shapes::LengthShapes,
    writer::{Item, Kind, Writer},
};
use memplan_mlir::{
    build::{BuildError, set_attribute, set_integer, set_integers},
    ir::{Attribute, Op, Origin, Val, context_of, origin, type_of},
    melior::ir::attribute::{IntegerAttribute, TypeAttribute},
};
use memplan_semantics::attributes::{
    CHAIN, ITEM, ITEMS, LENGTHS, LINE_BUFFER, PIECES, ROWS, STRIPS,
};
use memplan_strips::{
    program::{Access, Linear},
    views::{Groups, Step, View},
};

/// In place of a number that is known only at run time.
const UNKNOWN: i64 = -1;

/// What stays from one strip to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// Rows of a line buffer.
    Line,
    /// A border between strips of the outer dimension.
    Border,
}

impl<'c> Writer<'_, 'c> {
    /// Records at the outermost loop how many strips there are, which operations are in them, and what that costs.
    pub(super) fn record_chain(&self, outermost: Op<'c>) {
        let links = self.spread().links.iter();
        let numbers: Vec<i64> = links.map(|link| link.node.index() as i64).collect();
        let strips = match self.kind {
            Kind::Strips(_) => {
                let strips = self.splits.iter().map(|(_, frontiers)| frontiers.strips());
                let strips: Vec<i64> = strips.collect();
                set_integer(outermost, STRIPS, strips.iter().product());
                set_integers(outermost, PIECES, &numbers);
                strips
            }
            Kind::Items(..) => {
                set_integers(outermost, ITEMS, &numbers);
                vec![UNKNOWN]
            }
            Kind::Lengths(lengths, _) => {
                set_integer(outermost, STRIPS, UNKNOWN);
                set_integers(outermost, PIECES, &numbers);
                self.record_lengths(outermost, lengths);
                vec![UNKNOWN]
            }
        };
        self.record_facts(outermost, &numbers, strips);
    }

    /// Records what reports say of a chain, with the numbers of its links.
    fn record_facts(&self, outermost: Op<'c>, numbers: &[i64], strips: Vec<i64>) {
        let context = context_of(outermost);
        let number = |value: u64| -> Attribute<'c> {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            IntegerAttribute::new(context.integer_type(64), value).into()
        };
        let (seed, _) = self.spread().seed;
        let at = numbers.iter().position(|one| *one == seed.index() as i64);
        let at = at.unwrap_or(0);
        let node = self.reading.program.node(self.link(at).node);
        let loops = self.splits.iter().map(|(spread, _)| spread.links[at].split);
        let extents = loops.clone().map(|one| match self.kind {
            Kind::Strips(_) => node.loops[one as usize].extent,
            Kind::Items(..) | Kind::Lengths(..) => UNKNOWN,
        });
        let rows = (0..self.splits.len()).map(|number| self.front(number, Item::Link(at)).rate);
        let list = |values: Vec<i64>| context.integers(&values);
        let mut entries = vec![
            ("number", number(self.kind.chain())),
            ("seed", number(seed.index() as u64)),
            ("loops", list(loops.clone().map(i64::from).collect())),
            ("extents", list(extents.collect())),
            ("rows", list(rows.collect())),
            ("strips", list(strips)),
        ];
        if let Kind::Strips(facts) = self.kind {
            entries.extend([
                ("executions", number(facts.amounts.executions)),
                ("copied", number(facts.amounts.copied)),
                ("before", number(facts.before)),
                ("after", number(facts.after)),
            ]);
            if facts.repeated > 0 {
                entries.push(("repeated", number(facts.repeated)));
            }
        } else if !(0..self.spread().buffers.len()).any(|place| self.has_lines(place)) {
            entries.push(("copied", number(0)));
        }
        if self.spread().accumulates {
            entries.push(("sums", context.unit()));
        }
        set_attribute(outermost, CHAIN, context.dictionary(&entries));
    }

    /// Records what the sizes are that are known only at run time.
    fn record_lengths(&self, outermost: Op<'c>, lengths: &LengthShapes<'c>) {
        let context = context_of(outermost);
        // Those of whole memory, too.
        for link in &self.spread().links {
            for access in &self.reading.program.node(link.node).accesses {
                for size in &self.reading.program.buffer(access.buffer).shape {
                    self.recorded(*size);
                }
            }
        }
        let sizes = self.lengths.borrow();
        let unknowns = lengths.unknowns();
        let inputs: Vec<String> = (0..unknowns.len()).map(|at| format!("d{at}")).collect();
        let sizes = sizes.iter().filter_map(|size| lengths.expression(*size));
        let sizes: Vec<String> = sizes.map(ToString::to_string).collect();
        let map = format!(
            "affine_map<({}) -> ({})>",
            inputs.join(", "),
            sizes.join(", ")
        );
        let Some(map) = self.maps.get(context, map) else {
            return;
        };
        let numbers = unknowns.iter().map(|unknown| {
            let dimension = unknown.dimension.map_or(-1, i64::from);
            context.integers(&[i64::from(unknown.argument), dimension])
        });
        let numbers: Vec<Attribute<'c>> = numbers.collect();
        let entries = [("inputs", context.array(&numbers)), ("sizes", map)];
        set_attribute(outermost, LENGTHS, context.dictionary(&entries));
    }

    /// A size, as it is recorded: those that are known only at run time are -1, -2, … in the order of `memplan.lengths`.
    fn recorded(&self, size: i64) -> i64 {
        let lengths = self.kind.lengths();
        if lengths.is_none_or(|lengths| lengths.expression(size).is_none()) {
            return size;
        }
        let mut all = self.lengths.borrow_mut();
        let known = all.iter().position(|one| *one == size);
        let at = known.unwrap_or_else(|| {
            all.push(size);
            all.len() - 1
        });
        -1 - at as i64
    }

    /// Records at an allocation whose rows stay in it.
    pub(super) fn record_lines(
        &self,
        lines: Val<'c>,
        place: usize,
        kind: Lines,
    ) -> Result<(), BuildError> {
        let Some(Origin::Result(op, _)) = origin(lines) else {
            return Err(BuildError::unexpected());
        };
        let context = context_of(op);
        let integer = context.integer_type(64);
        let buffer = self.spread().buffers[place].buffer;
        let whole = self.reading.buffers[buffer.index()].ok_or_else(BuildError::unexpected)?;
        let (dimension, kind) = match kind {
            Lines::Line => (0, "line"),
            Lines::Border => (1, "border"),
        };
        let kept = self.buffer_front(dimension, place).overlap();
        let chain = i64::try_from(self.kind.chain()).unwrap_or(i64::MAX);
        let entries = [
            ("kind", context.text(kind)),
            ("kept", IntegerAttribute::new(integer, kept).into()),
            ("type", TypeAttribute::new(type_of(whole)).into()),
            ("chain", IntegerAttribute::new(integer, chain).into()),
        ];
        set_attribute(op, LINE_BUFFER, context.dictionary(&entries));
        Ok(())
    }

    /// Records at a copy of a link what the link was.
    pub(super) fn record(&self, at: usize, copy: Op<'c>) -> Result<(), BuildError> {
        let is_item = self.kind.items().is_some();
        let context = context_of(copy);
        let program = &self.reading.program;
        let node = program.node(self.link(at).node);
        let loops = node.loops.iter().enumerate();
        let extents = loops.map(|(number, one)| match is_item {
            true if number as u32 == self.link(at).split => -1,
            _ => self.recorded(one.extent),
        });
        let extents: Vec<i64> = extents.collect();
        let split = self.splits.iter().enumerate().map(|(number, (spread, _))| {
            let front = self.front(number, Item::Link(at));
            let split = i64::from(spread.links[at].split);
            // Of an operation whose rows nobody needs, the limit is below 0.
            let limit = front.limit.max(0);
            let limit = self.recorded(limit);
            let mut numbers = vec![split, front.rate, front.ahead, limit];
            if front.again > 0 {
                numbers.push(front.again);
            }
            context.integers(&numbers)
        });
        let split: Vec<Attribute<'c>> = split.collect();
        let given = &self.reading.operands[self.link(at).node.index()];
        let operands: Vec<i64> = given.iter().map(|(number, _)| i64::from(*number)).collect();
        let buffers = given
            .iter()
            .map(|(_, access)| self.number_of(&node.accesses[*access]));
        let buffers: Vec<i64> = buffers.collect();
        let indices = given.iter().map(|(_, number)| {
            let (number, access) = (*number, &node.accesses[*number]);
            // An item of whole memory is seen as the operation saw the memory.
            let is_seen =
                is_item && self.number_of(access) < 0 && self.link(at).windows[number].is_some();
            let whole = View::default();
            let view = if is_seen {
                &whole
            } else {
                program.view(access)
            };
            self.maps.get(context, indices(view, access, extents.len()))
        });
        let indices: Option<Vec<Attribute<'c>>> = indices.collect();
        let indices = indices.ok_or_else(BuildError::unexpected)?;
        let number = self.link(at).node.index() as i64;
        let number = IntegerAttribute::new(context.integer_type(64), number);
        let mut entries = vec![
            ("number", number.into()),
            ("loops", context.integers(&extents)),
            ("operands", context.integers(&operands)),
            ("buffers", context.integers(&buffers)),
            ("indices", context.array(&indices)),
        ];
        let name = match is_item {
            true => ITEM,
            false => {
                entries.push(("split", context.array(&split)));
                ROWS
            }
        };
        set_attribute(copy, name, context.dictionary(&entries));
        Ok(())
    }

    /// The number of a buffer; negative if it is whole.
    fn number_of(&self, access: &Access) -> i64 {
        let number = access.buffer.index() as i64;
        let place = self.spread().place(access.buffer);
        match place.is_some_and(|place| self.is_between(place)) {
            true => number,
            false => -1 - number,
        }
    }
}

/// The indices of an element of a buffer that an access touches, as an affine map of the loops.
fn indices(view: &View, access: &Access, loops: usize) -> String {
    let mut indices: Vec<String> = access.indices.iter().map(linear).collect();
    for step in view.steps.iter().rev() {
        indices = through(step, &indices);
    }
    let inputs: Vec<String> = (0..loops).map(|number| format!("d{number}")).collect();
    let (inputs, indices) = (inputs.join(", "), indices.join(", "));
    format!("affine_map<({inputs}) -> ({indices})>")
}

fn linear(index: &Linear) -> String {
    let mut text = index.constant.to_string();
    for (number, coefficient) in &index.terms {
        text.push_str(&format!(" + d{number} * {coefficient}"));
    }
    text
}

/// The indices of an element of the source of a view.
fn through(step: &Step, view: &[String]) -> Vec<String> {
    match step {
        Step::Part {
            offsets,
            strides,
            becomes,
            ..
        } => (0..offsets.len())
            .map(|at| match becomes[at] {
                Some(to) => {
                    let (offset, stride) = (offsets[at], strides[at]);
                    format!("{offset} + ({}) * {stride}", view[to as usize])
                }
                None => offsets[at].to_string(),
            })
            .collect(),
        Step::Transpose { order } => {
            let mut source = vec![String::new(); order.len()];
            for (index, from) in view.iter().zip(order) {
                source[*from as usize].clone_from(index);
            }
            source
        }
        Step::Expand(groups) => groups
            .groups
            .iter()
            .map(|group| {
                let parts = group.iter().enumerate().map(|(place, many)| {
                    let rows = elements(groups, &group[place + 1..]);
                    format!("({}) * {rows}", view[*many as usize])
                });
                parts.collect::<Vec<_>>().join(" + ")
            })
            .map(|sum| match sum.is_empty() {
                true => "0".to_owned(),
                false => sum,
            })
            .collect(),
        Step::Collapse(groups) => {
            // A dimension of one element may be in no group.
            let mut source = vec!["0".to_owned(); groups.shape.len()];
            for (group, index) in groups.groups.iter().zip(view) {
                for (place, many) in group.iter().enumerate() {
                    let rows = elements(groups, &group[place + 1..]);
                    let size = groups.shape[*many as usize].max(1);
                    source[*many as usize] = match place {
                        0 => format!("(({index}) floordiv {rows})"),
                        _ => format!("(({index}) floordiv {rows}) mod {size}"),
                    };
                }
            }
            source
        }
    }
}

/// Elements of some dimensions of the memref with more.
fn elements(groups: &Groups, dimensions: &[u32]) -> i64 {
    let sizes = dimensions.iter().map(|many| groups.shape[*many as usize]);
    sizes.product::<i64>().max(1)
}
