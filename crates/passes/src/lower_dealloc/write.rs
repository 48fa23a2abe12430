//! Writes the decisions into the IR. No decision is taken here.

use super::{
    decide::{DeallocPlan, Expansion},
    helper_function::HelperFunction,
    table::ComparisonTable,
};
use crate::{
    descriptor::{Stack, StackScope, allocated_pointers_here},
    origins::{DeallocSite, Reading, dead_views},
};
use memplan_mlir::{
    build::{BuildError, Builder, Compare},
    ir::{Identity, Key, Val, erase, replace_all_uses, results},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    compare::{CompareStep, Truth},
    dealloc::Condition,
};
use rustc_hash::FxHashMap;

/// Writes the lowering of all deallocs.
pub fn write<'c>(
    reading: &mut Reading<'c>,
    plans: &[DeallocPlan],
    stack_scopes: &[StackScope<'c>],
    helper: Option<&HelperFunction>,
) -> Result<(), BuildError> {
    let mut stack = Stack::default();
    for ((site, plan), stack_scope) in reading.sites.iter().zip(plans).zip(stack_scopes) {
        let entries = match plan.expansion {
            Expansion::Steps => 0,
            Expansion::Table => plan.memrefs.len() + site.retained.len(),
        };
        stack.reserve_tables(stack_scope, entries);
    }
    let sites = std::mem::take(&mut reading.sites);
    for ((site, plan), stack_scope) in sites.iter().zip(plans).zip(stack_scopes) {
        let builder =
            Builder::before(site.op, site.op.location()).ok_or_else(BuildError::unexpected)?;
        let mut writer = Writer {
            reading,
            site,
            plan,
            stack_scope,
            helper,
            stack: &mut stack,
            builder,
            truths: [None; 2],
        };
        let found = match plan.expansion {
            Expansion::Steps => writer.write_steps()?,
            Expansion::Table => writer.write_table()?,
        };
        for ((result, found), flag) in results(site.op).zip(found).zip(&site.results) {
            if let Some(found) = found {
                replace_all_uses(result, found);
                reading.flags[*flag as usize] = found;
            }
        }
    }
    // Erased last: new operations are inserted before the old ones.
    let mut named = dead_views::NamedViews::default();
    for site in &sites {
        named.add(site);
        erase(site.op);
    }
    named.erase(reading, |_| false);
    Ok(())
}

struct Writer<'c, 'w> {
    reading: &'w Reading<'c>,
    site: &'w DeallocSite<'c>,
    plan: &'w DeallocPlan,
    stack_scope: &'w StackScope<'c>,
    helper: Option<&'w HelperFunction>,
    stack: &'w mut Stack<'c>,
    builder: Builder<'c>,
    truths: [Option<Val<'c>>; 2],
}

/// For each retained memref whose result is used, the result.
type ResultValues<'c> = Vec<Option<Val<'c>>>;

impl<'c> Writer<'c, '_> {
    fn boolean(&mut self, value: bool) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.truths[usize::from(value)] {
            return Ok(known);
        }
        let constant = self.builder.boolean(value)?;
        self.truths[usize::from(value)] = Some(constant);
        Ok(constant)
    }

    fn condition(&mut self, condition: Condition) -> Result<Val<'c>, BuildError> {
        match condition {
            Condition::No => self.boolean(false),
            Condition::Yes => self.boolean(true),
            Condition::Flag(flag) => Ok(self.reading.flags[flag as usize]),
        }
    }

    /// The memref for an operand. Memrefs that may be freed are numbered first, then retained ones.
    fn root(&self, operand: usize) -> Val<'c> {
        let (memrefs, retained) = (&self.plan.memrefs, &self.site.retained);
        let operand = match memrefs.get(operand) {
            Some((at, ..)) => &self.site.memrefs[*at],
            None => &retained[operand - memrefs.len()],
        };
        self.reading.root(operand)
    }

    /// For each operand, an address that identifies its allocation. With `in_scope`, stack memory is
    /// available at `builder`.
    fn addresses(
        &mut self,
        builder: &Builder<'c>,
        in_scope: bool,
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let count = self.plan.memrefs.len() + self.site.retained.len();
        let mut places: FxHashMap<Key, usize> = FxHashMap::default();
        let mut roots = Vec::new();
        let mut at = Vec::with_capacity(count);
        for operand in 0..count {
            let root = self.root(operand);
            at.push(*places.entry(root.key()).or_insert_with(|| {
                roots.push(root);
                roots.len() - 1
            }));
        }
        let addresses = if self.plan.by_allocated_pointer && in_scope {
            allocated_pointers_here(builder, &roots)?
        } else if self.plan.by_allocated_pointer {
            self.stack
                .allocated_pointers(self.stack_scope, builder, &roots)?
        } else {
            let roots = roots.iter();
            roots
                .map(|root| builder.aligned_pointer(*root))
                .collect::<Result<_, _>>()?
        };
        Ok(at.into_iter().map(|place| addresses[place]).collect())
    }

    fn write_steps(&mut self) -> Result<ResultValues<'c>, BuildError> {
        let builder = self.builder;
        let addresses = if self.plan.compares() {
            self.addresses(&builder, false)?
        } else {
            Vec::new()
        };
        let program = &self.plan.program;
        let mut found: Vec<Val<'c>> = Vec::with_capacity(program.steps.len());
        for step in &program.steps {
            let next = match *step {
                CompareStep::Same(one, other) => {
                    let (one, other) = (addresses[one as usize], addresses[other as usize]);
                    builder.compare(Compare::Equal, one, other)?
                }
                CompareStep::And(one, other) => {
                    let (one, other) = (
                        self.truth_value(one, &found)?,
                        self.truth_value(other, &found)?,
                    );
                    builder.and(one, other)?
                }
                CompareStep::Or(one, other) => {
                    let (one, other) = (
                        self.truth_value(one, &found)?,
                        self.truth_value(other, &found)?,
                    );
                    builder.or(one, other)?
                }
                CompareStep::Not(one) => {
                    let (one, yes) = (self.truth_value(one, &found)?, self.boolean(true)?);
                    builder.exclusive_or(one, yes)?
                }
            };
            found.push(next);
        }
        for (memref, when) in program.frees.iter().enumerate() {
            match *when {
                Truth::NO => {}
                Truth::YES => self.free(&builder, memref)?,
                when => {
                    let holds = self.truth_value(when, &found)?;
                    builder.if_then(holds, |inner| self.free(inner, memref))?;
                }
            }
        }
        let mut all = Vec::with_capacity(program.results.len());
        for (result, is_used) in program.results.iter().zip(&self.site.is_used) {
            all.push(match is_used {
                true => Some(self.truth_value(*result, &found)?),
                false => None,
            });
        }
        Ok(all)
    }

    fn truth_value(&mut self, truth: Truth, found: &[Val<'c>]) -> Result<Val<'c>, BuildError> {
        match truth {
            Truth::Condition(condition) => self.condition(condition),
            Truth::Step(step) => Ok(found[step as usize]),
        }
    }

    fn free(&self, builder: &Builder<'c>, memref: usize) -> Result<(), BuildError> {
        let root = self.root(memref);
        match self.plan.memrefs[memref].2.dealloc_name() {
            None => builder.dealloc(root)?,
            Some(name) => builder.free_with(name, root)?,
        };
        Ok(())
    }

    fn write_table(&mut self) -> Result<ResultValues<'c>, BuildError> {
        let memrefs = self.plan.memrefs.len();
        let needed = (0..memrefs).chain(
            (memrefs..memrefs + self.site.retained.len())
                .filter(|at| self.site.is_used[at - memrefs]),
        );
        let needed: Vec<usize> = needed.collect();
        let builder = self.builder;
        let flags = match self.stack_scope {
            StackScope::Block(..) => self.solve_table(&builder, &needed)?,
            StackScope::AllocaScope => builder.scope(|inner| self.solve_table(inner, &needed))?,
        };
        for (memref, flag) in flags[..memrefs].iter().enumerate() {
            builder.if_then(*flag, |inner| self.free(inner, memref))?;
        }
        let mut retained_flags = flags[memrefs..].iter();
        let used = self.site.is_used.iter();
        Ok(used
            .map(|is_used| {
                if *is_used {
                    retained_flags.next().copied()
                } else {
                    None
                }
            })
            .collect())
    }

    /// Fills a table, solves it, and reads the flags that are `needed`.
    fn solve_table(
        &mut self,
        builder: &Builder<'c>,
        needed: &[usize],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let memrefs = self.plan.memrefs.len();
        let all = memrefs + self.site.retained.len();
        let (pointers, flags) = self.stack.tables(self.stack_scope, builder, all)?;
        let in_scope = matches!(self.stack_scope, StackScope::AllocaScope);
        let addresses = self.addresses(builder, in_scope)?;
        for (at, address) in addresses.iter().enumerate() {
            builder.store(*address, pointers, &[builder.index(at as i64)?])?;
        }
        for at in 0..memrefs {
            let condition = match self.plan.memrefs[at].1 {
                Condition::Flag(flag) => self.reading.flags[flag as usize],
                constant => builder.boolean(constant == Condition::Yes)?,
            };
            builder.store(condition, flags, &[builder.index(at as i64)?])?;
        }
        let table = ComparisonTable {
            pointers,
            flags,
            memrefs: builder.index(memrefs as i64)?,
            all: builder.index(all as i64)?,
        };
        match self.helper {
            Some(helper) => helper.call(builder, &table)?,
            None => table.solve(builder)?,
        }
        needed
            .iter()
            .map(|at| builder.load(flags, &[builder.index(*at as i64)?], builder.boolean_type()))
            .collect()
    }
}
