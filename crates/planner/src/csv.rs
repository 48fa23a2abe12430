//! MiniMalloc's CSV (google/minimalloc, `converter.cc`).
//!
//! The first line names the columns, in any order; every other line is a buffer:
//!
//! | column | holds |
//! |---|---|
//! | `id` (`buffer`, `buffer_id`) | a number, unique |
//! | `lower` (`start`, `begin`) | first point in time at which the buffer is live |
//! | `upper` | first point after it; where it equals `lower`, the buffer is never live |
//! | `end` | instead of `upper`: the last point at which it is live; moves the ends of gaps, too |
//! | `size` | bytes |
//! | `alignment` | optional; bytes, a power of two; without it 1 |
//! | `gaps` | optional; holes in the live range as `4-6 9-12` |
//! | `offset` | optional; the fixed offset in bytes; nothing or -1 where there is none |
//! | `hint` | optional; ignored |
//!
//! Fields hold no quotes. Blanks around them are dropped, and lines without any field are skipped.

mod read;
mod write;

pub use read::{CsvError, Reason, read};
pub use write::write;
