//! Properties of problems as CSV, and CSV texts for tests.

use crate::case::TestCase;
use memplan_planner::{Buffer, Planner, Solution, csv};

/// Writing and reading a problem gives the same problem.
pub fn check_csv(case: &TestCase) {
    let mut problem = case.without_forbidden().problem();
    let text = csv::write(&problem, None);
    for buffer in &mut problem.buffers {
        buffer.live.dedup_by(|next, previous| {
            let touch = previous.end == next.start;
            if touch {
                previous.end = next.end;
            }
            touch
        });
    }
    assert_eq!(csv::read(&text), Ok(problem));
}

/// Any text is read, or is an error with a position in the text. A text that is read can be solved,
/// and the text with offsets is read as the same problem.
pub fn check_csv_text(text: &str) {
    let table = match csv::Table::read(text) {
        Ok(table) => table,
        Err(error) => {
            let lines = text.split('\n').count();
            assert!(
                (1..=lines).contains(&error.line),
                "{error} in {lines} lines"
            );
            let fields = text.split('\n').nth(error.line - 1).unwrap_or("");
            let fields = fields.split(',').count();
            assert!(
                (1..=fields).contains(&error.column),
                "{error} in {fields} fields"
            );
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            return;
        }
    };
    let solve = |space: &csv::Space| {
        Planner::FirstFit
            .solve(&space.problem)
            .expect("a plan")
            .solution
    };
    let solutions: Vec<Solution> = table.spaces.iter().map(solve).collect();
    let solved = table.with_offsets(&solutions);
    let again = csv::Table::read(&solved).expect("what was written is readable");
    assert_eq!(again.unsolved(), None);
    assert_eq!(again.spaces.len(), table.spaces.len());
    for ((before, after), solution) in table.spaces.iter().zip(&again.spaces).zip(&solutions) {
        assert_eq!(before.name, after.name);
        let fixed = before.problem.buffers.iter().zip(&solution.offsets);
        let fixed: Vec<Buffer> = fixed
            .map(|(buffer, &offset)| buffer.clone().fixed_at(offset))
            .collect();
        assert_eq!(after.problem.buffers, fixed);
    }
    assert_eq!(again.with_offsets(&solutions), solved);
}

/// A text that is most likely malformed: the CSV of a case with some bytes changed, removed or
/// inserted. Each edit is a position and an operation.
pub fn mutated_csv(case: &TestCase, spaces: bool, edits: &[(u16, u8)]) -> String {
    const ODD: &[u8] = b",,\n\r\"-@: 0917x\xff\xef\xbb\xbf;\t+";
    let mut text = csv::write(&case.problem(), None);
    if spaces {
        let lines = text.lines().enumerate().map(|(number, line)| match number {
            0 => format!("{line},space\n"),
            _ => format!("{line},{}\n", number % 3),
        });
        text = lines.collect();
    }
    let mut bytes = text.into_bytes();
    for &(place, edit) in edits {
        let place = usize::from(place) % bytes.len().max(1);
        let odd = ODD[usize::from(edit) % ODD.len()];
        match edit / 64 {
            0 if !bytes.is_empty() => _ = bytes.remove(place),
            1 => bytes.insert(place, odd),
            2 => bytes.truncate(place),
            _ if !bytes.is_empty() => bytes[place] = odd,
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
