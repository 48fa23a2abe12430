//! The description of an operation by an embedder.

use crate::op_memory::{DataStart, OperandNumber, ResultNumber};

/// One statement about an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DescriptionStatement {
    Descriptor(OperandNumber),
    Reads(OperandNumber),
    Writes(OperandNumber),
    Overwrites(OperandNumber),
    InStep {
        read: OperandNumber,
        written: OperandNumber,
        copies: bool,
    },
    Frees(OperandNumber, String),
    Takes(OperandNumber),
    Captures(OperandNumber),
    StoresInto {
        operand: OperandNumber,
        memory: OperandNumber,
    },
    AnySpace(OperandNumber),
    AnyStrides(OperandNumber),
    Allocates(ResultNumber, String),
    Views {
        result: ResultNumber,
        of: OperandNumber,
        start: DataStart,
    },
    AnyOf(ResultNumber, Vec<OperandNumber>),
    Loads {
        result: ResultNumber,
        from: OperandNumber,
    },
    Borrowed(ResultNumber),
    AddressOf {
        result: ResultNumber,
        operand: OperandNumber,
    },
    Starts(ResultNumber),
    After(OperandNumber),
    Waits,
    Fence,
    Speculatable,
}

/// The memory semantics of an operation. Operands and results are numbered from 0, counting all operands or results
/// of the operation.
///
/// A description is complete: a memref operand that it does not mention is read. A memref result that it does not
/// mention may alias any memref operand or unknown memory. Statements that contradict each other, or refer to
/// operands or results that do not exist, are an error at the operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    pub(crate) statements: Vec<DescriptionStatement>,
    pub(crate) by_interfaces: bool,
}

impl Description {
    fn push(&mut self, statement: DescriptionStatement) -> &mut Self {
        self.statements.push(statement);
        self
    }

    /// Uses only the sizes, the strides or the address of the operand, not its bytes. Does not capture the address.
    pub fn descriptor(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Descriptor(operand))
    }

    /// Reads bytes of the operand.
    pub fn reads(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Reads(operand))
    }

    /// Writes bytes of the operand, perhaps not all of them.
    pub fn writes(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Writes(operand))
    }

    /// Writes every element of the operand, and reads none of them through the operand.
    pub fn overwrites(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Overwrites(operand))
    }

    /// Reads each element of `read` before it writes the element with the same indices of `written`, and never after
    /// that. The two operands have the same shape. The only other statement allowed about the two is
    /// [`Description::overwrites`].
    pub fn in_step(&mut self, read: OperandNumber, written: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::InStep {
            read,
            written,
            copies: false,
        })
    }

    /// Copies all elements of `from` to `to`, which has the same shape and element type.
    pub fn copies(&mut self, from: OperandNumber, to: OperandNumber) -> &mut Self {
        self.overwrites(to).push(DescriptionStatement::InStep {
            read: from,
            written: to,
            copies: true,
        })
    }

    /// Frees the operand with the allocator of this name. The name `memref` is the allocator that `memref.dealloc`
    /// frees to.
    pub fn frees(&mut self, operand: OperandNumber, allocator: impl Into<String>) -> &mut Self {
        self.push(DescriptionStatement::Frees(operand, allocator.into()))
    }

    /// Takes ownership of the operand: from now on, other code frees it.
    pub fn takes(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Takes(operand))
    }

    /// Captures the operand: unknown code may keep its address for any time. Passes do not change its memory.
    pub fn captures(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Captures(operand))
    }

    /// Stores the operand in the memory of another operand, which is a memref of memrefs.
    pub fn stores_into(&mut self, operand: OperandNumber, memory: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::StoresInto { operand, memory })
    }

    /// The operation allows any memory space for this operand. This has an effect only if it is stated for all memref
    /// operands.
    pub fn takes_any_space(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::AnySpace(operand))
    }

    /// The operation allows any strides and any start for this operand, provided the data is aligned to its elements.
    pub fn takes_any_strides(&mut self, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::AnyStrides(operand))
    }

    /// The result is new memory from the allocator of this name. The name `memref` is the allocator that
    /// `memref.dealloc` frees to.
    pub fn allocates(&mut self, result: ResultNumber, allocator: impl Into<String>) -> &mut Self {
        self.push(DescriptionStatement::Allocates(result, allocator.into()))
    }

    /// The result is a view of the operand; `start` describes the start of its data. The only other effects allowed
    /// are reads and writes of other operands.
    pub fn views(
        &mut self,
        result: ResultNumber,
        of: OperandNumber,
        start: DataStart,
    ) -> &mut Self {
        self.push(DescriptionStatement::Views { result, of, start })
    }

    /// The result aliases one of these operands, which is chosen at run time.
    pub fn any_of(&mut self, result: ResultNumber, operands: &[OperandNumber]) -> &mut Self {
        self.push(DescriptionStatement::AnyOf(result, operands.to_vec()))
    }

    /// The result is an element of the operand, which is a memref of memrefs.
    pub fn loads(&mut self, result: ResultNumber, from: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::Loads { result, from })
    }

    /// The result is borrowed memory: other code owns it, and it is never freed here.
    pub fn borrowed(&mut self, result: ResultNumber) -> &mut Self {
        self.push(DescriptionStatement::Borrowed(result))
    }

    /// The result is not a memref, but is or contains the address of the operand: a number, a pointer or a structure.
    pub fn address_of(&mut self, result: ResultNumber, operand: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::AddressOf { result, operand })
    }

    /// The operation is asynchronous: it uses its operands until this token has been waited for.
    pub fn starts(&mut self, token: ResultNumber) -> &mut Self {
        self.push(DescriptionStatement::Starts(token))
    }

    /// The token results of the operation complete no earlier than this token operand. The operation does not wait
    /// for the token.
    pub fn after(&mut self, token: OperandNumber) -> &mut Self {
        self.push(DescriptionStatement::After(token))
    }

    /// The operation waits for all its token operands.
    pub fn waits(&mut self) -> &mut Self {
        self.push(DescriptionStatement::Waits)
    }

    /// No other operation may be moved across this one. Examples are input and output, barriers, and accesses of
    /// memory that no operand refers to.
    pub fn fence(&mut self) -> &mut Self {
        self.push(DescriptionStatement::Fence)
    }

    /// The operation is speculatable: it may be executed where the program would not execute it. Allowed only for
    /// operations that access no memory.
    pub fn speculatable(&mut self) -> &mut Self {
        self.push(DescriptionStatement::Speculatable)
    }

    /// Leaves this operation to MLIR's interfaces and memplan's own table; all other statements are ignored.
    pub fn by_interfaces(&mut self) -> &mut Self {
        self.by_interfaces = true;
        self
    }
}
