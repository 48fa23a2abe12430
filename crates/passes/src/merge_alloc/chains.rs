//! Chains of operations in strips, for the report: what `memplan-split` recorded at loops and at line buffers.

use super::{dynamic::describe::type_text, plan::Plan};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    attributes::{entry, integers, is_unit},
    build::integer_value,
    ir::{Attribute, Op, Type, blocks, location_text, ops, regions, results, type_of},
    layout::{rank, static_dimension},
    melior::ir::{
        attribute::{StringAttribute, TypeAttribute},
        operation::OperationLike,
    },
    names::name_of,
};
use memplan_report::{ChainDimension, ChainOperation, ChainReport, LineBufferReport};
use memplan_semantics::attributes::{CHAIN, ITEM, ITEMS, LINE_BUFFER, ROWS};
use rustc_hash::FxHashMap;

/// The chains of a function, in order.
pub fn chains(analysis: &Analysis<'_>, plan: &Plan) -> Vec<ChainReport> {
    let ops = analysis.handles.ops.iter();
    let loops = ops.filter_map(|(position, op)| Some((*position, *op, op.attribute(CHAIN).ok()?)));
    let loops: Vec<_> = loops.collect();
    if loops.is_empty() {
        return Vec::new();
    }
    let nodes = analysis.program.nodes.iter();
    let ends: FxHashMap<_, _> = nodes.map(|node| (node.start, node.end)).collect();
    let mut lines = line_buffers(analysis, plan);
    let chains = loops.into_iter().filter_map(|(start, op, facts)| {
        let end = ends.get(&start).copied().unwrap_or(start);
        let positions = (u64::from(start), u64::from(end) + 1);
        let number = number(facts, "number")?;
        let chain = chain(op, facts, positions)?;
        let line_buffers = lines.remove(&number).unwrap_or_default();
        Some(ChainReport {
            line_buffers,
            ..chain
        })
    });
    chains.collect()
}

/// What a loop says; `None` if that is not well-formed.
fn chain(op: Op<'_>, facts: Attribute<'_>, positions: (u64, u64)) -> Option<ChainReport> {
    // What is known only at run time is negative.
    let list = |name: &str| -> Option<Vec<Option<u64>>> {
        let numbers = integers(entry(facts, name)?)?.into_iter();
        let numbers = numbers.map(|number| u64::try_from(number).ok());
        Some(numbers.collect())
    };
    let (loops, extents) = (list("loops")?, list("extents")?);
    let (rows, strips) = (list("rows")?, list("strips")?);
    let dimensions = loops.iter().zip(&extents).zip(rows.iter().zip(&strips));
    let dimensions = dimensions.map(|((number, extent), (rows, strips))| {
        Some(ChainDimension {
            number: (*number)?,
            extent: *extent,
            rows: (*rows)?,
            strips: *strips,
        })
    });
    let pieces = pieces(op);
    let seed = number(facts, "seed")?;
    let seed = pieces.iter().position(|(number, _)| *number == Some(seed));
    Some(ChainReport {
        location: location_text(op.location()),
        positions,
        operations: pieces.into_iter().map(|(_, piece)| piece).collect(),
        seed: seed.map(|seed| seed as u64),
        dimensions: dimensions.collect::<Option<_>>()?,
        sums: entry(facts, "sums").is_some_and(is_unit),
        strips: (strips.iter()).try_fold(1, |all: u64, one| Some(all.saturating_mul((*one)?))),
        executions: number(facts, "executions"),
        repeated: number(facts, "repeated").unwrap_or(0),
        load_before_bytes: number(facts, "before"),
        load_after_bytes: number(facts, "after"),
        copied_bytes: number(facts, "copied"),
        line_buffers: Vec::new(),
    })
}

/// The operations in a loop over strips, in order, with their numbers.
fn pieces(op: Op<'_>) -> Vec<(Option<u64>, ChainOperation)> {
    let name = match op.has_attribute(ITEMS) {
        true => ITEM,
        false => ROWS,
    };
    let mut pieces = Vec::new();
    let mut open: Vec<Op<'_>> = regions(op).flat_map(blocks).flat_map(ops).collect();
    open.reverse();
    while let Some(op) = open.pop() {
        if let Ok(rows) = op.attribute(name) {
            let piece = ChainOperation {
                name: name_of(op),
                location: location_text(op.location()),
            };
            pieces.push((number(rows, "number"), piece));
            continue;
        }
        let from = open.len();
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
        open[from..].reverse();
    }
    pieces
}

/// Line buffers and borders, by the number of their chain.
fn line_buffers(analysis: &Analysis<'_>, plan: &Plan) -> FxHashMap<u64, Vec<LineBufferReport>> {
    let mut slices = FxHashMap::default();
    for (scope, arena) in plan.arenas.iter().enumerate() {
        let own = arena.slices.iter();
        for slice in own.filter(|slice| plan.guest(analysis, slice).is_none()) {
            let buffer = analysis.plannable[slice.plannable].buffer;
            slices.insert(buffer.index(), (scope as u64, plan.id(analysis, slice)));
        }
    }
    let mut found: FxHashMap<u64, Vec<LineBufferReport>> = FxHashMap::default();
    for (at, op) in analysis.handles.buffers.iter().enumerate() {
        let Ok(facts) = op.attribute(LINE_BUFFER) else {
            continue;
        };
        let text = |one| StringAttribute::try_from(one).ok();
        let memref = |one| TypeAttribute::try_from(one).ok();
        let (Some(kind), Some(chain), Some(whole)) = (
            entry(facts, "kind").and_then(text),
            number(facts, "chain"),
            entry(facts, "type").and_then(memref),
        ) else {
            continue;
        };
        let elements = [
            results(*op)
                .next()
                .and_then(|memref| elements(type_of(memref))),
            elements(whole.value()),
        ];
        let size = elements[0].map(|_| analysis.program.buffers[at].size);
        let place = slices.get(&at).copied();
        found.entry(chain).or_default().push(LineBufferReport {
            kind: kind.value().to_owned(),
            scope: place.map(|(scope, _)| scope),
            id: place.map(|(_, id)| id),
            ty: type_text(*op),
            size,
            kept_rows: number(facts, "kept").unwrap_or(0),
            location: location_text(op.location()),
            whole_type: whole.value().to_string(),
            whole_size: whole_size(size, elements),
        });
    }
    found
}

/// The bytes of a whole buffer, of which an allocation of `size` bytes is a part; and the elements of the part and of the whole.
fn whole_size(size: Option<u64>, [part, whole]: [Option<u64>; 2]) -> Option<u64> {
    match (size?, part?, whole?) {
        (size, 0, _) => Some(size),
        (size, part, whole) => Some((size / part).saturating_mul(whole)),
    }
}

/// The number of elements of a memref of static size.
fn elements(memref: Type<'_>) -> Option<u64> {
    let sizes = (0..rank(memref)? as i64).map(|at| static_dimension(memref, at));
    let sizes: Option<Vec<i64>> = sizes.collect();
    let count = |count: u64, size: i64| count.saturating_mul(size.max(0).unsigned_abs());
    Some(sizes?.iter().copied().fold(1, count))
}

fn number(facts: Attribute<'_>, name: &str) -> Option<u64> {
    u64::try_from(integer_value(entry(facts, name)?)?).ok()
}
