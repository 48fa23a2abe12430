//! Chooses banks for few buffers, with a proof where there is no plan.
//!
//! The search gives each buffer one of its choices (`bank_choices`), the one with the fewest first. Buffers whose banks are
//! decided and have banks in common are a problem without banks for the exact planner. If that has no plan, no choice for the
//! other buffers helps. Answers are kept, as the same buffers come together in a bank in many nodes.
//!
//! If all buffers have a choice, the plans of these problems together are a plan.

use super::super::Task;
use crate::bank_choices::Choices;
use crate::banks::Run;
use crate::certificate::{BankLemma, BankNode, BankRefutation, Certificate};
use crate::{Effort, Options, PlanError, Planner, Solution};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

/// The most buffers that touch banks. Problems with more are seldom solved.
const MOST_BUFFERS: usize = 64;

/// The most nodes of a tree.
const MOST_NODES: usize = 1 << 20;

/// Steps that a problem without banks takes at least, and at most.
const LEAST: u64 = 5_000;
const MOST: u64 = 4_000_000;

/// The answer for a limit.
pub enum Answer {
    /// A plan that ends at or below it.
    Plan(Solution),
    /// The proof that there is none.
    None(Certificate),
    /// Neither was found.
    Unknown,
}

/// Buffers and their runs of banks.
type Placements = Vec<(u32, Run)>;

/// What is known of a problem without banks.
enum PartPlan {
    /// Offsets of its buffers.
    Plan(Vec<u64>),
    /// It has no plan.
    None(Certificate),
    Unknown,
}

/// What is known of problems without banks, by their buffers and their capacity.
type Cache = BTreeMap<(Placements, Option<u64>), Rc<PartPlan>>;

/// A search that decides limits, and keeps what it learns.
pub struct Chooser<'t> {
    task: &'t Task<'t>,
    steps: u64,
    cache: Cache,
}

/// What became of a node.
enum Node {
    /// It has no plan.
    Closed,
    Plan(Solution),
    /// It is not closed, and the search went on.
    Open,
    /// The search ended.
    Stopped,
}

struct Tree<'s, 't> {
    chooser: &'s mut Chooser<'t>,
    choices: Choices<'t>,
    nodes: Vec<BankNode>,
    /// The lemmas, and the number of each.
    lemmas: Vec<(Placements, Rc<PartPlan>)>,
    numbers: BTreeMap<Placements, u32>,
}

impl<'t> Chooser<'t> {
    pub fn new(task: &'t Task<'t>, steps: u64) -> Self {
        Chooser {
            task,
            steps,
            cache: Cache::new(),
        }
    }

    /// Whether there is a plan that ends at or below the limit.
    pub fn decide(&mut self, limit: u64) -> Answer {
        let problem = self.task.problem;
        let active = problem.buffers.iter().filter(|buffer| buffer.is_active());
        let Some(choices) = Choices::new(problem, limit) else {
            return Answer::Unknown;
        };
        if active.count() > MOST_BUFFERS {
            return Answer::Unknown;
        }
        let mut domains = choices.domains.clone();
        let mut placed = vec![false; domains.len()];
        let limit = choices.limit;
        let mut tree = Tree {
            chooser: self,
            choices,
            nodes: Vec::new(),
            lemmas: Vec::new(),
            numbers: BTreeMap::new(),
        };
        match tree.explore(&mut domains, &mut placed) {
            Node::Plan(solution) => Answer::Plan(solution),
            Node::Closed => {
                let lemmas = tree.lemmas.iter().map(|(placements, known)| BankLemma {
                    placements: placements
                        .iter()
                        .map(|&(position, run)| (position, run.first, run.count))
                        .collect(),
                    certificate: match &**known {
                        PartPlan::None(certificate) => Box::new(certificate.clone()),
                        _ => Box::default(),
                    },
                });
                Answer::None(Certificate::Banks(BankRefutation {
                    limit,
                    lemmas: lemmas.collect(),
                    nodes: tree.nodes,
                }))
            }
            Node::Open | Node::Stopped => Answer::Unknown,
        }
    }
}

impl Tree<'_, '_> {
    /// Searches the plans of these choices. Restores them.
    fn explore(&mut self, domains: &mut [Vec<Run>], placed: &mut [bool]) -> Node {
        let cost = (domains.len() * domains.len()) as u64 / 8 + 64;
        self.chooser.steps = self.chooser.steps.saturating_sub(cost);
        let is_late = self.nodes.len().is_multiple_of(64) && self.chooser.task.is_late();
        if self.chooser.steps == 0 || self.nodes.len() >= MOST_NODES || is_late {
            return Node::Stopped;
        }
        let used = || (0..domains.len()).filter(|&at| self.choices.is_used(at));
        if let Some(at) = used().find(|&at| domains[at].is_empty()) {
            self.nodes.push(BankNode::Branch(at as u32));
            return Node::Closed;
        }
        let mut parts: Vec<(Placements, Rc<PartPlan>)> = Vec::new();
        for part in self.parts(domains) {
            let known = self.known(&part, true);
            if matches!(*known, PartPlan::None(_)) {
                let lemma = self.lemma(part, known);
                self.nodes.push(BankNode::Lemma(lemma));
                return Node::Closed;
            }
            parts.push((part, known));
        }
        let Some(next) = self.next(domains, placed) else {
            return self.leaf(parts);
        };
        self.nodes.push(BankNode::Branch(next as u32));
        placed[next] = true;
        let mut is_open = false;
        for run in self.choices.to_try(domains, next) {
            let own = std::mem::replace(&mut domains[next], vec![run]);
            let mut before: Vec<(usize, Vec<Run>)> = Vec::new();
            for &other in &self.choices.apart[next] {
                let other = other as usize;
                before.push((other, domains[other].clone()));
                domains[other].retain(|&it| !self.choices.meet(it, run));
            }
            let found = self.explore(domains, placed);
            for (other, domain) in before {
                domains[other] = domain;
            }
            domains[next] = own;
            match found {
                Node::Closed => {}
                Node::Open => is_open = true,
                Node::Plan(_) | Node::Stopped => return found,
            }
        }
        placed[next] = false;
        if is_open { Node::Open } else { Node::Closed }
    }

    /// The buffer to branch on: one whose only choice others have to stay out of, or the one with the fewest choices, of these
    /// the largest.
    fn next(&self, domains: &[Vec<Run>], placed: &[bool]) -> Option<usize> {
        let excludes = |at: usize| {
            let run = domains[at][0];
            self.choices.apart[at].iter().any(|&other| {
                let mut domain = domains[other as usize].iter();
                domain.any(|&it| self.choices.meet(it, run))
            })
        };
        let open = (0..domains.len()).filter(|&at| !placed[at] && self.choices.is_used(at));
        let open = open.filter(|&at| domains[at].len() > 1 || excludes(at));
        let size = |at: usize| self.choices.problem.buffers[at].size;
        open.min_by_key(|&at| (domains[at].len(), u64::MAX - size(at), at))
    }

    /// The buffers with one choice, in parts that have no bank in common.
    fn parts(&self, domains: &[Vec<Run>]) -> Vec<Placements> {
        let mut parts: Vec<Placements> = Vec::new();
        for (at, domain) in (0u32..).zip(domains) {
            let [run] = domain[..] else {
                continue;
            };
            let meets = |part: &Placements| part.iter().any(|&(_, it)| self.choices.meet(it, run));
            let (same, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(meets);
            let mut joined: Placements = same.into_iter().flatten().collect();
            joined.push((at, run));
            parts = others;
            parts.push(joined);
        }
        for part in &mut parts {
            part.sort_unstable();
        }
        parts
    }

    /// The plan of parts that are all buffers.
    fn leaf(&mut self, parts: Vec<(Placements, Rc<PartPlan>)>) -> Node {
        let problem = self.choices.problem;
        let decided = problem
            .buffers
            .iter()
            .map(|it| it.fixed_offset.unwrap_or(0));
        let mut offsets: Vec<u64> = decided.collect();
        let take = |offsets: &mut [u64], part: &Placements, found: &[u64]| {
            for (&(at, _), &offset) in part.iter().zip(found) {
                offsets[at as usize] = offset;
            }
        };
        for (part, known) in &parts {
            match &**known {
                PartPlan::Plan(found) => take(&mut offsets, part, found),
                _ => return Node::Open,
            }
        }
        let mut solution = Solution::new(problem, offsets);
        let highest = |solution: &Solution| {
            let is_highest = |&(at, _): &(u32, Run)| {
                let at = at as usize;
                solution.offsets[at] + problem.buffers[at].size == solution.peak
            };
            parts.iter().find(|(part, _)| part.iter().any(is_highest))
        };
        // Without a capacity, the peak counts: the highest parts get their lowest plans.
        while problem.capacity.is_none()
            && let Some((part, _)) = highest(&solution)
            && let PartPlan::Plan(found) = &*self.known(part, false)
        {
            let mut offsets = solution.offsets.clone();
            take(&mut offsets, part, found);
            let lower = Solution::new(problem, offsets);
            if lower.peak >= solution.peak {
                break;
            }
            solution = lower;
        }
        Node::Plan(solution)
    }

    /// What is known of buffers in these runs: a plan below the limit, or the lowest plan that there is.
    fn known(&mut self, part: &Placements, is_limited: bool) -> Rc<PartPlan> {
        let (key, distance) = self.moved(part);
        let chosen = self.choices.chosen(&key);
        let Some(mut chosen) = chosen else {
            return Rc::new(PartPlan::Unknown);
        };
        if !is_limited {
            chosen.capacity = None;
        }
        let key = (key, chosen.capacity);
        let known = match self.chooser.cache.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let known = Rc::new(self.chooser.solve(&chosen));
                self.chooser.cache.insert(key, Rc::clone(&known));
                known
            }
        };
        match &*known {
            PartPlan::Plan(offsets) if distance > 0 => Rc::new(PartPlan::Plan(
                offsets.iter().map(|it| it + distance).collect(),
            )),
            _ => known,
        }
    }

    /// The same buffers in the first bank that is like theirs, and how far below it is.
    fn moved(&self, part: &Placements) -> (Placements, u64) {
        let (_, run) = part[0];
        let buffers = &self.choices.problem.buffers;
        let is_free =
            |&(at, it): &(u32, Run)| it == run && buffers[at as usize].fixed_offset.is_none();
        match self
            .choices
            .first_alike(run)
            .filter(|_| part.iter().all(is_free))
        {
            Some((first, distance)) => {
                (part.iter().map(|&(at, _)| (at, first)).collect(), distance)
            }
            None => (part.clone(), 0),
        }
    }

    /// The number of a lemma.
    fn lemma(&mut self, part: Placements, known: Rc<PartPlan>) -> u32 {
        let (key, _) = self.moved(&part);
        let next = self.lemmas.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.lemmas.push((key, known));
        }
        number
    }
}

impl Chooser<'_> {
    /// Asks the exact planner.
    fn solve(&mut self, problem: &crate::Problem) -> PartPlan {
        let steps = (self.steps / 4).min(MOST);
        let deadline = self.task.until.deadline;
        let options = Options {
            effort: Effort::Steps(steps),
            time_limit: deadline.map(|it| it.saturating_duration_since(Instant::now())),
            ..*self.task.options
        };
        self.steps = self.steps.saturating_sub(LEAST);
        match Planner::Exact.solve_with(problem, &options) {
            Ok(outcome) => PartPlan::Plan(outcome.solution.offsets),
            Err(PlanError::Infeasible { certificate, .. }) => PartPlan::None(*certificate),
            Err(_) => {
                self.steps = self.steps.saturating_sub(steps);
                PartPlan::Unknown
            }
        }
    }
}
