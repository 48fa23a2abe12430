//! Values of dimensions at which plans are compared.

use super::facts::{Bounds, DimId, GuardId, Size, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A value for each dimension of some sizes, and for each of their conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    dims: Vec<DimId>,
    values: Vec<u64>,
    /// The conditions that do not have the value that a size needs; all others have.
    unmet: Vec<(GuardId, bool)>,
}

/// Values of all dimensions at once: first those at which sizes of several orders of magnitude are most alike.
const ALL: [u64; 12] = [16, 64, 4, 256, 1, 1024, 8, 2, 7, 4096, 128, 32];

/// A value of one dimension, and that of the others.
const ONE: [(u64, u64); 3] = [(256, 8), (1, 64), (4096, 2)];

/// Dimensions that get other values than the rest.
const MOST_VARIED: usize = 6;

/// The samples for these sizes; the first of them are those to plan at.
pub fn samples<'s>(sizes: impl Iterator<Item = &'s Size>, bounds: &Bounds) -> Vec<Sample> {
    let dims: BTreeSet<DimId> = sizes.flat_map(|size| size.dims.iter().copied()).collect();
    let dims: Vec<DimId> = dims.into_iter().collect();
    let mut samples: Vec<Sample> = Vec::new();
    let mut push = |values: Vec<u64>| {
        let sample = within(bounds, &dims, values);
        if !samples.contains(&sample) {
            samples.push(sample);
        }
    };
    for (place, value) in ALL.into_iter().enumerate() {
        push(vec![value; dims.len()]);
        if place != 0 || dims.len() < 2 {
            continue;
        }
        for (one, others) in ONE {
            for varied in 0..dims.len().min(MOST_VARIED) {
                let mut values = vec![others; dims.len()];
                values[varied] = one;
                push(values);
            }
        }
    }
    samples
}

/// The values that are nearest to these and respect the bounds.
fn within(bounds: &Bounds, dims: &[DimId], mut values: Vec<u64>) -> Sample {
    let places: FxHashMap<DimId, usize> = dims
        .iter()
        .enumerate()
        .map(|(place, dim)| (*dim, place))
        .collect();
    for (dim, value) in dims.iter().zip(&mut values) {
        if let Some((least, most)) = bounds.constant.get(dim.0 as usize) {
            *value = (*value).max(least.unwrap_or(0));
            *value = (*value).min(most.unwrap_or(u64::MAX));
        }
    }
    for (small, large) in &bounds.at_most {
        if let (Some(small), Some(large)) = (places.get(small), places.get(large)) {
            values[*small] = values[*small].min(values[*large]);
        }
    }
    Sample {
        dims: dims.to_vec(),
        values,
        unmet: Vec::new(),
    }
}

/// The largest values of [`many`], as powers of two: some samples have values that are near to each other.
const LARGEST: [u64; 3] = [20, 10, 5];

/// That many samples with values of all orders of magnitude, independent of each other, and any conditions. The same each time.
pub fn many(terms: &[Term], bounds: &Bounds, number: usize) -> Vec<Sample> {
    let sizes = terms.iter().map(|term| &term.size);
    let dims: BTreeSet<DimId> = sizes.flat_map(|size| size.dims.iter().copied()).collect();
    let dims: Vec<DimId> = dims.into_iter().collect();
    let guards = terms.iter().flat_map(|term| &term.guards);
    let guards: BTreeSet<GuardId> = guards.map(|(guard, _)| *guard).collect();
    // Xorshift (Marsaglia 2003).
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    let samples = (0..number).map(|place| {
        let largest = LARGEST[place % LARGEST.len()];
        let values = dims.iter().map(|_| {
            let power = next(largest + 1);
            (1 << power) + next(1 << power)
        });
        let mut sample = within(bounds, &dims, values.collect());
        for guard in &guards {
            sample.unmet.push((*guard, next(2) == 0));
        }
        sample
    });
    samples.collect()
}

impl Sample {
    /// The dimensions that have values.
    pub fn dims(&self) -> &[DimId] {
        &self.dims
    }

    /// The sample with all conditions met.
    pub fn with_conditions(self) -> Self {
        Self {
            unmet: Vec::new(),
            ..self
        }
    }

    /// The bytes of a size that depends on conditions.
    pub fn bytes_if(&self, term: &Term) -> u64 {
        match term.guards.iter().any(|guard| self.unmet.contains(guard)) {
            true => 0,
            false => self.bytes(&term.size),
        }
    }

    /// The bytes of a size.
    pub fn bytes(&self, size: &Size) -> u64 {
        size.dims.iter().fold(size.bytes, |bytes, dim| {
            let value = match self.dims.binary_search(dim) {
                Ok(place) => self.values[place],
                Err(_) => 1,
            };
            bytes.saturating_mul(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(bytes: u64, dims: &[u32]) -> Size {
        Size {
            bytes,
            dims: dims.iter().map(|dim| DimId(*dim)).collect(),
        }
    }

    #[test]
    fn samples_respect_bounds_and_are_all_different() {
        let bounds = Bounds {
            constant: vec![(Some(0), None), (Some(3), Some(40))],
            at_most: BTreeSet::from([(DimId(0), DimId(1))]),
        };
        let sizes = [size(4, &[0]), size(8, &[0, 1])];
        let all = samples(sizes.iter(), &bounds);
        for (place, sample) in all.iter().enumerate() {
            let (one, other) = (sample.bytes(&size(1, &[0])), sample.bytes(&size(1, &[1])));
            assert!(one <= other && (3..=40).contains(&other), "{sample:?}");
            assert_eq!(sample.bytes(&sizes[1]), 8 * one * other);
            assert!(!all[..place].contains(sample));
        }
        assert!(all.len() > ALL.len() / 2);
    }

    #[test]
    fn many_samples_have_all_orders_of_magnitude_and_both_values_of_conditions() {
        let guarded = Term {
            size: size(1, &[0]),
            guards: std::iter::once((GuardId(0), true)).collect(),
            held: (0, 1),
        };
        let bounds = Bounds {
            constant: vec![(Some(0), None)],
            ..Bounds::default()
        };
        let all = many(std::slice::from_ref(&guarded), &bounds, 400);
        let values: Vec<u64> = all.iter().map(|one| one.bytes(&guarded.size)).collect();
        for power in 0..=LARGEST[0] {
            let range = 1 << power..2 << power;
            assert!(values.iter().any(|value| range.contains(value)), "{power}");
        }
        let absent = all.iter().filter(|one| one.bytes_if(&guarded) == 0);
        assert!((100..300).contains(&absent.count()));
        assert_eq!(all, many(&[guarded], &bounds, 400));
    }

    #[test]
    fn without_dimensions_there_is_one_sample() {
        assert_eq!(samples([size(4, &[])].iter(), &Bounds::default()).len(), 1);
    }
}
