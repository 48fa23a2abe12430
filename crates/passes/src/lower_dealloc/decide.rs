//! What each dealloc becomes.

use super::codes;
use crate::{
    descriptor::StackScope,
    failure::fail,
    origins::{MOVED, Operand, Reading, freeing_of},
};
use memplan_mlir::pass::Failed;
use memplan_ownership::{
    compare::{CompareStep, Program, comparisons},
    dealloc::Condition,
    origins::Origins,
};
use memplan_semantics::Allocator;

/// More comparisons than so many are loops.
const MOST_COMPARISONS: usize = 16;

/// How a dealloc is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Step by step.
    Steps,
    /// By loops over a table, where that is possible.
    Table,
}

/// What a dealloc becomes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which of its memrefs may be freed: its place, when, and by what.
    pub memrefs: Vec<(usize, Condition, Allocator)>,
    /// How.
    pub form: Form,
    /// The steps.
    pub program: Program,
    /// Memory is told by the first word of memrefs, not by where their data starts.
    pub by_word: bool,
}

impl Plan {
    /// Does anything have to be compared?
    pub fn compares(&self) -> bool {
        self.program
            .steps
            .iter()
            .any(|step| matches!(step, CompareStep::Same(..)))
    }
}

/// Does it take many comparisons?
pub fn is_long(memrefs: usize, retained: usize) -> bool {
    // One memref takes no more code than a table does.
    memrefs > 1 && comparisons(memrefs, retained) > MOST_COMPARISONS
}

/// Decides for all deallocs of a function. With a `helper`, tables need no loops where the dealloc stands.
pub fn decide(
    reading: &mut Reading<'_>,
    homes: &[StackScope<'_>],
    helper: bool,
) -> Result<Vec<Plan>, Failed> {
    let mut origins = Origins::of(&reading.memory);
    let mut plans = Vec::with_capacity(reading.sites.len());
    let mut result = Ok(());
    for (site, home) in reading.sites.iter().zip(homes) {
        let mut memrefs = Vec::with_capacity(site.memrefs.len());
        for (at, (operand, flag)) in site.memrefs.iter().zip(&site.conditions).enumerate() {
            let condition = reading.conditions.condition(*flag);
            if condition == Condition::No {
                continue;
            }
            match freeing_of(origins.marks(operand.id)) {
                Ok(freeing) => memrefs.push((at, condition, freeing)),
                Err(error) => {
                    let message = format!("'bufferization.dealloc' {error}");
                    result = Err(fail(site.op, codes::MIXED_ALLOCATORS, message));
                }
            }
        }
        let is_moved = |operand: &Operand<'_>| origins.marks(operand.id) & MOVED != 0;
        let compared = memrefs.iter().map(|(at, ..)| &site.memrefs[*at]);
        let by_word = compared.chain(&site.retained).any(is_moved);
        let conditions: Vec<Condition> = memrefs.iter().map(|(_, when, _)| *when).collect();
        let is_long = is_long(memrefs.len(), site.retained.len());
        // Where stack memory needs a scope of its own, there are no loops in it.
        let form = match is_long && (helper || matches!(home, StackScope::Block(..))) {
            true => Form::Table,
            false => Form::Steps,
        };
        plans.push(Plan {
            program: match form {
                Form::Steps => Program::of(&conditions, &site.is_used, |one, other| {
                    let operand = |at: usize| match memrefs.get(at) {
                        Some((at, ..)) => &site.memrefs[*at],
                        None => &site.retained[at - memrefs.len()],
                    };
                    origins.relation(operand(one).id, operand(other).id)
                }),
                Form::Table => Program::default(),
            },
            memrefs,
            form,
            by_word,
        });
    }
    result.map(|()| plans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{origins::read_sites, test_function::with_function};
    use memplan_semantics::Semantics;
    use memplan_summaries::Summaries;

    /// Plans of the deallocs of a function with four arguments and a condition. Stack memory needs a scope.
    fn decided(body: &str, helper: bool) -> Vec<Plan> {
        let text = format!(
            "func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>, %if: i1) {{\n{body}\nreturn\n}}"
        );
        with_function(&text, |function| {
            let mut semantics = Semantics::default();
            let reading = read_sites(function, &mut semantics, &Summaries::default());
            let mut reading = reading.expect("a dealloc");
            let homes = vec![StackScope::Scope; reading.sites.len()];
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
        assert_eq!(decided(LONG, true)[0].form, Form::Table);
        assert!(decided(LONG, true)[0].program.steps.is_empty());
        assert_eq!(decided(LONG, false)[0].form, Form::Steps);
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
            let reading = read_sites(function, &mut semantics, &Summaries::default());
            assert!(
                decide(
                    &mut reading.expect("a dealloc"),
                    &[StackScope::Scope],
                    false
                )
                .is_err()
            );
        });
    }
}
