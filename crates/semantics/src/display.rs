//! [`OpMemory`] as one line of text: `reads 0; writes 1; result 0 is a view of operand 0`.

use crate::{
    allocators::Allocator,
    op_memory::{Capture, DataStart, Join, OpMemory, Opaque, ResultFact, TokenRef, Touch},
};
use std::fmt::{self, Display, Formatter};

impl Display for OpMemory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut all: Vec<String> = Vec::new();
        if let Some(why) = self.opaque {
            return write!(f, "not followed: {why}");
        }
        if self.is_call {
            all.push("as its callee".to_owned());
        } else {
            self.operands_text(&mut all);
            if self.unnamed.reads {
                all.push("reads other memory".to_owned());
            }
            if self.unnamed.writes {
                all.push("writes other memory".to_owned());
            }
        }
        for used in &self.results {
            all.push(format!("result {} is {}", used.result, used.fact));
        }
        if self.fence && !self.is_call {
            all.push("orders other operations".to_owned());
        }
        if !self.retained.is_empty() {
            all.push(format!("retains {}", numbers(&self.retained)));
        }
        if let Some(start) = &self.start {
            let what = if start.grouped { "transfer" } else { "use" };
            all.push(match start.tokens.as_slice() {
                [] => format!("starts a {what} without a known end"),
                tokens => format!("starts a {what} until {}", tokens_text(tokens)),
            });
        }
        all.extend(self.joins.iter().map(ToString::to_string));
        match all.is_empty() {
            true => f.write_str("nothing"),
            false => f.write_str(&all.join("; ")),
        }
    }
}

impl OpMemory {
    fn operands_text(&self, all: &mut Vec<String>) {
        let mut list = |what: &str, of: &dyn Fn(Touch) -> bool| {
            let named = self.operands.iter().filter(|used| of(used.touch));
            let named: Vec<u32> = named.map(|used| used.operand).collect();
            if !named.is_empty() {
                all.push(format!("{what} {}", numbers(&named)));
            }
        };
        list("reads", &Touch::reads);
        list("writes", &Touch::writes);
        list("reads the descriptor of", &|touch| {
            touch == Touch::Descriptor
        });
        for used in &self.operands {
            let at = used.operand;
            if let Some(frees) = used.frees {
                let flag = frees.flag.map(|flag| format!(" if operand {flag}"));
                let flag = flag.unwrap_or_default();
                all.push(match frees.by {
                    Some(by) => format!("frees {at} to {by}{flag}"),
                    None if frees.is_certain => format!("takes ownership of {at}"),
                    None => format!("may free {at}{flag}"),
                });
            }
            match used.capture {
                Capture::No => {}
                Capture::Inside(memory) => all.push(format!("stores {at} in {memory}")),
                Capture::Anywhere => all.push(format!("captures {at}")),
            }
        }
    }
}

impl Display for Allocator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memref => "memref.dealloc",
            Self::Unnamed => "its own allocator",
            Self::FreedBy(name) => name,
            Self::Program => "the program",
        })
    }
}

impl Display for ResultFact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::New {
                by,
                automatic,
                may_share,
            } => {
                match automatic {
                    true => f.write_str("new memory of its scope")?,
                    false => write!(f, "new memory, freed by {by}")?,
                }
                match may_share {
                    Some(operand) => write!(f, ", or operand {operand}"),
                    None => Ok(()),
                }
            }
            Self::View { of, start } => {
                write!(f, "a view of operand {of}")?;
                match start {
                    DataStart::Same => Ok(()),
                    DataStart::ShiftedBy(operand) => write!(f, ", shifted by operand {operand}"),
                    DataStart::Unknown => f.write_str(", perhaps shifted"),
                }
            }
            Self::AnyOf(of) => write!(f, "one of operands {}", numbers(of)),
            Self::Loaded { from } => write!(f, "loaded from operand {from}"),
            Self::Borrowed => f.write_str("borrowed"),
            Self::Unknown { may_be } if may_be.is_empty() => f.write_str("not followed"),
            Self::Unknown { may_be } => {
                write!(f, "not followed, perhaps of operands {}", numbers(may_be))
            }
            Self::Address { of } if of.is_empty() => f.write_str("not followed"),
            Self::Address { of } => write!(f, "an address of operands {}", numbers(of)),
            Self::Token => f.write_str("a token"),
        }
    }
}

impl Display for TokenRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operand(at) => write!(f, "operand {at}"),
            Self::Result(at) => write!(f, "result {at}"),
            Self::Tag { memref, .. } => write!(f, "the tag in operand {memref}"),
        }
    }
}

impl Display for Join {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wait(tokens) if tokens.is_empty() => f.write_str("waits for nothing"),
            Self::Wait(tokens) => write!(f, "waits for {}", tokens_text(tokens)),
            Self::After { all_of, to } => {
                write!(f, "{to} is done after {}", tokens_text(all_of))
            }
            Self::OneOf { of, to } => write!(f, "{to} is one of {}", tokens_text(of)),
            Self::Group { of, to } => write!(f, "{to} is a group of {}", tokens_text(of)),
            Self::Drain { at_most } => write!(f, "waits until at most {at_most} groups are left"),
        }
    }
}

impl Display for Opaque {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownEffects => "it does not declare its effects",
            Self::Asynchronous => "it is asynchronous, and the wait for it is unknown",
        })
    }
}

fn numbers(all: &[u32]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join(", ")
}

fn tokens_text(all: &[TokenRef]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join(" and ")
}
