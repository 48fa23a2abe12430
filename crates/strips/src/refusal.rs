//! Why operations do not run strip by strip together.

use crate::program::MOST_ROWS;
use thiserror::Error;

/// Why a range of nodes is no chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Error)]
pub enum Refusal {
    /// Two indices of an access use the split loop.
    #[error("a loop is in two indices of an access")]
    Diagonal,
    /// A view mixes the dimension with others.
    #[error("a view mixes the dimension with others")]
    View,
    /// An index falls where the loop rises.
    #[error("an index falls where its loop rises")]
    Backwards,
    /// A write, or an access through grouped dimensions, touches several rows in an iteration.
    #[error("a write touches several rows at a time")]
    Window,
    /// A node or a buffer is reached along two dimensions.
    #[error("two dimensions would be split")]
    TwoDimensions,
    /// A node's accesses are not known.
    #[error("it is not known which elements an operation touches")]
    Opaque,
    /// There is one row.
    #[error("the dimension has one row")]
    OneRow,
    /// There are more rows than a check of the strips follows.
    #[error("the dimension has more than {MOST_ROWS} rows")]
    ManyRows,
    /// A parallel loop writes the same element in each iteration.
    #[error("each strip would write the same elements")]
    WrittenWhole,
    /// A buffer is split, and used whole.
    #[error("an operation needs all of a buffer that is made in strips")]
    Whole,
    /// A node that cannot move is in the range.
    #[error("an operation has effects that cannot move")]
    Fence,
    /// An assertion may guard an operation that would run before it.
    #[error("an assertion may guard an operation that would run before it")]
    Guarded,
    /// A node of the range cannot run before the strips.
    #[error("an operation between needs what the strips make")]
    Between,
    /// Sums would be added in another order.
    #[error("sums would be added in another order")]
    Order,
    /// Another node uses a result before all strips are added.
    #[error("a sum is used before it is complete")]
    Accumulator,
    /// Nothing that the chain makes is used.
    #[error("nothing that it makes is used")]
    NoResult,
    /// A buffer is written again after it was read.
    #[error("a buffer is written again after it was read")]
    WrittenAgain,
    /// Results advance at rates that do not fit.
    #[error("rows advance at rates that do not fit")]
    Rates,
    /// What makes the rows of a buffer cannot be repeated alone.
    #[error(
        "an operation whose rows would be computed again has several results, or makes groups of rows"
    )]
    Again,
    /// It has more nodes than the limits allow.
    #[error("the first and the last operation that use it are far apart")]
    Long,
    /// No split loop reaches the buffer.
    #[error("no dimension of the last operation that uses it reaches it")]
    Apart,
    /// It copies more between strips than the limits allow.
    #[error("it would copy more bytes between strips than `max-copy` allows")]
    Copies,
    /// It has more strips than the limits allow.
    #[error("it would take too many strips")]
    Strips,
    /// Rows are beside each other, and there are too few of them.
    #[error("strips would be narrower than a vector")]
    Narrow,
    /// All rows are one strip.
    #[error("all rows are one strip")]
    OneStrip,
}
