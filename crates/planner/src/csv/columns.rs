//! The header line, which names the columns.

use super::error::{FieldError, Reason, excerpt};

/// The meaning of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Id,
    Lower,
    Upper,
    Size,
    Alignment,
    Gaps,
    Offset,
    Hint,
    Space,
    Bank,
    Apart,
    /// A column of an unknown name, which is kept and not read.
    Unknown,
}

/// The names of columns.
const NAMES: [(&str, Column); 15] = [
    ("id", Column::Id),
    ("buffer", Column::Id),
    ("buffer_id", Column::Id),
    ("lower", Column::Lower),
    ("start", Column::Lower),
    ("begin", Column::Lower),
    ("upper", Column::Upper),
    ("end", Column::Upper),
    ("size", Column::Size),
    ("alignment", Column::Alignment),
    ("gaps", Column::Gaps),
    ("offset", Column::Offset),
    ("hint", Column::Hint),
    ("bank", Column::Bank),
    ("apart", Column::Apart),
];

/// The name of the column of memory spaces.
const SPACE: &str = "space";

/// The columns of a text, from left to right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    pub columns: Vec<Column>,
    /// The unknown columns: their numbers, counted from 1, and names.
    pub unknown: Vec<(usize, String)>,
    /// Added to the ends of ranges: 1 if the text gives the last live point instead of the first
    /// dead one.
    pub end_adjustment: i128,
}

impl Columns {
    /// Parses the header line. Unknown columns are an error only if a required one is missing.
    pub fn read(line: &str) -> Result<Columns, FieldError> {
        let mut columns = Columns {
            columns: Vec::new(),
            unknown: Vec::new(),
            end_adjustment: 0,
        };
        for (number, name) in (1..).zip(line.split(',').map(str::trim_ascii)) {
            let known = NAMES.iter().find(|(known, _)| *known == name);
            let column = match known {
                Some((_, column)) => *column,
                None if name == SPACE => Column::Space,
                None if name.contains('"') => return Err((number, Reason::Quoted(excerpt(name)))),
                None => {
                    columns.unknown.push((number, excerpt(name)));
                    Column::Unknown
                }
            };
            if column != Column::Unknown && columns.columns.contains(&column) {
                return Err((number, columns.twice(line, column, name)));
            }
            columns.end_adjustment += i128::from(name == "end");
            columns.columns.push(column);
        }
        let needed = [
            (Column::Id, "id"),
            (Column::Lower, "lower"),
            (Column::Upper, "upper"),
            (Column::Size, "size"),
        ];
        let mut missing = needed
            .into_iter()
            .filter(|&(column, _)| columns.number(column).is_none());
        match (missing.next(), columns.unknown.first()) {
            (Some(_), Some((number, name))) => Err((*number, Reason::UnknownColumn(name.clone()))),
            (Some((_, name)), None) => Err((columns.columns.len(), Reason::MissingColumn(name))),
            (None, _) => Ok(columns),
        }
    }

    /// The error of a column that is there already, maybe by another name.
    fn twice(&self, line: &str, column: Column, name: &str) -> Reason {
        let first = self.columns.iter().position(|&other| other == column);
        let first = first
            .and_then(|at| line.split(',').nth(at))
            .map_or(name, str::trim_ascii);
        let what = match column {
            Column::Id => "id",
            Column::Lower => "start",
            _ => "end",
        };
        match first == name {
            true => Reason::DuplicateColumn(name.to_owned()),
            false => Reason::SameMeaning {
                first: first.to_owned(),
                second: name.to_owned(),
                what,
            },
        }
    }

    /// The number of this column, counted from 1.
    pub fn number(&self, column: Column) -> Option<usize> {
        let place = self.columns.iter().position(|&other| other == column);
        place.map(|place| place + 1)
    }
}

/// The known name that is most like `name`, if one is.
pub fn nearest(name: &str) -> Option<&'static str> {
    const LEAST: f64 = 0.7;
    let names = NAMES.iter().map(|(known, _)| *known).chain([SPACE]);
    let name = name.to_lowercase();
    let alike = names.map(|known| (strsim::normalized_damerau_levenshtein(known, &name), known));
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 >= LEAST).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("aligment"), Some("alignment"));
        assert_eq!(nearest("Offset"), Some("offset"));
        assert_eq!(nearest("spaces"), Some("space"));
        assert_eq!(nearest("note"), None);
        assert_eq!(nearest(""), None);
    }
}
