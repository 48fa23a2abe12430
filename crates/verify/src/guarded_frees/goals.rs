//! Claims that depend on each other: a system of equations of and, or, true and false, and its greatest solution.

use memplan_flow::ids;
use smallvec::SmallVec;

ids! {
    /// A claim.
    pub GoalId,
}

/// What a claim follows from.
#[derive(Clone, Debug)]
pub enum Because {
    /// Not known yet: it does not hold.
    Unknown,
    /// All of these together; none: it holds.
    All(SmallVec<[GoalId; 2]>),
    /// Any of these; none: it does not hold.
    Any(SmallVec<[GoalId; 2]>),
}

impl Because {
    /// A claim that holds.
    pub fn holds() -> Self {
        Self::All(SmallVec::new())
    }

    const fn needs_all(&self) -> bool {
        matches!(self, Self::All(_))
    }

    fn others(&self) -> &[GoalId] {
        match self {
            Self::Unknown => &[],
            Self::All(others) | Self::Any(others) => others,
        }
    }
}

/// The claims that hold in the greatest solution, in which claims may support each other in a cycle: a claim about a loop
/// holds if it holds before the loop, and after an iteration if it does before it. Linear in the size of the system.
pub fn solve(goals: &[Because]) -> Vec<bool> {
    let mut users: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); goals.len()];
    // How many of the claims that a goal depends on may fail before it fails itself.
    let mut spare: Vec<usize> = Vec::with_capacity(goals.len());
    let mut failed: Vec<u32> = Vec::new();
    for (at, goal) in (0..).zip(goals) {
        for other in goal.others() {
            users[other.index()].push(at);
        }
        spare.push(match goal.needs_all() {
            true => 0,
            false => goal.others().len().saturating_sub(1),
        });
        if !goal.needs_all() && goal.others().is_empty() {
            failed.push(at);
        }
    }
    let mut holds = vec![true; goals.len()];
    while let Some(at) = failed.pop() {
        if !std::mem::replace(&mut holds[at as usize], false) {
            continue;
        }
        for user in &users[at as usize] {
            match spare[*user as usize] {
                0 => failed.push(*user),
                _ => spare[*user as usize] -= 1,
            }
        }
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(goals: &[u32]) -> Because {
        Because::All(goals.iter().copied().map(GoalId).collect())
    }

    fn any(goals: &[u32]) -> Because {
        Because::Any(goals.iter().copied().map(GoalId).collect())
    }

    #[test]
    fn claims_of_a_cycle_hold_together_or_not_at_all() {
        assert_eq!(solve(&[all(&[1]), all(&[0])]), [true, true]);
        assert_eq!(
            solve(&[all(&[1]), all(&[0, 2]), any(&[])]),
            [false, false, false]
        );
    }

    #[test]
    fn one_of_several_reasons_is_enough() {
        let goals = [
            any(&[1, 2]),
            any(&[]),
            Because::holds(),
            any(&[1, 3]),
            Because::Unknown,
        ];
        assert_eq!(solve(&goals[..3]), [true, false, true]);
        let goals = [any(&[1, 2]), any(&[]), Because::Unknown];
        assert_eq!(solve(&goals), [false, false, false]);
    }

    #[test]
    fn a_reason_that_is_named_twice_counts_twice() {
        assert_eq!(solve(&[any(&[1, 1]), any(&[])]), [false, false]);
        assert_eq!(solve(&[all(&[1, 1]), any(&[])]), [false, false]);
    }
}
