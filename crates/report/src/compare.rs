//! Two reports of the same functions: before and after.

use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::grouped;
use crate::{FunctionReport, Report};

/// A function of two reports; at least one of them has it.
pub struct Pair<'r> {
    /// That of the first report.
    pub before: Option<&'r FunctionReport>,
    /// That of the second one.
    pub after: Option<&'r FunctionReport>,
}

/// The functions with a plan of two reports, by name: those of the first in its order, then those of the second alone. The
/// second of two functions of one name belongs to the second one of the other report.
pub fn pairs<'r>(before: &'r Report, after: &'r Report) -> Vec<Pair<'r>> {
    let planned = |report: &'r Report| {
        let functions = report.functions.iter();
        functions.filter(|function| !function.scopes.is_empty())
    };
    let mut rest: Vec<&FunctionReport> = planned(after).collect();
    let mut pairs: Vec<Pair<'r>> = planned(before)
        .map(|function| {
            let place = rest.iter().position(|other| other.name == function.name);
            Pair {
                before: Some(function),
                after: place.map(|place| rest.remove(place)),
            }
        })
        .collect();
    pairs.extend(rest.into_iter().map(|function| Pair {
        before: None,
        after: Some(function),
    }));
    pairs
}

pub(crate) const COLUMNS: [Column; 5] = [
    Column::left("function", "The function."),
    Column::right("before", "Planned bytes in the first report."),
    Column::right("after", "Planned bytes in the second report."),
    Column::right("change", "How many bytes more or less that is."),
    Column::right("after / before", "The second number by the first."),
];

/// A row for each function, and the sum.
pub fn table(pairs: &[Pair<'_>]) -> String {
    let mut rows = vec![headings(&COLUMNS)];
    let mut sums = (0_u64, 0_u64);
    for pair in pairs {
        let name = pair
            .before
            .or(pair.after)
            .map(|function| clipped(&function.name));
        let bytes = (
            pair.before.map(FunctionReport::planned),
            pair.after.map(FunctionReport::planned),
        );
        sums.0 = sums.0.saturating_add(bytes.0.unwrap_or(0));
        sums.1 = sums.1.saturating_add(bytes.1.unwrap_or(0));
        rows.push(row(name.unwrap_or_default(), bytes));
    }
    let last = rows.len();
    rows.push(row("total".to_owned(), (Some(sums.0), Some(sums.1))));
    aligned(&rows, &alignments(&COLUMNS), &[1, last])
}

fn row(name: String, (before, after): (Option<u64>, Option<u64>)) -> [String; 5] {
    let number = |bytes: Option<u64>| bytes.map_or("-".to_owned(), grouped);
    let (change, ratio) = match (before, after) {
        (Some(before), Some(after)) => {
            let sign = match after.cmp(&before) {
                std::cmp::Ordering::Less => "-",
                std::cmp::Ordering::Equal => "",
                std::cmp::Ordering::Greater => "+",
            };
            let ratio = match before {
                0 => "-".to_owned(),
                _ => format!("{:.3}", after as f64 / before as f64),
            };
            (format!("{sign}{}", grouped(after.abs_diff(before))), ratio)
        }
        _ => ("-".to_owned(), "-".to_owned()),
    };
    [name, number(before), number(after), change, ratio]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, scope};

    fn function(name: &str, size: u64) -> FunctionReport {
        FunctionReport {
            name: name.to_owned(),
            scopes: vec![scope(vec![buffer(0, size, 0, &[(0, 4)])])],
            ..FunctionReport::default()
        }
    }

    #[test]
    fn functions_of_one_name_are_a_pair_and_the_rest_stands_alone() {
        let silent = FunctionReport::default();
        let before = Report::new(vec![
            function("f", 64),
            silent,
            function("g", 32),
            function("f", 8),
        ]);
        let after = Report::new(vec![
            function("h", 16),
            function("f", 128),
            function("f", 8),
        ]);
        let text = table(&pairs(&before, &after));
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(rows[2], ["f", "64", "128", "+64", "2.000"]);
        assert_eq!(rows[3], ["g", "32", "-", "-", "-"]);
        assert_eq!(rows[4], ["f", "8", "8", "0", "1.000"]);
        assert_eq!(rows[5], ["h", "-", "16", "-", "-"]);
        assert_eq!(rows[7], ["total", "104", "152", "+48", "1.462"]);
    }
}
