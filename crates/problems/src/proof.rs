//! Properties of certificates, from planners and from other sources.

use crate::case::TestCase;
use crate::milp::{self, SolverResult};
use crate::oracle::{explore, lowest_first, optimum, optimum_by_address, refute};
use memplan_planner::certificate::{Certificate, check, from_text, to_text};
use memplan_planner::validate::validate;
use memplan_planner::{
    DistanceNode, Effort, Node, Options, PlanError, Planner, Problem, Refutation,
};

/// A node limit above that of any proof of a tiny problem that branches on the lowest buffer.
const NODES: usize = 100_000;

/// The effort of a planner on a tiny problem.
const EFFORT: Effort = Effort::Steps(100_000);

/// The effort with which the exact search solves every tiny problem.
const ENOUGH: Effort = Effort::Steps(5_000_000);

/// The claims of a planner are proven, with and without a capacity that is too small.
pub fn check_proven(planner: Planner, problem: &Problem, options: &Options) {
    let outcome = planner.solve_with(problem, options).expect("a plan");
    let bound = outcome.bounds.lower_bound;
    check_bound(problem, &outcome.certificate, bound);
    if let Some(capacity) = bound.checked_sub(1) {
        let problem = problem.clone().with_capacity(capacity);
        match planner.solve_with(&problem, options) {
            Err(PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }) => check_bound(&problem, &certificate, lower_bound),
            // The planner may answer this other question differently with the same effort.
            Err(PlanError::Capacity { best, .. }) => {
                check_bound(&problem, &best.certificate, best.bounds.lower_bound);
            }
            other => panic!("{planner} fits below its lower bound of {bound}: {other:?}"),
        }
    }
}

/// The certificate proves at least `bound`, also after it was written and read.
pub fn check_bound(problem: &Problem, certificate: &Certificate, bound: u64) {
    let proven = check(problem, certificate).expect("a certificate that holds");
    assert!(proven >= bound, "{bound} is claimed, {proven} is proven");
    let claim = from_text(&to_text(bound, certificate)).expect("a certificate");
    assert_eq!((claim.bound, &claim.certificate), (bound, certificate));
    assert_eq!(claim.check(problem), Ok(proven));
}

/// On tiny problems: the claims of a planner are true.
pub fn check_claims(planner: Planner, problem: &Problem, optimum: u64) {
    let options = Options::default().with_effort(EFFORT);
    let outcome = planner.solve_with(problem, &options).expect("a plan");
    let (bound, peak) = (outcome.bounds.lower_bound, outcome.solution.peak);
    assert!(
        bound <= optimum && optimum <= peak,
        "{planner} says {bound} to {peak}, the optimum is {optimum}: {problem:?}"
    );
    assert_eq!(outcome.optimal, bound == peak);
    check_bound(problem, &outcome.certificate, bound);
    for capacity in [optimum.saturating_sub(1), optimum] {
        let problem = problem.clone().with_capacity(capacity);
        match planner.solve_with(&problem, &options) {
            Ok(outcome) => assert!(optimum <= capacity && outcome.solution.peak <= capacity),
            Err(PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }) => {
                assert!(capacity < lower_bound && lower_bound <= optimum);
                check_bound(&problem, &certificate, lower_bound);
            }
            Err(PlanError::Capacity { best, .. }) => {
                assert!(best.bounds.lower_bound <= capacity && capacity < best.solution.peak);
                check_bound(&problem, &best.certificate, best.bounds.lower_bound);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// On tiny problems: the exact search finds the optimum, proves it, and decides whether the buffers
/// fit, both by itself and inside of `auto`.
pub fn check_exact(problem: &Problem, optimum: u64) {
    for planner in [Planner::Exact, Planner::Auto] {
        assert_eq!(
            proven_optimum(planner, problem),
            optimum,
            "{planner}: {problem:?}"
        );
    }
}

/// On small problems: the exact search solves them. The plan and the certificate prove the result,
/// so the optimum need not be known.
pub fn check_solved(case: &TestCase) {
    let problem = case.tiny(9).problem();
    let optimum = proven_optimum(Planner::Auto, &problem);
    assert_eq!(proven_optimum(Planner::Exact, &problem), optimum);
}

/// On tiny problems with holes: the exact search solves them.
pub fn check_holed(case: &TestCase) {
    let problem = case.holed(6).problem();
    check_exact(&problem, optimum(&problem));
}

/// The optimum, after checking that it is proven.
pub fn proven_optimum(planner: Planner, problem: &Problem) -> u64 {
    let options = Options::default().with_effort(ENOUGH);
    let outcome = planner.solve_with(problem, &options).expect("a plan");
    let (bound, optimum) = (outcome.bounds.lower_bound, outcome.solution.peak);
    assert!(
        bound == optimum && outcome.optimal,
        "{planner} leaves {bound} to {optimum} open: {problem:?}"
    );
    assert_eq!(validate(problem, &outcome.solution), Ok(()));
    assert_eq!(check(problem, &outcome.certificate), Ok(optimum));
    let enough = problem.clone().with_capacity(optimum);
    let outcome = planner.solve_with(&enough, &options);
    let fits = outcome.is_ok_and(|outcome| validate(&enough, &outcome.solution).is_ok());
    assert!(fits, "{planner} does not fit {enough:?}");
    if let Some(capacity) = optimum.checked_sub(1) {
        let problem = problem.clone().with_capacity(capacity);
        match planner.solve_with(&problem, &options) {
            Err(PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }) => {
                assert_eq!(lower_bound, optimum);
                check_bound(&problem, &certificate, optimum);
            }
            other => panic!("{planner} does not refute {problem:?}: {other:?}"),
        }
    }
    optimum
}

/// On tiny problems: one byte less than the optimum is refuted with the optimum as bound, and the
/// optimum is not refuted.
pub fn check_refuted(problem: &Problem, optimum: u64) {
    assert_eq!(refute(problem, optimum, NODES, &mut lowest_first), None);
    if let Some(capacity) = optimum.checked_sub(1) {
        let proof = refute(problem, capacity, NODES, &mut lowest_first).expect("a proof");
        assert_eq!(check(problem, &proof), Ok(optimum));
        check_bound(problem, &proof, optimum);
    }
}

/// On tiny problems: the methods for the optimum agree, and no sequence of branches proves a bound
/// above it.
pub fn check_refutations(case: &TestCase, picks: &[u8]) {
    let problem = case.tiny(5).problem();
    let optimum = optimum(&problem);
    assert_eq!(optimum, optimum_by_address(&problem));
    check_claims(Planner::Auto, &problem, optimum);
    check_exact(&problem, optimum);
    check_refuted(&problem, optimum);
    let mut picks = picks.iter().cycle();
    let mut any = |open: &[(u64, usize)]| {
        let pick = picks.next().map_or(0, |&pick| usize::from(pick));
        open[pick % open.len()].1
    };
    assert_eq!(refute(&problem, optimum, NODES, &mut any), None);
    if let Some(capacity) = optimum.checked_sub(1)
        && let Some(proof) = refute(&problem, capacity, NODES, &mut any)
    {
        assert_eq!(check(&problem, &proof), Ok(optimum));
    }
    check_bound_is_true(
        &problem,
        &explore(&problem, optimum, 1000, &mut any),
        optimum,
    );
}

/// On tiny problems with windows: no tree over distances proves a bound above the optimum. Each entry splits a leaf: two
/// positions, a distance, and which leaf.
pub fn check_distances(case: &TestCase, splits: &[(u8, u8, i8, u16)]) {
    let problem = case.tiny(4).problem_with_windows();
    let optimum = optimum_by_address(&problem);
    let free = (0u32..).zip(&problem.buffers).filter(|(_, buffer)| {
        let is_active = buffer.size > 0 && !(buffer.live.is_empty() && buffer.windows.is_empty());
        is_active && buffer.fixed_offset.is_none()
    });
    let free: Vec<u32> = free.map(|(position, _)| position).collect();
    let mut nodes = vec![DistanceNode::Leaf];
    for &(upper, lower, distance, leaf) in splits {
        let count = free.len();
        if count < 2 {
            break;
        }
        let upper = usize::from(upper) % count;
        let lower = (upper + 1 + usize::from(lower) % (count - 1)) % count;
        let leaves = (0..nodes.len()).filter(|&at| nodes[at] == DistanceNode::Leaf);
        let leaves: Vec<usize> = leaves.collect();
        let at = leaves[usize::from(leaf) % leaves.len()];
        let split = DistanceNode::Split {
            upper: free[upper],
            lower: free[lower],
            distance: i64::from(distance % 8),
        };
        nodes.splice(at..=at, [split, DistanceNode::Leaf, DistanceNode::Leaf]);
    }
    let proof = Certificate::Distances(nodes);
    let bound = check(&problem, &proof).expect("a tree");
    assert!(
        bound <= optimum,
        "{bound} is proven, {optimum} is possible: {proof:?} for {problem:?}"
    );
    check_bound(&problem, &proof, bound);
}

/// On small problems: a mixed integer program agrees with `auto` on the least peak and on refuted
/// capacities, unless its solver gives up.
pub fn check_against_milp(case: &TestCase) {
    let problem = case.tiny(9).problem();
    let outcome = Planner::Auto.solve(&problem).expect("a plan");
    let (bound, peak) = (outcome.bounds.lower_bound, outcome.solution.peak);
    match milp::solve(&problem, peak, 1_000) {
        SolverResult::Peak(least) => {
            assert!(bound <= least && least <= peak && (least == peak || !outcome.optimal));
        }
        SolverResult::DoesNotFit => panic!("there is a plan of {peak} bytes"),
        SolverResult::Unknown => {}
    }
    if let Some(capacity) = bound.checked_sub(1) {
        let answer = milp::solve(&problem, capacity, 1_000);
        assert!(!matches!(answer, SolverResult::Peak(_)), "{answer:?}");
    }
}

/// On tiny problems: the mixed integer program has this optimum and does not fit in less.
pub fn check_milp(problem: &Problem, optimum: u64) {
    assert_eq!(
        milp::solve(problem, optimum, 100_000),
        SolverResult::Peak(optimum)
    );
    if let Some(capacity) = optimum.checked_sub(1) {
        assert_eq!(
            milp::solve(problem, capacity, 100_000),
            SolverResult::DoesNotFit
        );
    }
}

/// On tiny problems: a proof with an arbitrary change is rejected or proves no more than the
/// optimum. Each edit is an operation, a position and a value.
pub fn check_corrupted(case: &TestCase, edits: &[(u8, u16, u16)]) {
    let problem = case.tiny(6).problem();
    let optimum = optimum(&problem);
    let mut proof = optimum
        .checked_sub(1)
        .and_then(|capacity| refute(&problem, capacity, NODES, &mut lowest_first))
        .unwrap_or_default();
    let ids = edits.iter().map(|&(id, ..)| u64::from(id % 7));
    for length in 0..=edits.len().min(4) {
        let buffers = ids.clone().take(length).collect();
        check_bound_is_true(&problem, &Certificate::Clique { buffers }, optimum);
    }
    for edit in edits {
        if let Certificate::Search(refutation) = &mut proof {
            corrupt(refutation, problem.buffers.len(), edit);
        }
        check_bound_is_true(&problem, &proof, optimum);
    }
    check_corrupted_lemmas(&case.tiny(8).problem(), edits);
    check_corrupted_lemmas(&case.holed(8).problem(), edits);
    let mut text = to_text(0, &proof).into_bytes();
    for &(_, at, with) in edits {
        let at = usize::from(at) % text.len();
        text[at] = b"0123456789bl \n"[usize::from(with) % 14];
        if let Ok(claim) = from_text(&String::from_utf8_lossy(&text)) {
            check_bound_is_true(&problem, &claim.certificate, optimum);
        }
    }
}

/// The same for proofs of the planner with lemmas and cliques. Other tests check that its result is
/// the optimum.
fn check_corrupted_lemmas(problem: &Problem, edits: &[(u8, u16, u16)]) {
    let options = Options::default().with_effort(ENOUGH);
    let outcome = Planner::Exact.solve_with(problem, &options);
    let outcome = outcome.expect("a plan");
    for edit in edits {
        let mut proof = outcome.certificate.clone();
        for edit in [edit, &edits[0]] {
            if let Certificate::Search(refutation) = &mut proof {
                corrupt_lemmas(refutation, problem.buffers.len(), edit);
            }
            check_bound_is_true(problem, &proof, outcome.solution.peak);
        }
    }
}

/// Changes a lemma, or a clique.
fn corrupt_lemmas(refutation: &mut Refutation, buffers: usize, &(what, at, with): &(u8, u16, u16)) {
    let cliques = refutation.cliques.len();
    let (at, with) = (usize::from(at), usize::from(with));
    let position = (with % (buffers + 1)) as u32;
    let lemmas = &mut refutation.lemmas;
    if what % 12 == 0 && cliques > 0 {
        let clique = &mut refutation.cliques[at % cliques];
        match clique.iter().position(|&member| member == position) {
            Some(index) => drop(clique.remove(index)),
            None => clique.push(position),
        }
        return;
    }
    if lemmas.is_empty() {
        return;
    }
    let count = lemmas.len();
    let node = match with % 4 {
        0 => Node::Branch(position),
        1 => Node::Leaf((with / 4 % 12) as u32),
        2 => Node::Clique((with / 4 % (cliques + 1)) as u32),
        _ => Node::Lemma((with / 4 % (count + 1)) as u32),
    };
    if what % 12 == 1 {
        refutation.nodes = vec![node];
        return;
    }
    if what % 12 == 2 {
        lemmas.swap(at % count, with % count);
        return;
    }
    let lemma = &mut lemmas[at % count];
    let listed = at / count % lemma.least.len().max(1);
    match (what % 12, lemma.least.get_mut(listed)) {
        (3, Some(_)) => drop(lemma.least.remove(listed)),
        (4, Some(least)) => least.0 = position,
        (5 | 6, Some(least)) => least.1 = least.1.saturating_sub(1 + with as u64 % 4),
        (7, Some(least)) => least.1 += 1 + with as u64 % 4,
        (8, _) => lemma.least.push((position, with as u64 % 9)),
        (9, _) if lemma.nodes.len() == 3 => lemma.nodes.swap(1, 2),
        _ => {
            if let Some(place) = lemma.nodes.get_mut(at % 3) {
                *place = node;
            }
        }
    }
}

fn check_bound_is_true(problem: &Problem, certificate: &Certificate, optimum: u64) {
    if let Ok(bound) = check(problem, certificate) {
        assert!(
            bound <= optimum,
            "{bound} proven, but {optimum} is possible: {certificate:?}"
        );
    }
}

/// Changes a node, a time or the shape of the tree.
fn corrupt(refutation: &mut Refutation, buffers: usize, &(what, at, with): &(u8, u16, u16)) {
    let Refutation { times, nodes, .. } = refutation;
    if nodes.is_empty() {
        return;
    }
    let at = usize::from(at) % nodes.len();
    let other = usize::from(with) % nodes.len();
    let branch = Node::Branch((usize::from(with) % (buffers + 1)) as u32);
    let leaf = Node::Leaf((usize::from(with) % (times.len() + 1)) as u32);
    let subtree = |start: usize| nodes[start..end(nodes, start)].to_vec();
    let (first, second) = (subtree(at), subtree(other));
    let place = at..at + first.len();
    match what % 10 {
        0 => drop(nodes.remove(at)),
        1 => nodes.insert(at, nodes[at]),
        2 => nodes[at] = branch,
        3 => nodes[at] = leaf,
        4 => nodes.truncate(at),
        5 => nodes.push(nodes[other]),
        6 => {
            if let Some(time) = times.get_mut(usize::from(with) % 8) {
                *time = u64::from(with) % 20;
            }
        }
        // These edits keep the tree well-formed.
        7 => drop(nodes.splice(place, second)),
        8 => drop(nodes.splice(place, [leaf])),
        _ => drop(nodes.splice(place, [vec![branch], first, second].concat())),
    }
}

/// The end of the subtree that starts at a node, or the end of the nodes.
fn end(nodes: &[Node], start: usize) -> usize {
    let mut open = 1;
    let mut index = start;
    while open > 0 && index < nodes.len() {
        match nodes[index] {
            Node::Branch(_) => open += 1,
            Node::Leaf(_) | Node::Clique(_) | Node::Lemma(_) => open -= 1,
        }
        index += 1;
    }
    index
}
