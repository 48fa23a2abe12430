//! Problem and solution to text.

use crate::{Buffer, Problem, Solution};
use std::fmt::Write;

/// The CSV of a problem; with a solution, the `offset` column holds its offsets, else the fixed ones.
///
/// Columns that would say nothing are left out: `alignment` where all are 1, `gaps` where no buffer
/// has holes, `offset` without solution where none is fixed. [`read`](super::read()) gives the same
/// problem back, but for the capacity, for live ranges that touch, which become one, and with a
/// solution for offsets that were free and are fixed then.
pub fn write(problem: &Problem, solution: Option<&Solution>) -> String {
    let buffers = &problem.buffers;
    let alignment = buffers.iter().any(|buffer| buffer.alignment != 1);
    let gaps = buffers.iter().any(|buffer| buffer.live.len() > 1);
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
        let lower = buffer.live.first().map_or(0, |range| range.start);
        let upper = buffer.live.last().map_or(0, |range| range.end);
        let mut line = format!("{},{lower},{upper},{}", buffer.id, buffer.size);
        if alignment {
            add(&mut line, buffer.alignment);
        }
        if gaps {
            add(&mut line, gaps_of(buffer));
        }
        if offset {
            let offset = solution.map_or(buffer.fixed_offset, |solution| {
                solution.offsets.get(index).copied()
            });
            add(
                &mut line,
                offset.map_or(String::new(), |offset| offset.to_string()),
            );
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn add(line: &mut String, field: impl std::fmt::Display) {
    write!(line, ",{field}").expect("a String takes everything");
}

fn gaps_of(buffer: &Buffer) -> String {
    let holes = buffer
        .live
        .windows(2)
        .filter(|pair| pair[0].end < pair[1].start);
    let gaps: Vec<String> = holes
        .map(|pair| format!("{}-{}", pair[0].end, pair[1].start))
        .collect();
    gaps.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::read;

    #[test]
    fn what_is_written_can_be_read() {
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
