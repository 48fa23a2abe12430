//! Parts vertices: lines of cuts that are at one time by chance.
//!
//! What flows into a line flows out of it. So where some of the edges into a vertex, not all of them,
//! have the same sum as some of those out of it, these are taken for a line of their own, the fewest
//! first; unless there are so many sums that two would be equal by chance.

use super::network::{Edge, Network, Side};

/// How hard to look for lines, and when to believe in one.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Sums of edges of one side that are compared, at most.
    pub sums: usize,
    /// Equal sums must be less likely by chance than one in 2 to the power of this.
    pub doubt: u32,
    /// Whether to compare single edges of one side with more sums of the other.
    pub uneven: bool,
}

/// What is known of the lines of a vertex.
pub enum Parting {
    /// It is one line.
    Line,
    /// Edges into it and edges out of it that are one line, and how unlikely that is by chance: one
    /// in 2 to the power of this.
    Apart([Vec<u32>; 2], u32),
    Unknown,
}

/// Whether all sums of edges of a vertex can be compared with this care.
pub fn are_few(network: &Network, vertex: u32, care: Care) -> bool {
    [Side::In, Side::Out].iter().all(|&side| {
        1u64.checked_shl(network.degree(vertex, side))
            .is_some_and(|all| all <= care.sums as u64)
    })
}

/// Looks for a line among the edges of a vertex.
pub fn part_edges(network: &Network, vertex: u32, care: Care) -> Parting {
    // With so few edges there is a pair of one size, or no line less than all.
    let degrees = [Side::In, Side::Out].map(|side| network.degree(vertex, side));
    if degrees[0] + degrees[1] < 6 {
        let mut ends = network.around(vertex, Side::In);
        let pair = ends.any(|one| {
            let size = network.edge(one).size;
            let mut out = network.around(vertex, Side::Out);
            out.any(|other| network.edge(other).size == size)
        });
        return if pair {
            Parting::Unknown
        } else {
            Parting::Line
        };
    }
    let bundles =
        edges_at(network, vertex).map(|edges| edges.into_iter().map(|edge| vec![edge]).collect());
    equal_sums(network, bundles, care)
}

/// Looks for a line among the edges of a crowded vertex; those that come from one of the `parts`
/// of the graph stay together.
pub fn part_bundles(network: &Network, vertex: u32, parts: &[u32], care: Care) -> Parting {
    let single =
        edges_at(network, vertex).map(|edges| edges.into_iter().map(|edge| vec![edge]).collect());
    match equal_sums(network, single, care) {
        Parting::Unknown => {}
        known => return known,
    }
    let bundles = edges_at(network, vertex).map(|mut edges| {
        let part = |edge: u32| {
            let Edge { from, to, .. } = network.edge(edge);
            let other = if from == vertex { to } else { from };
            parts.get(other as usize).copied().unwrap_or(other) // parted off since
        };
        edges.sort_unstable_by_key(|&edge| (part(edge), edge));
        let bundles = edges.chunk_by(|&a, &b| part(a) == part(b));
        bundles.map(<[u32]>::to_vec).collect()
    });
    match equal_sums(network, bundles, care) {
        Parting::Line => Parting::Unknown,
        other => other,
    }
}

/// For each vertex a number; those with the same one hang together without any of the `crowds`,
/// which have numbers of their own.
pub fn parts(network: &Network, crowds: &[bool]) -> Vec<u32> {
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

/// The fewest bundles of either side that have the same sum, of the 64 smallest.
fn equal_sums(network: &Network, mut bundles: [Vec<Vec<u32>>; 2], care: Care) -> Parting {
    let bytes =
        |edges: &Vec<u32>| -> u64 { edges.iter().map(|&edge| network.edge(edge).size).sum() };
    let complete = bundles.iter().all(|side| side.len() <= 64);
    for side in &mut bundles {
        side.sort_by_cached_key(bytes);
        side.truncate(64);
    }
    let [into, out] = [0, 1].map(|side| bundles[side].iter().map(bytes).collect::<Vec<u64>>());
    // More sums than these would only raise doubts.
    let total: u64 = into.iter().sum();
    let pairs = total.checked_shr(care.doubt).unwrap_or(0);
    let most = care.sums.min(8 + 4 * pairs.isqrt() as usize);
    let uneven = [(into.len(), most * 8), (most * 8, out.len())];
    let uneven = &uneven[..if care.uneven { 2 } else { 0 }];
    for &(most_in, most_out) in [(most, most)].iter().chain(uneven) {
        let (in_sums, all_in) = sums(&into, most_in);
        let (out_sums, all_out) = sums(&out, most_out);
        match equal(&in_sums, &out_sums, care.doubt) {
            Equal::Sets(in_set, out_set, doubt) => {
                let chosen = |side: usize, set: u64| {
                    let members = (0..bundles[side].len()).filter(|bit| set >> bit & 1 == 1);
                    members.flat_map(|bit| bundles[side][bit].clone()).collect()
                };
                return Parting::Apart([chosen(0, in_set), chosen(1, out_set)], doubt);
            }
            Equal::Doubtful => return Parting::Unknown,
            Equal::None if all_in && all_out && complete => return Parting::Line,
            Equal::None => {}
        }
    }
    Parting::Unknown
}

/// The sum of a set of numbers, how many these are, and their positions as bits.
type Sum = (u64, u32, u64);

/// Sums of at most 64 numbers, sorted, but not of all of these; and whether that is all sums. About
/// `most` of them are sums of the smallest numbers, since the smaller of two lines has the smaller
/// boxes, and as many are sums of few numbers.
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

/// What two lists of sums have in common.
enum Equal {
    /// The fewest numbers of either side with the same sum, and how unlikely that is by chance.
    Sets(u64, u64, u32),
    /// Sums that may be equal by chance.
    Doubtful,
    None,
}

/// Compares two sorted lists of sums.
fn equal(one: &[Sum], other: &[Sum], doubt: u32) -> Equal {
    let (mut i, mut j) = (0, 0);
    let mut result = Equal::None;
    let mut fewest = u32::MAX;
    while i < one.len() && j < other.len() {
        match one[i].0.cmp(&other[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                // As many pairs of sums below this one could have been equal instead.
                let pairs = (i as u128 + 1) * (j as u128 + 1);
                let chance = (u128::from(one[i].0) / pairs).checked_ilog2().unwrap_or(0);
                let believed = chance >= doubt;
                // The first of equal sums has the fewest numbers.
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
            Equal::Sets(0b011, 0b01, doubt) => assert!(doubt >= 20),
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
