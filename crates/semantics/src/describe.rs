//! From an operation to its [`OpMemory`]: what interfaces say, then the table, then what is registered.

use crate::{
    interfaces,
    op_memory::{
        Capture, DataStart, Frees, Join, OpMemory, Opaque, OperandNumber, OperandNumbers,
        OperandUse, Promise, ResultFact, Start, TokenRef, TokenRefs, Touch, Uses,
    },
    registered,
    semantics::NameFacts,
    statement::{Operands, Statement},
    types::{TypeClass, TypeClasses},
};
use memplan_mlir::{
    ir::{Op, Val, operands, results, type_of},
    names::NameInfo,
    rules::rules,
};
use smallvec::SmallVec;

/// An operation that is being described.
pub struct Subject<'c, 't> {
    pub(crate) op: Op<'c>,
    pub(crate) facts: NameFacts,
    pub(crate) types: &'t mut TypeClasses,
    pub(crate) operands: SmallVec<[(Val<'c>, TypeClass); 8]>,
    pub(crate) results: SmallVec<[(Val<'c>, TypeClass); 4]>,
    pub(crate) memory: OpMemory,
}

/// Describes an operation.
pub(crate) fn describe(mut subject: Subject<'_, '_>) -> OpMemory {
    if let Some(rules) = subject.info().is_ruled.then(|| rules(subject.op)).flatten() {
        registered::describe(&mut subject, &rules);
        return subject.memory;
    }
    let facts = subject.facts;
    if facts.is_whole {
        interfaces::other_results(&mut subject);
    } else {
        interfaces::describe(&mut subject);
    }
    for statement in facts.row.unwrap_or(facts.others) {
        subject.say(*statement);
    }
    subject.memory
}

impl<'c, 't> Subject<'c, 't> {
    pub(crate) fn new(op: Op<'c>, facts: NameFacts, types: &'t mut TypeClasses) -> Self {
        let of = |types: &mut TypeClasses, value| (value, types.of(type_of(value)));
        let mut subject = Self {
            operands: operands(op).map(|value| of(types, value)).collect(),
            results: results(op).map(|value| of(types, value)).collect(),
            memory: OpMemory::default(),
            op,
            facts,
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

    pub(crate) const fn info(&self) -> NameInfo {
        self.facts.info
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
                let place = all().filter(is_memref).nth(at as usize);
                place.map(number).into_iter().collect()
            }
        }
    }

    /// The numbers of the results that are memrefs, or memrefs to come.
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

    /// What it names replaces what was said before.
    fn say(&mut self, statement: Statement) {
        match statement {
            Statement::Descriptor(which) => {
                for number in self.select(which) {
                    if let Some(used) = self.memory.operand_mut(number) {
                        used.touch = Touch::Descriptor;
                        used.capture = Capture::No;
                    }
                }
            }
            Statement::Reads(which) => self.uses(which, Touch::READ),
            Statement::Writes(which) => self.uses(which, Touch::WRITE),
            Statement::Captures(which) => self.captures(which, Capture::Anywhere),
            Statement::StoresInto(which, memory) => {
                if let Some(memory) = self.select(memory).first().copied() {
                    self.captures(which, Capture::Inside(memory));
                }
            }
            Statement::Frees(which, by) => {
                for number in self.select(which) {
                    if let Some(used) = self.memory.operand_mut(number) {
                        used.touch = Touch::Nothing;
                        used.capture = Capture::No;
                        used.frees = Some(Frees {
                            by: Some(by),
                            flag: None,
                        });
                    }
                }
            }
            Statement::Allocates(by) => self.new_memory(by, None),
            Statement::Clones(which) => {
                self.uses(which, Touch::READ);
                let from = self.select(which).first().copied();
                self.new_memory(crate::Allocator::Memref, from);
            }
            Statement::Reallocates(which) => {
                let from = self.select(which).first().copied();
                self.say(Statement::Frees(which, crate::Allocator::Memref));
                self.new_memory(crate::Allocator::Memref, from);
            }
            Statement::Views(which, start) => self.views(which, start),
            Statement::PassesThrough => {
                self.say(Statement::Descriptor(Operands::Memrefs));
                self.memory.promises.push(Promise::Distinct);
                for result in self.memref_results() {
                    let fact = ResultFact::View {
                        of: result,
                        start: DataStart::Same,
                    };
                    self.memory.set_result(result, fact);
                }
            }
            Statement::AnyOf(which) => {
                self.not_captured(which);
                let of = self.select(which);
                for result in self.memref_results() {
                    self.memory
                        .set_result(result, ResultFact::AnyOf(of.clone()));
                }
                let tokens = self.operand_tokens();
                for to in self.result_tokens() {
                    let of = tokens.clone();
                    self.memory.joins.push(Join::OneOf { of, to });
                }
            }
            Statement::Loads(which) => {
                self.uses(which, Touch::READ);
                let from = self.select(which).first().copied();
                let fact = from.map(|from| ResultFact::Loaded { from });
                for result in self.memref_results() {
                    if let Some(fact) = &fact {
                        self.memory.set_result(result, fact.clone());
                    }
                }
            }
            Statement::Borrows => {
                for result in self.memref_results() {
                    self.memory.set_result(result, ResultFact::Borrowed);
                }
            }
            Statement::Address(which) => {
                let of = self.select(which);
                for number in &of {
                    if let Some(used) = self.memory.operand_mut(*number) {
                        used.touch = used.touch.and(Touch::Descriptor);
                        used.capture = Capture::No;
                    }
                }
                for result in 0..self.results.len() as u32 {
                    let fact = ResultFact::Address { of: of.clone() };
                    self.memory.set_result(result, fact);
                }
            }
            Statement::StartsIfToken(uses) => {
                if !self.result_tokens().is_empty() {
                    self.starts(uses, false);
                    self.joins();
                }
            }
            Statement::Starts { uses, grouped } => {
                self.starts(uses, grouped);
                self.joins();
            }
            Statement::NeverEnds => {
                self.memory.start = Some(Start {
                    uses: Uses::Operands,
                    tokens: SmallVec::new(),
                    grouped: false,
                });
            }
            Statement::Waits => self.waits(),
            Statement::WaitsOrJoins => match self.result_tokens().is_empty() {
                true => self.waits(),
                false => self.joins(),
            },
            Statement::Fence => self.memory.fence = true,
            Statement::NeverLeft => {}
            Statement::Runs(order) => self.memory.regions = order,
            Statement::AnySpace => self.memory.any_space = true,
            Statement::Special(special) => special(self),
        }
    }

    fn uses(&mut self, which: Operands, touch: Touch) {
        self.touch(which, touch);
        self.not_captured(which);
    }

    fn not_captured(&mut self, which: Operands) {
        self.captures(which, Capture::No);
    }

    fn captures(&mut self, which: Operands, capture: Capture) {
        for number in self.select(which) {
            if let Some(used) = self.memory.operand_mut(number) {
                used.capture = capture;
            }
        }
    }

    fn new_memory(&mut self, by: crate::Allocator, may_share: Option<OperandNumber>) {
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

    /// All memref results are views of an operand; other results that can hold an address are its address.
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
                // Such as the shape of memref.reshape.
                false => Touch::READ,
            };
        }
        for result in 0..self.results.len() {
            let fact = match self.results[result].1 {
                TypeClass::Data => continue,
                TypeClass::Memref => ResultFact::View { of, start },
                _ => ResultFact::Address {
                    of: SmallVec::from_slice(&[of]),
                },
            };
            self.memory.set_result(result as u32, fact);
        }
    }

    fn starts(&mut self, uses: Uses, grouped: bool) {
        let tokens = self.result_tokens();
        self.memory.start = Some(Start {
            uses,
            tokens,
            grouped,
        });
    }

    /// Any operand may be freed.
    pub(crate) fn may_free(&mut self) {
        for used in &mut self.memory.operands {
            used.frees = Some(Frees {
                by: None,
                flag: None,
            });
        }
    }

    fn waits(&mut self) {
        let tokens = self.operand_tokens();
        self.memory.joins.push(Join::Wait(tokens));
    }

    /// Token results are done no earlier than token operands; those of a call are its callee's to wait for.
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

    /// Nothing is known: the worst case.
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
        let may_be = self.select(Operands::All);
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
