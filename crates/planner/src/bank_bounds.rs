//! Lower bounds from banks that need no search: buffers that are apart, and buffers that have one bank only.

use crate::bank_choices::{Choices, apart, least_touched};
use crate::banks::Run;
use crate::certificate::{BankLemma, BankNode, BankRefutation, Certificate};
use crate::{Problem, certificate};
use std::collections::BTreeMap;

/// The most buffers from which a clique of buffers that are apart is grown.
const MOST_STARTS: usize = 256;

/// A bound and its proof, if it is above the one that is known.
struct Best {
    bound: u64,
    proof: Option<Certificate>,
}

impl Best {
    /// Keeps a proof that the checker accepts and that proves more.
    fn raise(&mut self, problem: &Problem, proof: Certificate) {
        let bound = certificate::check(problem, &proof).unwrap_or(0);
        if bound > self.bound {
            (self.bound, self.proof) = (bound, Some(proof));
        }
    }
}

/// The best of these bounds with its proof, if it is above `known`.
pub fn above(problem: &Problem, known: u64) -> Option<(u64, Certificate)> {
    problem.banks.as_ref()?;
    let mut best = Best {
        bound: known,
        proof: None,
    };
    raise_by_apart(problem, &mut best);
    if best.bound < u64::MAX
        && let Some(limit) = problem.limit()
        && let Some(choices) = Choices::new(problem, limit)
    {
        raise_by_single(&choices, &mut best);
        raise_by_pinned(&choices, &mut best);
    }
    best.proof.map(|proof| (best.bound, proof))
}

/// Buffers that are apart in pairs need a bank each. Cliques are grown greedily, by the number of others that a buffer is
/// apart from.
fn raise_by_apart(problem: &Problem, best: &mut Best) {
    let Some(banks) = &problem.banks else {
        return;
    };
    let apart = apart(problem, banks);
    let mut starts: Vec<u32> = (0..apart.len() as u32)
        .filter(|&at| !apart[at as usize].is_empty())
        .collect();
    starts.sort_by_key(|&at| usize::MAX - apart[at as usize].len());
    let touched = |at: u32| least_touched(&banks.layout, problem.buffers[at as usize].size);
    for &start in starts.iter().take(MOST_STARTS) {
        let mut others = apart[start as usize].clone();
        others.sort_by_key(|&at| usize::MAX - apart[at as usize].len());
        let (mut clique, mut sum) = (vec![start], touched(start));
        for other in others {
            let is_apart = |member: &u32| apart[other as usize].binary_search(member).is_ok();
            // More than necessary would hide which ones do not fit.
            if sum <= banks.layout.count().into() && clique.iter().all(is_apart) {
                clique.push(other);
                sum += touched(other);
            }
        }
        let ids = clique.iter().map(|&at| problem.buffers[at as usize].id);
        let proof = Certificate::Apart {
            buffers: ids.collect(),
        };
        best.raise(problem, proof);
        if best.bound == u64::MAX {
            return;
        }
    }
}

/// A buffer by itself does not end below its first bank.
fn raise_by_single(choices: &Choices<'_>, best: &mut Best) {
    let used = (0..choices.domains.len()).filter(|&at| choices.is_used(at));
    let ends = used.map(|at| match choices.domains[at].is_empty() {
        // It does not end below the limit.
        true => (choices.limit.saturating_add(1), at),
        false => (choices.least_end(at).unwrap_or(0), at),
    });
    let Some((end, at)) = ends.max_by_key(|&(end, at)| (end, usize::MAX - at)) else {
        return;
    };
    if end > best.bound {
        let proof = Certificate::Banks(BankRefutation {
            limit: end - 1,
            lemmas: Vec::new(),
            nodes: vec![BankNode::Branch(at as u32)],
        });
        best.raise(choices.problem, proof);
    }
}

/// The buffers that have one bank only, by bank, need bytes in it.
fn raise_by_pinned(choices: &Choices<'_>, best: &mut Best) {
    let mut pinned: BTreeMap<Run, Vec<(u32, Run)>> = BTreeMap::new();
    for (position, domain) in (0u32..).zip(&choices.domains) {
        if let [run] = domain[..]
            && run.count == 1
        {
            pinned.entry(run).or_default().push((position, run));
        }
    }
    for placements in pinned.values() {
        let Some(chosen) = choices.chosen(placements) else {
            continue;
        };
        let (Ok(()), Some(capacity)) = (chosen.check(), chosen.capacity) else {
            continue;
        };
        let (bounds, proof) = chosen.certified_bounds();
        let limit = match bounds.lower_bound > capacity {
            true => choices.limit,
            false => bounds.lower_bound.saturating_sub(1),
        };
        if limit < best.bound {
            continue;
        }
        let placements = placements.iter();
        let lemma = BankLemma {
            placements: placements
                .map(|&(at, run)| (at, run.first, run.count))
                .collect(),
            certificate: Box::new(proof),
        };
        let proof = Certificate::Banks(BankRefutation {
            limit,
            lemmas: vec![lemma],
            nodes: vec![BankNode::Lemma(0)],
        });
        best.raise(choices.problem, proof);
    }
}
