//! The random choices that determine a program, as a list: the same list generates the same program.
//!
//! Every choice is a number below a bound, and 0 is the simplest. A list that ends early is continued with zeros,
//! and a number that is too large is taken modulo its bound, so any list of numbers generates a valid program.
//! Reduction works on the list: it drops spans, each of which is a statement or nested in one.

use std::ops::Range;

/// A source of choices that records them.
#[derive(Debug, Clone)]
pub struct Choices {
    recorded: Vec<u32>,
    source: Source,
    spans: Vec<Range<usize>>,
}

#[derive(Debug, Clone)]
enum Source {
    Random(u64),
    Replayed(Vec<u32>),
}

impl Choices {
    /// Random choices from a seed.
    pub fn random(seed: u64) -> Self {
        // Mixed, since streams that start near each other overlap.
        let mut state = seed;
        Self::from(Source::Random(split_mix(&mut state)))
    }

    /// The choices of a list, followed by zeros.
    pub fn replayed(list: Vec<u32>) -> Self {
        Self::from(Source::Replayed(list))
    }

    fn from(source: Source) -> Self {
        Self {
            recorded: Vec::new(),
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
                list.get(self.recorded.len())
                    .map_or(0, |number| *number as usize)
                    % bound
            }
        };
        self.recorded.push(number as u32);
        number
    }

    /// True with this probability in percent; 0 is false.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of the elements, of which there is at least one; 0 is the first.
    pub fn of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }

    /// One of the elements, by weight; 0 is the first.
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

    /// The start of a span.
    pub fn start(&self) -> usize {
        self.recorded.len()
    }

    /// Ends the span that began at `start`: its choices belong together.
    pub fn end(&mut self, start: usize) {
        self.spans.push(start..self.recorded.len());
    }

    /// The choices, and the spans in them.
    pub fn into_parts(self) -> (Vec<u32>, Vec<Range<usize>>) {
        (self.recorded, self.spans)
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
