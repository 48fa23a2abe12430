//! Splits vertices: lines of cuts that happen to be at the same time.
//!
//! The sizes that flow into a line flow out of it again. If a proper subset of the edges into a
//! vertex has the same sum as a proper subset of the edges out of it, these are taken for a line of
//! their own, the smallest subsets first. The exception is a vertex with so many sums that two are
//! likely to be equal by chance.

use super::network::{Edge, Network, Side};

/// The limits of the search for lines, and the confidence that a line needs.
#[derive(Clone, Copy, Debug)]
pub struct SplitLimits {
    /// The most sums of edges of one side that are compared.
    pub sums: usize,
    /// The least confidence: equal sums must be less likely by chance than one in 2 to the power of
    /// this.
    pub confidence: u32,
    /// Whether to compare sums of few edges of one side with more sums of the other.
    pub uneven: bool,
}

/// The result of a search for lines at a vertex.
pub enum Split {
    /// The vertex is one line.
    Line,
    /// Edges into and out of the vertex that form one line, with the confidence: the probability by
    /// chance is one in 2 to the power of this.
    Apart([Vec<u32>; 2], u32),
    Unknown,
}

/// Whether all sums of edges of a vertex can be compared within these limits.
pub fn are_few(network: &Network, vertex: u32, limits: SplitLimits) -> bool {
    [Side::In, Side::Out].iter().all(|&side| {
        1u64.checked_shl(network.degree(vertex, side))
            .is_some_and(|all| all <= limits.sums as u64)
    })
}

/// Searches for a line among the edges of a vertex.
pub fn split_by_edges(network: &Network, vertex: u32, limits: SplitLimits) -> Split {
    // With so few edges, either a pair has equal size or no proper subset forms a line.
    let degrees = [Side::In, Side::Out].map(|side| network.degree(vertex, side));
    if degrees[0] + degrees[1] < 6 {
        let mut ends = network.around(vertex, Side::In);
        let pair = ends.any(|one| {
            let size = network.edge(one).size;
            let mut out = network.around(vertex, Side::Out);
            out.any(|other| network.edge(other).size == size)
        });
        return if pair { Split::Unknown } else { Split::Line };
    }
    let bundles =
        edges_at(network, vertex).map(|edges| edges.into_iter().map(|edge| vec![edge]).collect());
    equal_sums(network, bundles, limits)
}

/// Searches for a line among the edges of a crowded vertex. Edges from the same of the `parts` of
/// the graph stay together.
pub fn split_by_bundles(
    network: &Network,
    vertex: u32,
    parts: &[u32],
    limits: SplitLimits,
) -> Split {
    let single =
        edges_at(network, vertex).map(|edges| edges.into_iter().map(|edge| vec![edge]).collect());
    match equal_sums(network, single, limits) {
        Split::Unknown => {}
        known => return known,
    }
    let bundles = edges_at(network, vertex).map(|mut edges| {
        let part = |edge: u32| {
            let Edge { from, to, .. } = network.edge(edge);
            let other = if from == vertex { to } else { from };
            parts.get(other as usize).copied().unwrap_or(other) // split off since
        };
        edges.sort_unstable_by_key(|&edge| (part(edge), edge));
        let bundles = edges.chunk_by(|&a, &b| part(a) == part(b));
        bundles.map(<[u32]>::to_vec).collect()
    });
    match equal_sums(network, bundles, limits) {
        Split::Line => Split::Unknown,
        other => other,
    }
}

/// The connected components without the vertices in `crowds`, as a number for each vertex. Crowded
/// vertices have numbers of their own.
pub fn components(network: &Network, crowds: &[bool]) -> Vec<u32> {
    let mut root: Vec<u32> = (0..crowds.len() as u32).collect();
    let find = |root: &mut Vec<u32>, mut vertex: u32| {
        while root[vertex as usize] != vertex {
            root[vertex as usize] = root[root[vertex as usize] as usize];
            vertex = root[vertex as usize];
        }
        vertex
    };
    for &Edge { from, to, size } in &network.edges {
        if size > 0 && !crowds[from as usize] && !crowds[to as usize] {
            let (a, b) = (find(&mut root, from), find(&mut root, to));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    (0..root.len() as u32)
        .map(|vertex| find(&mut root, vertex))
        .collect()
}

fn edges_at(network: &Network, vertex: u32) -> [Vec<u32>; 2] {
    [Side::In, Side::Out].map(|side| network.around(vertex, side).collect())
}

/// The smallest sets of bundles of both sides with the same sum, among the 64 smallest bundles.
fn equal_sums(network: &Network, mut bundles: [Vec<Vec<u32>>; 2], limits: SplitLimits) -> Split {
    let bytes =
        |edges: &Vec<u32>| -> u64 { edges.iter().map(|&edge| network.edge(edge).size).sum() };
    let complete = bundles.iter().all(|side| side.len() <= 64);
    for side in &mut bundles {
        side.sort_by_cached_key(bytes);
        side.truncate(64);
    }
    let [into, out] = [0, 1].map(|side| bundles[side].iter().map(bytes).collect::<Vec<u64>>());
    // More sums than these would only lower the confidence.
    let total: u64 = into.iter().sum();
    let pairs = total.checked_shr(limits.confidence).unwrap_or(0);
    let most = limits.sums.min(8 + 4 * pairs.isqrt() as usize);
    let uneven = [(into.len(), most * 8), (most * 8, out.len())];
    let uneven = &uneven[..if limits.uneven { 2 } else { 0 }];
    for &(most_in, most_out) in [(most, most)].iter().chain(uneven) {
        let (in_sums, all_in) = sums(&into, most_in);
        let (out_sums, all_out) = sums(&out, most_out);
        match equal(&in_sums, &out_sums, limits.confidence) {
            Equal::Sets(in_set, out_set, confidence) => {
                let chosen = |side: usize, set: u64| {
                    let members = (0..bundles[side].len()).filter(|bit| set >> bit & 1 == 1);
                    members.flat_map(|bit| bundles[side][bit].clone()).collect()
                };
                return Split::Apart([chosen(0, in_set), chosen(1, out_set)], confidence);
            }
            Equal::Doubtful => return Split::Unknown,
            Equal::None if all_in && all_out && complete => return Split::Line,
            Equal::None => {}
        }
    }
    Split::Unknown
}

/// A set of numbers: its sum, its count, and the positions as bits.
type Sum = (u64, u32, u64);

/// The sorted sums of proper nonempty subsets of at most 64 numbers, and whether these are all.
/// About `most` of them are subsets of the smallest numbers, since the smaller of two lines has the
/// smaller boxes. As many are subsets of few numbers.
fn sums(numbers: &[u64], most: usize) -> (Vec<Sum>, bool) {
    let smallest = numbers.len().min(most.max(2).ilog2() as usize);
    let small = (1u64 << smallest) - 1;
    let every = u64::MAX >> (64 - numbers.len().max(1));
    let mut all: Vec<(u64, u64)> = vec![(0, 0)];
    for (position, number) in numbers[..smallest].iter().enumerate() {
        for index in 0..all.len() {
            let (sum, set) = all[index];
            all.push((sum + number, set | 1 << position));
        }
    }
    all.retain(|&(_, set)| set != 0 && set != every);
    let mut last: Vec<(u64, u64)> = vec![(0, 0)];
    let mut count = 0;
    let above = |set: u64| (64 - set.leading_zeros()) as usize;
    while small != every && !last.is_empty() {
        count += last
            .iter()
            .map(|&(_, set)| numbers.len() - above(set))
            .sum::<usize>();
        if count > most {
            break;
        }
        let longer = last.iter().flat_map(|&(sum, set)| {
            (above(set)..numbers.len()).map(move |bit| (sum + numbers[bit], set | 1 << bit))
        });
        last = longer.collect();
        all.extend(last.iter().filter(|&&(_, set)| set & !small != 0));
    }
    let mut sums: Vec<Sum> = all
        .into_iter()
        .map(|(sum, set)| (sum, set.count_ones(), set))
        .collect();
    sums.sort_unstable();
    (sums, small == every)
}

/// The result of comparing two lists of sums.
enum Equal {
    /// The smallest sets of both sides with the same sum, and the confidence.
    Sets(u64, u64, u32),
    /// Sums are equal, perhaps by chance.
    Doubtful,
    None,
}

/// Compares two sorted lists of sums.
fn equal(one: &[Sum], other: &[Sum], confidence: u32) -> Equal {
    let (mut i, mut j) = (0, 0);
    let mut result = Equal::None;
    let mut fewest = u32::MAX;
    while i < one.len() && j < other.len() {
        match one[i].0.cmp(&other[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                // As many pairs of sums up to this one could have been equal instead.
                let pairs = (i as u128 + 1) * (j as u128 + 1);
                let chance = (u128::from(one[i].0) / pairs).checked_ilog2().unwrap_or(0);
                let believed = chance >= confidence;
                // Of equal sums the first has the fewest numbers.
                let count = one[i].1 + other[j].1;
                if believed && count < fewest {
                    fewest = count;
                    result = Equal::Sets(one[i].2, other[j].2, chance);
                } else if fewest == u32::MAX {
                    result = Equal::Doubtful;
                }
                i += 1;
                j += 1;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sums_are_made_but_that_of_all_numbers() {
        let (sums, complete) = sums(&[1, 2, 4], 64);
        let values: Vec<u64> = sums.iter().map(|&(sum, ..)| sum).collect();
        assert_eq!(values, [1, 2, 3, 4, 5, 6]);
        assert!(complete);
    }

    #[test]
    fn few_sums_of_many_numbers_are_not_all() {
        let numbers: Vec<u64> = (0..40).map(|bit| 1 << bit).collect();
        let (sums, complete) = sums(&numbers, 100);
        assert!(!complete && sums.len() <= 400);
    }

    #[test]
    fn equal_sums_are_believed_where_chance_is_unlikely() {
        let large = 1 << 40;
        let one = sums(&[large + 3, large + 8, large * 5], 64).0;
        let other = sums(&[2 * large + 11, large * 7], 64).0;
        match equal(&one, &other, 20) {
            Equal::Sets(0b011, 0b01, confidence) => assert!(confidence >= 20),
            _ => panic!("the sums of the first two are one of the others"),
        }
        let one = sums(&[3, 8, 50], 64).0;
        assert!(matches!(
            equal(&one, &sums(&[11, 70], 64).0, 20),
            Equal::Doubtful
        ));
        assert!(matches!(
            equal(&one, &sums(&[12, 70], 64).0, 20),
            Equal::None
        ));
    }
}
