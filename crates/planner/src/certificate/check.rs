//! The certificate checker: computes the bound that a certificate proves.
//!
//! # Why a tree proves its bound
//!
//! *Inactive* buffers have no bytes or are never live. They conflict with nothing and are left out.
//! For any other buffer b, `fit(b, x)` is the least aligned offset from x on at which b is clear of
//! all fixed buffers and forbidden ranges while b is live. It is infinite if there is none. It is
//! monotonic in x. Two active buffers that conflict share no byte, so one is *below* the other.
//!
//! **Compact form.** Take a plan with the least peak. Move buffers that are not fixed, one at a
//! time, to any lower offset that is valid while all others stay. The peak never rises and the sum
//! of offsets falls, so this ends. Then every buffer b that is not fixed lies at `fit(b, t)`, where
//! t is the highest top of its neighbours below b, or 0 if it has none. To see this, note that
//! neighbours below b end at or below t, and that those above b stay clear of b at any lower
//! offset. So `fit(b, t)` is valid and not above b's offset, and b could move there. The argument
//! holds for live ranges with holes, too.
//!
//! **State.** A state stands for the compact plans in which every buffer lies at its `low` or
//! higher, and the placed ones at `low`. Each `low` is a possible offset, so `fit(b, low)` is
//! `low`. At the root `low` is `fit(b, 0)`, so the root stands for all compact plans. One of them
//! has the least peak.
//!
//! **Branch on b.** Each plan of the state is in one of two subtrees.
//! * b lies above `low`, at `fit(b, t)`. Then t is not 0, because `low` is at least `fit(b, 0)`. So
//!   t is the top of a neighbour j. If j is placed, t is `low + size` of j. This is above the `low`
//!   of b: otherwise `fit(b, t)` would be at most the `low` of b, which is possible itself. If j is
//!   not placed, t is at least `low + size` of j, and it is above the `low` of b for the same
//!   reason. As `fit` is monotonic, b lies at `fit(b, ..)` of the least of these or higher.
//! * b lies at `low`. A neighbour that is not placed and has `low + size` above that cannot be
//!   below b. So it starts at the top of b or higher, at an offset that is possible for it.
//!
//! No step requires that b is the lowest buffer or that the placed buffers are disjoint. A state
//! without any plan satisfies every bound of its leaves. This is why each tree is a proof.
//!
//! **Leaf.** Of the buffers that are live at a time, those with a `low` of at least h lie at h or
//! higher. Each has bytes of its own, none of which is forbidden then. So between h and the end of
//! the last one there are at least the bytes of their sizes and the forbidden bytes. This holds for
//! fixed and placed buffers, too. The checker stacks them in order of `low`: each starts at the end
//! of the one before, or at its `low` if that is higher, and flows around forbidden bytes. The
//! stack ends at the highest of these bounds. The offsets of buffers that are not fixed and have an
//! alignment that A divides are multiples of A. In any order, each of these except the topmost takes
//! its size rounded up to A. So their end is at least h plus the rounded sizes, less the largest
//! rounding of any of them.
//!
//! **Clique.** The argument for a leaf needs only that no two of the buffers share a byte and that
//! none has a forbidden byte. Buffers that conflict pairwise share none. A byte that is forbidden
//! at some time of each of them belongs to none.
//!
//! **Lemma.** A lemma states the following. Its buffers lie at aligned offsets, clear of fixed
//! buffers, of forbidden ranges and of each other, and each at its least offset or higher. Then one
//! of them or a fixed buffer ends at the bound or higher. To prove this, remove all other buffers
//! that are not fixed. Of these placements take one with the least peak and move its buffers down
//! one at a time, but not below their least offsets. Then each lies at the least possible offset
//! from there, which is its first `low`, or at `fit(b, t)` on top of a neighbour among them. So the
//! compact form and the rules for branches and leaves hold as before. Consider a state in which
//! every buffer of a lemma has a `low` that is no less. The lemma's buffers, placed ones included,
//! form such a placement in each of its plans. Twins can change places in any placement: they have
//! the same size, possible offsets and neighbours. So it is enough that each buffer of the lemma
//! has a representative of its own that lies high enough.
//!
//! **Banks.** Rules for banks only exclude plans, so the bounds above hold with them. `banks` has those that need them.
//!
//! **Root.** A plan with the least peak is in one of the leaves, so the least peak is at least the
//! bound of that leaf. Hence it is at least the minimum over the leaves. Buffers that conflict with
//! none of the others never enter their sums, so a tree over some of the buffers is a proof for the
//! whole problem.

use super::error::CertificateError;
use super::obstacles::PossibleOffsets;
use super::{Certificate, banks, cliques, distances, replay};
use crate::{Buffer, Problem};

/// The bound in bytes that `certificate` proves: no plan of `problem` has a lower peak, whatever
/// the capacity. It is `u64::MAX` if there is no plan at all.
///
/// O(n log n). A clique that is never live all at once takes time quadratic in its buffers. A tree
/// takes O(neighbours of the buffer) for a branch and O(k log k) for a leaf at which k buffers are
/// live, after listing both. Memory on the heap grows with the depth of the tree.
///
/// # Errors
///
/// The error in the problem, or the first invalid node of a tree.
pub fn check(problem: &Problem, certificate: &Certificate) -> Result<u64, CertificateError> {
    problem.check()?;
    if let &Certificate::Load { time } = certificate {
        return Ok(load(problem, time));
    }
    match certificate {
        Certificate::Distances(nodes) => return distances::bound(problem, nodes),
        Certificate::Apart { buffers } => return banks::bound_of_apart(problem, buffers),
        Certificate::Banks(refutation) => return banks::bound(problem, refutation, &check),
        _ => {}
    }
    // Without the bytes of windows, fewer buffers conflict, so a bound holds for the whole problem, too.
    let problem = &*problem.without_windowed_times();
    match certificate {
        Certificate::Nothing
        | Certificate::Load { .. }
        | Certificate::Distances(_)
        | Certificate::Apart { .. }
        | Certificate::Banks(_) => Ok(0),
        &Certificate::Alignment { time, alignment } => rounded_load(problem, time, alignment),
        Certificate::Clique { buffers } => cliques::bound(problem, buffers),
        &Certificate::End { buffer } => end(problem, buffer),
        Certificate::Search(refutation) => replay::bound(problem, refutation),
    }
}

/// The bytes that are in use at `time`.
fn load(problem: &Problem, time: u64) -> u64 {
    let windows = problem.buffers.iter().flat_map(|buffer| &buffer.windows);
    let open = windows.filter(|window| window.during.start <= time && time < window.during.end);
    let partial: u64 = open.map(|window| window.high - window.low).sum();
    let whole: u64 = live_at(problem, time).map(|buffer| buffer.size).sum();
    whole + partial
}

/// The buffers that are live at `time`, with all their bytes.
fn live_at(problem: &Problem, time: u64) -> impl Iterator<Item = &Buffer> {
    problem.buffers.iter().filter(move |buffer| {
        let mut ranges = buffer.live.iter();
        ranges.any(|range| range.start <= time && time < range.end)
    })
}

/// The bytes that the buffers need together whose alignments are multiples of this one.
///
/// All their offsets are multiples of `alignment`. So the distance from one offset to the next is
/// at least the size of the lower buffer, rounded up.
fn rounded_load(problem: &Problem, time: u64, alignment: u64) -> Result<u64, CertificateError> {
    if alignment == 0 {
        return Err(CertificateError::Alignment);
    }
    let (mut sum, mut most) = (0, 0);
    for buffer in live_at(problem, time).filter(|buffer| buffer.alignment.is_multiple_of(alignment))
    {
        let rounded = buffer.size.next_multiple_of(alignment);
        sum += rounded;
        most = most.max(rounded - buffer.size);
    }
    Ok(sum - most)
}

/// The lowest possible end of the buffer `id`.
fn end(problem: &Problem, id: u64) -> Result<u64, CertificateError> {
    let found = problem.buffers.iter().position(|buffer| buffer.id == id);
    let position = found.ok_or(CertificateError::UnknownBuffer { id })?;
    let offset = PossibleOffsets::new(problem).least_from(position, 0);
    Ok(offset.saturating_add(problem.buffers[position].size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Forbidden, Lemma, Node, Refutation};

    fn problem() -> Problem {
        Problem::new(vec![
            Buffer::new(10, 4, [(0, 2)]),
            Buffer::new(11, 3, [(1, 3)]),
            Buffer::new(12, 5, [(2, 4)]).aligned(8),
            Buffer::new(13, 0, [(0, 4)]),
            Buffer::new(14, 1, [(3, 4)]).fixed_at(30),
            Buffer::new(15, 9, []),
        ])
        .expect("a valid problem")
    }

    fn tree(nodes: Vec<Node>) -> Certificate {
        Certificate::Search(Refutation {
            times: vec![1, 3],
            nodes,
            ..Refutation::default()
        })
    }

    #[test]
    fn every_kind_proves_its_bound() {
        let check = |certificate| check(&problem(), &certificate);
        assert_eq!(check(Certificate::Nothing), Ok(0));
        assert_eq!(check(Certificate::Load { time: 1 }), Ok(7));
        assert_eq!(check(Certificate::Load { time: u64::MAX }), Ok(0));
        let aligned = |time, alignment| check(Certificate::Alignment { time, alignment });
        assert_eq!(aligned(2, 1), Ok(8));
        assert_eq!(aligned(2, 8), Ok(5));
        assert_eq!(aligned(2, 16), Ok(0));
        assert_eq!(aligned(2, 0), Err(CertificateError::Alignment));
        assert_eq!(check(Certificate::End { buffer: 14 }), Ok(31));
        assert_eq!(check(Certificate::End { buffer: 15 }), Ok(9));
        assert_eq!(
            check(Certificate::End { buffer: 16 }),
            Err(CertificateError::UnknownBuffer { id: 16 })
        );
    }

    #[test]
    fn all_but_the_topmost_are_rounded_up() {
        let aligned = |id, size| Buffer::new(id, size, [(0, 1)]).aligned(64);
        let problem = Problem::new(vec![aligned(0, 1), aligned(1, 10), aligned(2, 60)]);
        let certificate = Certificate::Alignment {
            time: 0,
            alignment: 64,
        };
        assert_eq!(check(&problem.expect("valid"), &certificate), Ok(129));
    }

    #[test]
    fn a_buffer_between_fixed_ones_ends_where_it_fits() {
        let problem = Problem::new(vec![
            Buffer::new(0, 4, [(0, 3)]),
            Buffer::new(1, 9, [(0, 1)]).fixed_at(3),
            Buffer::new(2, 9, [(2, 9)]).fixed_at(15),
        ]);
        let certificate = Certificate::End { buffer: 0 };
        assert_eq!(check(&problem.expect("valid"), &certificate), Ok(28));
    }

    #[test]
    fn a_single_leaf_counts_fixed_buffers() {
        assert_eq!(check(&problem(), &tree(vec![Node::Leaf(0)])), Ok(7));
        assert_eq!(check(&problem(), &tree(vec![Node::Leaf(1)])), Ok(31));
    }

    /// The second aligned buffer starts at 8. Below it 3 bytes fit only on top of the smaller
    /// buffer.
    #[test]
    fn a_tree_proves_more_than_its_root() {
        let live = [(0, 4)];
        let problem = Problem::new(vec![
            Buffer::new(0, 6, live).aligned(8),
            Buffer::new(1, 4, live).aligned(8),
            Buffer::new(2, 3, live),
        ])
        .expect("a valid problem");
        let leaf = Node::Leaf(0);
        let check = |nodes| check(&problem, &tree(nodes));
        assert_eq!(check(vec![leaf]), Ok(13));
        assert_eq!(check(vec![Node::Branch(0), leaf, leaf]), Ok(13));
        let nodes = vec![Node::Branch(0), leaf, Node::Branch(2), leaf, leaf];
        assert_eq!(check(nodes), Ok(14));
    }

    #[test]
    fn a_deep_tree_needs_no_deep_stack() {
        let live = [(0, 4)];
        let buffers = (0..2).map(|id| Buffer::new(id, 1, live)).collect();
        let problem = Problem::new(buffers).expect("a valid problem");
        let depth = 200_000;
        let mut nodes: Vec<Node> = (0..depth).map(|index| Node::Branch(index % 2)).collect();
        nodes.resize(2 * depth as usize + 1, Node::Leaf(0));
        assert_eq!(check(&problem, &tree(nodes)), Ok(2));
    }

    #[test]
    fn an_invalid_tree_is_an_error() {
        let check = |nodes| check(&problem(), &tree(nodes));
        let (branch, leaf) = (Node::Branch(0), Node::Leaf(0));
        assert_eq!(check(vec![]), Err(CertificateError::Truncated { nodes: 0 }));
        assert_eq!(
            check(vec![branch, leaf]),
            Err(CertificateError::Truncated { nodes: 2 })
        );
        assert_eq!(
            check(vec![branch, leaf, leaf, leaf]),
            Err(CertificateError::Trailing { node: 3 })
        );
        assert_eq!(
            check(vec![branch, leaf, branch, leaf, leaf]),
            Err(CertificateError::AlreadyPlaced {
                node: 2,
                position: 0
            })
        );
        for position in [3, 4, 5, 6, u32::MAX] {
            assert_eq!(
                check(vec![Node::Branch(position), leaf, leaf]),
                Err(CertificateError::NotPlaceable { node: 0, position })
            );
        }
        assert_eq!(
            check(vec![branch, leaf, Node::Leaf(2)]),
            Err(CertificateError::UnknownTime {
                node: 2,
                time: 2,
                times: 2
            })
        );
    }

    /// Four buffers that conflict pairwise; the last two are twins.
    fn twins() -> Problem {
        let live = [(0, 4)];
        Problem::new(vec![
            Buffer::new(0, 3, live),
            Buffer::new(1, 4, live).aligned(2),
            Buffer::new(2, 2, live),
            Buffer::new(3, 2, live),
        ])
        .expect("a valid problem")
    }

    /// The premises of a lemma, and its nodes.
    type Stated<'a> = (&'a [(u32, u64)], &'a [Node]);

    /// The bound of a tree with these lemmas.
    fn with_lemmas(
        problem: &Problem,
        lemmas: &[Stated],
        nodes: &[Node],
    ) -> Result<u64, CertificateError> {
        let lemma = |&(least, nodes): &Stated| Lemma {
            least: least.to_vec(),
            nodes: nodes.to_vec(),
        };
        let refutation = Refutation {
            times: vec![0],
            lemmas: lemmas.iter().map(lemma).collect(),
            nodes: nodes.to_vec(),
            ..Refutation::default()
        };
        check(problem, &Certificate::Search(refutation))
    }

    #[test]
    fn a_lemma_applies_where_its_buffers_or_their_twins_lie_so_high() {
        let (leaf, branch, rests) = (Node::Leaf(0), Node::Branch, Node::Lemma);
        let problem = twins();
        let bound = |lemma: &[(u32, u64)], nodes: &[Node]| {
            with_lemmas(&problem, &[(lemma, &[leaf])], nodes)
        };
        assert_eq!(bound(&[(0, 0), (3, 0)], &[rests(0)]), Ok(5));
        assert_eq!(bound(&[], &[rests(0)]), Ok(0));
        // Buffer 2 at 0: the others are above it.
        let above = [branch(2), leaf, rests(0)];
        assert_eq!(bound(&[(0, 2), (3, 2)], &above), Ok(7));
        assert_eq!(bound(&[(0, 2), (2, 2)], &above), Ok(7)); // by its twin
        let fails = |node| Err(CertificateError::LemmaDoesNotApply { node, lemma: 0 });
        assert_eq!(bound(&[(0, 2), (2, 2), (3, 2)], &above), fails(3));
        assert_eq!(bound(&[(0, 3)], &above), fails(3));
        assert_eq!(bound(&[(1, 2), (2, 0), (3, 2)], &above), Ok(8));
        assert_eq!(bound(&[(0, 2)], &[branch(2), rests(0), leaf]), fails(2));
    }

    /// A buffer and its twin must have the same alignment, live ranges and obstacles.
    #[test]
    fn only_twins_stand_for_each_other() {
        let rests = |problem: &Problem| {
            let above = [Node::Branch(2), Node::Leaf(0), Node::Lemma(0)];
            with_lemmas(problem, &[(&[(2, 2)], &[Node::Leaf(0)])], &above)
        };
        assert_eq!(rests(&twins()), Ok(4));
        let fails = Err(CertificateError::LemmaDoesNotApply { node: 3, lemma: 0 });
        let changed = |change: fn(&mut Buffer)| {
            let mut problem = twins();
            change(&mut problem.buffers[3]);
            rests(&problem)
        };
        assert_eq!(changed(|twin| twin.size = 1), fails);
        assert_eq!(changed(|twin| twin.alignment = 2), fails);
        let one = |alignment| {
            let mut problem = twins();
            problem.buffers[2].size = 1;
            problem.buffers[3].size = 1;
            problem.buffers[3].alignment = alignment;
            with_lemmas(
                &problem,
                &[(&[(2, 1)], &[Node::Leaf(0)])],
                &[Node::Branch(2), Node::Leaf(0), Node::Lemma(0)],
            )
        };
        assert_eq!((one(1), one(2)), (Ok(2), fails.clone()));
        let mut other = twins();
        other.buffers.push(Buffer::new(9, 1, [(7, 8)]));
        other.buffers[3] = Buffer::new(3, 2, [(0, 4), (7, 8)]);
        assert_eq!(rests(&other), fails);
        let mut other = twins().with_forbidden(Forbidden::new(20, 21).during(7, 8));
        other.buffers[3] = Buffer::new(3, 2, [(0, 4), (7, 8)]);
        assert_eq!(rests(&other), fails);
    }

    #[test]
    fn a_lemma_has_only_the_listed_buffers() {
        let (leaf, branch, rests) = (Node::Leaf(0), Node::Branch, Node::Lemma);
        let problem = twins();
        let lemmas: [Stated; 2] = [
            (&[(0, 6), (1, 5)], &[branch(0), leaf, leaf]),
            (&[(2, 0), (3, 0)], &[branch(3), leaf, leaf]),
        ];
        // The second lemma holds from offset 0 on; the first does not state this.
        assert_eq!(with_lemmas(&problem, &lemmas, &[rests(1)]), Ok(4));
        let fails = Err(CertificateError::LemmaDoesNotApply { node: 6, lemma: 0 });
        assert_eq!(with_lemmas(&problem, &lemmas, &[rests(0)]), fails);
        let outside: [Stated; 1] = [(&[(0, 0)], &[branch(1), leaf, leaf])];
        let nothing = Err(CertificateError::NotPlaceable {
            node: 0,
            position: 1,
        });
        assert_eq!(with_lemmas(&problem, &outside, &[leaf]), nothing);
        let itself: [Stated; 1] = [(&[(0, 0)], &[rests(0)])];
        let unknown = Err(CertificateError::UnknownLemma {
            node: 0,
            lemma: 0,
            lemmas: 0,
        });
        assert_eq!(with_lemmas(&problem, &itself, &[leaf]), unknown);
        for least in [&[(0, 0), (0, 0)][..], &[(4, 0)]] {
            let position = least[0].0;
            let twice = Err(CertificateError::InvalidPosition { position });
            let lemmas: [Stated; 1] = [(least, &[leaf])];
            assert_eq!(with_lemmas(&problem, &lemmas, &[leaf]), twice);
        }
        // A buffer outside of the lemma does not count, and one buffer cannot stand for two.
        let fails = Err(CertificateError::LemmaDoesNotApply { node: 1, lemma: 0 });
        for listed in [&[(2, 0)][..], &[(0, 0)], &[(0, 0), (1, 0), (3, 0)]] {
            let lemmas: [Stated; 2] = [(&[(2, 0), (3, 0)], &[leaf]), (listed, &[rests(0)])];
            assert_eq!(with_lemmas(&problem, &lemmas, &[leaf]), fails);
        }
        let open: [Stated; 1] = [(&[(0, 0)], &[branch(0), leaf])];
        let truncated = Err(CertificateError::Truncated { nodes: 2 });
        assert_eq!(with_lemmas(&problem, &open, &[leaf]), truncated);
    }

    #[test]
    fn a_leaf_may_be_at_a_clique() {
        let problem = Problem::new(vec![
            Buffer::new(0, 3, [(0, 1), (2, 3)]),
            Buffer::new(1, 5, [(0, 1), (4, 5)]),
            Buffer::new(2, 2, [(2, 3), (4, 5)]),
            Buffer::new(3, 2, [(4, 5)]),
        ])
        .expect("a valid problem")
        .with_forbidden(Forbidden::new(4, 5));
        let bound = |clique: &[u32], nodes: &[Node]| {
            let refutation = Refutation {
                cliques: vec![clique.to_vec()],
                nodes: nodes.to_vec(),
                ..Refutation::default()
            };
            check(&problem, &Certificate::Search(refutation))
        };
        let leaf = Node::Clique(0);
        assert_eq!(bound(&[2, 0, 1], &[leaf]), Ok(11));
        assert_eq!(bound(&[2, 0, 1], &[Node::Branch(0), leaf, leaf]), Ok(12));
        let (first, second) = (0, 3);
        let apart = Err(CertificateError::NoConflict { first, second });
        assert_eq!(bound(&[0, 1, 3], &[leaf]), apart);
        let position = 4;
        let nothing = Err(CertificateError::InvalidPosition { position });
        assert_eq!(bound(&[0, 4], &[leaf]), nothing);
        let unknown = Err(CertificateError::UnknownClique {
            node: 0,
            clique: 1,
            cliques: 1,
        });
        assert_eq!(bound(&[0], &[Node::Clique(1)]), unknown);
    }
}
