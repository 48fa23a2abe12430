//! The stack of a function in the IR.

use super::settings::StackPlacement;
use crate::index_constants::IndexConstants;
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build::{self, BuildError, Builder, MANUAL_DEALLOCATION},
    ir::{Block, Op, Origin, Type, Val, arguments, origin, results},
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::attributes::{ARENA, BUFFER};

/// The memory of the stack, and constants before all other operations.
pub struct Stack<'c> {
    /// A memref of all bytes.
    bytes: Val<'c>,
    constants: IndexConstants<'c>,
    placement: StackPlacement,
}

impl<'c> Stack<'c> {
    /// Creates a stack of `peak` bytes, aligned to `unit` bytes, at the start of a function, in the memory
    /// space of `like`.
    pub fn create(
        function: Op<'c>,
        block: Block<'c>,
        like: Type<'c>,
        peak: u64,
        unit: u64,
        placement: StackPlacement,
    ) -> Result<Self, BuildError> {
        let location = function.location();
        let builder = Builder::at_start(block, function, location);
        let memref = builder.bytes_type(peak as i64, like);
        let alignment = unit as i64;
        let op = match placement {
            StackPlacement::Alloc => {
                let op = builder.alloc(memref, alignment)?;
                build::mark(op, MANUAL_DEALLOCATION);
                op
            }
            StackPlacement::Alloca => builder.alloca(memref, alignment)?,
            StackPlacement::Argument => {
                let attributes = [(ARENA, builder.integer_attribute(alignment))];
                if !symbols::append_argument(function, memref, &attributes, location) {
                    return Err(BuildError::unexpected());
                }
                let bytes = arguments(block).last().ok_or_else(BuildError::unexpected)?;
                return Ok(Self {
                    bytes,
                    constants: IndexConstants::new(builder),
                    placement,
                });
            }
        };
        build::mark(op, ARENA);
        // After the stack, before all other operations.
        let start = Builder::after(op, location).ok_or_else(BuildError::unexpected)?;
        Ok(Self {
            bytes: results(op).next().ok_or_else(BuildError::unexpected)?,
            constants: IndexConstants::new(start),
            placement,
        })
    }

    /// The constant of a number, before all other operations.
    pub fn index(&mut self, number: u64) -> Result<Val<'c>, BuildError> {
        self.constants.get(number as i64)
    }

    /// Creates a view of type `memref` at an offset in bytes. `number` identifies the buffer. Returns the
    /// view and its operation.
    pub fn view(
        &mut self,
        offset: u64,
        memref: Type<'c>,
        number: u32,
        builder: &Builder<'c>,
    ) -> Result<(Val<'c>, Op<'c>), BuildError> {
        let shift = self.index(offset)?;
        let number = builder.integer_attribute(i64::from(number));
        let view = builder.view(self.bytes, shift, memref, &[(BUFFER, number)])?;
        match origin(view) {
            Some(Origin::Result(op, _)) => Ok((view, op)),
            _ => Err(BuildError::unexpected()),
        }
    }

    /// Frees a stack on the heap at each exit of the function.
    pub fn free(&self, analysis: &Analysis<'c>) -> Result<(), BuildError> {
        if self.placement == StackPlacement::Alloc {
            for exit in analysis.handles.exits.first().into_iter().flatten() {
                if let Some(builder) = Builder::before(*exit, exit.location()) {
                    build::mark(builder.dealloc(self.bytes)?, MANUAL_DEALLOCATION);
                }
            }
        }
        Ok(())
    }
}
