//! Walks over a tree of choices of banks.
//!
//! Each plan that ends at or below the limit has all of its buffers in choices of the root, as these cover all placements.
//! In a branch, it is in the subtree of the choice of its buffer: there, buffers that are apart lie in none of the same
//! banks. Of two banks that are alike, contents can change places: the same plan with both exchanged ends at or below the
//! limit, too, and is in the subtree of the first. A lemma excludes all plans of a leaf: its buffers by themselves have
//! none there. So if each leaf has a lemma, there is no plan.

use super::error::CertificateError;
use super::{BankLemma, BankNode, BankRefutation, Certificate};
use crate::Problem;
use crate::bank_choices::{Choices, apart, least_touched};
use crate::banks::{BankLayout, Run};
use std::collections::{BTreeSet, HashMap};

/// The bound of a certificate of a problem without banks.
pub type Check = dyn Fn(&Problem, &Certificate) -> Result<u64, CertificateError>;

/// The bound that buffers prove of which no two may share a bank: `u64::MAX`.
pub fn bound_of_apart(problem: &Problem, ids: &[u64]) -> Result<u64, CertificateError> {
    let banks = problem.banks.as_ref().ok_or(CertificateError::NoBanks)?;
    let by_id: HashMap<u64, u32> = problem.buffers.iter().map(|it| it.id).zip(0..).collect();
    let apart = apart(problem, banks);
    let mut clique: Vec<u32> = Vec::with_capacity(ids.len());
    for &id in ids {
        let position = *by_id
            .get(&id)
            .ok_or(CertificateError::UnknownBuffer { id })?;
        let together = clique
            .iter()
            .find(|other| !apart[position as usize].contains(other));
        if let Some(&other) = together {
            let (first, second) = (problem.buffers[other as usize].id, id);
            return Err(CertificateError::NotApart { first, second });
        }
        clique.push(position);
    }
    let sizes = clique
        .iter()
        .map(|&position| problem.buffers[position as usize].size);
    let touched = sizes.map(|size| least_touched(&banks.layout, size)).sum();
    let mut allowed: BTreeSet<u32> = BTreeSet::new();
    let is_contiguous = matches!(banks.layout, BankLayout::Contiguous(_));
    for id in ids {
        let rule = banks.rules.placements.iter().find(|rule| rule.id == *id);
        match rule {
            // In interleaved banks, a rule is about the first bank alone.
            Some(rule) if is_contiguous && !rule.banks.is_empty() => allowed.extend(&rule.banks),
            _ => allowed.extend(0..banks.layout.count()),
        }
    }
    let banks = allowed.len() as u64;
    match touched > banks {
        true => Ok(u64::MAX),
        false => Err(CertificateError::EnoughBanks { touched, banks }),
    }
}

/// The bound that a tree over the banks of buffers proves: one above its limit, or `u64::MAX` if no plan ends above it.
pub fn bound(
    problem: &Problem,
    refutation: &BankRefutation,
    check: &Check,
) -> Result<u64, CertificateError> {
    let choices = Choices::new(problem, refutation.limit).ok_or(CertificateError::NoBanks)?;
    for (lemma, proof) in refutation.lemmas.iter().enumerate() {
        check_lemma(&choices, lemma, proof, check)?;
    }
    walk(&choices, refutation)?;
    match choices.is_all() {
        true => Ok(u64::MAX),
        false => Ok(choices.limit + 1),
    }
}

/// Checks that the buffers of a lemma cannot be where it says.
fn check_lemma(
    choices: &Choices<'_>,
    lemma: usize,
    proof: &BankLemma,
    check: &Check,
) -> Result<(), CertificateError> {
    let mut seen = BTreeSet::new();
    let mut placements: Vec<(u32, Run)> = Vec::with_capacity(proof.placements.len());
    for &(position, first, count) in &proof.placements {
        let run = Run { first, count };
        if !choices.is_used(position as usize) || !choices.is_run(run) || !seen.insert(position) {
            return Err(CertificateError::InvalidPosition { position });
        }
        placements.push((position, run));
    }
    let weak = CertificateError::WeakLemma { lemma };
    let chosen = choices.chosen(&placements);
    let Some((problem, capacity)) = chosen.and_then(|it| it.capacity.map(|most| (it, most))) else {
        return Err(weak);
    };
    match check(&problem, &proof.certificate)? > capacity {
        true => Ok(()),
        false => Err(weak),
    }
}

/// A branch with an open subtree.
struct OpenBranch {
    buffer: usize,
    /// The choices that are still to come, the next one last.
    left: Vec<Run>,
    /// What the buffers had before the subtree that is open.
    before: Vec<(usize, Vec<Run>)>,
}

/// Checks that the nodes are a tree whose leaves are closed.
fn walk(choices: &Choices<'_>, refutation: &BankRefutation) -> Result<(), CertificateError> {
    let mut domains = choices.domains.clone();
    let mut placed = vec![false; domains.len()];
    let mut open: Vec<OpenBranch> = Vec::new();
    let nodes = &refutation.nodes;
    for (node, step) in nodes.iter().enumerate() {
        match *step {
            BankNode::Branch(position) => {
                let buffer = position as usize;
                if !choices.is_used(buffer) {
                    return Err(CertificateError::NotPlaceable { node, position });
                }
                if std::mem::replace(&mut placed[buffer], true) {
                    return Err(CertificateError::AlreadyPlaced { node, position });
                }
                let mut left = choices.to_try(&domains, buffer);
                left.reverse();
                open.push(OpenBranch {
                    buffer,
                    left,
                    before: Vec::new(),
                });
            }
            BankNode::Lemma(number) => {
                let lemmas = refutation.lemmas.len();
                let lemma = refutation.lemmas.get(number as usize);
                let lemma = lemma.ok_or(CertificateError::UnknownLemma {
                    node,
                    lemma: number,
                    lemmas,
                })?;
                if !applies(choices, &domains, lemma) {
                    let lemma = number;
                    return Err(CertificateError::LemmaDoesNotApply { node, lemma });
                }
            }
        }
        if !next_subtree(choices, &mut domains, &mut placed, &mut open) {
            let end = node + 1;
            return match end < nodes.len() {
                true => Err(CertificateError::Trailing { node: end }),
                false => Ok(()),
            };
        }
    }
    let nodes = nodes.len();
    Err(CertificateError::Truncated { nodes })
}

/// Moves to the next subtree. Returns false at the end of the tree.
fn next_subtree(
    choices: &Choices<'_>,
    domains: &mut [Vec<Run>],
    placed: &mut [bool],
    open: &mut Vec<OpenBranch>,
) -> bool {
    while let Some(branch) = open.last_mut() {
        for (buffer, domain) in branch.before.drain(..).rev() {
            domains[buffer] = domain;
        }
        let Some(run) = branch.left.pop() else {
            placed[branch.buffer] = false;
            open.pop();
            continue;
        };
        let own = std::mem::replace(&mut domains[branch.buffer], vec![run]);
        branch.before.push((branch.buffer, own));
        for &other in &choices.apart[branch.buffer] {
            let other = other as usize;
            branch.before.push((other, domains[other].clone()));
            domains[other].retain(|&it| !choices.meet(it, run));
        }
        return true;
    }
    false
}

/// Whether the buffers of a lemma have only its choices, or all of them one bank that is like that of the lemma.
fn applies(choices: &Choices<'_>, domains: &[Vec<Run>], lemma: &BankLemma) -> bool {
    let own = |position: u32| match domains[position as usize][..] {
        [own] => Some(own),
        _ => None,
    };
    let pairs = lemma.placements.iter();
    let pairs: Option<Vec<(Run, Run)>> = pairs
        .map(|&(position, first, count)| Some((Run { first, count }, own(position)?)))
        .collect();
    pairs.is_some_and(|pairs| {
        let is_same = pairs.iter().all(|&(run, own)| run == own);
        let is_moved = pairs.iter().all(|pair| *pair == pairs[0]);
        is_same || is_moved && choices.are_alike(pairs[0].0, pairs[0].1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::{BankRules, Banks, Buffer};

    /// Three buffers that are in use at once, and a fourth one.
    fn problem(apart: Vec<Vec<u64>>) -> Problem {
        let buffers = vec![
            Buffer::new(10, 6, [(0, 2)]),
            Buffer::new(11, 5, [(0, 2)]),
            Buffer::new(12, 4, [(0, 2)]),
            Buffer::new(13, 4, [(2, 3)]),
        ];
        let layout = BankLayout::equal(2, 16).expect("banks");
        let rules = BankRules {
            apart,
            ..BankRules::default()
        };
        let problem = Problem::new(buffers).expect("valid");
        problem.with_banks(Banks { layout, rules })
    }

    fn lemma(buffers: &[u32], bank: u32) -> BankLemma {
        BankLemma {
            placements: buffers.iter().map(|&buffer| (buffer, bank, 1)).collect(),
            certificate: Box::new(Certificate::Search(crate::Refutation {
                times: vec![0],
                nodes: vec![crate::Node::Leaf(0)],
                ..crate::Refutation::default()
            })),
        }
    }

    fn tree(limit: u64, lemmas: Vec<BankLemma>, nodes: Vec<BankNode>) -> Certificate {
        Certificate::Banks(BankRefutation {
            limit,
            lemmas,
            nodes,
        })
    }

    use BankNode::{Branch, Lemma};

    /// Two of the three are in one bank, whichever they are: 6 and 5, 6 and 4, or 5 and 4 bytes.
    fn packing() -> (Vec<BankLemma>, Vec<BankNode>) {
        let lemmas = vec![lemma(&[0, 1], 0), lemma(&[0, 2], 0), lemma(&[1, 2], 1)];
        let nodes = vec![
            Branch(0),
            Branch(1),
            Lemma(0),
            Branch(2),
            Lemma(1),
            Lemma(2),
        ];
        (lemmas, nodes)
    }

    #[test]
    fn a_tree_proves_that_there_is_no_plan() {
        let (lemmas, nodes) = packing();
        let problem = problem(Vec::new());
        for limit in [16, u64::MAX] {
            let certificate = tree(limit, lemmas.clone(), nodes.clone());
            assert_eq!(check(&problem, &certificate), Ok(u64::MAX), "{limit}");
        }
        // The lemma of bank 1 is one of bank 0, which is alike.
        let mut other = lemmas.clone();
        other[2] = lemma(&[1, 2], 0);
        assert_eq!(
            check(&problem, &tree(16, other, nodes.clone())),
            Ok(u64::MAX)
        );
        // Below 16, the banks differ, so the first buffer can be in the second bank, too.
        let certificate = tree(15, lemmas, nodes);
        assert_eq!(
            check(&problem, &certificate),
            Err(CertificateError::Truncated { nodes: 6 })
        );
    }

    #[test]
    fn a_tree_with_an_open_leaf_is_refused() {
        let problem = problem(Vec::new());
        let (lemmas, nodes) = packing();
        let check = |lemmas: &[BankLemma], nodes: &[BankNode]| {
            check(&problem, &tree(16, lemmas.to_vec(), nodes.to_vec()))
        };
        for cut in 0..nodes.len() {
            let error = CertificateError::Truncated { nodes: cut };
            assert_eq!(check(&lemmas, &nodes[..cut]), Err(error));
        }
        let more = [&nodes[..], &[Lemma(0)]].concat();
        assert_eq!(
            check(&lemmas, &more),
            Err(CertificateError::Trailing { node: 6 })
        );
        let does_not = |node, lemma| Err(CertificateError::LemmaDoesNotApply { node, lemma });
        assert_eq!(check(&lemmas, &[Lemma(0)]), does_not(0, 0));
        assert_eq!(
            check(&lemmas, &[Branch(0), Branch(1), Lemma(1)]),
            does_not(2, 1)
        );
        let twice = CertificateError::AlreadyPlaced {
            node: 1,
            position: 0,
        };
        assert_eq!(check(&lemmas, &[Branch(0), Branch(0)]), Err(twice));
        let none = CertificateError::NotPlaceable {
            node: 0,
            position: 4,
        };
        assert_eq!(check(&lemmas, &[Branch(4)]), Err(none));
        let (node, lemma_number, lemmas_there) = (0, 3, 3);
        let unknown = CertificateError::UnknownLemma {
            node,
            lemma: lemma_number,
            lemmas: lemmas_there,
        };
        assert_eq!(check(&lemmas, &[Lemma(3)]), Err(unknown));
        // These fit.
        let weak = Err(CertificateError::WeakLemma { lemma: 0 });
        assert_eq!(check(&[lemma(&[0], 0)], &nodes), weak);
        assert_eq!(check(&[lemma(&[0, 3], 0)], &nodes), weak);
        let position = Err(CertificateError::InvalidPosition { position: 0 });
        assert_eq!(check(&[lemma(&[0, 0], 0)], &nodes), position);
        assert_eq!(check(&[lemma(&[0], 2)], &nodes), position);
        let without = Problem {
            banks: None,
            ..problem.clone()
        };
        let certificate = tree(16, lemmas, nodes);
        let error = super::super::check(&without, &certificate);
        assert_eq!(error, Err(CertificateError::NoBanks));
    }

    #[test]
    fn buffers_that_are_apart_need_a_bank_each() {
        let bound = |apart: &[&[u64]], ids: &[u64]| {
            let apart = apart.iter().map(|ids| ids.to_vec()).collect();
            let buffers = ids.to_vec();
            check(&problem(apart), &Certificate::Apart { buffers })
        };
        assert_eq!(bound(&[&[10, 11, 12, 13]], &[12, 10, 11]), Ok(u64::MAX));
        let pairs: [&[u64]; 3] = [&[10, 11], &[11, 12], &[12, 10]];
        assert_eq!(bound(&pairs, &[10, 11, 12]), Ok(u64::MAX));
        let (first, second) = (12, 10);
        let error = Err(CertificateError::NotApart { first, second });
        assert_eq!(bound(&pairs[..2], &[12, 11, 10]), error);
        let error = |first, second| Err(CertificateError::NotApart { first, second });
        // They are never in use at once, or the same.
        assert_eq!(bound(&[&[10, 11, 12, 13]], &[10, 11, 13]), error(10, 13));
        assert_eq!(bound(&pairs, &[10, 11, 11]), error(11, 11));
        let (touched, banks) = (2, 2);
        let enough = CertificateError::EnoughBanks { touched, banks };
        assert_eq!(bound(&pairs, &[10, 11]), Err(enough));
        assert_eq!(
            bound(&pairs, &[9]),
            Err(CertificateError::UnknownBuffer { id: 9 })
        );
    }

    /// The second and the third have one bank left each, and the third has none after the second.
    #[test]
    fn a_branch_without_choices_closes_itself() {
        let problem = problem(vec![vec![10, 11, 12]]);
        let check = |nodes: &[BankNode]| check(&problem, &tree(16, Vec::new(), nodes.to_vec()));
        assert_eq!(check(&[Branch(0), Branch(1), Branch(2)]), Ok(u64::MAX));
        let open = Err(CertificateError::Truncated { nodes: 2 });
        assert_eq!(check(&[Branch(0), Branch(1)]), open);
    }

    #[test]
    fn a_lemma_moves_to_an_alike_bank_as_a_whole() {
        let problem = problem(Vec::new());
        let choices = Choices::new(&problem, 16).expect("banks");
        let run = |first| Run { first, count: 1 };
        let applies = |banks: [u32; 2]| {
            let mut domains = choices.domains.clone();
            domains[0] = vec![run(banks[0])];
            domains[1] = vec![run(banks[1])];
            applies(&choices, &domains, &lemma(&[0, 1], 0))
        };
        assert!(applies([0, 0]) && applies([1, 1]));
        assert!(!applies([0, 1]) && !applies([1, 0]));
        assert!(!super::applies(&choices, &choices.domains, &lemma(&[0], 0)));
    }
}
