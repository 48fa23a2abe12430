//! Decides how each dealloc is simplified.

use crate::origins::Reading;
use memplan_ownership::{
    dealloc::{Condition, Dealloc, Retained},
    function::ValueId,
    origins::Origins,
    simplify::{Simplified, simplify},
};

/// The decisions for a function.
pub struct Decision {
    /// For each dealloc, its replacement; `None`: it stays.
    pub sites: Vec<Option<Simplified>>,
    /// Values whose memory is unused: their allocations are erased.
    pub unused: Vec<ValueId>,
}

impl Decision {
    /// Whether everything stays as it is.
    pub fn changes_nothing(&self) -> bool {
        self.unused.is_empty() && self.sites.iter().all(Option::is_none)
    }
}

/// Decides for all deallocs of a function.
pub fn decide(reading: &mut Reading<'_>) -> Decision {
    let mut origins = Origins::of(&reading.memory);
    let order = origins.order();
    let is_followed: Vec<bool> = reading
        .sites
        .iter()
        .map(|site| site.segment.is_some_and(|at| order.is_reachable(at)))
        .collect();
    for (site, is_followed) in reading.sites.iter().zip(&is_followed) {
        if !is_followed {
            for operand in &site.memrefs {
                reading.uses[operand.id.index()] += 1;
            }
        }
    }
    let mut is_unused = vec![false; reading.uses.len()];
    let unused: Vec<ValueId> = reading
        .allocations
        .iter()
        .map(|allocation| allocation.id)
        .filter(|id| reading.uses[id.index()] == 0)
        .collect();
    for id in &unused {
        is_unused[id.index()] = true;
    }
    let mut sites = Vec::with_capacity(reading.sites.len());
    for (site, is_followed) in reading.sites.iter().zip(is_followed) {
        if !is_followed {
            sites.push(None);
            continue;
        }
        let memrefs = site.memrefs.iter().zip(&site.conditions);
        let dealloc = Dealloc {
            memrefs: memrefs
                .map(|(operand, flag)| {
                    let condition = match is_unused[operand.id.index()] {
                        true => Condition::No,
                        false => reading.conditions.condition(*flag),
                    };
                    (operand.id, condition)
                })
                .collect(),
            retained: site
                .retained
                .iter()
                .zip(&site.is_used)
                .map(|(operand, is_used)| Retained {
                    value: operand.id,
                    is_used: *is_used,
                })
                .collect(),
        };
        let simple = simplify(&dealloc, &mut origins);
        for (flag, result) in site.results.iter().zip(&simple.results) {
            if let Some(constant) = result.constant() {
                reading.conditions.set_constant(*flag, constant);
            }
        }
        let all = site.memrefs.iter().chain(&site.retained);
        let names_views = all
            .clone()
            .any(|operand| reading.root(operand) != operand.val);
        let stays = simple.is_unchanged(&dealloc) && !names_views;
        sites.push((!stays).then_some(simple));
    }
    Decision { sites, unused }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{origins::read_deallocs, test_function::with_function};
    use memplan_semantics::Semantics;
    use memplan_summaries::Summaries;

    /// For each dealloc, how many memrefs it frees and retains afterwards, if it changes; and how many allocations go.
    fn decided(body: &str) -> (Vec<Option<(usize, usize)>>, usize) {
        let text =
            format!("func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {{\n{body}\n}}");
        with_function(&text, |function| {
            let mut semantics = Semantics::default();
            let reading = read_deallocs(function, &mut semantics, &Summaries::default());
            let decision = decide(&mut reading.expect("a dealloc"));
            let sites = decision.sites.iter().map(|site| {
                let pieces = &site.as_ref()?.pieces;
                let memrefs = pieces.iter().map(|piece| piece.memrefs.len());
                let retained = pieces.iter().map(|piece| piece.retained.len());
                Some((memrefs.sum(), retained.sum()))
            });
            (sites.collect(), decision.unused.len())
        })
    }

    #[test]
    fn a_condition_that_never_holds_frees_nothing() {
        let body = "
            %false = arith.constant false
            bufferization.dealloc (%a : memref<4xf32>) if (%false)
            return";
        assert_eq!(decided(body), (vec![Some((0, 0))], 0));
    }

    #[test]
    fn memory_that_may_be_retained_stays_as_it_is() {
        let body = "
            %r = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%b : memref<4xf32>)
            cf.assert %r, \"\"
            return";
        assert_eq!(decided(body), (vec![None], 0));
    }

    #[test]
    fn new_memory_is_not_compared_with_arguments() {
        let body = "
            %n = memref.alloc() : memref<4xf32>
            memref.copy %a, %n : memref<4xf32> to memref<4xf32>
            %true = arith.constant true
            %r = bufferization.dealloc (%n : memref<4xf32>) if (%true) retain (%b : memref<4xf32>)
            cf.assert %r, \"\"
            return";
        assert_eq!(decided(body), (vec![Some((1, 0))], 0));
    }

    #[test]
    fn an_allocation_that_is_freed_alone_goes() {
        let body = "
            %n = memref.alloc() : memref<4xf32>
            %true = arith.constant true
            bufferization.dealloc (%n : memref<4xf32>) if (%true)
            return";
        assert_eq!(decided(body), (vec![Some((0, 0))], 1));
    }

    #[test]
    fn a_dealloc_that_is_never_reached_stays() {
        let body = "
            return
          ^never:
            %false = arith.constant false
            bufferization.dealloc (%a : memref<4xf32>) if (%false)
            return";
        assert_eq!(decided(body), (vec![None], 0));
    }
}
