//! Operations of another compiler, which describes what they do to memory, and planners of others.

mod memory;
mod ownership;
mod refused;
mod registering;
mod setup;
mod tokens;
