//! From arrays to a problem of the planner.

use memplan_planner::{Buffer, Problem};
use numpy::ndarray::{ArrayView1, ArrayView2};

/// The arrays that describe buffers, one entry for each. Sizes are in bytes.
pub struct Arrays<'a> {
    pub lower: ArrayView1<'a, i64>,
    pub upper: ArrayView1<'a, i64>,
    pub size: ArrayView1<'a, i64>,
    pub alignment: Option<ArrayView1<'a, i64>>,
    /// Fixed offsets; -1 where there is none.
    pub offset: Option<ArrayView1<'a, i64>>,
    /// A row for each gap: the index of a buffer, the first time of the gap, and the first one after it. Two more columns are
    /// the bytes that stay in use meanwhile, from and up to.
    pub gaps: Option<ArrayView2<'a, i64>>,
}

impl Arrays<'_> {
    /// The problem. Times count from the first one.
    ///
    /// # Errors
    ///
    /// Says which array, and which entry of it, is wrong.
    pub fn problem(&self, capacity: Option<u64>) -> Result<Problem, String> {
        let count = self.lower.len();
        let lengths = [
            ("upper", Some(self.upper.len())),
            ("size", Some(self.size.len())),
            ("alignment", self.alignment.map(|array| array.len())),
            ("offset", self.offset.map(|array| array.len())),
        ];
        for (name, length) in lengths {
            if let Some(length) = length.filter(|length| *length != count) {
                return Err(format!(
                    "{name} has {length} entries, and lower has {count}"
                ));
            }
        }
        let first = self.lower.iter().copied().min().unwrap_or(0);
        let mut gaps = self.gaps_of_buffers(count)?;
        let mut buffers = Vec::with_capacity(count);
        for (index, mut gaps) in gaps.iter_mut().map(std::mem::take).enumerate() {
            buffers.push(self.buffer(index, first, &mut gaps)?);
        }
        let mut problem = Problem {
            buffers,
            ..Problem::default()
        };
        problem.capacity = capacity;
        problem.check().map_err(|error| error.to_string())?;
        Ok(problem)
    }

    fn gaps_of_buffers(&self, count: usize) -> Result<Vec<Vec<Gap>>, String> {
        let mut of_buffers = vec![Vec::new(); count];
        let Some(gaps) = self.gaps else {
            return Ok(of_buffers);
        };
        let columns = gaps.ncols();
        if gaps.nrows() > 0 && columns != 3 && columns != 5 {
            return Err(format!("gaps has {columns} columns, and needs 3 or 5"));
        }
        for (number, row) in gaps.outer_iter().enumerate() {
            let wrong = |why: &str| format!("gaps[{number}] {why}");
            let index = usize::try_from(row[0]).ok();
            let list = index.and_then(|index| of_buffers.get_mut(index));
            let list =
                list.ok_or_else(|| wrong(&format!("is of buffer {}, which is not there", row[0])))?;
            let bytes = match columns {
                5 => {
                    let byte = |column: usize| {
                        u64::try_from(row[column]).map_err(|_| wrong("has a negative byte"))
                    };
                    Some((byte(3)?, byte(4)?))
                }
                _ => None,
            };
            list.push(Gap {
                number,
                start: row[1],
                end: row[2],
                bytes,
            });
        }
        Ok(of_buffers)
    }

    fn buffer(&self, index: usize, first: i64, gaps: &mut [Gap]) -> Result<Buffer, String> {
        let (lower, upper) = (self.lower[index], self.upper[index]);
        if upper < lower {
            return Err(format!(
                "upper[{index}] is {upper}, before lower, which is {lower}"
            ));
        }
        let size = number("size", index, self.size[index])?;
        let since = |time: i64| time.abs_diff(first);
        gaps.sort_by_key(|gap| gap.start);
        let mut live = Vec::new();
        let mut windows = Vec::new();
        let mut from = lower;
        for gap in &*gaps {
            let Gap {
                number, start, end, ..
            } = *gap;
            if start < from || start >= end || end > upper {
                return Err(format!(
                    "gaps[{number}] is from {start} to {end}, which is not after the gaps before it and inside the life of buffer {index}"
                ));
            }
            if from < start {
                live.push((since(from), since(start)));
            }
            if let Some((low, high)) = gap.bytes.filter(|(low, high)| low < high) {
                if high > size {
                    return Err(format!("gaps[{number}] keeps bytes up to {high} of {size}"));
                }
                windows.push(((since(start), since(end)), low, high));
            }
            from = end;
        }
        if from < upper {
            live.push((since(from), since(upper)));
        }
        let mut buffer = Buffer::new(index as u64, size, live);
        for (times, low, high) in windows {
            buffer = buffer.with_window(times, low, high);
        }
        if let Some(alignment) = self.alignment {
            buffer.alignment = number("alignment", index, alignment[index])?;
        }
        if let Some(offset) = self.offset
            && offset[index] != -1
        {
            buffer.fixed_offset = Some(number("offset", index, offset[index])?);
        }
        Ok(buffer)
    }
}

/// A gap in the life of a buffer.
#[derive(Clone)]
struct Gap {
    /// The row.
    number: usize,
    start: i64,
    end: i64,
    /// The bytes that stay in use, from and up to.
    bytes: Option<(u64, u64)>,
}

fn number(name: &str, index: usize, value: i64) -> Result<u64, String> {
    u64::try_from(value)
        .map_err(|_| format!("{name}[{index}] is {value}, and must not be negative"))
}
