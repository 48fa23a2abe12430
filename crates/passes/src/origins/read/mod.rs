//! A function's IR into segments, edges, and where memrefs come from.
//!
//! Each block is cut behind each operation that control enters regions of. Views are what they are a view
//! of. Blocks are walked in an order in which definitions come before uses.

mod ops;
mod ways;

pub use ops::is_zero;

use super::{Calls, MOVED, Operand, Reading, Returns, is_site};
use memplan_flow::SecondaryMap;
use memplan_mlir::ir::{
    Identity, Key, Op, Region, Type, Val, arguments, blocks, context_of, is_memref, operands,
    ops as ops_of, regions, results, type_of,
};
use memplan_ownership::{
    dealloc::FlagId,
    function::{Kind, RegionId, Segment, SegmentId, Step, Value, ValueId},
};
use memplan_semantics::{
    Semantics,
    graph::{self, ControlGraph},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// Reads a function with this body. `calls` says what callees do, as far as that is known.
pub fn read<'c>(
    function: Op<'c>,
    body: Region<'c>,
    semantics: &mut Semantics,
    calls: &Calls,
) -> Reading<'c> {
    let i1 = context_of(function).integer_type(1);
    let mut reader = Reader {
        semantics,
        calls,
        reading: Reading::default(),
        ids: FxHashMap::default(),
        flags: FxHashMap::default(),
        graph: Rc::default(),
        segments: SecondaryMap::with_default(SegmentId(0)),
        touching: FxHashSet::default(),
        returns: Vec::new(),
        i1,
    };
    reader.reading.memory.function.regions.push(None);
    reader.touches(body);
    reader.graph = Rc::new(reader.control(body));
    reader.make_blocks(graph::BODY, RegionId(0), None);
    reader.region(graph::BODY, None);
    let reached = reader.reading.memory.function.reached();
    let returns = reader.returns.into_iter();
    let returns = returns.filter(|(segment, _)| reached[segment.index()]);
    reader.reading.returned = returns.map(|(_, returned)| returned).collect();
    reader.reading
}

/// The operation that a region is one of.
#[derive(Clone, Copy)]
struct Around {
    /// Regions run one after another, as the interfaces say; else in any order, any number of times.
    is_known: bool,
}

struct Reader<'c, 'n> {
    semantics: &'n mut Semantics,
    calls: &'n Calls,
    reading: Reading<'c>,
    /// Memrefs: whose memory they are, and whether their data starts elsewhere.
    ids: FxHashMap<Key, (ValueId, bool)>,
    flags: FxHashMap<Key, FlagId>,
    /// Where control goes.
    graph: Rc<ControlGraph<'c>>,
    /// Where the segments of the graph start.
    segments: SecondaryMap<graph::SegmentId, SegmentId>,
    /// Operations with regions that touch memrefs.
    touching: FxHashSet<Key>,
    /// What goes to the caller at the end of each segment that returns.
    returns: Vec<(SegmentId, Returns)>,
    i1: Type<'c>,
}

impl<'c> Reader<'c, '_> {
    /// Notes which operations hold others that touch memrefs.
    fn touches(&mut self, region: Region<'c>) -> bool {
        let mut touches = false;
        for block in blocks(region) {
            touches |= arguments(block).any(|argument| is_memref(type_of(argument)));
            for op in ops_of(block) {
                let mut inside = false;
                if regions(op).next().is_some() && !self.is_apart(op) {
                    for region in regions(op) {
                        inside |= self.touches(region);
                    }
                    if inside {
                        self.touching.insert(op.key());
                    }
                }
                touches |= inside
                    || is_site(self.semantics.info(op))
                    || operands(op).any(|operand| is_memref(type_of(operand)))
                    || results(op).any(|result| is_memref(type_of(result)));
            }
        }
        touches
    }

    /// A function or module of its own.
    fn is_apart(&mut self, op: Op<'c>) -> bool {
        let info = self.semantics.info(op);
        info.is_function() || info.is_symbol_table()
    }

    /// A value; `val` is what it is of the IR.
    fn value(
        &mut self,
        kind: Kind,
        segment: SegmentId,
        step: Option<Step>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let memory = &mut self.reading.memory;
        let id = ValueId::new(memory.function.values.len());
        if step.is_none() {
            memory.function.segments[segment.index()].params.push(id);
        }
        let mark = if kind == Kind::Foreign { MOVED } else { 0 };
        memory.function.values.push(Value {
            kind,
            segment,
            step,
        });
        memory.marks.push(mark);
        self.reading.roots.push(val);
        self.reading.uses.push(0);
        if let Some(val) = val {
            self.ids.insert(val.key(), (id, false));
        }
        id
    }

    /// A value that may be anything that got out.
    fn unknown(&mut self, segment: SegmentId, step: Option<Step>, val: Val<'c>) {
        let id = self.value(Kind::Foreign, segment, step, Some(val));
        self.reading.memory.unknown.push(id);
    }

    fn segment(&mut self, region: RegionId) -> SegmentId {
        let segments = &mut self.reading.memory.function.segments;
        segments.push(Segment {
            region: Some(region),
            ..Segment::default()
        });
        SegmentId::new(segments.len() - 1)
    }

    /// Whose memory a memref is.
    fn operand(&mut self, val: Val<'c>) -> Operand<'c> {
        let (id, is_moved) = match self.ids.get(&val.key()) {
            Some(known) => *known,
            None => {
                // Defined where control never comes from.
                let memory = &mut self.reading.memory;
                let id = ValueId::new(memory.function.values.len());
                memory.function.values.push(Value {
                    kind: Kind::Foreign,
                    segment: SegmentId(0),
                    step: None,
                });
                memory.marks.push(MOVED);
                memory.unknown.push(id);
                self.reading.roots.push(None);
                self.reading.uses.push(0);
                self.ids.insert(val.key(), (id, true));
                (id, true)
            }
        };
        Operand { val, id, is_moved }
    }

    /// Whose memory a memref is that is used, and not by a view or a dealloc.
    fn used(&mut self, val: Val<'c>) -> Operand<'c> {
        let operand = self.operand(val);
        self.reading.uses[operand.id.index()] += 1;
        operand
    }

    /// All memrefs that an operation uses.
    fn all_used(&mut self, op: Op<'c>) -> SmallVec<[Operand<'c>; 4]> {
        operands(op)
            .filter(|operand| is_memref(type_of(*operand)))
            .map(|operand| self.used(operand))
            .collect()
    }

    /// The memrefs that an operation uses get out.
    fn let_out(&mut self, op: Op<'c>) {
        for operand in self.all_used(op) {
            self.reading.memory.escapes.push(operand.id);
        }
    }

    /// Segments for the blocks of a region.
    fn make_blocks(&mut self, region: graph::RegionId, id: RegionId, around: Option<Around>) {
        let graph = Rc::clone(&self.graph);
        for (number, block) in graph.blocks_of(region).enumerate() {
            let block = &graph.blocks[block];
            let segment = self.segment(id);
            self.segments[block.first] = segment;
            let is_passed = number > 0 || around.is_some_and(|around| around.is_known);
            for argument in arguments(block.block) {
                let is_memref = is_memref(type_of(argument));
                if is_memref && is_passed {
                    self.value(Kind::Param, segment, None, Some(argument));
                } else if is_memref && around.is_some() {
                    self.unknown(segment, None, argument);
                } else if is_memref {
                    self.value(Kind::Foreign, segment, None, Some(argument));
                }
                if around.is_none() && number == 0 {
                    let known = self.ids.get(&argument.key());
                    self.reading.arguments.push(known.map(|(id, _)| *id));
                }
            }
        }
    }

    fn step(&mut self, segment: SegmentId) -> Step {
        let steps = &mut self.reading.memory.function.segments[segment.index()].steps;
        *steps += 1;
        *steps - 1
    }

    /// All memrefs that an operation and what it holds use get out.
    fn lost(&mut self, op: Op<'c>) {
        if is_site(self.semantics.info(op)) {
            self.site(op, None);
        }
        self.let_out(op);
        for nested in regions(op).flat_map(blocks).flat_map(ops_of) {
            self.lost(nested);
        }
    }
}
