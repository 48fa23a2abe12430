//! Planners that other compilers register by name.
//!
//! Such a planner is a function from a [`Problem`] to offsets.
//! [`validate`](crate::validate::validate()) checks its result before use. A panic in it becomes an
//! error.

use crate::{Problem, planner::Planner, registry};
use std::sync::Arc;
use thiserror::Error;

pub use crate::registry::{CustomError, PlanFn, names};

/// Why a name cannot be registered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NameError {
    /// The name of a built-in planner.
    #[error("there is already a planner '{0}'")]
    Taken(String),
    /// The name has characters that options cannot spell.
    #[error("'{0}' is not a valid name of a planner: use letters, digits, '-', '_' and '.'")]
    Characters(String),
}

/// Registers `plan` under `name`: [`Planner::from_name`] finds it from now on. It replaces a
/// planner that had the name before.
///
/// # Errors
///
/// [`NameError`] if the name belongs to a built-in planner or cannot be the value of an option.
pub fn register(
    name: &str,
    plan: impl Fn(&Problem) -> Result<Vec<u64>, String> + Send + Sync + 'static,
) -> Result<Planner, NameError> {
    let is_letter = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(is_letter) {
        return Err(NameError::Characters(name.to_owned()));
    }
    if Planner::ALL.iter().any(|own| own.name() == name) {
        return Err(NameError::Taken(name.to_owned()));
    }
    Ok(Planner::Custom(registry::insert(name, Arc::new(plan))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, PlanError};

    fn problem() -> Problem {
        let buffers = vec![Buffer::new(3, 8, [(0, 2)]), Buffer::new(4, 16, [(1, 3)])];
        Problem::new(buffers).expect("valid")
    }

    #[test]
    fn a_registered_planner_is_found_by_its_name_and_returns_the_offsets() {
        let planner = register("stacks-up", |problem| {
            let mut end = 0;
            let place = |buffer: &Buffer| {
                end += buffer.size;
                end - buffer.size
            };
            Ok(problem.buffers.iter().map(place).collect())
        });
        let planner = planner.expect("a free name");
        assert_eq!("stacks-up".parse(), Ok(planner));
        assert!(names().contains(&"stacks-up"));
        let outcome = planner.solve(&problem()).expect("a plan");
        assert_eq!(outcome.solution.offsets, [0, 8]);
        assert_eq!((outcome.planner, outcome.optimal), ("stacks-up", true));
        let tight = planner.solve(&problem().with_capacity(23));
        assert!(matches!(tight, Err(PlanError::Infeasible { .. })));
    }

    #[test]
    fn an_invalid_plan_is_refused_with_the_reason() {
        type PlanResult = fn(&Problem) -> Result<Vec<u64>, String>;
        let cases: [(&str, PlanResult, &str); 6] = [
            (
                "overlaps",
                |_| Ok(vec![0, 0]),
                "its plan is invalid, and was not used: buffers 3 and 4 share bytes at time 1",
            ),
            (
                "counts-badly",
                |_| Ok(vec![0]),
                "its plan is invalid, and was not used: 1 offsets for 2 buffers",
            ),
            (
                "flies-away",
                |_| Ok(vec![0, u64::MAX]),
                "its plan is invalid, and was not used: buffer 4 at offset 18446744073709551615 ends beyond 2^64",
            ),
            ("gives-up", |_| Err("no idea".to_owned()), "no idea"),
            (
                "panics",
                |_| panic!("no {}", "luck"),
                "it panicked: no luck",
            ),
            (
                "panics-oddly",
                |_| std::panic::panic_any(7),
                "it panicked: no text",
            ),
        ];
        for (name, plan, why) in cases {
            let planner = register(name, plan).expect("a free name");
            let error = planner.solve(&problem()).expect_err(name);
            assert_eq!(
                error.to_string(),
                format!("the planner '{name}' returned no plan: {why}")
            );
        }
    }

    #[test]
    fn builtin_names_and_invalid_names_are_refused() {
        let refused = |name| register(name, |_| Ok(Vec::new())).expect_err(name);
        assert_eq!(refused("exact"), NameError::Taken("exact".to_owned()));
        for name in ["", "a b", "x}", "a,b"] {
            assert_eq!(refused(name), NameError::Characters(name.to_owned()));
        }
        assert_eq!(Planner::from_name("never-registered"), None);
    }
}
