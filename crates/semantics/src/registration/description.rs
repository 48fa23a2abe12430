//! What an embedder says of an operation.

use crate::op_memory::{DataStart, OperandNumber, ResultNumber};

/// One thing that is said of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
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

/// What an operation does to memory. Operands and results are counted from 0, among all that the operation has.
///
/// A description is complete: a memref operand that nothing is said of is read, a memref result that nothing is
/// said of may be any of the memref operands or memory that is not followed. Statements that contradict each other, or
/// name what the operation does not have, are an error at the operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    pub(crate) said: Vec<Said>,
    pub(crate) by_interfaces: bool,
}

impl Description {
    fn say(&mut self, said: Said) -> &mut Self {
        self.said.push(said);
        self
    }

    /// Uses sizes, strides or the address of the operand, and no byte. The address goes nowhere.
    pub fn descriptor(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::Descriptor(operand))
    }

    /// Reads bytes of the operand.
    pub fn reads(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::Reads(operand))
    }

    /// Writes bytes of the operand; some may stay as they are.
    pub fn writes(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::Writes(operand))
    }

    /// Writes every element of the operand, and reads none through it.
    pub fn overwrites(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::Overwrites(operand))
    }

    /// Reads each element of `read` before it writes the one at the same place of `written`, which has the same
    /// shape, and not after. Says nothing else of the two but [`Description::overwrites`].
    pub fn in_step(&mut self, read: OperandNumber, written: OperandNumber) -> &mut Self {
        self.say(Said::InStep {
            read,
            written,
            copies: false,
        })
    }

    /// Copies all elements of `from` to `to`, which has the same shape and element type.
    pub fn copies(&mut self, from: OperandNumber, to: OperandNumber) -> &mut Self {
        self.overwrites(to).say(Said::InStep {
            read: from,
            written: to,
            copies: true,
        })
    }

    /// Frees the operand, whose memory goes back to the allocator of this name; `memref` is that of
    /// `memref.dealloc`.
    pub fn frees(&mut self, operand: OperandNumber, allocator: impl Into<String>) -> &mut Self {
        self.say(Said::Frees(operand, allocator.into()))
    }

    /// Takes ownership of the operand: somebody else frees it from now on.
    pub fn takes(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::Takes(operand))
    }

    /// Code that is not seen may know the operand's address, for ever: its memory is left alone.
    pub fn captures(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::Captures(operand))
    }

    /// Stores the operand in the memory of another one, a memref of memrefs.
    pub fn stores_into(&mut self, operand: OperandNumber, memory: OperandNumber) -> &mut Self {
        self.say(Said::StoresInto { operand, memory })
    }

    /// Does the same where this operand is in another memory space. Counts where it is said of all memref operands.
    pub fn takes_any_space(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::AnySpace(operand))
    }

    /// Does the same where this operand has other strides and starts elsewhere, aligned to its elements alone.
    pub fn takes_any_strides(&mut self, operand: OperandNumber) -> &mut Self {
        self.say(Said::AnyStrides(operand))
    }

    /// The result is new memory of the allocator of this name; `memref` is that of `memref.dealloc`.
    pub fn allocates(&mut self, result: ResultNumber, allocator: impl Into<String>) -> &mut Self {
        self.say(Said::Allocates(result, allocator.into()))
    }

    /// The result is a view of the operand, whose data starts there. Goes with reads and writes of other operands
    /// alone.
    pub fn views(
        &mut self,
        result: ResultNumber,
        of: OperandNumber,
        start: DataStart,
    ) -> &mut Self {
        self.say(Said::Views { result, of, start })
    }

    /// The result is the memory of one of these operands, chosen at run time.
    pub fn any_of(&mut self, result: ResultNumber, operands: &[OperandNumber]) -> &mut Self {
        self.say(Said::AnyOf(result, operands.to_vec()))
    }

    /// The result is an element of the operand, a memref of memrefs.
    pub fn loads(&mut self, result: ResultNumber, from: OperandNumber) -> &mut Self {
        self.say(Said::Loads { result, from })
    }

    /// The result is memory of somebody else, which is never freed here.
    pub fn borrowed(&mut self, result: ResultNumber) -> &mut Self {
        self.say(Said::Borrowed(result))
    }

    /// The result, which is not a memref, is the operand's address, or holds it: a number, a pointer, a structure.
    pub fn address_of(&mut self, result: ResultNumber, operand: OperandNumber) -> &mut Self {
        self.say(Said::AddressOf { result, operand })
    }

    /// What it uses is needed after control has passed it, until this token has been waited for.
    pub fn starts(&mut self, token: ResultNumber) -> &mut Self {
        self.say(Said::Starts(token))
    }

    /// Its token results are done no earlier than this token operand; control does not wait for that.
    pub fn after(&mut self, token: OperandNumber) -> &mut Self {
        self.say(Said::After(token))
    }

    /// Control waits for all its token operands.
    pub fn waits(&mut self) -> &mut Self {
        self.say(Said::Waits)
    }

    /// Nothing changes places with it, such as input and output, a barrier, or memory that no operand names.
    pub fn fence(&mut self) -> &mut Self {
        self.say(Said::Fence)
    }

    /// It may run where it would not have run. Only for operations that touch no byte.
    pub fn speculatable(&mut self) -> &mut Self {
        self.say(Said::Speculatable)
    }

    /// Of this one, MLIR's interfaces and memplan's own table hold after all, and nothing else that is said.
    pub fn by_interfaces(&mut self) -> &mut Self {
        self.by_interfaces = true;
        self
    }
}
