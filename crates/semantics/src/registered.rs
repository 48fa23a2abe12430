//! What an embedder has registered for an operation stands in for its interfaces and for the table.

use crate::{
    allocators::Allocator,
    op_memory::{Capture, DataStart, Frees, Join, ResultFact, Start, Touch, Uses},
    subject::{Operands, Subject},
    types::TypeClass,
};
use memplan_mlir::rules::Rules;

pub(crate) fn describe(subject: &mut Subject<'_, '_>, rules: &Rules) {
    if let Some(source) = rules.views {
        subject.views(Operands::Number(source as u32), DataStart::Unknown);
    }
    for used in &mut subject.memory.operands {
        let at = used.operand as usize;
        if subject.operands[at].1 != TypeClass::Memref {
            continue;
        }
        let is_written = rules.writes.contains(&at)
            || rules.overwrites.contains(&at)
            || rules.in_step.iter().any(|(_, written)| *written == at);
        let is_read =
            rules.reads.contains(&at) || rules.in_step.iter().any(|(read, _)| *read == at);
        let is_freed = rules.frees.contains(&at);
        let is_captured = rules.keeps.contains(&at);
        let is_viewed = rules.views == Some(at);
        if is_written {
            used.touch = used.touch.and(Touch::WRITE);
        }
        // A memref that no rule names is read.
        if is_read || !(is_written || is_freed || is_captured || is_viewed) {
            used.touch = used.touch.and(Touch::READ);
        }
        if is_captured {
            used.capture = Capture::Anywhere;
        }
        if is_freed {
            used.frees = Some(Frees {
                by: Some(Allocator::Program),
                flag: None,
            });
        }
    }
    results(subject, rules);
    let tokens = subject.result_tokens();
    if rules.goes_on {
        subject.memory.start = Some(Start {
            uses: Uses::Operands,
            tokens,
            grouped: false,
        });
    }
    match (rules.waits, rules.goes_on) {
        // It starts when these are done.
        (true, true) => subject.joins(),
        (true, false) => {
            let tokens = subject.operand_tokens();
            subject.memory.joins.push(Join::Wait(tokens));
        }
        (false, _) => {}
    }
}

fn results(subject: &mut Subject<'_, '_>, rules: &Rules) {
    let operands = subject.select(Operands::All);
    for at in 0..subject.results.len() {
        let class = subject.results[at].1;
        if class == TypeClass::Data || subject.memory.result(at).is_some() {
            continue;
        }
        let fact = if rules.makes.contains(&at) {
            ResultFact::New {
                by: Allocator::Program,
                automatic: false,
                may_share: None,
            }
        } else if class.is_token() {
            ResultFact::Token
        } else if class == TypeClass::Memref {
            ResultFact::Unknown {
                may_be: operands.clone(),
            }
        } else {
            ResultFact::Address {
                of: operands.clone(),
            }
        };
        subject.memory.set_result(at as u32, fact);
    }
}
