//! Work for several threads, whose results are taken in the order in which it was given.
//!
//! One thread [gives](Flow::give) units, any number of workers take the [next](Flow::next) one each, and one thread
//! [takes](Flow::take) what they made, in the order in which the units were given: whatever the threads do, it sees the same.
//! A worker may find that a unit is several: it [comes apart](Ticket::come_apart), and its parts are worked on by all.
//!
//! There are never more units on the way than the window has room for. That cannot lead to a standstill: the unit that the
//! writer waits for has been given, and so is with a worker, or in front of all others that wait for one.

#![forbid(unsafe_code)]

mod flow;
mod state;
mod sync;

pub use flow::{Abandoned, Flow, Ticket};
