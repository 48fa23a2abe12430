//! Decides how each dealloc is lowered.

use super::codes;
use crate::{
    descriptor::StackScope,
    failure::fail,
    origins::{DeallocOperand, MOVED, Reading, allocator_of},
};
use memplan_mlir::pass::Failed;
use memplan_ownership::{
    compare::{CompareProgram, CompareStep, comparison_count},
    dealloc::Condition,
    origins::Origins,
};
use memplan_semantics::Allocator;

/// More comparisons than this become loops.
const MAX_COMPARISONS: usize = 16;

/// The expansion of a dealloc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Into single comparisons.
    Steps,
    /// Into loops over a table.
    Table,
}

/// The lowering of a dealloc.
#[derive(Clone, Debug)]
pub struct DeallocPlan {
    /// The memrefs that may be freed: the position in the dealloc, the condition, and the allocator.
    pub memrefs: Vec<(usize, Condition, Allocator)>,
    /// The expansion.
    pub expansion: Expansion,
    /// The comparisons; empty for [`Expansion::Table`].
    pub program: CompareProgram,
    /// Memory is identified by the allocated pointers of memrefs, not by the addresses of their data.
    pub by_allocated_pointer: bool,
}

impl DeallocPlan {
    /// Whether anything is compared.
    pub fn compares(&self) -> bool {
        self.program
            .steps
            .iter()
            .any(|step| matches!(step, CompareStep::Same(..)))
    }
}

/// Whether a dealloc takes many comparisons.
pub fn is_long(memrefs: usize, retained: usize) -> bool {
    // One memref takes no more code than a table does.
    memrefs > 1 && comparison_count(memrefs, retained) > MAX_COMPARISONS
}

/// Decides for all deallocs of a function. With a helper function, tables need no loops at the dealloc.
pub fn decide(
    reading: &mut Reading<'_>,
    stack_scopes: &[StackScope<'_>],
    helper: bool,
) -> Result<Vec<DeallocPlan>, Failed> {
    let mut origins = Origins::of(&reading.memory);
    let mut plans = Vec::with_capacity(reading.sites.len());
    let mut result = Ok(());
    for (site, stack_scope) in reading.sites.iter().zip(stack_scopes) {
        let mut memrefs = Vec::with_capacity(site.memrefs.len());
        for (at, (operand, flag)) in site.memrefs.iter().zip(&site.conditions).enumerate() {
            let condition = reading.conditions.condition(*flag);
            if condition == Condition::No {
                continue;
            }
            match allocator_of(origins.marks(operand.id)) {
                Ok(allocator) => memrefs.push((at, condition, allocator)),
                Err(error) => {
                    let message = format!("'bufferization.dealloc' {error}");
                    result = Err(fail(site.op, codes::MIXED_ALLOCATORS, message));
                }
            }
        }
        let is_moved = |operand: &DeallocOperand<'_>| origins.marks(operand.id) & MOVED != 0;
        let compared = memrefs.iter().map(|(at, ..)| &site.memrefs[*at]);
        let by_allocated_pointer = compared.chain(&site.retained).any(is_moved);
        let conditions: Vec<Condition> = memrefs.iter().map(|(_, when, _)| *when).collect();
        let is_long = is_long(memrefs.len(), site.retained.len());
        // An `alloca_scope` of its own contains no loops.
        let expansion = match is_long && (helper || matches!(stack_scope, StackScope::Block(..))) {
            true => Expansion::Table,
            false => Expansion::Steps,
        };
        plans.push(DeallocPlan {
            program: match expansion {
                Expansion::Steps => CompareProgram::of(&conditions, &site.is_used, |one, other| {
                    let operand = |at: usize| match memrefs.get(at) {
                        Some((at, ..)) => &site.memrefs[*at],
                        None => &site.retained[at - memrefs.len()],
                    };
                    origins.alias(operand(one).id, operand(other).id)
                }),
                Expansion::Table => CompareProgram::default(),
            },
            memrefs,
            expansion,
            by_allocated_pointer,
        });
    }
    result.map(|()| plans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{origins::read_deallocs, test_function::with_function};
    use memplan_semantics::Semantics;
    use memplan_summaries::Summaries;

    /// Plans of the deallocs of a function with four arguments and a condition. Stack memory needs a scope.
    fn decided(body: &str, helper: bool) -> Vec<DeallocPlan> {
        let text = format!(
            "func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>, %if: i1) {{\n{body}\nreturn\n}}"
        );
        with_function(&text, |function| {
            let mut semantics = Semantics::default();
            let reading = read_deallocs(function, &mut semantics, &Summaries::default());
            let mut reading = reading.expect("a dealloc");
            let homes = vec![StackScope::AllocaScope; reading.sites.len()];
            decide(&mut reading, &homes, helper).expect("one allocator")
        })
    }

    const LONG: &str = "
        bufferization.dealloc (%a, %b, %c, %d : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
          if (%if, %if, %if, %if)
          retain (%a, %b, %c, %d : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)";

    #[test]
    fn one_memref_takes_no_table() {
        assert!(!is_long(1, 1000));
        assert!(is_long(2, 1000));
        assert!(!is_long(2, 1));
    }

    #[test]
    fn many_comparisons_are_a_table_where_a_function_has_the_loops() {
        assert_eq!(decided(LONG, true)[0].expansion, Expansion::Table);
        assert!(decided(LONG, true)[0].program.steps.is_empty());
        assert_eq!(decided(LONG, false)[0].expansion, Expansion::Steps);
    }

    #[test]
    fn a_memref_that_is_never_freed_is_left_out() {
        let body = "
            %false = arith.constant false
            bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%false, %if)";
        let plans = decided(body, false);
        let places: Vec<usize> = plans[0].memrefs.iter().map(|(at, ..)| *at).collect();
        assert_eq!(places, [1]);
        assert!(!plans[0].compares());
    }

    #[test]
    fn new_memory_is_freed_by_its_allocator_without_comparisons() {
        let body = "
            %true = arith.constant true
            %n = gpu.alloc () : memref<4xf32>
            bufferization.dealloc (%n : memref<4xf32>) if (%true) retain (%a : memref<4xf32>)";
        let plan = &decided(body, false)[0];
        let (_, condition, allocator) = &plan.memrefs[0];
        assert_eq!(*condition, Condition::Yes);
        assert_eq!(*allocator, memplan_semantics::allocators::GPU);
        assert!(!plan.compares());
    }

    #[test]
    fn allocators_are_not_mixed() {
        let text = "
            func.func @f(%c: i1, %if: i1) {
              %m = memref.alloc() : memref<4xf32>
              %n = gpu.alloc () : memref<4xf32>
              %one = arith.select %c, %m, %n : memref<4xf32>
              bufferization.dealloc (%one : memref<4xf32>) if (%if)
              return
            }";
        with_function(text, |function| {
            let mut semantics = Semantics::default();
            let reading = read_deallocs(function, &mut semantics, &Summaries::default());
            assert!(
                decide(
                    &mut reading.expect("a dealloc"),
                    &[StackScope::AllocaScope],
                    false
                )
                .is_err()
            );
        });
    }
}
