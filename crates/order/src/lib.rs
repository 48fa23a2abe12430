//! Units of work from one producer over many workers to one writer, in the order in which they were given.
//!
//! How many workers there are does not show in what the writer takes. All is bounded: between the unit that the writer
//! awaits and the newest there are never more than the window. Whoever fails abandons the [`Flow`], and every wait
//! ends: a worker that lets go of a [`Ticket`] does so by itself, and every thread may hold a [`Guard`].
//!
//! ```
//! use memplan_order::Flow;
//!
//! let flow = Flow::new(4);
//! let mut written = Vec::new();
//! std::thread::scope(|scope| {
//!     scope.spawn(|| {
//!         let _guard = flow.guard();
//!         for unit in 0..10 {
//!             if flow.give(unit).is_err() {
//!                 return;
//!             }
//!         }
//!         flow.close();
//!     });
//!     for _ in 0..2 {
//!         scope.spawn(|| {
//!             let _guard = flow.guard();
//!             while let Some((ticket, unit)) = flow.next() {
//!                 ticket.done(unit * unit);
//!             }
//!         });
//!     }
//!     let _guard = flow.guard();
//!     while let Some(results) = flow.take() {
//!         written.extend(results);
//!     }
//! });
//! assert_eq!(written, [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]);
//! ```

#![forbid(unsafe_code)]

mod flow;
mod guard;
mod state;
mod ticket;
mod told;

pub use flow::{Abandoned, Flow};
pub use guard::Guard;
pub use ticket::Ticket;
