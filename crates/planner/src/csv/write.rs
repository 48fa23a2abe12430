//! Writes a problem and a solution as CSV text.

use crate::{Buffer, LiveRange, Problem, Solution};
use std::fmt::Write;

/// The CSV of a problem. The column `offset` holds the offsets of the solution if there is one,
/// else the fixed offsets.
///
/// Columns without information are left out: `alignment` if all are 1, `gaps` if no buffer has
/// holes, `offset` if there is no solution and no fixed offset. [`read`](super::read()) restores
/// the problem, except that
/// * the capacity, the forbidden ranges and the banks with their rules are lost,
/// * live ranges that touch become one, and
/// * with a solution, free offsets become fixed.
///
/// [`Table::with_offsets`](super::Table::with_offsets) keeps the other fields of an existing text.
pub fn write(problem: &Problem, solution: Option<&Solution>) -> String {
    let buffers = &problem.buffers;
    let alignment = buffers.iter().any(|buffer| buffer.alignment != 1);
    let gaps = buffers.iter().any(|buffer| !gaps(buffer).is_empty());
    let offset = solution.is_some() || buffers.iter().any(|buffer| buffer.fixed_offset.is_some());

    let mut text = String::from("id,lower,upper,size");
    for (there, name) in [
        (alignment, ",alignment"),
        (gaps, ",gaps"),
        (offset, ",offset"),
    ] {
        text.push_str(if there { name } else { "" });
    }
    text.push('\n');
    for (index, buffer) in buffers.iter().enumerate() {
        let times = || buffer.uses().map(|(time, ..)| time);
        let lower = times().map(|time| time.start).min().unwrap_or(0);
        let upper = times().map(|time| time.end).max().unwrap_or(0);
        // Writing to a String never fails.
        _ = write!(text, "{},{lower},{upper},{}", buffer.id, buffer.size);
        if alignment {
            _ = write!(text, ",{}", buffer.alignment);
        }
        if gaps {
            text.push(',');
            text.push_str(&self::gaps(buffer).join(" "));
        }
        if offset {
            text.push(',');
            let offset = solution.map_or(buffer.fixed_offset, |solution| {
                solution.offsets.get(index).copied()
            });
            if let Some(offset) = offset {
                _ = write!(text, "{offset}");
            }
        }
        text.push('\n');
    }
    text
}

/// The gaps of a buffer, as text.
fn gaps(buffer: &Buffer) -> Vec<String> {
    let mut uses: Vec<(LiveRange, u64, u64)> = buffer.uses().collect();
    uses.sort_unstable();
    let mut gaps = Vec::new();
    let mut end = uses.first().map_or(0, |(time, ..)| time.start);
    for (time, low, high) in uses {
        if end < time.start {
            gaps.push(format!("{end}-{}", time.start));
        }
        if (low, high) != (0, buffer.size) {
            gaps.push(format!("{}-{}@{low}:{high}", time.start, time.end));
        }
        end = time.end;
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::read;

    #[test]
    fn written_text_can_be_read() {
        let problem = Problem::new(vec![
            Buffer::new(4, 100, [(0, 3), (5, 9)]).aligned(64),
            Buffer::new(2, 7, [(1, 2)]).fixed_at(3),
            Buffer::new(9, 7, []),
        ])
        .expect("valid");
        let text = write(&problem, None);
        assert_eq!(
            text,
            "id,lower,upper,size,alignment,gaps,offset\n4,0,9,100,64,3-5,\n2,1,2,7,1,,3\n9,0,0,7,1,,\n"
        );
        assert_eq!(read(&text), Ok(problem));
    }

    #[test]
    fn a_solution_fills_the_offsets() {
        let problem = Problem::new(vec![
            Buffer::new(0, 8, [(0, 2)]),
            Buffer::new(1, 8, [(1, 3)]),
        ])
        .expect("valid");
        let solution = Solution::new(&problem, vec![8, 0]);
        assert_eq!(
            write(&problem, Some(&solution)),
            "id,lower,upper,size,offset\n0,0,2,8,8\n1,1,3,8,0\n"
        );
    }
}
