//! Allowed contradictions between memory semantics and facts.

use crate::facts::Fact;

/// An operation whose memory semantics lack a fact, and the reason why that is correct.
pub struct Exception {
    pub name: &'static str,
    pub fact: Fact,
    pub why: &'static str,
}

pub const EXCEPTIONS: &[Exception] = &[
    Exception {
        name: "async.await",
        fact: Fact::Reads,
        why: "what is read is the descriptor that the awaited value holds, no byte of its memref",
    },
    Exception {
        name: "async.runtime.load",
        fact: Fact::Reads,
        why: "what is read is the descriptor that the value holds, no byte of its memref",
    },
    Exception {
        name: "async.runtime.store",
        fact: Fact::Writes,
        why: "what is written is the descriptor that the value holds, no byte of a memref",
    },
    Exception {
        name: "llvm.alloca",
        fact: Fact::New,
        why: "memory that pointers refer to is neither planned nor freed",
    },
    Exception {
        name: "nvgpu.mbarrier.arrive",
        fact: Fact::Asynchronous,
        why: "its token is the number of a phase: what it waits for is synchronous",
    },
    Exception {
        name: "nvgpu.mbarrier.arrive.nocomplete",
        fact: Fact::Asynchronous,
        why: "its token is the number of a phase: what it waits for is synchronous",
    },
];
