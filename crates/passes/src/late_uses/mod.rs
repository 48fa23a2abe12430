//! Buffers whose late uses use another buffer: one that is computed again, or that is a copy.
//!
//! [`Blocks`] has the steps of a function, [`BufferUses`] the uses of a buffer in one block, and [`Rewrite`] lets late uses
//! use another buffer.

mod blocks;
mod handed;
mod rewrite;
mod uses;

pub use blocks::{Blocks, Step};
pub use handed::Handed;
pub use rewrite::{Again, Rewrite, Substitutes};
pub use uses::{BufferUses, Touch, is_view, pending};
