//! Where values of a lowered function come from. Order and paths do not matter: what may be is.

use crate::isolate::name_of;
use memplan_mlir::{
    calls::{callee_symbol, flat_name},
    effects::{EffectKind, effects},
    flow::branch_operands,
    ir::{Identity, Key, Op, Val, arguments, operands, results, successors, type_of},
};
use std::collections::HashMap;

/// Functions that give new memory.
const ALLOCATES: [&str; 4] = ["malloc", "aligned_alloc", "mgpuMemAlloc", "calloc"];

/// Where a value comes from: bits are numbers of operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// It holds an address of these.
    pub of: u64,
    /// It is new memory.
    pub new: bool,
    /// It has been loaded from these.
    pub loaded: u64,
}

impl Origins {
    fn and(self, other: Self) -> Self {
        Self {
            of: self.of | other.of,
            new: self.new | other.new,
            loaded: self.loaded | other.loaded,
        }
    }
}

/// The origins of all values of a function.
#[derive(Default)]
pub struct Flow {
    values: HashMap<Key, Origins>,
    /// What memory holds that is no operand's.
    local: Origins,
    changed: bool,
}

impl Flow {
    /// Where a value comes from.
    pub fn get(&self, value: Val<'_>) -> Origins {
        self.values.get(&value.key()).copied().unwrap_or_default()
    }

    /// A value comes from there, too.
    pub fn add(&mut self, value: Val<'_>, origins: Origins) {
        let known = self.values.entry(value.key()).or_default();
        let now = known.and(origins);
        self.changed |= *known != now;
        *known = now;
    }

    /// Goes through operations until nothing changes. `asked`: what the results of operations of this name are is what
    /// is asked.
    pub fn run(&mut self, body: &[Op<'_>], asked: &str) {
        loop {
            self.changed = false;
            for op in body {
                self.step(*op, asked);
            }
            if !self.changed {
                break;
            }
        }
    }

    fn step(&mut self, op: Op<'_>, asked: &str) {
        let all = operands(op)
            .map(|value| self.get(value))
            .fold(Origins::default(), Origins::and);
        for (number, block) in successors(op).enumerate() {
            if let Some(forwarded) = branch_operands(op, number) {
                let into: Vec<_> = arguments(block).skip(forwarded.produced).collect();
                for (value, argument) in forwarded.forwarded.iter().zip(into) {
                    let origins = self.get(*value);
                    self.add(argument, origins);
                }
            }
        }
        let accesses = effects(op).unwrap_or_default();
        let is_load = accesses.iter().any(|one| one.kind == EffectKind::Read);
        if accesses.iter().any(|one| one.kind == EffectKind::Write) {
            let now = self.local.and(all);
            self.changed |= self.local != now;
            self.local = now;
        }
        let is_allocation = callee(op).is_some_and(|callee| ALLOCATES.contains(&callee.as_str()));
        let is_asked = name_of(op) == asked;
        for result in results(op).filter(|_| !is_asked) {
            let holds = ["ptr", "i64", "struct", "index", "memref"];
            let text = type_of(result).to_string();
            if !holds.iter().any(|part| text.contains(part)) {
                continue;
            }
            let origins = if is_allocation {
                Origins {
                    new: true,
                    ..Origins::default()
                }
            } else if is_load {
                match text.contains("ptr") {
                    true => Origins {
                        loaded: all.of,
                        ..self.local
                    },
                    false => Origins::default(),
                }
            } else {
                all
            };
            self.add(result, origins);
        }
    }
}

/// The function that an operation calls, if it is known.
pub fn callee(op: Op<'_>) -> Option<String> {
    if name_of(op) != "llvm.call" {
        return None;
    }
    let symbol = callee_symbol(op)?;
    flat_name(symbol)
}
