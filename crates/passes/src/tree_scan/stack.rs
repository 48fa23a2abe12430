//! The stack of a function, in the IR.

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

/// The stack, and constants before all other operations.
pub struct Stack<'c> {
    /// All of its bytes.
    bytes: Val<'c>,
    constants: IndexConstants<'c>,
    home: StackPlacement,
}

impl<'c> Stack<'c> {
    /// Makes a stack of `peak` bytes at the start of a function, in the memory space of `like`.
    pub fn make(
        function: Op<'c>,
        block: Block<'c>,
        like: Type<'c>,
        peak: u64,
        unit: u64,
        home: StackPlacement,
    ) -> Result<Self, BuildError> {
        let location = function.location();
        let builder = Builder::at_start(block, function, location);
        let memref = builder.bytes_type(peak as i64, like);
        let alignment = unit as i64;
        let op = match home {
            StackPlacement::Alloc => {
                let op = builder.alloc(memref, alignment)?;
                build::mark(op, MANUAL_DEALLOCATION);
                op
            }
            StackPlacement::Alloca => builder.alloca(memref, alignment)?,
            StackPlacement::Argument => {
                let attributes = [(ARENA, builder.integer_attribute(alignment))];
                if !symbols::append_argument(function, memref, &attributes, location) {
                    return Err(BuildError::signature());
                }
                let bytes = arguments(block).last().ok_or_else(BuildError::signature)?;
                return Ok(Self {
                    bytes,
                    constants: IndexConstants::new(builder),
                    home,
                });
            }
        };
        build::mark(op, ARENA);
        // After the stack, before what followed.
        let start = Builder::after(op, location).ok_or_else(BuildError::signature)?;
        Ok(Self {
            bytes: results(op).next().ok_or_else(BuildError::signature)?,
            constants: IndexConstants::new(start),
            home,
        })
    }

    /// A constant before all other operations, one for each number.
    pub fn index(&mut self, number: u64) -> Result<Val<'c>, BuildError> {
        self.constants.get(number as i64)
    }

    /// A view of it in place of a memref of some type, with the number of what lies there; and the operation.
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
            _ => Err(BuildError::signature()),
        }
    }

    /// Frees it on each exit of its function, where it is on the heap.
    pub fn free(&self, analysis: &Analysis<'c>) -> Result<(), BuildError> {
        if self.home == StackPlacement::Alloc {
            for exit in analysis.handles.exits.first().into_iter().flatten() {
                if let Some(builder) = Builder::before(*exit, exit.location()) {
                    build::mark(builder.dealloc(self.bytes)?, MANUAL_DEALLOCATION);
                }
            }
        }
        Ok(())
    }
}
