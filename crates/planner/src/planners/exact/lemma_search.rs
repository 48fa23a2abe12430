//! Search for small problems that learns a lemma from each refutation.
//!
//! The cases are those of `search`: the lowest unplaced item of its neighbourhood lies at its `low`
//! or is raised. From each refutation the search derives a *lemma*: the least offsets of the items
//! that suffice for it. Often these are few items with far lower offsets than in the case. A later
//! case in which these items, or their twins, lie no lower is refuted at once. So is the other case
//! of a decision that a refutation does not depend on.
//!
//! The search keeps all lemmas and tests each in every case, so it suits problems with few lemmas.
//!
//! Source: learning the sufficient conditions of a failure is explanation-based learning (Dechter,
//! "Enhancement schemes for constraint processing", 1990). A table of states is dynamic programming
//! over skylines.

use super::super::{align_down, align_up};
use super::model::{Model, OFFSET_LIMIT};
use crate::certificate::{Lemma, Node, Refutation};
use crate::timeline::Timeline;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The most items: the number of bits in a set.
pub const MOST_ITEMS: usize = 64;

/// The most nested decisions.
const DEPTH: usize = 2_000;

/// The most cliques outside of sections, and the most cases of the search for them.
const CLIQUES: usize = 64;
const CLIQUE_CASES: usize = 2_000;

/// The result of a search.
pub enum SearchResult {
    /// The offsets of the model's items in a plan that fits.
    Fits(Vec<u64>),
    /// A proof that no plan fits.
    Refuted(Refutation),
    /// The steps ran out.
    Unknown,
}

/// Items that conflict pairwise.
struct ConflictSet {
    items: Vec<u32>,
    set: u64,
    /// The leaf node for these items.
    leaf: Node,
    /// The section in which all are live; `None` for a clique.
    section: Option<u32>,
    /// The alignments of its items for which rounding can give a better bound than the sizes.
    grains: Vec<u64>,
}

/// A refutation: there is no plan in which the items lie at these offsets or higher.
struct Proof {
    /// The items.
    set: u64,
    /// A sufficient least offset of each item in the set; 0 of others.
    least: Vec<u64>,
    /// The leaf or lemma that proves it.
    by: Node,
}

/// A proven lemma.
struct LearnedLemma {
    /// Classes of twins and least offsets, the highest first in each class.
    premises: Vec<(u32, u64)>,
    classes: u64,
    least: Vec<(u32, u64)>,
    /// A branch and its two leaves, in preorder.
    nodes: [Node; 3],
}

/// The result of a case.
enum CaseResult {
    Fits,
    Refuted(Proof),
    Spent,
}

/// The search of one problem with one capacity.
pub struct LemmaSearch<'a> {
    model: &'a Model,
    conflict_sets: Vec<ConflictSet>,
    cliques: Vec<Vec<u32>>,
    /// For each item the set of items that conflict with it.
    neighbours: Vec<u64>,
    /// For each item the number of its class of twins.
    class: Vec<u32>,
    capacity: u64,
    lemmas: Vec<LearnedLemma>,
    offsets: Vec<u64>,
    /// Steps so far.
    pub steps: u64,
    limit: u64,
}

impl<'a> LemmaSearch<'a> {
    /// Prepares the search; `None` if the problem has too many items.
    pub fn new(model: &'a Model) -> Option<Self> {
        let count = model.count();
        if count > MOST_ITEMS {
            return None;
        }
        let set = |items: &[u32]| items.iter().fold(0, |set, &item| set | 1 << item);
        let all = 0..count as u32;
        let neighbours: Vec<u64> = all.map(|item| set(model.neighbours.of(item))).collect();
        let sections = 0..model.section_count() as u32;
        let sections = sections.map(|section| (set(model.live.of(section)), section));
        let mut conflict_sets: Vec<ConflictSet> = sections
            .map(|(set, section)| conflict_set(model, set, Node::Leaf(section), Some(section)))
            .collect();
        let sets: Vec<u64> = conflict_sets
            .iter()
            .map(|conflict_set| conflict_set.set)
            .collect();
        let mut cliques = Vec::new();
        for set in maximal_cliques(&neighbours, &sets) {
            let leaf = Node::Clique(cliques.len() as u32);
            let conflict_set = conflict_set(model, set, leaf, None);
            cliques.push(conflict_set.items.clone());
            conflict_sets.push(conflict_set);
        }
        Some(LemmaSearch {
            class: classes(model, &neighbours),
            model,
            conflict_sets,
            cliques,
            neighbours,
            capacity: 0,
            lemmas: Vec::new(),
            offsets: vec![0; count],
            steps: 0,
            limit: 0,
        })
    }

    /// Searches for a plan with a peak of at most `capacity`, for at most `steps` steps.
    pub fn run(&mut self, timeline: &Timeline, capacity: u64, steps: u64) -> SearchResult {
        self.capacity = capacity;
        self.limit = self.steps.saturating_add(steps);
        self.lemmas.clear();
        let count = self.model.count();
        let all = 0..count as u32;
        let low = all.map(|item| self.fit(item, 0)).collect();
        let waiting = u64::MAX.checked_shr(64 - count as u32).unwrap_or(0);
        match self.solve_case(low, waiting, 0) {
            CaseResult::Fits => SearchResult::Fits(self.offsets.clone()),
            CaseResult::Refuted(proof) => {
                SearchResult::Refuted(self.refutation(timeline, proof.by))
            }
            CaseResult::Spent => SearchResult::Unknown,
        }
    }

    fn fit(&self, item: u32, offset: u64) -> u64 {
        self.model.fit(item, offset).min(OFFSET_LIMIT)
    }

    /// Solves the case in which the `waiting` items lie at `low` or higher and the others are
    /// placed.
    fn solve_case(&mut self, low: Vec<u64>, waiting: u64, depth: usize) -> CaseResult {
        if waiting == 0 {
            return CaseResult::Fits;
        }
        if let Some(proof) = self.overflow(&low, waiting) {
            return CaseResult::Refuted(proof);
        }
        if let Some(proof) = self.find_lemma(&low, waiting) {
            return CaseResult::Refuted(proof);
        }
        if self.steps >= self.limit || depth >= DEPTH {
            return CaseResult::Spent;
        }
        let (item, support) = self.choose(&low, waiting);
        let placed = match self.solve_placed_case(&low, waiting, item, depth) {
            CaseResult::Refuted(proof) => proof,
            other => return other,
        };
        let uses_top = |other: &u32| placed.least[*other as usize] > low[*other as usize];
        if !items(placed.set).any(|other| uses_top(&other)) {
            return CaseResult::Refuted(placed);
        }
        let mut above = low.clone();
        above[item as usize] = self.fit(item, support).min(OFFSET_LIMIT);
        let raised = match self.solve_case(above, waiting, depth + 1) {
            CaseResult::Refuted(proof) => proof,
            other => return other,
        };
        if raised.least[item as usize] <= low[item as usize] {
            return CaseResult::Refuted(raised);
        }
        CaseResult::Refuted(self.learn(&low, waiting, (item, support), &placed, &raised))
    }

    fn solve_placed_case(
        &mut self,
        low: &[u64],
        waiting: u64,
        item: u32,
        depth: usize,
    ) -> CaseResult {
        let index = item as usize;
        let top = low[index] + self.model.size[index];
        let mut above = low.to_vec();
        for other in items(waiting & self.neighbours[index]) {
            let least = self.fit(other, top);
            above[other as usize] = above[other as usize].max(least);
        }
        self.offsets[index] = low[index];
        self.solve_case(above, waiting & !(1 << item), depth + 1)
    }

    /// Derives the lemma of a decision whose cases are both refuted: `placed` with `item` at its
    /// `low`, and `raised` with `item` at `support` or higher.
    ///
    /// The premises of the two refutations are mapped to the state before the decision. A `low`
    /// that follows from the top of `item` requires that `item` lies high enough. A `low` of the
    /// raised `item` requires that the tops that may support it are high enough.
    fn learn(
        &mut self,
        low: &[u64],
        waiting: u64,
        (item, support): (u32, u64),
        placed: &Proof,
        raised: &Proof,
    ) -> Proof {
        let model = self.model;
        let index = item as usize;
        let set = placed.set | raised.set | 1 << item;
        let mut least = raised.least.clone();
        least[index] = 0;
        let mut on_top = 0u64;
        let mut from = 0;
        for other in items(placed.set) {
            let need = placed.least[other as usize];
            if need <= low[other as usize] {
                least[other as usize] = least[other as usize].max(need);
            } else {
                on_top |= 1 << other;
                let top = match model.is_open() {
                    true => self.least_sufficient(other, need),
                    false => low[index] + model.size[index],
                };
                from = from.max(top.saturating_sub(model.size[index]));
            }
        }
        least[index] = self.fit(item, from);
        let carried = match model.is_open() {
            true => self.least_sufficient(item, raised.least[index]),
            false => support,
        };
        for other in items(set & waiting & self.neighbours[index]) {
            let size = model.size[other as usize];
            let mut need = carried.saturating_sub(size);
            if on_top & 1 << other != 0 {
                // The other item cannot end below `item`.
                need = need.max((least[index] + 1).saturating_sub(size));
            }
            least[other as usize] = least[other as usize].max(need);
        }
        let premise = |other| (other, least[other as usize]);
        let premises: Vec<(u32, u64)> = items(set).map(premise).collect();
        let by = self.remember(premises, [Node::Branch(item), raised.by, placed.by]);
        Proof { set, least, by }
    }

    /// The least offset from which on `item` lies at `low` or higher, if nothing is fixed.
    fn least_sufficient(&self, item: u32, low: u64) -> u64 {
        let alignment = self.model.alignment[item as usize];
        low.checked_sub(1)
            .map_or(0, |below| align_down(below, alignment) + 1)
    }

    fn remember(&mut self, least: Vec<(u32, u64)>, nodes: [Node; 3]) -> Node {
        let class = |&(item, offset): &(u32, u64)| (self.class[item as usize], offset);
        let mut premises: Vec<(u32, u64)> = least.iter().map(class).collect();
        premises.sort_unstable_by_key(|&(class, offset)| (class, Reverse(offset)));
        self.lemmas.push(LearnedLemma {
            classes: premises.iter().fold(0, |set, (class, _)| set | 1 << class),
            premises,
            least,
            nodes,
        });
        Node::Lemma(self.lemmas.len() as u32 - 1)
    }

    /// Finds a lemma that refutes the case.
    fn find_lemma(&mut self, low: &[u64], waiting: u64) -> Option<Proof> {
        let mut here: Vec<(u32, Reverse<u64>, u32)> = items(waiting)
            .map(|item| (self.class[item as usize], Reverse(low[item as usize]), item))
            .collect();
        here.sort_unstable();
        let classes = here.iter().fold(0, |set, (class, ..)| set | 1u64 << class);
        self.steps += (self.lemmas.len() + here.len()) as u64 / 8; // most fail at the first comparison
        let mut lemmas = self.lemmas.iter().enumerate().rev();
        let (number, lemma) = lemmas.find(|(_, lemma)| {
            lemma.classes & !classes == 0 && matches(&lemma.premises, &here, |_, _| {})
        })?;
        let mut proof = Proof {
            set: 0,
            least: vec![0; low.len()],
            by: Node::Lemma(number as u32),
        };
        matches(&lemma.premises, &here, |item, least| {
            proof.set |= 1 << item;
            proof.least[item as usize] = least;
        });
        Some(proof)
    }

    /// Finds a set of conflicting items that overflows. Of several refutations takes the one with
    /// the weakest premises.
    fn overflow(&mut self, low: &[u64], waiting: u64) -> Option<Proof> {
        let mut best: Option<(u64, u64, u64, Node)> = None; // height, offset, items, leaf
        let conflict_sets = std::mem::take(&mut self.conflict_sets);
        for conflict_set in conflict_sets
            .iter()
            .filter(|conflict_set| conflict_set.set & waiting != 0)
        {
            self.ends(conflict_set, low, waiting, |height, need, end, chosen| {
                if end > self.capacity {
                    let offset = match self.model.is_open() {
                        true => (self.capacity + 1).saturating_sub(need),
                        false => height,
                    };
                    if best.is_none_or(|(least, ..)| offset < least) {
                        best = Some((offset, height, chosen, conflict_set.leaf));
                    }
                }
            });
            self.steps += conflict_set.items.len() as u64;
        }
        self.conflict_sets = conflict_sets;
        best.map(|(offset, _, set, by)| {
            let mut least = vec![0; low.len()];
            for item in items(set) {
                least[item as usize] = offset;
            }
            Proof { set, least, by }
        })
    }

    /// Calls `see` for each item of a set, from the highest on, with the bound of the items that
    /// lie at its height or higher: the height, the bytes they need, their end, and their set.
    fn ends(
        &self,
        conflict_set: &ConflictSet,
        low: &[u64],
        waiting: u64,
        mut see: impl FnMut(u64, u64, u64, u64),
    ) {
        let Model {
            size, alignment, ..
        } = self.model;
        let here = conflict_set
            .items
            .iter()
            .filter(|&&item| waiting & 1 << item != 0);
        let mut here: Vec<(u64, u32)> = here.map(|&item| (low[item as usize], item)).collect();
        here.sort_unstable_by_key(|&(low, item)| (Reverse(low), item));
        for &grain in &conflict_set.grains {
            let (mut sum, mut most, mut chosen) = (0, 0, 0);
            for &(height, item) in &here {
                if !alignment[item as usize].is_multiple_of(grain) {
                    continue;
                }
                let size = size[item as usize];
                let rounded_size = align_up(size, grain);
                sum += rounded_size;
                most = most.max(rounded_size - size);
                chosen |= 1 << item;
                let need = sum - most;
                let end = match conflict_set.section {
                    Some(section) if grain == 1 => self.model.end(section, height, need),
                    _ => height + need,
                };
                see(height, need, end, chosen);
            }
        }
    }

    /// Chooses an item that is as low as all its unplaced neighbours, and the lowest top that may
    /// support it when raised. Prefers the item that leaves the least space in some set when
    /// raised.
    fn choose(&mut self, low: &[u64], waiting: u64) -> (u32, u64) {
        let conflict_sets = std::mem::take(&mut self.conflict_sets);
        let mut best = (u64::MAX, 0, (0, OFFSET_LIMIT));
        for item in items(waiting) {
            let index = item as usize;
            let others = waiting & self.neighbours[index];
            if items(others).any(|other| low[other as usize] < low[index]) {
                continue;
            }
            let top = |other: u32| low[other as usize] + self.model.size[other as usize];
            let support = items(others).map(top).min().unwrap_or(OFFSET_LIMIT);
            let mut above = low.to_vec();
            above[index] = self.fit(item, support);
            let mut most = 0;
            let there = conflict_sets
                .iter()
                .filter(|conflict_set| conflict_set.set & 1 << item != 0);
            for conflict_set in there {
                self.ends(conflict_set, &above, waiting, |_, _, end, _| {
                    most = most.max(end)
                });
                self.steps += conflict_set.items.len() as u64;
            }
            let space = OFFSET_LIMIT.saturating_sub(most);
            let order = (space, u64::MAX - self.model.size[index], (item, support));
            best = best.min(order);
        }
        self.conflict_sets = conflict_sets;
        best.2
    }

    /// Builds a refutation with the lemmas that `root` uses, directly or through others.
    fn refutation(&self, timeline: &Timeline, root: Node) -> Refutation {
        let mut used = vec![false; self.lemmas.len()];
        let mark = |used: &mut Vec<bool>, node: Node| {
            if let Node::Lemma(number) = node {
                used[number as usize] = true;
            }
        };
        mark(&mut used, root);
        // Lemmas use only earlier ones.
        for (number, lemma) in self.lemmas.iter().enumerate().rev() {
            if used[number] {
                lemma.nodes.iter().for_each(|&node| mark(&mut used, node));
            }
        }
        let mut next = 0;
        let numbers: Vec<u32> = used
            .iter()
            .map(|&used| {
                let number = next;
                next += u32::from(used);
                number
            })
            .collect();
        let buffer = |item: u32| timeline.items[self.model.items[item as usize] as usize].buffer;
        let node = |node: Node| match node {
            Node::Branch(item) => Node::Branch(buffer(item)),
            Node::Lemma(number) => Node::Lemma(numbers[number as usize]),
            leaf => leaf,
        };
        let lemmas = self.lemmas.iter().zip(&used).filter(|(_, used)| **used);
        let lemma = |lemma: &LearnedLemma| Lemma {
            least: lemma
                .least
                .iter()
                .map(|&(item, offset)| (buffer(item), offset))
                .collect(),
            nodes: lemma.nodes.map(node).to_vec(),
        };
        let clique = |clique: &Vec<u32>| clique.iter().map(|&item| buffer(item)).collect();
        Refutation {
            times: timeline.times.clone(),
            cliques: self.cliques.iter().map(clique).collect(),
            lemmas: lemmas.map(|(known, _)| lemma(known)).collect(),
            nodes: vec![node(root)],
        }
    }
}

fn conflict_set(model: &Model, set: u64, leaf: Node, section: Option<u32>) -> ConflictSet {
    let mut grains: Vec<u64> = vec![1];
    if model.is_open() {
        grains.extend(items(set).map(|item| model.alignment[item as usize]));
        grains.sort_unstable();
        grains.dedup();
        if grains.len() > 1
            && items(set).all(|item| {
                [model.size[item as usize], model.alignment[item as usize]]
                    .iter()
                    .all(|bytes| bytes.is_multiple_of(grains[1]))
            })
        {
            grains.remove(0);
        }
    }
    ConflictSet {
        items: items(set).collect(),
        set,
        leaf,
        section,
        grains,
    }
}

/// The items of a set.
fn items(set: u64) -> impl Iterator<Item = u32> + Clone {
    let next = |&set: &u64| Some(set & (set - 1)).filter(|&set| set != 0);
    let sets = std::iter::successors(Some(set).filter(|&set| set != 0), next);
    sets.map(u64::trailing_zeros)
}

/// Whether each premise has an item of its own, of the same class, whose `low` is high enough.
/// Calls `see` with each pair. Both lists are sorted by class and the highest first, so the highest
/// premise takes the highest item.
fn matches(
    premises: &[(u32, u64)],
    here: &[(u32, Reverse<u64>, u32)],
    mut see: impl FnMut(u32, u64),
) -> bool {
    let mut here = here.iter();
    premises.iter().all(|&(class, least)| {
        let next = here.find(|(other, ..)| *other >= class);
        next.is_some_and(|&(other, Reverse(low), item)| {
            see(item, least);
            other == class && low >= least
        })
    })
}

/// For each item the number of its class of twins: items with the same size, alignment, neighbours
/// and obstacles.
fn classes(model: &Model, neighbours: &[u64]) -> Vec<u32> {
    let mut classes = BTreeMap::new();
    let mut class = |item: u32| {
        let index = item as usize;
        let with_itself = neighbours[index] | 1 << item;
        let (size, alignment) = (model.size[index], model.alignment[index]);
        let next = classes.len() as u32;
        let key = (size, alignment, with_itself, model.obstacles(item));
        *classes.entry(key).or_insert(next)
    };
    (0..model.count() as u32).map(&mut class).collect()
}

/// Finds maximal cliques that are subsets of none of the `sections`, up to limits.
///
/// Source: Bron and Kerbosch, "Finding all cliques of an undirected graph", 1973.
fn maximal_cliques(neighbours: &[u64], sections: &[u64]) -> Vec<u64> {
    let mut found = Vec::new();
    let all = u64::MAX
        .checked_shr(64 - neighbours.len() as u32)
        .unwrap_or(0);
    let mut open = vec![(0u64, all, 0u64)]; // chosen, candidates, excluded
    let mut cases = 0;
    while let Some((chosen, mut candidates, mut done)) = open.pop() {
        cases += 1;
        if cases > CLIQUE_CASES || found.len() >= CLIQUES {
            break;
        }
        if sections
            .iter()
            .any(|section| (chosen | candidates) & !section == 0)
        {
            continue;
        }
        if candidates == 0 {
            if done == 0 {
                found.push(chosen);
            }
            continue;
        }
        let met = |&item: &u32| (neighbours[item as usize] & candidates).count_ones();
        let pivot = items(candidates | done).max_by_key(met).unwrap_or(0);
        for item in items(candidates & !neighbours[pivot as usize]) {
            let near = neighbours[item as usize];
            open.push((chosen | 1 << item, candidates & near, done & near));
            candidates &= !(1 << item);
            done |= 1 << item;
        }
    }
    found
}
