//! A CSV text with its problems, one for each memory space.

use super::columns::{Column, Columns, nearest};
use super::error::{CsvError, FieldError, Reason, excerpt};
use super::labels::Labels;
use super::row;
use crate::problem::needed_addresses;
use crate::validate::SharedBank;
use crate::{BankError, BankLayout, BankRule, BankRules, Banks, Problem, ProblemError, Solution};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// The byte order mark that some programs put at the start of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A parsed text: a problem for each memory space, and the line of each buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table<'a> {
    /// The memory spaces in the order of their first lines. A text without a column `space` has one
    /// space with an empty name. The problems have no capacity and no forbidden ranges.
    pub spaces: Vec<Space>,
    text: &'a str,
    columns: Columns,
    /// The start of the header line.
    header: usize,
    /// The rows, one for each buffer, in the order of the text.
    rows: Vec<Row>,
}

/// One memory space of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    /// The name in the column `space`.
    pub name: String,
    /// Its buffers, in the order of the text. Times count from the first one of the text if that is negative. If an
    /// id of the text is not a number, ids count the different ones of the text.
    pub problem: Problem,
    /// The ids and times of the text.
    pub labels: Labels,
    /// The rules in the columns `bank` and `apart`. The problem has none before [`set_banks`](Self::set_banks).
    pub rules: BankRules,
}

impl Space {
    /// Gives the problem banks, with the rules of the text.
    pub fn set_banks(&mut self, layout: BankLayout) {
        self.problem.banks = Some(Banks {
            layout,
            rules: self.rules.clone(),
        });
    }
}

/// A line that describes a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    /// The start of the line in the text.
    start: usize,
    /// The index of the memory space.
    space: u32,
    /// Whether it has a rule for banks.
    has_rule: bool,
}

impl<'a> Table<'a> {
    /// Reads all problems of a text. O(n log n) in the number of lines.
    ///
    /// # Errors
    ///
    /// The first line and field that cannot be parsed, or the error of [`Problem::check`] in a
    /// memory space. The latter is reported at the line of the later one of the buffers involved.
    pub fn read(text: &'a str) -> Result<Self, CsvError> {
        let mut lines = lines(text);
        let Some((number, header, names)) = lines.next() else {
            return Err(at(1, (1, Reason::Empty)));
        };
        let columns = Columns::read(names).map_err(|fault| at(number, fault))?;
        let mut table = Table {
            spaces: Vec::new(),
            text,
            columns,
            header,
            rows: Vec::new(),
        };
        if table.columns.number(Column::Space).is_none() {
            table.space("");
        }
        let times = lines
            .clone()
            .filter_map(|(_, _, line)| row::negative_time(&table.columns, line));
        let origin = times.min().unwrap_or(0);
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut last = ("", 0); // usually the space of the previous line
        let mut ids: Vec<&str> = Vec::new();
        let mut rules: Vec<(Option<BankRule>, &str)> = Vec::new();
        for (number, start, line) in lines {
            let parsed =
                row::read(&table.columns, origin, line).map_err(|fault| at(number, fault))?;
            let name = parsed.space;
            if name != last.0 || table.spaces.is_empty() {
                let space = *known.entry(name).or_insert_with(|| table.space(name));
                last = (name, space);
            }
            let space = last.1;
            let buffers = &mut table.spaces[space as usize].problem.buffers;
            buffers.push(parsed.buffer);
            let has_rule = parsed.bank.is_some() || !parsed.apart.is_empty();
            table.rows.push(Row {
                start,
                space,
                has_rule,
            });
            ids.push(parsed.id);
            rules.push((parsed.bank, parsed.apart));
        }
        table.set_ids(&ids, origin);
        if table.rows.iter().any(|row| row.has_rule) {
            table.set_rules(&ids, rules)?;
        }
        for space in 0..table.spaces.len() {
            let problem = &table.spaces[space].problem;
            if let Err(error) = problem.check() {
                return Err(table.locate(space, error));
            }
        }
        Ok(table)
    }

    /// Numbers the buffers, by the ids of all rows.
    fn set_ids(&mut self, ids: &[&str], origin: i64) {
        let numbers: Option<Vec<u64>> = ids.iter().map(|id| id.parse().ok()).collect();
        let (numbers, names) = numbers.map_or_else(
            || {
                let mut known: HashMap<&str, u64> = HashMap::new();
                let mut names: Vec<Box<str>> = Vec::new();
                let mut number = |id| {
                    *known.entry(id).or_insert_with(|| {
                        names.push(excerpt(id).into());
                        names.len() as u64 - 1
                    })
                };
                let numbers = ids.iter().map(|id| number(id)).collect();
                (numbers, names)
            },
            |numbers| (numbers, Vec::new()),
        );
        let labels = Labels::new(names, origin);
        for space in &mut self.spaces {
            space.labels = labels.clone();
        }
        let mut next = vec![0; self.spaces.len()];
        for (row, number) in self.rows.iter().zip(numbers) {
            let space = row.space as usize;
            self.spaces[space].problem.buffers[next[space]].id = number;
            next[space] += 1;
        }
    }

    /// Sets the rules for banks, from what each row has in the columns `bank` and `apart`.
    fn set_rules(
        &mut self,
        ids: &[&str],
        rules: Vec<(Option<BankRule>, &str)>,
    ) -> Result<(), CsvError> {
        let mut known: HashMap<(u32, &str), u64> = HashMap::with_capacity(ids.len());
        let mut numbers: Vec<u64> = Vec::with_capacity(ids.len());
        let mut next = vec![0; self.spaces.len()];
        for (row, id) in self.rows.iter().zip(ids) {
            let place = &mut next[row.space as usize];
            let number = self.spaces[row.space as usize].problem.buffers[*place].id;
            *place += 1;
            known.insert((row.space, id), number);
            numbers.push(number);
        }
        let mut groups: Vec<BTreeMap<&str, Vec<u64>>> = vec![BTreeMap::new(); self.spaces.len()];
        let mut pairs: Vec<BTreeSet<[u64; 2]>> = vec![BTreeSet::new(); self.spaces.len()];
        for ((row, number), (rule, apart)) in self.rows.iter().zip(numbers).zip(rules) {
            let space = row.space as usize;
            if let Some(rule) = rule {
                let placements = &mut self.spaces[space].rules.placements;
                placements.push(BankRule { id: number, ..rule });
            }
            for word in apart.split_ascii_whitespace() {
                if word.len() > 1 && word.starts_with('@') {
                    groups[space].entry(word).or_default().push(number);
                } else if let Some(&other) = known.get(&(row.space, word)) {
                    pairs[space].insert([number.min(other), number.max(other)]);
                } else {
                    let column = self.columns.number(Column::Apart).unwrap_or(1);
                    let reason = Reason::Apart(excerpt(word));
                    return Err(at(self.line(row), (column, reason)));
                }
            }
        }
        for ((space, groups), pairs) in self.spaces.iter_mut().zip(groups).zip(pairs) {
            let pairs = pairs.into_iter().map(|pair| pair.to_vec());
            space.rules.apart = groups.into_values().chain(pairs).collect();
        }
        Ok(())
    }

    /// The first line with a rule for banks.
    pub fn bank_rule(&self) -> Option<usize> {
        let row = self.rows.iter().find(|row| row.has_rule)?;
        Some(self.line(row))
    }

    /// The columns of unknown names, which are kept and not read: number, counted from 1, name, and the known name
    /// that is most like it.
    pub fn unknown_columns(&self) -> impl Iterator<Item = (usize, &str, Option<&'static str>)> {
        let unknown = self.columns.unknown.iter();
        unknown.map(|(number, name)| (*number, name.as_str(), nearest(name)))
    }

    /// The problem of a text with one memory space.
    pub(super) fn into_single_problem(mut self) -> Result<Problem, CsvError> {
        let Some(second) = self.rows.iter().find(|row| row.space > 0) else {
            return Ok(self
                .spaces
                .pop()
                .map(|space| space.problem)
                .unwrap_or_default());
        };
        let name = |space: usize| excerpt(&self.spaces[space].name);
        let column = self.columns.number(Column::Space).unwrap_or(1);
        let reason = Reason::Spaces {
            first: name(0),
            second: name(second.space as usize),
        };
        Err(at(self.line(second), (column, reason)))
    }

    /// The number of buffers in all spaces.
    pub fn buffers(&self) -> usize {
        self.rows.len()
    }

    /// Whether the text has a column for memory spaces.
    pub fn has_spaces(&self) -> bool {
        self.columns.number(Column::Space).is_some()
    }

    /// The first line without an offset whose buffer is active. `None` if the text is solved.
    pub fn unsolved(&self) -> Option<usize> {
        let mut next = vec![0; self.spaces.len()];
        let row = self.rows.iter().find(|row| {
            let space = row.space as usize;
            let buffer = &self.spaces[space].problem.buffers[next[space]];
            next[space] += 1;
            buffer.is_active() && buffer.fixed_offset.is_none()
        })?;
        Some(self.line(row))
    }

    /// The text with the offsets of the solutions, one for each space, in the column `offset`,
    /// which is added if it is missing. The rest stays the same, except that empty lines are
    /// dropped and line ends are normalized.
    ///
    /// Fields stay empty if there are fewer solutions than spaces or fewer offsets than buffers.
    pub fn with_offsets(&self, solutions: &[Solution]) -> String {
        let offset = self.columns.number(Column::Offset);
        let mut out = String::with_capacity(self.text.len() + 12 * self.rows.len());
        push_line(&mut out, line_at(self.text, self.header), offset, "offset");
        let mut next = vec![0; self.spaces.len()];
        let mut number = String::new();
        for row in &self.rows {
            let space = row.space as usize;
            let offsets = solutions.get(space).map(|solution| &solution.offsets);
            number.clear();
            if let Some(offset) = offsets.and_then(|offsets| offsets.get(next[space])) {
                _ = write!(number, "{offset}");
            }
            next[space] += 1;
            push_line(&mut out, line_at(self.text, row.start), offset, &number);
        }
        out
    }

    fn space(&mut self, name: &str) -> u32 {
        self.spaces.push(Space {
            name: name.to_owned(),
            problem: Problem::default(),
            labels: Labels::default(),
            rules: BankRules::default(),
        });
        self.spaces.len() as u32 - 1
    }

    /// Converts an error of [`Problem::check`] in this space into one with a position: the line of
    /// the later one of the buffers involved. The check may also have run after limits were added
    /// to the problem.
    pub fn locate(&self, space: usize, error: ProblemError) -> CsvError {
        let space_buffers = self.spaces.get(space);
        let buffers = space_buffers.map_or(&[][..], |space| &space.problem.buffers);
        let last = |is: &dyn Fn(u64) -> bool| buffers.iter().rposition(|buffer| is(buffer.id));
        let place = match error {
            ProblemError::DuplicateId { id } => {
                let mut twice = (0..).zip(buffers).filter(|(_, buffer)| buffer.id == id);
                twice.nth(1).map(|(place, _)| place)
            }
            ProblemError::FixedOverlap { first, second } => last(&|id| id == first || id == second),
            ProblemError::FixedForbidden { id, .. }
            | ProblemError::Banks(
                BankError::UnknownBank { id, .. }
                | BankError::ApartTwice { id }
                | BankError::Size { id, .. }
                | BankError::Fixed { id, .. },
            ) => last(&|other| other == id),
            ProblemError::Banks(BankError::FixedTogether(SharedBank { first, second, .. })) => {
                last(&|id| id == first || id == second)
            }
            // Report the buffer that needs most, whether one number or the sum is too large.
            ProblemError::TooLarge => {
                (0..buffers.len()).max_by_key(|&at| needed_addresses(&buffers[at]))
            }
            _ => buffers.len().checked_sub(1),
        };
        let mut rows = self.rows.iter().filter(|row| row.space as usize == space);
        let line = rows.nth(place.unwrap_or(0)).map_or(1, |row| self.line(row));
        let column = match (&error, place.and_then(|place| buffers.get(place))) {
            (ProblemError::TooLarge, Some(buffer)) => row::largest(&self.columns, buffer),
            _ => row::column_of(&self.columns, &error),
        };
        let labels = space_buffers.map(|space| space.labels.clone());
        let reason = Reason::of_problem(error, &labels.unwrap_or_default());
        at(line, (column, reason))
    }

    fn line(&self, row: &Row) -> usize {
        let before = self.text[..row.start].bytes();
        1 + before.filter(|&byte| byte == b'\n').count()
    }
}

fn at(line: usize, (column, reason): FieldError) -> CsvError {
    CsvError {
        line,
        column,
        reason,
    }
}

/// The lines that are not empty: number, start and text.
fn lines(text: &str) -> impl Iterator<Item = (usize, usize, &str)> + Clone {
    let mut start = 0;
    (1..)
        .zip(text.split_inclusive('\n'))
        .map(move |(number, line)| {
            let here = start;
            start += line.len();
            let mark = line.len() - line.trim_start_matches(BYTE_ORDER_MARK).len();
            // Only the very beginning of the text can have a mark.
            let skip = if here == 0 { mark } else { 0 };
            (number, here + skip, without_line_end(&line[skip..]))
        })
        .filter(|(_, _, line)| !line.trim_ascii().is_empty())
}

/// The line that starts at `start`.
fn line_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    without_line_end(rest.split_inclusive('\n').next().unwrap_or(rest))
}

fn without_line_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// Appends the line with `value` as its field `number`, or as a new last field.
fn push_line(out: &mut String, line: &str, number: Option<usize>, value: &str) {
    let Some(number) = number else {
        out.extend([line, ",", value, "\n"]);
        return;
    };
    for (at, field) in (1..).zip(line.split(',')) {
        if at > 1 {
            out.push(',');
        }
        out.push_str(if at == number { value } else { field });
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    const TWO: &str = "space,id,lower,upper,size\n\
        l2,0,0,4,8\n\
        l1,0,0,4,16\n\
        \n\
        l2,1,2,6,8\n";

    fn solutions(table: &Table<'_>, offsets: &[&[u64]]) -> Vec<Solution> {
        let spaces = table.spaces.iter().zip(offsets);
        spaces
            .map(|(space, offsets)| Solution::new(&space.problem, offsets.to_vec()))
            .collect()
    }

    #[test]
    fn each_space_is_a_problem() {
        let table = Table::read(TWO).expect("readable");
        let names: Vec<&str> = table.spaces.iter().map(|space| &*space.name).collect();
        assert_eq!(names, ["l2", "l1"]);
        assert_eq!(
            table.spaces[0].problem.buffers,
            [Buffer::new(0, 8, [(0, 4)]), Buffer::new(1, 8, [(2, 6)])]
        );
        assert_eq!(table.spaces[1].problem.buffers.len(), 1);
        assert_eq!((table.buffers(), table.has_spaces()), (3, true));
    }

    #[test]
    fn errors_in_a_space_have_the_line_in_the_text() {
        let text = TWO.to_owned() + "l1,5,0,1,1\nl2,1,0,1,1\n";
        let error = Table::read(&text).expect_err("an id twice");
        assert_eq!(
            error.to_string(),
            "line 7, column 2: two buffers have the id 1"
        );
    }

    #[test]
    fn offsets_are_added_and_nothing_else_changes() {
        let table = Table::read(TWO).expect("readable");
        assert_eq!(
            table.with_offsets(&solutions(&table, &[&[0, 8], &[32]])),
            "space,id,lower,upper,size,offset\nl2,0,0,4,8,0\nl1,0,0,4,16,32\nl2,1,2,6,8,8\n"
        );
    }

    #[test]
    fn offsets_are_filled_in_where_there_is_a_column() {
        let text = "\u{feff}id,offset,start,end,size,gaps,hint\r\n3, -1,0, 9,8,2-3@0:4,5\r\n4,8,0,9,8,,\r\n";
        let table = Table::read(text).expect("readable");
        assert_eq!(table.unsolved(), Some(2));
        let solved = table.with_offsets(&solutions(&table, &[&[0, 8]]));
        assert_eq!(
            solved,
            "id,offset,start,end,size,gaps,hint\n3,0,0, 9,8,2-3@0:4,5\n4,8,0,9,8,,\n"
        );
        let again = Table::read(&solved).expect("readable");
        assert_eq!(again.unsolved(), None);
        assert_eq!(again.with_offsets(&[]).matches(",0,0, 9").count(), 0);
    }

    #[test]
    fn unknown_columns_are_kept_and_named() {
        let text = "id,note,lower,upper,size,Alignement\n1,a,0,2,4,x\n";
        let table = Table::read(text).expect("readable");
        let unknown: Vec<_> = table.unknown_columns().collect();
        assert_eq!(
            unknown,
            [(2, "note", None), (6, "Alignement", Some("alignment"))]
        );
        assert_eq!(
            table.with_offsets(&solutions(&table, &[&[0]])),
            "id,note,lower,upper,size,Alignement,offset\n1,a,0,2,4,x,0\n"
        );
    }

    #[test]
    fn rules_for_banks_are_those_of_the_space() {
        let text = "space,id,lower,upper,size,bank,apart\n\
            s,a,0,4,8,any 0 1,@g b\nt,b,0,4,8,2,\ns,b,0,4,8,,@g @h a\ns,c,0,4,8,,@g\n";
        let mut table = Table::read(text).expect("readable");
        assert_eq!(table.bank_rule(), Some(2));
        let rule = |id, banks: &[u32], crosses| BankRule {
            id,
            banks: banks.to_vec(),
            crosses,
        };
        let rules = [
            BankRules {
                placements: vec![rule(0, &[0, 1], true)],
                apart: vec![vec![0, 1, 2], vec![1], vec![0, 1]],
            },
            BankRules {
                placements: vec![rule(1, &[2], false)],
                apart: Vec::new(),
            },
        ];
        assert_eq!(
            [&table.spaces[0].rules, &table.spaces[1].rules],
            [&rules[0], &rules[1]]
        );
        table.spaces[0].set_banks(BankLayout::equal(2, 16).expect("banks"));
        assert_eq!(table.spaces[0].problem.check(), Ok(()));
        let plain = Table::read(TWO).expect("readable");
        assert!(plain.bank_rule().is_none() && plain.spaces[0].rules.is_empty());
    }

    #[test]
    fn errors_in_rules_have_a_position() {
        let error = |bank: &str, apart: &str| {
            let text =
                format!("id,lower,upper,size,bank,apart\n0,0,1,1,,\n1,0,1,1,{bank},{apart}\n");
            Table::read(&text).expect_err("an error").to_string()
        };
        let bank = "write numbers of banks, and any where the buffer may cross from bank to bank";
        assert_eq!(
            error("0 x", ""),
            format!("line 3, column 5: '0 x' is not a bank: {bank}")
        );
        assert_eq!(
            error("-1", ""),
            format!("line 3, column 5: '-1' is not a bank: {bank}")
        );
        for word in ["2", "@"] {
            assert_eq!(
                error("", &format!("0 {word}")),
                format!(
                    "line 3, column 6: '{word}' is no buffer of this memory space: write ids, or @NAME for a group"
                )
            );
        }
    }

    #[test]
    fn errors_of_banks_have_the_line_of_the_buffer() {
        let text = "id,lower,upper,size,bank,apart,offset\n4,0,1,8,1,,\n5,0,1,2,,4,3\n6,0,1,1,,,\n";
        let located = |text: &str, sizes: &[u64]| {
            let mut table = Table::read(text).expect("readable");
            table.spaces[0].set_banks(BankLayout::of_sizes(sizes).expect("banks"));
            let error = table.spaces[0].problem.check().expect_err("an error");
            table.locate(0, error).to_string()
        };
        assert_eq!(
            located(text, &[9]),
            "line 2, column 5: buffer 4 names bank 1, and the last bank is 0"
        );
        assert_eq!(
            located(text, &[9, 7]),
            "line 2, column 4: buffer 4 has 8 bytes, and its banks have at most 7"
        );
        assert_eq!(
            located(text, &[4, 8]),
            "line 3, column 7: buffer 5 is fixed at offset 3, where it is not in its banks"
        );
        let fixed = text.replace("8,1,,", "1,,,2");
        assert_eq!(
            located(&fixed, &[5, 8]),
            "line 3, column 7: buffers 4 and 5 must be apart, and are live at once and fixed in bank 0"
        );
        let twice = text.replace(",4,3", ",5,");
        assert_eq!(
            located(&twice, &[8, 8]),
            "line 3, column 6: buffer 5 is in a group of buffers that are apart twice"
        );
    }

    #[test]
    fn labels_are_the_ids_and_times_of_the_text() {
        let table = Table::read("id,lower,upper,size\nconv1,-3,2,4\nfc,1,3,4\n").expect("readable");
        let labels = &table.spaces[0].labels;
        assert_eq!((labels.buffer(1), labels.time(4)), ("fc".into(), 1));
        let table = Table::read("id,lower,upper,size\n40,3,4,4\n").expect("readable");
        let labels = &table.spaces[0].labels;
        assert_eq!((labels.buffer(40), labels.time(4)), ("40".into(), 4));
    }

    #[test]
    fn a_buffer_that_is_never_live_needs_no_offset() {
        let text = "id,lower,upper,size\n0,3,3,8\n1,0,3,0\n";
        assert_eq!(Table::read(text).expect("readable").unsolved(), None);
    }
}
