//! The origins of the values in a lowered function. The analysis ignores order and paths, and computes possible
//! origins.

use crate::isolate::name_of;
use memplan_mlir::{
    calls::{callee_symbol, flat_name},
    control_flow::branch_operands,
    effects::{EffectKind, effects},
    ir::{Identity, Key, Op, Val, arguments, operands, results, successors, type_of},
};
use std::collections::HashMap;

/// Functions that return new memory.
const ALLOCATES: [&str; 4] = ["malloc", "aligned_alloc", "mgpuMemAlloc", "calloc"];

/// The origin of a value, as bits for operand numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// It contains the address of these operands.
    pub of: u64,
    /// It is new memory.
    pub new: bool,
    /// It was loaded from these operands.
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
    /// The contents of memory that does not belong to an operand.
    local: Origins,
    changed: bool,
}

impl Flow {
    /// The origin of a value.
    pub fn get(&self, value: Val<'_>) -> Origins {
        self.values.get(&value.key()).copied().unwrap_or_default()
    }

    /// Adds an origin of a value.
    pub fn add(&mut self, value: Val<'_>, origins: Origins) {
        let known = self.values.entry(value.key()).or_default();
        let now = known.and(origins);
        self.changed |= *known != now;
        *known = now;
    }

    /// Visits all operations until nothing changes. `target` is the operation name whose results are of interest.
    pub fn run(&mut self, body: &[Op<'_>], target: &str) {
        loop {
            self.changed = false;
            for op in body {
                self.step(*op, target);
            }
            if !self.changed {
                break;
            }
        }
    }

    fn step(&mut self, op: Op<'_>, target: &str) {
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
        let is_target = name_of(op) == target;
        for result in results(op).filter(|_| !is_target) {
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

/// The callee of an operation, if it is known.
pub fn callee(op: Op<'_>) -> Option<String> {
    if name_of(op) != "llvm.call" {
        return None;
    }
    let symbol = callee_symbol(op)?;
    flat_name(symbol)
}
