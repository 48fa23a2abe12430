//! Sizes that a function computes at run time, and what they are for each length.

/// A size of a memref.
#[derive(Clone, Debug)]
pub enum Size {
    /// A number.
    Fixed(i64),
    /// A number that is known only at run time.
    Run(Number),
}

/// A number that a function computes.
#[derive(Clone, Debug)]
pub struct Number {
    /// The value.
    pub name: String,
    /// What it is for each length.
    pub values: Vec<i64>,
}

impl Size {
    /// What it is for the length of a number.
    pub fn at(&self, length: usize) -> i64 {
        match self {
            Self::Fixed(size) => *size,
            Self::Run(number) => number.values[length],
        }
    }

    /// Whether it is known only at run time.
    pub fn is_run(&self) -> bool {
        matches!(self, Self::Run(_))
    }

    /// The number, if it is known.
    pub fn fixed(&self) -> Option<i64> {
        match self {
            Self::Fixed(size) => Some(*size),
            Self::Run(_) => None,
        }
    }

    /// As an operand.
    pub fn text(&self) -> String {
        match self {
            Self::Fixed(size) => size.to_string(),
            Self::Run(number) => number.name.clone(),
        }
    }
}

/// `(size * times + plus) / by + then`.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// The factor.
    pub times: i64,
    /// What is added to the product.
    pub plus: i64,
    /// The divisor.
    pub by: i64,
    /// Whether the quotient is rounded up, and not down.
    pub rounds_up: bool,
    /// What is added to the quotient.
    pub then: i64,
}

impl Formula {
    /// The size and a number.
    pub const fn plus(number: i64) -> Self {
        Self {
            times: 1,
            plus: number,
            by: 1,
            rounds_up: false,
            then: 0,
        }
    }

    /// The size and a factor.
    pub const fn times(number: i64) -> Self {
        Self {
            times: number,
            ..Self::plus(0)
        }
    }

    /// The rows of windows: each reaches so far, and is so many rows after the one before.
    pub const fn windows(reach: i64, step: i64, rounds_up: bool) -> Self {
        Self {
            plus: if rounds_up { 1 - reach } else { -reach },
            by: step,
            rounds_up,
            then: if rounds_up { 0 } else { 1 },
            ..Self::plus(0)
        }
    }

    /// The result; quotients are rounded towards 0 if `truncates`, unless they are rounded up.
    pub fn of(self, size: i64, truncates: bool) -> i64 {
        let number = size * self.times + self.plus;
        let quotient = match (self.rounds_up, truncates) {
            (true, _) => (number + self.by - 1).div_euclid(self.by),
            (false, true) => number / self.by,
            (false, false) => number.div_euclid(self.by),
        };
        quotient + self.then
    }
}
