//! Bounded transfer of work from one producer through many workers to one writer, in the order of the producer.
//!
//! The order in which the writer receives units does not depend on the number of workers. The number of units from
//! the one that the writer waits for to the newest one is at most the window. A thread that fails abandons the
//! [`Flow`], which ends every wait: a worker that drops a [`Ticket`] does so implicitly, and any thread may hold a
//! [`Guard`].
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
//!             if flow.push(unit).is_err() {
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
mod valgrind;

pub use flow::{Abandoned, Flow};
pub use guard::Guard;
pub use ticket::Ticket;
