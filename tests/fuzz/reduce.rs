//! Reduces a failing program: spans of its choices are dropped, then choices are made smaller, as long as the
//! program fails in the same way.

use super::generate::Program;

/// The smallest program found for which `fails` is true, as it is for `program`. Tries at most so many programs.
pub fn reduce(program: Program, most: usize, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    let mut tries = 0;
    let mut attempt = |choices: Vec<u32>, best: &mut Program| {
        if tries >= most {
            return false;
        }
        let smaller = best.replayed(choices);
        if smaller.text.len() >= best.text.len() || smaller.text == best.text {
            return false;
        }
        tries += 1;
        let holds = fails(&smaller);
        if holds {
            *best = smaller;
        }
        holds
    };
    let mut shrinks = true;
    while shrinks {
        shrinks = false;
        // Long spans first; among equals the last ones first, as others do not depend on them.
        let mut at = 0;
        loop {
            let mut spans = best.spans.clone();
            spans
                .sort_by_key(|span| (std::cmp::Reverse(span.len()), std::cmp::Reverse(span.start)));
            let Some(span) = spans.get(at).cloned() else {
                break;
            };
            let mut choices = best.choices.clone();
            choices.drain(span);
            if attempt(choices, &mut best) {
                shrinks = true;
            } else {
                at += 1;
            }
        }
        for at in 0..best.choices.len() {
            for plainer in [0, 1] {
                if best.choices.get(at).is_some_and(|choice| *choice > plainer) {
                    let mut choices = best.choices.clone();
                    choices[at] = plainer;
                    if attempt(choices, &mut best) {
                        shrinks = true;
                        break;
                    }
                }
            }
        }
    }
    best
}
