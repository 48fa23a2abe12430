//! The random choices that make a program, as a list: the same list makes the same program.
//!
//! Every choice is a number below a bound, and 0 is the plainest. A list that ends early is continued with zeros, and a
//! number that is too large is taken modulo its bound, so that any list of numbers makes a valid program. That is what
//! reduction works on: it drops spans of the list, each of them a statement or what is nested in one.

use std::ops::Range;

/// A source of choices that keeps what it gave.
#[derive(Debug, Clone)]
pub struct Choices {
    given: Vec<u32>,
    source: Source,
    spans: Vec<Range<usize>>,
}

#[derive(Debug, Clone)]
enum Source {
    Random(u64),
    Replayed(Vec<u32>),
}

impl Choices {
    /// Random ones; the same seed gives the same choices.
    pub fn random(seed: u64) -> Self {
        // Mixed, as streams that start near each other are the same stream.
        let mut state = seed;
        Self::from(Source::Random(split_mix(&mut state)))
    }

    /// Those of a list, then zeros.
    pub fn replayed(list: Vec<u32>) -> Self {
        Self::from(Source::Replayed(list))
    }

    fn from(source: Source) -> Self {
        Self {
            given: Vec::new(),
            source,
            spans: Vec::new(),
        }
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1);
        let number = match &mut self.source {
            Source::Random(state) => (split_mix(state) >> 33) as usize % bound,
            Source::Replayed(list) => {
                list.get(self.given.len())
                    .map_or(0, |number| *number as usize)
                    % bound
            }
        };
        self.given.push(number as u32);
        number
    }

    /// True in so many of a hundred cases; 0 is false.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of the things, which are not none; 0 is the first.
    pub fn of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }

    /// One of the things, each as often as its weight says; 0 is the first.
    pub fn weighted<T: Copy>(&mut self, things: &[(usize, T)]) -> T {
        let total = things.iter().map(|(weight, _)| weight).sum();
        let mut number = self.below(total);
        for (weight, thing) in things {
            if number < *weight {
                return *thing;
            }
            number -= weight;
        }
        things[0].1
    }

    /// Where a span starts.
    pub fn start(&self) -> usize {
        self.given.len()
    }

    /// Ends the span that began at `start`: what was chosen in it belongs together.
    pub fn end(&mut self, start: usize) {
        self.spans.push(start..self.given.len());
    }

    /// What was chosen, and the spans in it.
    pub fn into_parts(self) -> (Vec<u32>, Vec<Range<usize>>) {
        (self.given, self.spans)
    }
}

/// The next number of a stream (SplitMix64).
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
