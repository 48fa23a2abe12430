//! Arenas of dynamic size that callees receive: buffers of their callers.
//!
//! Before a call, its caller computes the size as the callee would, and allocates a buffer, which is planned like those of
//! the program:
//!
//! ```text
//! %size  = …                                  copies of what computes the callee's arena, of the call's operands
//! %bytes = memref.alloc(%size) : memref<?xi8>
//! call @callee(…, %bytes)
//! ```
//!
//! What depends on arguments of the caller alone is computed at its start, once for all calls with the same sizes: so it
//! is clear that they are equal, and what the caller receives itself may depend on it.

use super::{
    arena_size::{ArenaSize, Input},
    materialize,
};
use memplan_mlir::{
    build::{self, BuildError, Builder, MANUAL_DEALLOCATION},
    calls::{call_arguments, function_body},
    ir::{
        Block, Identity, Key, Op, Origin, Type, Val, blocks, operands, origin, parent, type_of,
        users,
    },
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::{Semantics, TracedNumber, speculation::is_safe_to_speculate};
use rustc_hash::{FxHashMap, FxHashSet};

/// An arena that a callee receives.
#[derive(Clone)]
pub struct Parameter<'c> {
    /// Its type.
    pub r#type: Type<'c>,
    /// Its bytes, if they are constant.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Its bytes, if they are computed.
    pub computed: Option<ArenaSize<'c>>,
}

impl Parameter<'_> {
    /// Whether any of these has a size that is computed.
    pub fn are_sized(parameters: &[Self]) -> bool {
        parameters.iter().any(|one| one.computed.is_some())
    }
}

/// Allocates what callees receive before calls of one function.
pub struct Caller<'c> {
    entry: Block<'c>,
    start: Builder<'c>,
    semantics: Semantics,
    /// Values at the start of the function: what it receives.
    received: FxHashMap<Input, Val<'c>>,
    constants: FxHashMap<i64, Val<'c>>,
    /// What was allocated.
    pub allocations: FxHashSet<Key>,
    /// Sizes computed there, by callee, number of the parameter, and inputs.
    sizes: FxHashMap<(usize, usize, Vec<Source>), Val<'c>>,
}

/// A number at a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Constant(i64),
    /// Something that the caller receives.
    Received(Input),
    /// A value of the caller, by key.
    Computed(Key),
}

/// A number at a call, with its value, or the memref that it is a dimension of.
type Number<'c> = (Source, Option<Val<'c>>);

impl<'c> Caller<'c> {
    /// Of a function with a body.
    pub fn new(function: Op<'c>) -> Option<Self> {
        let entry = blocks(function_body(function)?).next()?;
        Some(Self {
            entry,
            start: Builder::at_start(entry, function, function.location()),
            semantics: Semantics::default(),
            received: FxHashMap::default(),
            constants: FxHashMap::default(),
            allocations: FxHashSet::default(),
            sizes: FxHashMap::default(),
        })
    }

    /// Allocates the arenas of a callee before a call, and passes them. With `free`, they are freed after it.
    pub fn allocate(
        &mut self,
        call: Op<'c>,
        callee: usize,
        parameters: &[Parameter<'c>],
        free: bool,
    ) -> Result<(), BuildError> {
        let before = Builder::before(call, call.location()).ok_or_else(BuildError::unexpected)?;
        let after = Builder::after(call, call.location()).ok_or_else(BuildError::unexpected)?;
        let mut arenas: Vec<Val<'c>> = Vec::with_capacity(parameters.len());
        for (number, parameter) in parameters.iter().enumerate() {
            let alignment = parameter.alignment as i64;
            let op = match &parameter.computed {
                None => before.alloc(parameter.r#type, alignment)?,
                Some(size) => {
                    let total = self.size(call, (callee, number), size, &before)?;
                    before.alloc_bytes(parameter.r#type, total, alignment)?
                }
            };
            let bytes = materialize::result(op);
            if free {
                after.dealloc(bytes)?;
            }
            self.allocations.insert(op.key());
            arenas.push(bytes);
        }
        symbols::append_operands(call, &arenas);
        Ok(())
    }

    /// The bytes that the callee takes at a call.
    fn size(
        &mut self,
        call: Op<'c>,
        (callee, number): (usize, usize),
        size: &ArenaSize<'c>,
        before: &Builder<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let range = call_arguments(call).ok_or_else(BuildError::unexpected)?;
        let passed: Vec<Val<'c>> = operands(call).collect();
        let passed = passed.get(range).ok_or_else(BuildError::unexpected)?;
        let numbers = size.inputs().into_iter().map(|(input, _)| {
            let value = passed.get(input.argument).copied();
            let value = value.ok_or_else(BuildError::unexpected)?;
            let is_constant = |number: &TracedNumber<'c>| {
                let is_index = type_of(value) == self.start.index_type();
                is_index || !matches!(number, TracedNumber::Constant(_))
            };
            let number = match input.dimension {
                Some(dimension) => self.semantics.traced_dimension(value, dimension),
                None => {
                    let traced = self.semantics.traced(value);
                    // Constants of other types stay as they are.
                    Some(traced)
                        .filter(is_constant)
                        .unwrap_or(TracedNumber::Value(value))
                }
            };
            self.source(number, before)
        });
        let numbers: Vec<Number<'c>> = numbers.collect::<Result<_, BuildError>>()?;
        let is_early = numbers
            .iter()
            .all(|(source, _)| !matches!(source, Source::Computed(_)))
            && size.ops().all(is_safe_to_speculate)
            && self.sees_start(call);
        let sources = is_early.then(|| numbers.iter().map(|(source, _)| *source).collect());
        let key = sources.map(|sources: Vec<Source>| (callee, number, sources));
        if let Some(known) = key.as_ref().and_then(|key| self.sizes.get(key)) {
            return Ok(*known);
        }
        let values = numbers.into_iter().map(|one| match one {
            // The start may be outside of what the call is isolated in.
            (Source::Constant(constant), _) if !is_early => before.index(constant),
            one => self.value(one),
        });
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let Some(key) = key else {
            return size.write(before, &values);
        };
        let total = size.write(&self.start.located(call.location()), &values)?;
        self.sizes.insert(key, total);
        Ok(total)
    }

    /// Whether values of the function's start can be used at an operation.
    fn sees_start(&mut self, op: Op<'c>) -> bool {
        let mut around = parent(op);
        while let Some(op) = around.filter(|op| !self.semantics.info(*op).is_function()) {
            if self.semantics.info(op).is_isolated() {
                return false;
            }
            around = parent(op);
        }
        true
    }

    /// Where a number comes from. `before` is where a dimension is computed that is not known otherwise.
    fn source(
        &mut self,
        number: TracedNumber<'c>,
        before: &Builder<'c>,
    ) -> Result<Number<'c>, BuildError> {
        let received = |value: Val<'c>| match origin(value) {
            Some(Origin::Argument(block, argument)) => (block == self.entry).then_some(argument),
            _ => None,
        };
        let (argument, dimension, value) = match number {
            TracedNumber::Constant(constant) => return Ok((Source::Constant(constant), None)),
            TracedNumber::Value(value) => match received(value) {
                Some(argument) => (argument, None, value),
                None => return Ok((Source::Computed(value.key()), Some(value))),
            },
            TracedNumber::Dimension(memref, at) => match received(memref) {
                Some(argument) => (argument, Some(at), memref),
                None => {
                    let value = before.dimension(memref, at)?;
                    return Ok((Source::Computed(value.key()), Some(value)));
                }
            },
        };
        let input = Input {
            argument,
            dimension,
        };
        Ok((Source::Received(input), Some(value)))
    }

    /// The value of a number: at the start of the function, unless it is computed later.
    fn value(&mut self, (source, value): Number<'c>) -> Result<Val<'c>, BuildError> {
        let known = match source {
            Source::Constant(constant) => self.constants.get(&constant),
            Source::Received(input) => self.received.get(&input),
            Source::Computed(_) => value.as_ref(),
        };
        if let Some(known) = known {
            return Ok(*known);
        }
        match (source, value) {
            (Source::Constant(constant), _) => {
                let value = self.start.index(constant)?;
                self.constants.insert(constant, value);
                Ok(value)
            }
            (Source::Received(input), Some(value)) => {
                let value = match input.dimension {
                    Some(dimension) => self.start.dimension(value, dimension)?,
                    None => value,
                };
                self.received.insert(input, value);
                Ok(value)
            }
            (Source::Received(_) | Source::Computed(_), _) => Err(BuildError::unexpected()),
        }
    }
}

/// Marks what was allocated before a call and is not planned, so that deallocation passes ignore it, if it is freed after
/// the call.
pub fn mark_remaining(call: Op<'_>, parameters: &[Parameter<'_>], free: bool) {
    let mut semantics = Semantics::default();
    let others = operands(call).count().saturating_sub(parameters.len());
    for arena in operands(call).skip(others).filter(|_| free) {
        if let Some(Origin::Result(op, _)) = origin(arena)
            && semantics.table_facts(op).allocates.is_some()
        {
            build::mark(op, MANUAL_DEALLOCATION);
            let frees = users(arena).filter(|user| user.key() != call.key());
            frees.for_each(|free| build::mark(free, MANUAL_DEALLOCATION));
        }
    }
}
