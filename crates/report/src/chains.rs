//! Chains of operations that run strip by strip: as plain data, and as a table.

use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::{counted, grouped, short};
use crate::{FunctionReport, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A loop over strips, and what it costs.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct ChainReport {
    /// The location of the loop.
    pub location: String,
    /// The positions of the loop, half-open, as in live ranges.
    pub positions: (u64, u64),
    /// The operations in it, in order.
    pub operations: Vec<ChainOperation>,
    /// The place among `operations` of the one whose loops are split. Absent where another pass removed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The loops that are split, the innermost loop over strips first.
    pub dimensions: Vec<ChainDimension>,
    /// Whether strips add up to a result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sums: bool,
    /// The number of strips: the product of those of `dimensions`. Absent where it is known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strips: Option<u64>,
    /// How often operations are executed in a call: each in the strips in which it has rows. Absent where it is known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
    /// Innermost iterations of operations, such as multiplications, that compute rows again in a call. It is 0 where rows that
    /// are needed again are kept.
    pub repeated: u64,
    /// The most bytes that are held in the chain without strips, with what is live around it. Absent where that is known
    /// only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_before_bytes: Option<u64>,
    /// The same with strips, as the search counts it: each buffer is rounded up to 64 bytes. Absent where no search was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_after_bytes: Option<u64>,
    /// The bytes that are copied between strips in a call. Absent where they are known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_bytes: Option<u64>,
    /// The buffers in which rows stay from one strip to the next.
    pub line_buffers: Vec<LineBufferReport>,
}

/// An operation of a chain.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct ChainOperation {
    /// Its name, such as `linalg.matmul`.
    pub name: String,
    /// Its location.
    pub location: String,
}

/// A loop that is split.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ChainDimension {
    /// The number of the loop of the seed, from the outermost one on.
    #[serde(rename = "loop")]
    pub number: u64,
    /// Its number of iterations. Absent where it is known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<u64>,
    /// How many of them a strip has.
    pub rows: u64,
    /// The number of strips. The first ones may only fill line buffers. Absent where it is known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strips: Option<u64>,
}

/// A buffer in which rows stay from one strip to the next.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct LineBufferReport {
    /// `line`, or `border` between strips of the outer dimension.
    pub kind: String,
    /// The number of its scope in the function. Absent where it is in no arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<u64>,
    /// The number of the buffer in that scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Its type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its size in bytes. Absent where it is known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// How many rows stay; of a border, columns.
    pub kept_rows: u64,
    /// The location of the buffer whose rows these are.
    pub location: String,
    /// The type of that buffer.
    pub whole_type: String,
    /// The size of that buffer in bytes. Absent where it is known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_size: Option<u64>,
}

impl FunctionReport {
    /// The line buffers in the scope of that number, by id.
    pub fn lines_of(&self, scope: usize) -> impl Iterator<Item = (u64, &LineBufferReport)> {
        let lines = self.chains.iter().flat_map(|chain| &chain.line_buffers);
        let lines = lines.filter(move |lines| lines.scope == Some(scope as u64));
        lines.filter_map(|lines| Some((lines.id?, lines)))
    }
}

impl LineBufferReport {
    /// What it is, in words.
    pub fn text(&self) -> String {
        let (kind, noun) = match self.kind.as_str() {
            "border" => ("border", "column"),
            _ => ("line buffer", "row"),
        };
        let kept = counted(self.kept_rows as usize, noun);
        let whole = self.whole_size.map(|size| format!(" ({})", short(size)));
        let whole = whole.unwrap_or_default();
        format!("{kind} of {}{whole}, keeps {kept}", self.whole_type)
    }
}

impl ChainReport {
    /// The bytes of its line buffers; `None` if they are known only at run time.
    pub fn line_bytes(&self) -> Option<u64> {
        let mut sizes = self.line_buffers.iter().map(|lines| lines.size);
        sizes.try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)))
    }

    /// How many operations a strip executes, on average; `None` if that is known only at run time.
    pub fn operations_per_strip(&self) -> Option<f64> {
        Some(self.executions? as f64 / self.strips?.max(1) as f64)
    }

    /// The loops that are split, in words: `loop 2 of linalg.matmul`.
    pub fn along(&self) -> String {
        let numbers: Vec<String> = self.numbers(|one| Some(one.number));
        let loops = match &numbers[..] {
            [one] => format!("loop {one}"),
            all => format!("loops {}", all.join(", ")),
        };
        let seed = self
            .seed
            .and_then(|seed| self.operations.get(seed as usize));
        match seed {
            Some(seed) => format!("{loops} of {}", seed.name),
            None => loops,
        }
    }

    /// The rows of a strip in each dimension: `2 x 4`.
    pub fn rows(&self) -> String {
        self.numbers(|one| Some(one.rows)).join(" x ")
    }

    /// The strips of each dimension: `8 x 8`, or `?` for what is known only at run time.
    pub fn each(&self) -> String {
        self.numbers(|one| one.strips).join(" x ")
    }

    fn numbers(&self, of: fn(&ChainDimension) -> Option<u64>) -> Vec<String> {
        let all = self.dimensions.iter();
        all.map(|one| known(of(one), grouped)).collect()
    }

    /// What contradicts itself, if anything does.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut strips = self.dimensions.iter().map(|one| one.strips);
        let strips = strips.try_fold(1, |all: u64, strips| Some(all.saturating_mul(strips?)));
        if self.dimensions.is_empty() || strips != self.strips {
            let [said, found] = [self.strips, strips].map(|strips| known(strips, grouped));
            return Err(format!("strips is {said}, the dimensions say {found}"));
        }
        if self.positions.0 >= self.positions.1 {
            return Err("its positions are empty or run backwards".to_owned());
        }
        let is_known = |seed: u64| seed < self.operations.len() as u64;
        if self.seed.is_some_and(|seed| !is_known(seed)) {
            return Err("seed is none of its operations".to_owned());
        }
        let is_too_large = |lines: &&LineBufferReport| {
            let sizes = lines.size.zip(lines.whole_size);
            sizes.is_some_and(|(size, whole)| size > whole)
        };
        match self.line_buffers.iter().find(is_too_large) {
            Some(lines) => Err(format!("{} is larger than {}", lines.ty, lines.whole_type)),
            None => Ok(()),
        }
    }
}

pub(crate) const COLUMNS: [Column; 12] = [
    Column::left("function", "The function."),
    Column::left("chain", "The location of the loop over strips."),
    Column::right("ops", "The number of operations in the strips."),
    Column::left(
        "along",
        "The loops that are split, by their number in an operation of the chain, the innermost loop over strips first.",
    ),
    Column::right("strips", "The number of strips."),
    Column::right(
        "rows",
        "Iterations of these loops in a strip, for each dimension.",
    ),
    Column::right(
        "ops/strip",
        "How many operations a strip executes, on average: strips at the ends have no rows of some.",
    ),
    Column::right(
        "repeated",
        "How many innermost iterations, such as multiplications, compute rows again.",
    ),
    Column::right(
        "line bytes",
        "The bytes of line buffers and borders, in which rows stay from one strip to the next.",
    ),
    Column::right(
        "load before",
        "The most bytes live at once in these operations, without strips.",
    ),
    Column::right("after", "The same with strips, as the search counts it."),
    Column::right(
        "copied",
        "The bytes that are copied between strips in a call.",
    ),
];

/// A row for each chain, and a total; nothing without any. Loads are those of different moments: the total has the largest.
pub(crate) fn table(report: &Report) -> String {
    let mut rows = vec![headings(&COLUMNS)];
    let mut total = ChainReport {
        strips: Some(0),
        executions: Some(0),
        copied_bytes: Some(0),
        ..ChainReport::default()
    };
    let (mut operations, mut lines) = (0, Some(0));
    for function in &report.functions {
        for chain in &function.chains {
            rows.push(row(
                [
                    &function.name,
                    &chain.location,
                    &chain.along(),
                    &chain.rows(),
                ],
                chain,
                (chain.operations.len() as u64, chain.line_bytes()),
            ));
            operations += chain.operations.len() as u64;
            lines = sum(lines, chain.line_bytes());
            total.strips = sum(total.strips, chain.strips);
            total.executions = sum(total.executions, chain.executions);
            total.repeated = total.repeated.saturating_add(chain.repeated);
            total.copied_bytes = sum(total.copied_bytes, chain.copied_bytes);
            let most = |one: &mut Option<u64>, other: Option<u64>| *one = other.max(*one);
            most(&mut total.load_before_bytes, chain.load_before_bytes);
            most(&mut total.load_after_bytes, chain.load_after_bytes);
        }
    }
    let last = rows.len();
    if last == 1 {
        return String::new();
    }
    rows.push(row(["total", "", "", ""], &total, (operations, lines)));
    aligned(&rows, &alignments(&COLUMNS), &[1, last])
}

/// A number that may be known only at run time.
pub(crate) fn known<T>(number: Option<T>, text: impl Fn(T) -> String) -> String {
    number.map_or_else(|| "?".to_owned(), text)
}

/// The sum, if both are known.
fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    Some(one?.saturating_add(other?))
}

fn row(
    texts: [&str; 4],
    chain: &ChainReport,
    (operations, lines): (u64, Option<u64>),
) -> [String; 12] {
    let [function, location, along, rows] = texts.map(clipped);
    [
        function,
        location,
        grouped(operations),
        along,
        known(chain.strips, grouped),
        rows,
        known(chain.operations_per_strip(), |count| format!("{count:.1}")),
        grouped(chain.repeated),
        known(lines, grouped),
        known(chain.load_before_bytes, grouped),
        known(chain.load_after_bytes, grouped),
        known(chain.copied_bytes, grouped),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReportError;
    use crate::testing::{chain, report};

    fn with_chains(chains: Vec<ChainReport>) -> Report {
        let mut report = report(Vec::new());
        report.functions[0].chains = chains;
        report
    }

    #[test]
    fn a_row_for_each_chain_and_a_total() {
        let mut other = chain((20, 31));
        other.dimensions.pop();
        (other.strips, other.executions, other.copied_bytes) = (Some(7), Some(21), Some(0));
        other.line_buffers.clear();
        let text = table(&with_chains(vec![chain((2, 9)), other]));
        assert_eq!(
            text,
            "\
function  chain                ops  along                      strips   rows  ops/strip  repeated  line bytes  load before  after  copied
--------  -------------------  ---  -------------------------  ------  -----  ---------  --------  ----------  -----------  -----  ------
forward   loc(\"net.mlir\":9:3)    2  loops 2, 3 of linalg.conv      28  1 x 4        1.5         0         480        9,000  2,000   3,360
forward   loc(\"net.mlir\":9:3)    2  loop 2 of linalg.conv           7      1        3.0         0           0        9,000  2,000       0
--------  -------------------  ---  -------------------------  ------  -----  ---------  --------  ----------  -----------  -----  ------
total                            4                                 35               1.8         0         480        9,000  2,000   3,360
"
        );
        assert_eq!(table(&with_chains(Vec::new())), "");
    }

    #[test]
    fn contradictions_are_found() {
        type Change = fn(&mut ChainReport);
        let cases: &[(Change, &str)] = &[
            (
                |one| one.strips = Some(27),
                "strips is 27, the dimensions say 28",
            ),
            (
                |one| one.dimensions.clear(),
                "strips is 28, the dimensions say 1",
            ),
            (|one| one.positions.1 = 2, "its positions are empty"),
            (|one| one.seed = Some(2), "seed is none of its operations"),
            (
                |one| one.strips = None,
                "strips is ?, the dimensions say 28",
            ),
            (
                |one| one.line_buffers[0].size = Some(5000),
                "is larger than",
            ),
        ];
        assert_eq!(with_chains(vec![chain((2, 9))]).check(), Ok(()));
        for (change, expected) in cases {
            let mut bad = chain((2, 9));
            change(&mut bad);
            match with_chains(vec![chain((2, 9)), bad]).check() {
                Err(ReportError::Inconsistent { place, problem }) => {
                    assert_eq!(place, "function 'forward', chain 1");
                    assert!(problem.contains(expected), "{problem}");
                }
                other => panic!("expected a contradiction, found {other:?}"),
            }
        }
    }
}
