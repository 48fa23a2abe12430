//! `memplan-treeify`: duplicates the code that follows a branch for each path.
//!
//! read (`bounded::size`: the size of the result) -> write (`write`).

mod write;

use crate::{
    bounded::{
        self,
        size::{Sizes, Unbounded},
    },
    check_tree,
    codes::INTERNAL,
    counts::Counts,
    failure::fail_as,
};
use memplan_declarations::{expand_loops::MAX_OPS, treeify::codes};
use memplan_lifetimes::{
    Analysis, AnalysisOptions, NoCallees, analyse_with_options, program::BufferId,
};
use memplan_mlir::{
    build::set_integers,
    calls, copy,
    ir::{Op, Region, blocks, ops, regions, successors},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_planner::{Buffer, Planner, Problem};
use memplan_semantics::Rewritten;
use memplan_semantics::{Form, Semantics, control::Chosen, functions};
use rustc_hash::FxHashSet;

pub use memplan_semantics::attributes::BEFORE_TREE as BEFORE;

/// The pass.
pub struct Treeify;

impl Pass for Treeify {
    const DECLARATION: &'static Declaration = &memplan_declarations::treeify::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let paths = Counts::default();
        let rewritten = Rewritten::default();
        let most = run.values.integer(MAX_OPS.name).cast_unsigned();
        let result = functions::visit_all(run.op, |function| {
            paths.add([rewritten.visit(function, || visit(function, most))?]);
            Ok(())
        });
        paths.publish(run);
        rewritten.record(run.op);
        result
    }
}

fn visit(function: Op<'_>, most: u64) -> Result<u64, Failed> {
    let Some(body) = calls::function_body(function) else {
        return Ok(0);
    };
    let mut semantics = Semantics::default();
    if check_tree::faults(function, body, &mut semantics).is_empty() {
        return Ok(0);
    }
    refuse(body, &mut semantics)?;
    let size = Sizes::new(&mut semantics, true).region(body);
    let size = size.map_err(|reason| match reason {
        Unbounded::BackEdge(op) | Unbounded::Loop(op, _) => {
            let message = "blocks form an unstructured loop here";
            fail_as::<Treeify>(op, codes::CIRCLE, message)
        }
    })?;
    if size.tree.small().is_none_or(|ops| ops > most) {
        let message = format!(
            "with {} paths, the function would have {} operations, more than max-ops={most}",
            size.paths, size.tree
        );
        return Err(fail_as::<Treeify>(function, codes::TOO_MANY, message));
    }
    let before = before(function, &mut semantics);
    let paths = write::treeify(function, body, &mut semantics)
        .map_err(|error| fail_as::<Treeify>(function, INTERNAL, error))?;
    if let Some((ops, bytes)) = before {
        set_integers(function, BEFORE, &[ops as i64, bytes as i64]);
    }
    Ok(paths)
}

/// For reports: the number of operations of a function, and the bytes of the best plan of its memory without
/// moves. Memory whose address is taken is needed to the end.
fn before(function: Op<'_>, semantics: &mut Semantics) -> Option<(u64, u64)> {
    let wanted = AnalysisOptions {
        addressed: true,
        ..AnalysisOptions::default()
    };
    let analysis: Analysis<'_> =
        analyse_with_options(function, semantics, &NoCallees::new(false), &wanted);
    let addressed = analysis.addressed.iter();
    let addressed = addressed.flat_map(|taken| analysis.aliases.buffers(taken.value));
    let addressed: FxHashSet<BufferId> = addressed.collect();
    let end = u64::from(analysis.program.end);
    if analysis.plannable.is_empty() {
        return None;
    }
    let buffers = analysis.plannable.iter().map(|one| {
        let size = analysis.program.buffers[one.buffer.index()].size;
        let ranges = one.live.iter();
        let ranges = ranges.map(|(start, end)| (u64::from(*start), u64::from(*end)));
        let mut ranges: Vec<(u64, u64)> = ranges.collect();
        if addressed.contains(&one.buffer) {
            ranges = ranges
                .first()
                .map(|first| (first.0, end))
                .into_iter()
                .collect();
        }
        Buffer::new(u64::from(one.buffer.0), size, ranges).aligned(one.alignment)
    });
    let problem = Problem {
        buffers: buffers.collect(),
        ..Problem::default()
    };
    let solved = Planner::Auto.solve(&problem).ok()?;
    Some((operations(function), solved.solution.peak))
}

/// Number of operations of a function.
pub fn operations(function: Op<'_>) -> u64 {
    let body = calls::function_body(function);
    let all = body.into_iter().flat_map(blocks).flat_map(ops);
    all.map(copy::op_count).sum()
}

/// Rejects loops, and branches that cannot become blocks, on the paths of the function.
fn refuse(region: Region<'_>, semantics: &mut Semantics) -> Result<(), Failed> {
    let mut result = Ok(());
    for op in blocks(region).flat_map(ops) {
        let form = semantics.form(op);
        let is_known = matches!(form, Form::Jump | Form::Choice);
        if regions(op).next().is_none() && (is_known || successors(op).next().is_none()) {
            continue;
        }
        let (code, message) = match form {
            _ if successors(op).next().is_some() => (
                codes::BRANCH,
                "branches between blocks have to be of the cf dialect",
            ),
            Form::Choice if is_in_set(op, semantics) => {
                (codes::LOWER_FIRST, "run lower-affine first")
            }
            Form::Choice | Form::Once => {
                for inner in regions(op) {
                    result = refuse(inner, semantics).and(result);
                }
                continue;
            }
            Form::Repeated => (codes::WHILE, "the loop has no constant trip count"),
            Form::Counted if !op.has_attribute(bounded::MOVE) => (
                codes::LOWER_FIRST,
                "run memplan-expand-loops first, which expands loops of constant trip counts",
            ),
            _ => continue,
        };
        result = Err(fail_as::<Treeify>(op, code, message));
    }
    result
}

/// Whether an operation branches on set membership, which no branch between blocks does.
fn is_in_set(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let choice = semantics.choice(op);
    choice.is_some_and(|choice| choice.by == Chosen::Set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_function::{named, with_function};

    const BRANCHES: &str = "
        func.func @f(%c: i1, %x: memref<4xf32>, %v: f32) {
          %zero = arith.constant 0 : index
          scf.if %c {
            %a = memref.alloc() : memref<4xf32>
            memref.copy %x, %a : memref<4xf32> to memref<4xf32>
            memref.copy %a, %x : memref<4xf32> to memref<4xf32>
          } else {
            %b = memref.alloc() : memref<8xf32>
            memref.store %v, %b[%zero] : memref<8xf32>
            %w = memref.load %b[%zero] : memref<8xf32>
            memref.store %w, %x[%zero] : memref<4xf32>
          }
          return
        }";

    #[test]
    fn operations_count_those_in_regions() {
        // A constant, the branch, three and four with their two ends, and the return.
        with_function(BRANCHES, |function| assert_eq!(operations(function), 12));
    }

    #[test]
    fn arms_share_bytes_before_the_pass_too() {
        with_function(BRANCHES, |function| {
            let known = before(function, &mut Semantics::default());
            let (_, bytes) = known.expect("allocations");
            assert_eq!(bytes, 32);
        });
    }

    #[test]
    fn nothing_is_known_before_of_a_function_without_allocations() {
        let text = "func.func @f() { return }";
        with_function(text, |function| {
            assert_eq!(before(function, &mut Semantics::default()), None);
        });
    }

    #[test]
    fn only_affine_branches_ask_for_a_set() {
        let text = "
            func.func @f(%c: i1, %n: index) {
              scf.if %c { scf.yield }
              affine.if affine_set<(d) : (d - 4 >= 0)>(%n) { affine.yield }
              return
            }";
        with_function(text, |function| {
            let mut semantics = Semantics::default();
            assert!(!is_in_set(named(function, "scf.if")[0], &mut semantics));
            assert!(is_in_set(named(function, "affine.if")[0], &mut semantics));
        });
    }

    /// Is a function with this body refused?
    fn is_refused(body: &str) -> bool {
        let text = format!("func.func @f(%c: i1, %n: index, %v: f32) {{\n{body}\nreturn\n}}");
        with_function(&text, |function| {
            let body = calls::function_body(function).expect("a body");
            refuse(body, &mut Semantics::default()).is_err()
        })
    }

    #[test]
    fn branches_are_taken_and_loops_are_not() {
        assert!(!is_refused("scf.if %c { scf.yield }"));
        assert!(is_refused("scf.for %i = %n to %n step %n { scf.yield }"));
        assert!(is_refused(
            "scf.while : () -> () { scf.condition(%c) } do { scf.yield }"
        ));
        // In an arm, too.
        assert!(is_refused(
            "scf.if %c { scf.for %i = %n to %n step %n { scf.yield } }"
        ));
    }

    #[test]
    fn a_function_that_would_be_too_large_is_not_changed() {
        with_function(BRANCHES, |function| {
            assert!(visit(function, 5).is_err());
            assert_eq!(operations(function), 12);
            assert_eq!(visit(function, 100).ok(), Some(2));
            // It is a tree now.
            assert_eq!(visit(function, 5).ok(), Some(0));
        });
    }
}
