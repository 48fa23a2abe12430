//! What no plan with strips of a function takes less than.

use super::{
    blocks::{BlockLoad, loads},
    read::BlockReading,
};
use memplan_strips::{
    program::Program,
    search::{Limits, Search},
};

/// A block, as it is before strips are written.
#[derive(Clone)]
pub struct WholeBlock {
    program: Program,
    load: BlockLoad,
}

impl WholeBlock {
    /// Those of a function, with the largest load first.
    pub fn all(readings: &[BlockReading<'_>]) -> Vec<Self> {
        let blocks = loads(readings).into_iter().map(|load| Self {
            program: readings[load.number].program.clone(),
            load,
        });
        blocks.collect()
    }
}

/// What no plan with strips of a function takes less than.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    bytes: u64,
    /// Whether the steps ran out.
    is_exhausted: bool,
}

impl Bound {
    /// That of a function with such blocks, in at most so many steps; `None` if it is 0.
    pub fn of(blocks: &[WholeBlock], mut steps: u64) -> Option<Self> {
        let mut bound = Self {
            bytes: 0,
            is_exhausted: false,
        };
        for WholeBlock { program, load } in blocks {
            if load.own.saturating_add(load.whole_around) <= bound.bytes {
                continue;
            }
            let own = Search::new(program, Limits::default()).bound(steps);
            let bytes = own.bytes.saturating_add(load.whole_around);
            bound.bytes = bound.bytes.max(bytes);
            bound.is_exhausted |= !own.is_exact;
            steps = steps.saturating_sub(own.steps);
        }
        (bound.bytes > 0).then_some(bound)
    }

    /// In words, beside a plan of so many bytes; empty if reuse that strips do not know of makes that smaller.
    pub fn text(&self, planned: u64) -> String {
        let bytes = self.bytes;
        let Some(more) = planned.checked_sub(bytes) else {
            return String::new();
        };
        let percent = u128::from(more) * 100 / u128::from(bytes);
        let plan = match (more, percent) {
            (0, _) => "as the plan does".to_owned(),
            (_, 0) => "the plan less than 1% more".to_owned(),
            (_, 1..100) => format!("the plan {percent}% more"),
            _ => format!(
                "the plan {:.1} times as much",
                planned as f64 / bytes as f64
            ),
        };
        let end = match self.is_exhausted {
            true => ", as far as the steps of `effort` show",
            false => "",
        };
        format!("; strips of one row take at least {bytes} bytes{end}, {plan}")
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;

    #[test]
    fn the_plan_is_beside_the_bound() {
        let bound = Bound {
            bytes: 1000,
            is_exhausted: false,
        };
        let plan = |planned| bound.text(planned);
        let start = "; strips of one row take at least 1000 bytes";
        assert_eq!(plan(1000), format!("{start}, as the plan does"));
        assert_eq!(plan(1009), format!("{start}, the plan less than 1% more"));
        assert_eq!(plan(1010), format!("{start}, the plan 1% more"));
        assert_eq!(plan(1999), format!("{start}, the plan 99% more"));
        assert_eq!(plan(2560), format!("{start}, the plan 2.6 times as much"));
        // Reuse that strips do not know of.
        assert_eq!(plan(999), "");
    }
}
