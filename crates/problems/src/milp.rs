//! The least peak by mixed integer programming, with a general solver.
//!
//! For each pair of conflicting buffers, a variable of 0 or 1 decides which is below the other and
//! disables one of two constraints (as in Sekiyama et al. 2018, "Profile-guided memory optimization
//! for deep neural networks").

use crate::oracle::{overlap_in_time, range_as_buffer};
use memplan_planner::{Buffer, Problem};
use microlp::{ComparisonOp, Error, OptimizationDirection, SolutionStatus};
use microlp::{SolveOptions, SolveOutcome, Variable};

/// The result of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverResult {
    /// No plan has a peak of at most the capacity.
    DoesNotFit,
    /// The least peak in bytes, at most the capacity.
    Peak(u64),
    /// The node limit was reached.
    Unknown,
}

/// The least peak, if it is at most `capacity`, which must be a few bytes. Stops after `nodes`
/// nodes; a thousand nodes take a second or two without optimization.
pub fn solve(problem: &Problem, capacity: u64, nodes: u64) -> SolverResult {
    let Problem {
        buffers,
        capacity: _,
        forbidden,
        banks: _,
    } = problem;
    let mut program = microlp::Problem::new(OptimizationDirection::Minimize);
    let limit = capacity as f64;
    let peak = program.add_var(1.0, (0.0, limit));
    // Each offset is a multiple of the alignment; the variable is the factor.
    let mut variable = |buffer: &Buffer| {
        let most = capacity.saturating_sub(buffer.size) / buffer.alignment;
        let fixed = buffer.fixed_offset.map(|offset| offset / buffer.alignment);
        let range = fixed.map_or((0, most), |steps| (steps, steps));
        program.add_integer_var(0.0, (range.0 as i32, range.1 as i32))
    };
    let all: Vec<(&Buffer, Variable)> = buffers
        .iter()
        .map(|buffer| (buffer, variable(buffer)))
        .collect();
    let offset = |(buffer, steps): (&Buffer, Variable), sign: f64| {
        let alignment = buffer.alignment as f64;
        (steps, sign * alignment)
    };
    for (index, &a) in all.iter().enumerate() {
        let size = a.0.size as f64;
        let end = [(peak, 1.0), offset(a, -1.0)];
        program.add_constraint(end, ComparisonOp::Ge, size);
        for &b in &all[..index] {
            if a.0.size == 0 || b.0.size == 0 || !overlap_in_time(a.0, b.0) {
                continue;
            }
            let above = program.add_binary_var(0.0);
            let first = [offset(b, 1.0), offset(a, -1.0), (above, limit)];
            program.add_constraint(first, ComparisonOp::Ge, size);
            let second = [offset(a, 1.0), offset(b, -1.0), (above, -limit)];
            program.add_constraint(second, ComparisonOp::Ge, b.0.size as f64 - limit);
        }
    }
    for (obstacle, start) in forbidden.iter().map(range_as_buffer) {
        let start = start as f64;
        let end = start + obstacle.size as f64;
        let met = |a: &&(&Buffer, Variable)| a.0.size > 0 && overlap_in_time(a.0, &obstacle);
        let free = |a: &&(&Buffer, Variable)| a.0.fixed_offset.is_none();
        for &a in all.iter().filter(met).filter(free) {
            let above = program.add_binary_var(0.0);
            let first = [offset(a, 1.0), (above, -end)];
            program.add_constraint(first, ComparisonOp::Ge, 0.0);
            let second = [offset(a, -1.0), (above, limit)];
            program.add_constraint(second, ComparisonOp::Ge, a.0.size as f64 - start);
        }
    }
    let mut options = SolveOptions::default();
    options.node_limit = Some(nodes);
    match program.solve_with(options) {
        Ok(SolveOutcome::Solution(solution)) if solution.status() == SolutionStatus::Optimal => {
            SolverResult::Peak(solution.objective().round() as u64)
        }
        Err(Error::Infeasible) => SolverResult::DoesNotFit,
        _ => SolverResult::Unknown,
    }
}
