//! MiniMalloc's CSV (google/minimalloc, `converter.cc`).
//!
//! The first line names the columns, in any order; every other line is a buffer:
//!
//! | column | holds |
//! |---|---|
//! | `id` (`buffer`, `buffer_id`) | a number or a name, unique |
//! | `lower` (`start`, `begin`) | first point in time at which the buffer is live |
//! | `upper` | first point after it; where it equals `lower`, the buffer is never live |
//! | `end` | instead of `upper`: the last point at which it is live; moves the ends of gaps, too |
//! | `size` | bytes |
//! | `alignment` | optional; bytes, any number but 0; where it is empty or missing 1 |
//! | `gaps` | optional; holes in the live range as `4-6 9-12` |
//! | `offset` | optional; the fixed offset in bytes; nothing or -1 where there is none |
//! | `hint` | optional; a number, nothing or -1; ignored |
//! | `space` | optional; the memory space, any text; buffers of different spaces share nothing |
//! | `bank` | optional; the banks in which the buffer may be, as `0` or `0 2`; with `any`, it may cross from bank to bank |
//! | `apart` | optional; ids of buffers that are in no bank of this one, or names of groups, as `3 4 @g`, none of which have a blank |
//!
//! A gap `4-6@16:32` keeps the bytes from 16 to 32 of the buffer in use from 4 to 6 ([`Window`](crate::Window)).
//! The columns `bank` and `apart` become rules of [`Space`]; [`banks`](crate::banks) says what they mean.
//! Times are whole numbers, which may be negative. Columns of other names are kept and not read.
//!
//! Fields have no quotes. Blanks around a field are dropped, and empty lines are skipped. Lines end
//! with a line feed, or with a carriage return and a line feed. Ids are unique in a memory space.
//!
//! | step | module |
//! |---|---|
//! | parse the header line | `columns` |
//! | parse the other lines | `row` |
//! | the ids and times of the text | `labels` |
//! | group the problems by memory space; write offsets into the text | `table` |
//! | errors | `error` |
//! | write a problem that was not read from text | `write` |

mod columns;
mod error;
mod labels;
mod read;
mod row;
mod table;
mod write;

pub use error::{CsvError, Reason};
pub use labels::Labels;
pub use read::read;
pub use table::{Space, Table};
pub use write::write;
