//! Addresses that are taken: which of them are of no use behind the function.
//!
//! What is computed from an address may be it: what an operation gives, what the blocks and regions that it
//! leads to get, and what is read from an allocation that something of that was written to. An address gets
//! out if any of this is returned, written to memory that is no allocation of the function, freed, or used
//! by an operation or a call of which that is not known. As for memrefs, a callee without a body keeps and
//! frees nothing, but for one of `llvm.call`.
//!
//! That is one graph of values for the whole function, searched once from the ways out, backward: linear in
//! operands and results.

use crate::{
    alias::{Aliases, Root},
    policy::Callees,
    program::{BufferId, ValueId},
    read::Handles,
};
use memplan_mlir::{
    copy::integer_width,
    ir::{
        Block, Identity, Key, Op, Val, arguments, blocks, is_memref, operands, ops, parent,
        regions, results, successors, type_of,
    },
};
use memplan_semantics::{Capture, OpMemory, Semantics, names::OpKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What gets out of a function.
pub struct WaysOut {
    nodes: FxHashMap<Key, usize>,
    gets_out: Vec<bool>,
}

/// Behind the function.
const OUT: usize = 0;

impl WaysOut {
    /// Looks at all of a function.
    pub fn of<'c>(
        function: Op<'c>,
        semantics: &mut Semantics,
        callees: &dyn Callees,
        aliases: &Aliases,
        handles: &Handles<'c>,
    ) -> Self {
        let values = handles.values.iter().enumerate();
        let mut graph = Graph {
            semantics,
            callees,
            aliases,
            handles,
            memrefs: values
                .map(|(index, value)| (value.key(), ValueId::new(index)))
                .collect(),
            nodes: FxHashMap::default(),
            sources: vec![SmallVec::new()],
        };
        graph.nested(function, function);
        let mut gets_out = vec![false; graph.sources.len()];
        let mut work = vec![OUT];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut gets_out[node], true) {
                work.extend(graph.sources[node].iter().copied());
            }
        }
        Self {
            nodes: graph.nodes,
            gets_out,
        }
    }

    /// Whether something that an operation gives gets out.
    pub fn has_result_of(&self, op: Op<'_>) -> bool {
        results(op).any(|result| {
            let node = self.nodes.get(&result.key());
            node.is_some_and(|node| self.gets_out[*node])
        })
    }
}

struct Graph<'c, 'r> {
    semantics: &'r mut Semantics,
    callees: &'r dyn Callees,
    aliases: &'r Aliases,
    handles: &'r Handles<'c>,
    memrefs: FxHashMap<Key, ValueId>,
    /// For each value its node.
    nodes: FxHashMap<Key, usize>,
    /// For each node those that lead to it.
    sources: Vec<SmallVec<[usize; 2]>>,
}

impl<'c> Graph<'c, '_> {
    fn node(&mut self, value: Val<'c>) -> usize {
        let next = self.sources.len();
        let node = *self.nodes.entry(value.key()).or_insert(next);
        if node == next {
            self.sources.push(SmallVec::new());
        }
        node
    }

    fn nested(&mut self, op: Op<'c>, function: Op<'c>) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.op(nested, function);
            let info = self.semantics.info(nested);
            if !info.is_function() && !info.is_symbol_table() {
                self.nested(nested, function);
            }
        }
    }

    fn op(&mut self, op: Op<'c>, function: Op<'c>) {
        // One bit is no address.
        let given: SmallVec<[(u32, Val<'c>); 4]> = (0..)
            .zip(operands(op))
            .filter(|(_, value)| integer_width(type_of(*value)) != Some(1))
            .collect();
        if given.is_empty() {
            return;
        }
        let through = self.sources.len();
        self.sources.push(SmallVec::new());
        for (_, value) in &given {
            let from = self.node(*value);
            self.sources[through].push(from);
        }
        let mut targets: SmallVec<[Val<'c>; 4]> = results(op).collect();
        targets.extend(entries(op));
        targets.extend(successors(op).flat_map(arguments));
        let info = self.semantics.info(op);
        if info.is_terminator() && successors(op).next().is_none() {
            self.handed_on(op, function, through, &mut targets);
        }
        for target in targets {
            let target = self.node(target);
            self.sources[target].push(through);
        }
        if info.is_call() {
            if info.kind != OpKind::FuncCall || !self.callees.is_of_borrower(op) {
                self.sources[OUT].push(through);
            }
        } else {
            let memory = self.semantics.of(op);
            self.accesses(&given, &memory, through);
        }
    }

    /// What gets what a terminator hands on.
    fn handed_on(
        &mut self,
        op: Op<'c>,
        function: Op<'c>,
        through: usize,
        targets: &mut SmallVec<[Val<'c>; 4]>,
    ) {
        let mut at = op;
        // A terminator such as scf.reduce ends bodies of its own, too.
        while self.semantics.info(at).is_terminator() {
            let around = parent(at).filter(|around| *around != function);
            let Some(around) = around else {
                self.sources[OUT].push(through);
                return;
            };
            targets.extend(results(around));
            targets.extend(entries(around));
            at = around;
        }
        // It may be written by the operation that the body belongs to.
        let info = self.semantics.info(at);
        if info.has_memory_effects() || !info.has_recursive_effects() {
            self.sources[OUT].push(through);
        }
    }

    /// What is written may be any other operand; what is freed is gone.
    fn accesses(&mut self, given: &[(u32, Val<'c>)], memory: &OpMemory, through: usize) {
        if memory.opaque.is_some() || memory.unnamed.writes || memory.unnamed.allocates {
            self.sources[OUT].push(through);
        }
        for (number, value) in given {
            let Some(used) = memory.operand(*number as usize) else {
                continue;
            };
            if used.capture == Capture::Anywhere {
                let node = self.node(*value);
                self.sources[OUT].push(node);
            }
            if used.frees.is_some() {
                let memref = self.memrefs.get(&value.key());
                if memref.is_none_or(|memref| self.aliases.is_external(*memref)) {
                    let node = self.node(*value);
                    self.sources[OUT].push(node);
                }
            }
            if used.touch.writes() {
                let through = self.sources.len();
                self.sources.push(SmallVec::new());
                for (other, value) in given {
                    if other != number {
                        let from = self.node(*value);
                        self.sources[through].push(from);
                    }
                }
                for target in self.memory_of(*value) {
                    self.sources[target].push(through);
                }
            }
        }
    }

    /// The allocations that a value may be, or the way out.
    fn memory_of(&mut self, value: Val<'c>) -> SmallVec<[usize; 2]> {
        let memref = Some(value).filter(|value| is_memref(type_of(*value)));
        let memref = memref.and_then(|memref| self.memrefs.get(&memref.key()).copied());
        let memref = memref.filter(|memref| !self.aliases.is_external(*memref));
        let Some(memref) = memref else {
            return SmallVec::from_slice(&[OUT]);
        };
        let buffers = self
            .aliases
            .roots(memref)
            .iter()
            .filter_map(|root| match root {
                Root::Buffer(buffer) => Some(*buffer),
                Root::Argument(_) => None,
            });
        let buffers: SmallVec<[BufferId; 2]> = buffers.collect();
        let made = buffers.iter().filter_map(|buffer| {
            let op = self.handles.buffers[buffer.index()];
            results(op).next()
        });
        let made: SmallVec<[Val<'c>; 2]> = made.collect();
        made.into_iter().map(|value| self.node(value)).collect()
    }
}

/// What the first block of each region gets.
fn entries<'c>(op: Op<'c>) -> impl Iterator<Item = Val<'c>> {
    let first = |region| blocks(region).next();
    regions(op)
        .filter_map(first)
        .flat_map(|block: Block<'c>| arguments(block))
}
