//! What buffers cost in the memory spaces of a machine, at several budgets: as plain data, and as a table.

use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::grouped;
use crate::{FunctionReport, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cost of the uses and copies of a function's buffers: that of its assignment to memory spaces, and those of others.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Default)]
pub struct CostReport {
    /// The name of a unit of cost, as the machine has it.
    pub unit: String,
    /// The memory space whose budget the curve is about, as MLIR prints it; empty for the default one. It is the first
    /// space with a limit.
    pub memory_space: String,
    /// The bytes that the function may use there; absent without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_bytes: Option<u64>,
    /// What the assignment costs.
    pub cost: f64,
    /// What each assignment costs at least that keeps the limits; 0 if nothing is proven.
    pub lower_bound: f64,
    /// The bytes that copies between memory spaces move in a call.
    pub copied_bytes: u64,
    /// Costs at several budgets of the memory space, ascending; the limits of other spaces stay. Fragmentation does not
    /// count: an arena may need a little more than the budget. Empty unless it was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<CostPoint>,
}

/// What a function costs at a budget.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Default)]
pub struct CostPoint {
    /// The bytes of the memory space.
    pub budget_bytes: u64,
    /// The least cost that was found; null if there is none.
    pub cost: Option<f64>,
    /// What each assignment costs at least; null if there is none.
    pub lower_bound: Option<f64>,
    /// The bytes that copies between memory spaces move in a call; null without a cost.
    pub copied_bytes: Option<u64>,
    /// What is proven.
    pub proof: CostProof,
}

/// What is proven of a budget.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Default)]
#[serde(rename_all = "kebab-case")]
pub enum CostProof {
    /// No assignment costs less.
    Optimal,
    /// The cost is between the lower bound and that of the assignment.
    Bound,
    /// No assignment fits.
    NothingFits,
    /// No assignment was found, and nothing is proven.
    #[default]
    Unknown,
}

impl CostProof {
    /// In a table.
    fn text(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Bound => "bound",
            Self::NothingFits => "nothing fits",
            Self::Unknown => "none found",
        }
    }
}

impl CostReport {
    /// The option that gives the memory space so many bytes.
    pub fn option(&self, bytes: u64) -> String {
        match self.memory_space.as_str() {
            "" => format!("budget={bytes}"),
            space => format!("budget={space}:{bytes}"),
        }
    }

    /// Checks that the numbers do not contradict each other.
    pub(crate) fn check(&self) -> Result<(), String> {
        let all = self.curve.iter().map(|point| Some(point.budget_bytes));
        if !all.is_sorted_by(|one, next| one < next) {
            return Err("budgets of the curve do not ascend".to_owned());
        }
        let mut cheapest = f64::INFINITY;
        for point in &self.curve {
            let budget = grouped(point.budget_bytes);
            let is_consistent = match (point.cost, point.lower_bound, point.proof) {
                (Some(cost), Some(bound), CostProof::Optimal) => bound == cost,
                (Some(cost), Some(bound), CostProof::Bound) => bound <= cost,
                (None, None, CostProof::NothingFits) => true,
                (None, _, CostProof::Unknown) => true,
                _ => false,
            };
            if !is_consistent || point.cost.is_some() != point.copied_bytes.is_some() {
                return Err(format!(
                    "cost, bound and proof at {budget} bytes do not agree"
                ));
            }
            if point
                .cost
                .map_or(cheapest.is_finite(), |cost| cost > cheapest)
            {
                return Err(format!("{budget} bytes cost more than fewer bytes"));
            }
            cheapest = point.cost.unwrap_or(cheapest);
        }
        match self.lower_bound <= self.cost {
            true => Ok(()),
            false => Err("the lower bound is above the cost".to_owned()),
        }
    }
}

pub(crate) const COLUMNS: [Column; 7] = [
    Column::left("function", "The function."),
    Column::left(
        "budget",
        "The option that gives the memory space so many bytes; the row of the assignment of the program comes first.",
    ),
    Column::right(
        "cost",
        "What uses and copies of buffers cost in a call, in the machine's unit.",
    ),
    Column::right(
        "at least",
        "A lower bound: what each assignment costs at least.",
    ),
    Column::right("ratio", "The cost divided by that at the largest budget."),
    Column::right(
        "copied",
        "The bytes that copies between memory spaces move.",
    ),
    Column::left(
        "proof",
        "`optimal`: no assignment costs less; `bound`: none costs less than the lower bound; `nothing fits`: proven; `none \
         found`: not proven. `chosen` is the assignment of the program.",
    ),
];

/// A row for each assignment, and for each point of its curve; nothing without any.
pub(crate) fn table(report: &Report) -> String {
    let mut rows = vec![headings(&COLUMNS)];
    let functions = report.functions.iter();
    for (function, costs) in functions.filter_map(|one| Some((one, one.costs.as_ref()?))) {
        push(&mut rows, function, costs);
    }
    if rows.len() == 1 {
        return String::new();
    }
    aligned(&rows, &alignments(&COLUMNS), &[1])
}

fn push(rows: &mut Vec<[String; 7]>, function: &FunctionReport, costs: &CostReport) {
    let last = costs.curve.last().and_then(|point| point.cost);
    let ratio = |cost: f64| match last {
        Some(last) if last > 0.0 => format!("{:.3}", cost / last),
        _ => "-".to_owned(),
    };
    let known = |value: Option<f64>| value.map_or("-".to_owned(), number);
    let budget = costs.budget_bytes;
    rows.push([
        clipped(&function.name),
        budget.map_or("no limit".to_owned(), |bytes| clipped(&costs.option(bytes))),
        number(costs.cost),
        number(costs.lower_bound),
        ratio(costs.cost),
        grouped(costs.copied_bytes),
        "chosen".to_owned(),
    ]);
    for point in &costs.curve {
        rows.push([
            String::new(),
            clipped(&costs.option(point.budget_bytes)),
            known(point.cost),
            known(point.lower_bound),
            point.cost.map_or("-".to_owned(), ratio),
            point.copied_bytes.map_or("-".to_owned(), grouped),
            point.proof.text().to_owned(),
        ]);
    }
}

/// A cost with a comma between thousands, and at most three decimals.
pub(crate) fn number(cost: f64) -> String {
    let text = format!("{cost:.3}");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or(whole.to_owned(), grouped);
    match decimals.trim_end_matches('0') {
        "" => whole,
        decimals => format!("{whole}.{decimals}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(budget_bytes: u64, cost: f64, lower_bound: f64, proof: CostProof) -> CostPoint {
        CostPoint {
            budget_bytes,
            cost: Some(cost),
            lower_bound: Some(lower_bound),
            copied_bytes: Some(64),
            proof,
        }
    }

    fn report() -> CostReport {
        CostReport {
            unit: "cycle".to_owned(),
            memory_space: "1".to_owned(),
            budget_bytes: Some(300),
            cost: 1500.5,
            lower_bound: 1400.0,
            copied_bytes: 64,
            curve: vec![
                CostPoint {
                    proof: CostProof::NothingFits,
                    ..CostPoint::default()
                },
                point(256, 2000.0, 1500.0, CostProof::Bound),
                point(512, 1000.0, 1000.0, CostProof::Optimal),
            ],
        }
    }

    #[test]
    fn contradictions_are_found() {
        assert_eq!(report().check(), Ok(()));
        type Change = fn(&mut CostReport);
        let wrong: [(Change, &str); 7] = [
            (|one| one.curve.swap(1, 2), "budgets of the curve"),
            (
                |one| one.curve[2].cost = Some(999.0),
                "512 bytes do not agree",
            ),
            (
                |one| one.curve[1].lower_bound = Some(2000.5),
                "256 bytes do not agree",
            ),
            (
                |one| one.curve[0].lower_bound = Some(0.0),
                "0 bytes do not agree",
            ),
            (
                |one| one.curve[2].copied_bytes = None,
                "512 bytes do not agree",
            ),
            (
                |one| one.curve[2] = point(512, 2000.5, 1.0, CostProof::Bound),
                "512 bytes cost more than fewer",
            ),
            (|one| one.lower_bound = 1501.0, "above the cost"),
        ];
        for (change, text) in wrong {
            let mut report = report();
            change(&mut report);
            let found = report.check().expect_err(text);
            assert!(found.contains(text), "{found}");
        }
    }

    #[test]
    fn each_point_has_a_row() {
        let function = FunctionReport {
            name: "f".to_owned(),
            costs: Some(report()),
            ..FunctionReport::default()
        };
        let report = Report::new(vec![function]);
        let text = table(&report);
        // Without arenas, there is nothing else to say.
        assert_eq!(crate::text::table(&report), text);
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(rows.len(), 6, "{text}");
        assert_eq!(
            rows[2],
            [
                "f",
                "budget=1:300",
                "1,500.5",
                "1,400",
                "1.500",
                "64",
                "chosen"
            ]
        );
        assert_eq!(
            rows[3],
            ["budget=1:0", "-", "-", "-", "-", "nothing", "fits"]
        );
        assert_eq!(
            rows[5],
            ["budget=1:512", "1,000", "1,000", "1.000", "64", "optimal"]
        );
    }

    #[test]
    fn costs_are_short() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1234567.25), "1,234,567.25");
        assert_eq!(number(0.001), "0.001");
    }
}
