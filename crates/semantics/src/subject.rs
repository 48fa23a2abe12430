//! An operation whose semantics are being determined.

use crate::{
    allocators::Allocator,
    names::NameInfo,
    op_memory::{
        Capture, DataStart, Frees, Join, OpMemory, Opaque, OperandNumber, OperandNumbers,
        OperandUse, ResultFact, Start, TokenRef, TokenRefs, Touch, Uses,
    },
    operand_list::OperandList,
    types::{TypeClass, TypeClasses},
};
use memplan_mlir::ir::{Op, Val, operands, results, type_of};
use smallvec::SmallVec;

/// The operands that a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// All that can contain an address.
    All,
    /// All memrefs.
    Memrefs,
    /// The operand of this number.
    Number(u32),
    /// The memref of this number, counting only memrefs.
    Memref(u32),
}

/// An operation whose semantics are being determined.
pub struct Subject<'c, 't> {
    pub(crate) op: Op<'c>,
    pub(crate) info: NameInfo,
    pub(crate) types: &'t mut TypeClasses,
    pub(crate) operands: SmallVec<[(Val<'c>, TypeClass); 8]>,
    pub(crate) results: SmallVec<[(Val<'c>, TypeClass); 4]>,
    pub(crate) memory: OpMemory,
}

impl<'c, 't> Subject<'c, 't> {
    pub(crate) fn new(op: Op<'c>, info: NameInfo, types: &'t mut TypeClasses) -> Self {
        let of = |types: &mut TypeClasses, value| (value, types.of(type_of(value)));
        let mut subject = Self {
            operands: operands(op).map(|value| of(types, value)).collect(),
            results: results(op).map(|value| of(types, value)).collect(),
            memory: OpMemory::default(),
            op,
            info,
            types,
        };
        let entries = subject.operands.iter().enumerate();
        let entries = entries.filter(|(_, (_, class))| *class != TypeClass::Data);
        subject.memory.operands = entries
            .map(|(at, _)| OperandUse {
                operand: at as OperandNumber,
                touch: Touch::Nothing,
                capture: Capture::No,
                frees: None,
            })
            .collect();
        subject
    }

    /// The operands that a statement is about.
    pub(crate) fn select(&self, which: Operands) -> OperandNumbers {
        let all = || self.operands.iter().enumerate();
        let number = |(at, _): (usize, &(Val<'c>, TypeClass))| at as OperandNumber;
        let is_memref =
            |(_, (_, class)): &(usize, &(Val<'c>, TypeClass))| *class == TypeClass::Memref;
        match which {
            Operands::All => self
                .memory
                .operands
                .iter()
                .map(|used| used.operand)
                .collect(),
            Operands::Memrefs => all().filter(is_memref).map(number).collect(),
            Operands::Number(at) => SmallVec::from_slice(&[at]),
            Operands::Memref(at) => {
                let position = all().filter(is_memref).nth(at as usize);
                position.map(number).into_iter().collect()
            }
        }
    }

    /// The numbers of the results that are memrefs or future memrefs.
    pub(crate) fn memref_results(&self) -> SmallVec<[u32; 2]> {
        let all = self.results.iter().enumerate();
        let memrefs = all.filter(|(_, (_, class))| class.holds_memref());
        memrefs.map(|(at, _)| at as u32).collect()
    }

    pub(crate) fn operand_tokens(&self) -> TokenRefs {
        let all = self.operands.iter().enumerate();
        let tokens = all.filter(|(_, (_, class))| class.is_token());
        tokens.map(|(at, _)| TokenRef::Operand(at as u32)).collect()
    }

    pub(crate) fn result_tokens(&self) -> TokenRefs {
        let all = self.results.iter().enumerate();
        let tokens = all.filter(|(_, (_, class))| class.is_token());
        tokens.map(|(at, _)| TokenRef::Result(at as u32)).collect()
    }

    pub(crate) fn touch(&mut self, which: Operands, touch: Touch) {
        for number in self.select(which) {
            if let Some(used) = self.memory.operand_mut(number) {
                used.touch = used.touch.and(touch);
            }
        }
    }

    pub(crate) fn uses(&mut self, which: Operands, touch: Touch) {
        self.touch(which, touch);
        self.not_captured(which);
    }

    pub(crate) fn not_captured(&mut self, which: Operands) {
        self.captures(which, Capture::No);
    }

    pub(crate) fn captures(&mut self, which: Operands, capture: Capture) {
        for number in self.select(which) {
            if let Some(used) = self.memory.operand_mut(number) {
                used.capture = capture;
            }
        }
    }

    pub(crate) fn new_memory(&mut self, by: Allocator, may_share: Option<OperandNumber>) {
        for result in self.memref_results() {
            let automatic = matches!(
                self.memory.result(result as usize),
                Some(ResultFact::New {
                    automatic: true,
                    ..
                })
            );
            let fact = ResultFact::New {
                by,
                automatic,
                may_share,
            };
            self.memory.set_result(result, fact);
        }
    }

    /// Makes all memref results views of an operand. Other results that can contain an address get its address.
    pub(crate) fn views(&mut self, which: Operands, start: DataStart) {
        let is_view = self
            .results
            .iter()
            .any(|(_, class)| *class != TypeClass::Data);
        let Some(of) = self.select(which).first().copied().filter(|_| is_view) else {
            return;
        };
        for used in &mut self.memory.operands {
            used.capture = Capture::No;
            used.touch = match used.operand == of {
                true => Touch::Descriptor,
                // An example is the shape operand of memref.reshape.
                false => Touch::READ,
            };
        }
        for result in 0..self.results.len() {
            let fact = match self.results[result].1 {
                TypeClass::Data => continue,
                TypeClass::Memref => ResultFact::View { of, start },
                _ => ResultFact::Address {
                    of: OperandNumbers::from_slice(&[of]).into(),
                },
            };
            self.memory.set_result(result as u32, fact);
        }
    }

    pub(crate) fn starts(&mut self, uses: Uses, grouped: bool) {
        let tokens = self.result_tokens();
        self.memory.start = Some(Start {
            uses,
            tokens,
            grouped,
        });
    }

    /// Marks any operand as possibly freed.
    pub(crate) fn may_free(&mut self) {
        for used in &mut self.memory.operands {
            used.frees = Some(Frees {
                by: None,
                flag: None,
                is_certain: false,
            });
        }
    }

    pub(crate) fn waits(&mut self) {
        let tokens = self.operand_tokens();
        self.memory.joins.push(Join::Wait(tokens));
    }

    /// Makes token results complete no earlier than token operands. For a call, the callee decides.
    pub(crate) fn joins(&mut self) {
        let all_of = self.operand_tokens();
        if all_of.is_empty() || self.memory.is_call {
            return;
        }
        for to in self.result_tokens() {
            let all_of = all_of.clone();
            self.memory.joins.push(Join::After { all_of, to });
        }
    }

    /// Marks the operation as unknown: the worst case.
    pub(crate) fn opaque(&mut self, why: Opaque) {
        self.memory.opaque = Some(why);
        self.memory.fence = true;
        self.memory.unnamed.reads = true;
        self.memory.unnamed.writes = true;
        self.memory.unnamed.other_resources = true;
        for used in &mut self.memory.operands {
            used.touch = Touch::BOTH;
            used.capture = Capture::Anywhere;
        }
        self.may_free();
        let may_be: OperandList = self.select(Operands::All).into();
        for result in 0..self.results.len() {
            let fact = match self.results[result].1 {
                TypeClass::Data => continue,
                class if class.is_token() => ResultFact::Token,
                TypeClass::Memref => ResultFact::Unknown {
                    may_be: may_be.clone(),
                },
                _ => ResultFact::Address { of: may_be.clone() },
            };
            self.memory.set_result(result as u32, fact);
        }
    }
}
