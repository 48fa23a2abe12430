//! Results for the memory spaces of a CSV, as a table for people and as JSON.

use std::collections::HashSet;
use std::fmt;

use memplan_planner::csv::{Labels, Space};
use memplan_planner::{
    BankLayout, BankNode, Bounds, Buffer, Certificate, Outcome, PlanError, Reuse, Solution,
};
use memplan_report::columns::{Align, aligned, clipped};
use memplan_report::spaces::{COLUMNS, OF_PROBLEM};
use memplan_report::units::{counted, grouped, short};
use serde::{Serialize, Serializer};

/// The answer to the question whether the buffers of a memory space fit.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// There is a plan within the capacity, or no capacity.
    Fits,
    /// No plan that fits was found, and no proof that there is none.
    Unknown,
    /// It is proven that no plan fits.
    DoesNotFit,
}

/// The results for all memory spaces.
#[derive(Serialize)]
pub struct Facts<'a> {
    version: u32,
    /// The worst of the answers; `None` if no plan was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    spaces: Vec<SpaceFacts<'a>>,
}

/// The results for one memory space. Bytes and points in time are those of the CSV.
#[derive(Serialize)]
pub struct SpaceFacts<'a> {
    space: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<u64>,
    buffers: usize,
    naive_bytes: u64,
    load_bytes: u64,
    /// `null` if there is no plan at all.
    #[serde(serialize_with = "finite")]
    lower_bound_bytes: u64,
    certificate: Proof,
    /// The end of the banks.
    #[serde(skip)]
    banks_end: Option<u64>,
    #[serde(flatten)]
    plan: Option<PlanFacts<'a>>,
}

/// The results for a plan.
#[derive(Serialize)]
struct PlanFacts<'a> {
    peak_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    planner: Option<&'static str>,
    optimal: bool,
    /// Mean reuse distance in the CSV's unit of time.
    reuse_distance: Option<f64>,
    offsets: Offsets<'a>,
    /// The banks that each buffer touches, by id, if there are banks.
    #[serde(skip_serializing_if = "Option::is_none")]
    banks: Option<BanksOfBuffers<'a>>,
}

/// A bound, which is no number if it is `u64::MAX`.
fn finite<S: Serializer>(bound: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    Some(*bound)
        .filter(|bound| *bound < u64::MAX)
        .serialize(serializer)
}

/// The proof of the lower bound.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Proof {
    Nothing,
    Load {
        time: i128,
    },
    Alignment {
        time: i128,
        alignment: u64,
    },
    #[serde(rename_all = "snake_case")]
    Clique {
        buffers: usize,
        /// Whether forbidden ranges raise the bound above the sum of the sizes.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        around_forbidden: bool,
    },
    End {
        buffer: Id,
    },
    Search {
        nodes: usize,
    },
    Distances {
        nodes: usize,
    },
    /// More buffers that are apart than banks.
    Apart {
        buffers: Vec<Id>,
    },
    /// Buffers that one bank has to hold.
    Bank {
        bank: u32,
        buffers: Vec<Id>,
    },
    Banks {
        nodes: usize,
    },
}

/// The id of a buffer in the CSV.
#[derive(Serialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Name(String),
}

impl Id {
    fn of(id: u64, labels: &Labels) -> Self {
        match labels.has_names() {
            true => Id::Name(labels.buffer(id).into_owned()),
            false => Id::Number(id),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(id) => id.fmt(f),
            Id::Name(name) => name.fmt(f),
        }
    }
}

/// Offsets by id.
struct Offsets<'a> {
    labels: &'a Labels,
    buffers: &'a [Buffer],
    offsets: Vec<u64>,
}

impl Serialize for Offsets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids = self
            .buffers
            .iter()
            .map(|buffer| self.labels.buffer(buffer.id));
        serializer.collect_map(ids.zip(&self.offsets))
    }
}

/// The banks that buffers touch, by id.
struct BanksOfBuffers<'a> {
    labels: &'a Labels,
    layout: &'a BankLayout,
    /// Each buffer with its banks.
    buffers: Vec<(&'a Buffer, Vec<u32>)>,
}

impl<'a> BanksOfBuffers<'a> {
    fn new(space: &'a Space, solution: &Solution) -> Option<Self> {
        let layout = &space.problem.banks.as_ref()?.layout;
        let placed = space.problem.buffers.iter().zip(&solution.offsets);
        let touched = placed.map(|(buffer, &offset)| {
            let is_used = !buffer.live.is_empty() || !buffer.windows.is_empty();
            let banks = layout.touched(buffer, offset).filter(|_| is_used);
            (buffer, banks.unwrap_or_default())
        });
        Some(BanksOfBuffers {
            labels: &space.labels,
            layout,
            buffers: touched.collect(),
        })
    }

    /// A table with a row for each bank that buffers touch.
    fn to_text(&self) -> String {
        let mut rows = vec![["bank", "buffers", "which"].map(str::to_owned).to_vec()];
        for bank in 0..self.layout.count() {
            let inside = self
                .buffers
                .iter()
                .filter(|(_, banks)| banks.contains(&bank));
            let ids: Vec<_> = inside
                .map(|(buffer, _)| self.labels.buffer(buffer.id))
                .collect();
            if !ids.is_empty() {
                rows.push(vec![
                    bank.to_string(),
                    grouped(ids.len() as u64),
                    clipped(&ids.join(" ")),
                ]);
            }
        }
        aligned(&rows, &[Align::Right, Align::Right, Align::Left], &[1])
    }
}

impl Serialize for BanksOfBuffers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let buffers = self.buffers.iter();
        serializer
            .collect_map(buffers.map(|(buffer, banks)| (self.labels.buffer(buffer.id), banks)))
    }
}

impl<'a> Facts<'a> {
    /// Results that consist of bounds.
    pub fn of_bounds(spaces: Vec<SpaceFacts<'a>>) -> Self {
        Facts {
            version: 1,
            answer: spaces.iter().filter_map(|space| space.answer).max(),
            spaces,
        }
    }

    /// Results that include plans.
    pub fn of_plans(spaces: Vec<SpaceFacts<'a>>) -> Self {
        let facts = Self::of_bounds(spaces);
        Facts {
            answer: facts.answer.or(Some(Answer::Fits)),
            ..facts
        }
    }

    /// Whether everything fits, or no capacity was given.
    pub fn fits(&self) -> bool {
        self.answer.is_none_or(|answer| answer == Answer::Fits)
    }

    /// A JSON document on one line.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(|text| text + "\n")
    }

    /// A table with a row for each space, a total if there are several, and a sentence for each
    /// space.
    pub fn to_text(&self) -> String {
        let named = self.spaces.len() != 1 || !self.spaces[0].space.is_empty();
        let planned = self.spaces.iter().any(|space| space.plan.is_some());
        let is_shown = |at: usize| (named || at > 0) && (planned || at < OF_PROBLEM);
        let row = |cells: [String; COLUMNS.len()]| -> Vec<String> {
            let cells = cells.into_iter().enumerate();
            cells
                .filter(|(at, _)| is_shown(*at))
                .map(|(_, cell)| cell)
                .collect()
        };
        let mut rows = vec![row(COLUMNS.each_ref().map(|one| one.heading.to_owned()))];
        rows.extend(self.spaces.iter().map(|space| row(space.cells())));
        let mut rules = vec![1];
        if self.spaces.len() > 1 {
            rules.push(rows.len());
            rows.push(row(self.total()));
        }
        let columns = COLUMNS.iter().enumerate();
        let chosen = columns.filter(|(at, _)| is_shown(*at));
        let alignments: Vec<Align> = chosen.map(|(_, column)| column.align).collect();
        let mut out = aligned(&rows, &alignments, &rules);
        out.push('\n');
        for space in &self.spaces {
            let name = match named {
                true => format!("{}: ", escaped_name(space.space)),
                false => String::new(),
            };
            out.push_str(&format!("{name}{}\n", space.sentence()));
        }
        for space in &self.spaces {
            if let Some(banks) = space.plan.as_ref().and_then(|plan| plan.banks.as_ref()) {
                out.push_str(&match named {
                    true => format!("\nbanks of {}\n\n", escaped_name(space.space)),
                    false => "\n".to_owned(),
                });
                out.push_str(&banks.to_text());
            }
        }
        out
    }

    fn total(&self) -> [String; COLUMNS.len()] {
        let sum = |of: &dyn Fn(&SpaceFacts<'_>) -> u64| {
            let all = self.spaces.iter().map(of);
            all.fold(0, u64::saturating_add)
        };
        let bound = sum(&|space| space.lower_bound_bytes);
        let plans: Vec<&PlanFacts<'_>> = self
            .spaces
            .iter()
            .filter_map(|space| space.plan.as_ref())
            .collect();
        let peak = plans
            .iter()
            .fold(0, |sum: u64, plan| sum.saturating_add(plan.peak_bytes));
        let all = plans.len() == self.spaces.len();
        let optimal = plans.iter().filter(|plan| plan.optimal).count();
        let known = |text: String| if all { text } else { "-".to_owned() };
        [
            "total".to_owned(),
            grouped(sum(&|space| space.buffers as u64)),
            grouped(sum(&|space| space.naive_bytes)),
            grouped(sum(&|space| space.load_bytes)),
            grouped(bound),
            String::new(),
            known(grouped(peak)),
            known(ratio(peak, bound)),
            String::new(),
            format!("{optimal} of {}", self.spaces.len()),
            String::new(),
        ]
    }
}

/// The name of a memory space for a message: on one line, with control characters escaped.
pub fn escaped_name(name: &str) -> String {
    if name.is_empty() {
        return "''".to_owned();
    }
    let escaped = name.chars().map(|c| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    });
    clipped(&escaped.collect::<String>())
}

impl<'a> SpaceFacts<'a> {
    /// The bounds of a space.
    pub fn of_bounds(space: &'a Space, bounds: Bounds, certificate: &Certificate) -> Self {
        SpaceFacts {
            space: &space.name,
            answer: None,
            capacity: space.problem.capacity,
            buffers: space.problem.buffers.len(),
            naive_bytes: bounds.naive,
            load_bytes: bounds.load,
            lower_bound_bytes: bounds.lower_bound,
            certificate: Proof::of(certificate, space, bounds.lower_bound),
            banks_end: space
                .problem
                .banks
                .as_ref()
                .and_then(|banks| banks.layout.end()),
            plan: None,
        }
    }

    /// The bounds of a space without a plan, and whether they prove that nothing fits.
    pub fn of_proof(space: &'a Space, bounds: Bounds, certificate: &Certificate) -> Self {
        let limit = space.problem.limit();
        let impossible = bounds.lower_bound > limit.unwrap_or(u64::MAX - 1);
        SpaceFacts {
            answer: impossible.then_some(Answer::DoesNotFit),
            ..Self::of_bounds(space, bounds, certificate)
        }
    }

    /// The results of a planner. `None` if the problem is invalid or a registered planner failed.
    pub fn of_result(space: &'a Space, result: &Result<Outcome, PlanError>) -> Option<Self> {
        let (answer, outcome) = match result {
            Ok(outcome) => (Answer::Fits, outcome),
            Err(PlanError::Capacity { best, .. }) => (Answer::Unknown, &**best),
            Err(PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }) => {
                let bounds = Bounds {
                    lower_bound: *lower_bound,
                    ..space.problem.bounds()
                };
                return Some(SpaceFacts {
                    answer: Some(Answer::DoesNotFit),
                    ..Self::of_bounds(space, bounds, certificate)
                });
            }
            Err(PlanError::NotPlaced {
                lower_bound,
                certificate,
            }) => {
                let bounds = Bounds {
                    lower_bound: *lower_bound,
                    ..space.problem.bounds()
                };
                return Some(SpaceFacts {
                    answer: Some(Answer::Unknown),
                    ..Self::of_bounds(space, bounds, certificate)
                });
            }
            Err(PlanError::Problem(_) | PlanError::Custom { .. }) => return None,
        };
        let planner = Some(outcome.planner);
        let solution = &outcome.solution;
        Some(SpaceFacts {
            answer: Some(answer),
            plan: Some(PlanFacts::new(space, solution, planner, outcome.optimal)),
            ..Self::of_bounds(space, outcome.bounds, &outcome.certificate)
        })
    }

    /// The results for a given plan.
    pub fn of_plan(
        space: &'a Space,
        bounds: Bounds,
        certificate: &Certificate,
        solution: &Solution,
    ) -> Self {
        let fits = space
            .problem
            .capacity
            .is_none_or(|most| solution.peak <= most);
        let answer = match fits {
            true => Answer::Fits,
            false => Answer::DoesNotFit,
        };
        let optimal = solution.peak == bounds.lower_bound;
        SpaceFacts {
            answer: Some(answer),
            plan: Some(PlanFacts::new(space, solution, None, optimal)),
            ..Self::of_bounds(space, bounds, certificate)
        }
    }

    fn cells(&self) -> [String; COLUMNS.len()] {
        let plan = self.plan.as_ref();
        let of_plan = |text: &dyn Fn(&PlanFacts<'_>) -> String| match plan {
            Some(plan) => text(plan),
            None => "-".to_owned(),
        };
        [
            escaped_name(self.space),
            grouped(self.buffers as u64),
            grouped(self.naive_bytes),
            grouped(self.load_bytes),
            match self.lower_bound_bytes {
                u64::MAX => "-".to_owned(),
                bound => grouped(bound),
            },
            self.certificate.description(),
            of_plan(&|plan| grouped(plan.peak_bytes)),
            of_plan(&|plan| ratio(plan.peak_bytes, self.lower_bound_bytes)),
            of_plan(&|plan| plan.planner.unwrap_or("-").to_owned()),
            of_plan(&|plan| if plan.optimal { "yes" } else { "no" }.to_owned()),
            of_plan(&|plan| match plan.reuse_distance {
                Some(distance) => format!("{distance:.1}"),
                None => "-".to_owned(),
            }),
        ]
    }

    /// The result in words.
    fn sentence(&self) -> String {
        let bound = self.lower_bound_bytes;
        match (&self.plan, self.answer, self.capacity) {
            (None, ..) if bound == u64::MAX => format!(
                "does not fit: no plan keeps the rules of the banks ({})",
                self.certificate.description()
            ),
            (None, Some(Answer::Unknown), _) => format!(
                "unknown: no plan was found that keeps the rules of the banks; every plan takes {} bytes or more",
                grouped(bound)
            ),
            (None, Some(Answer::DoesNotFit), _)
                if self
                    .banks_end
                    .is_some_and(|end| self.capacity.is_none_or(|most| end < most)) =>
            {
                format!(
                    "does not fit: every plan takes {} bytes or more ({}), and the banks end at {}",
                    grouped(bound),
                    self.certificate.description(),
                    grouped(self.banks_end.unwrap_or(0))
                )
            }
            (None, Some(Answer::DoesNotFit), Some(capacity)) => format!(
                "does not fit: every plan takes {} bytes or more ({}), and the capacity is {}",
                grouped(bound),
                self.certificate.description(),
                grouped(capacity)
            ),
            (Some(plan), Some(Answer::Unknown), Some(capacity)) => format!(
                "unknown: the best plan found takes {} bytes, and the capacity is {}; every \
                 plan takes {} or more",
                grouped(plan.peak_bytes),
                grouped(capacity),
                grouped(bound)
            ),
            (Some(plan), Some(Answer::DoesNotFit), Some(capacity)) => format!(
                "does not fit: the plan takes {} bytes, and the capacity is {}",
                grouped(plan.peak_bytes),
                grouped(capacity)
            ),
            (Some(plan), _, Some(capacity)) => format!(
                "fits: the plan takes {} of {}",
                short(plan.peak_bytes),
                short(capacity)
            ),
            (Some(plan), ..) if plan.optimal => {
                format!("{}, which is optimal", short(plan.peak_bytes))
            }
            (Some(plan), ..) => {
                let above = match bound {
                    0 => String::new(),
                    bound => {
                        let percent = 100.0 * (plan.peak_bytes as f64 / bound as f64 - 1.0);
                        match percent < 0.05 {
                            true => ", less than 0.1% above the lower bound".to_owned(),
                            false => {
                                format!(", at most {percent:.1}% above the lower bound")
                            }
                        }
                    }
                };
                format!("{}{above}", short(plan.peak_bytes))
            }
            (None, ..) => format!(
                "every plan of {} takes {} or more",
                counted(self.buffers, "buffer"),
                short(bound)
            ),
        }
    }
}

impl<'a> PlanFacts<'a> {
    fn new(
        space: &'a Space,
        solution: &Solution,
        planner: Option<&'static str>,
        optimal: bool,
    ) -> Self {
        PlanFacts {
            peak_bytes: solution.peak,
            planner,
            optimal,
            reuse_distance: Reuse::of(&space.problem, solution).mean(),
            offsets: Offsets {
                labels: &space.labels,
                buffers: &space.problem.buffers,
                offsets: solution.offsets.clone(),
            },
            banks: BanksOfBuffers::new(space, solution),
        }
    }
}

impl Proof {
    /// The kind of the proof of `bound`, with its parameters.
    fn of(certificate: &Certificate, space: &Space, bound: u64) -> Self {
        let Space {
            problem, labels, ..
        } = space;
        match *certificate {
            Certificate::Nothing => Proof::Nothing,
            Certificate::Load { time } => Proof::Load {
                time: labels.time(time),
            },
            Certificate::Alignment { time, alignment } => Proof::Alignment {
                time: labels.time(time),
                alignment,
            },
            Certificate::Clique { ref buffers } => Proof::Clique {
                buffers: buffers.len(),
                around_forbidden: !problem.forbidden.is_empty() && {
                    let ids: HashSet<u64> = buffers.iter().copied().collect();
                    let all = problem.buffers.iter();
                    let sizes = all.filter(|it| ids.contains(&it.id)).map(|it| it.size);
                    sizes.fold(0, u64::saturating_add) < bound
                },
            },
            Certificate::End { buffer } => Proof::End {
                buffer: Id::of(buffer, labels),
            },
            Certificate::Search(ref refutation) => Proof::Search {
                nodes: refutation.node_count(),
            },
            Certificate::Distances(ref nodes) => Proof::Distances { nodes: nodes.len() },
            Certificate::Apart { ref buffers } => Proof::Apart {
                buffers: buffers.iter().map(|&id| Id::of(id, labels)).collect(),
            },
            Certificate::Banks(ref refutation) => {
                let id = |&(at, ..): &(u32, u32, u32)| {
                    let buffer = problem.buffers.get(at as usize);
                    buffer.map(|buffer| Id::of(buffer.id, labels))
                };
                match (&refutation.nodes[..], &refutation.lemmas[..]) {
                    ([BankNode::Lemma(0)], [lemma])
                        if lemma.placements.iter().all(|it| it.2 == 1) =>
                    {
                        Proof::Bank {
                            bank: lemma.placements.first().map_or(0, |it| it.1),
                            buffers: lemma.placements.iter().filter_map(id).collect(),
                        }
                    }
                    (nodes, _) => Proof::Banks { nodes: nodes.len() },
                }
            }
        }
    }

    fn description(&self) -> String {
        match self {
            Proof::Nothing => "nothing".to_owned(),
            Proof::Load { time } => format!("load at time {time}"),
            Proof::Alignment { time, alignment } => format!("alignment {alignment} at time {time}"),
            Proof::Clique {
                buffers,
                around_forbidden: true,
            } => format!("{} around forbidden addresses", counted(*buffers, "buffer")),
            Proof::Clique { buffers, .. } => {
                format!(
                    "{} that are pairwise live at once",
                    counted(*buffers, "buffer")
                )
            }
            Proof::End { buffer } => format!("end of buffer {buffer}"),
            Proof::Search { nodes } => format!("search of {}", counted(*nodes, "node")),
            Proof::Apart { buffers } => format!("apart: {}", ids(buffers)),
            Proof::Bank { bank, buffers } => format!("bank {bank}: {}", ids(buffers)),
            Proof::Banks { nodes } => format!("search of banks, {}", counted(*nodes, "node")),
            Proof::Distances { nodes } => {
                format!("search of distances, {}", counted(*nodes, "node"))
            }
        }
    }
}

/// Ids for a message.
fn ids(ids: &[Id]) -> String {
    let ids: Vec<String> = ids.iter().map(Id::to_string).collect();
    clipped(&ids.join(", "))
}

fn ratio(peak: u64, bound: u64) -> String {
    match bound {
        0 => "-".to_owned(),
        bound => format!("{:.4}", peak as f64 / bound as f64),
    }
}
