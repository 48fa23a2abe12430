//! Removal of views that only deallocs used.

use super::{DeallocSite, Reading};
use memplan_mlir::ir::{Identity, Key, Op, Origin, Val, erase, is_unused, origin, results};
use memplan_ownership::function::ValueId;
use rustc_hash::FxHashSet;

/// The operations that define operands of deallocs.
#[derive(Default)]
pub struct NamedViews {
    ops: FxHashSet<Key>,
}

impl NamedViews {
    /// Adds the operands of a dealloc.
    pub fn add(&mut self, site: &DeallocSite<'_>) {
        for operand in site.memrefs.iter().chain(&site.retained) {
            self.ops.extend(definition(operand.val).map(|op| op.key()));
        }
    }

    /// Erases unused views among the named operations, and unused views of `these` values.
    pub fn erase(mut self, reading: &Reading<'_>, these: impl Fn(ValueId) -> bool) {
        for view in reading.views.iter().rev() {
            let goes = self.ops.contains(&view.op.key()) || these(view.id);
            if goes && results(view.op).all(is_unused) {
                // The source may be a view, too.
                let source = definition(view.source);
                self.ops.extend(source.map(|op| op.key()));
                erase(view.op);
            }
        }
    }
}

fn definition(val: Val<'_>) -> Option<Op<'_>> {
    match origin(val)? {
        Origin::Result(op, _) => Some(op),
        Origin::Argument(..) => None,
    }
}
