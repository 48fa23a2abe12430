//! Writes what has been decided. No decision is taken here.

use super::{
    decide::{Form, Plan},
    library::Helper,
    table::Table,
};
use crate::{
    descriptor::{Stack, StackScope, words_here},
    origins::{Reading, Site, dead_views},
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

/// Writes what deallocs become.
pub fn write<'c>(
    reading: &mut Reading<'c>,
    plans: &[Plan],
    homes: &[StackScope<'c>],
    helper: Option<&Helper>,
) -> Result<(), BuildError> {
    let mut stack = Stack::default();
    for ((site, plan), home) in reading.sites.iter().zip(plans).zip(homes) {
        let entries = match plan.form {
            Form::Steps => 0,
            Form::Table => plan.memrefs.len() + site.retained.len(),
        };
        stack.reserve(home, entries);
    }
    let sites = std::mem::take(&mut reading.sites);
    for ((site, plan), home) in sites.iter().zip(plans).zip(homes) {
        let builder =
            Builder::before(site.op, site.op.location()).ok_or_else(BuildError::signature)?;
        let mut writer = Writer {
            reading,
            site,
            plan,
            home,
            helper,
            stack: &mut stack,
            builder,
            truths: [None; 2],
        };
        let found = match plan.form {
            Form::Steps => writer.steps()?,
            Form::Table => writer.table()?,
        };
        for ((result, found), flag) in results(site.op).zip(found).zip(&site.results) {
            if let Some(found) = found {
                replace_all_uses(result, found);
                reading.flags[*flag as usize] = found;
            }
        }
    }
    // Not before: what is built stands in front of what was there.
    let mut named = dead_views::Named::default();
    for site in &sites {
        named.add(site);
        erase(site.op);
    }
    named.erase(reading, |_| false);
    Ok(())
}

struct Writer<'c, 'w> {
    reading: &'w Reading<'c>,
    site: &'w Site<'c>,
    plan: &'w Plan,
    home: &'w StackScope<'c>,
    helper: Option<&'w Helper>,
    stack: &'w mut Stack<'c>,
    builder: Builder<'c>,
    truths: [Option<Val<'c>>; 2],
}

/// For each retained memref whose result is used, what it is.
type Found<'c> = Vec<Option<Val<'c>>>;

impl<'c> Writer<'c, '_> {
    fn truth(&mut self, value: bool) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.truths[usize::from(value)] {
            return Ok(known);
        }
        let made = self.builder.boolean(value)?;
        self.truths[usize::from(value)] = Some(made);
        Ok(made)
    }

    fn condition(&mut self, condition: Condition) -> Result<Val<'c>, BuildError> {
        match condition {
            Condition::No => self.truth(false),
            Condition::Yes => self.truth(true),
            Condition::Flag(flag) => Ok(self.reading.flags[flag as usize]),
        }
    }

    /// The memref behind an operand: those that may be freed come first, then the retained ones.
    fn root(&self, operand: usize) -> Val<'c> {
        let (memrefs, retained) = (&self.plan.memrefs, &self.site.retained);
        let operand = match memrefs.get(operand) {
            Some((at, ..)) => &self.site.memrefs[*at],
            None => &retained[operand - memrefs.len()],
        };
        self.reading.root(operand)
    }

    /// What tells the operands' allocations apart, for all of them. In a scope, there is stack memory.
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
        let addresses = if self.plan.by_word && in_scope {
            words_here(builder, &roots)?
        } else if self.plan.by_word {
            self.stack.words(self.home, builder, &roots)?
        } else {
            let roots = roots.iter();
            roots
                .map(|root| builder.aligned_pointer(*root))
                .collect::<Result<_, _>>()?
        };
        Ok(at.into_iter().map(|place| addresses[place]).collect())
    }

    fn steps(&mut self) -> Result<Found<'c>, BuildError> {
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
                    let (one, other) = (self.holds(one, &found)?, self.holds(other, &found)?);
                    builder.and(one, other)?
                }
                CompareStep::Or(one, other) => {
                    let (one, other) = (self.holds(one, &found)?, self.holds(other, &found)?);
                    builder.or(one, other)?
                }
                CompareStep::Not(one) => {
                    let (one, yes) = (self.holds(one, &found)?, self.truth(true)?);
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
                    let holds = self.holds(when, &found)?;
                    builder.if_then(holds, |inner| self.free(inner, memref))?;
                }
            }
        }
        let mut all = Vec::with_capacity(program.results.len());
        for (result, is_used) in program.results.iter().zip(&self.site.is_used) {
            all.push(match is_used {
                true => Some(self.holds(*result, &found)?),
                false => None,
            });
        }
        Ok(all)
    }

    fn holds(&mut self, truth: Truth, found: &[Val<'c>]) -> Result<Val<'c>, BuildError> {
        match truth {
            Truth::Given(condition) => self.condition(condition),
            Truth::Found(step) => Ok(found[step as usize]),
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

    fn table(&mut self) -> Result<Found<'c>, BuildError> {
        let memrefs = self.plan.memrefs.len();
        let wanted = (0..memrefs).chain(
            (memrefs..memrefs + self.site.retained.len())
                .filter(|at| self.site.is_used[at - memrefs]),
        );
        let wanted: Vec<usize> = wanted.collect();
        let builder = self.builder;
        let flags = match self.home {
            StackScope::Block(..) => self.solved(&builder, &wanted)?,
            StackScope::Scope => builder.scope(|inner| self.solved(inner, &wanted))?,
        };
        for (memref, flag) in flags[..memrefs].iter().enumerate() {
            builder.if_then(*flag, |inner| self.free(inner, memref))?;
        }
        let mut behind = flags[memrefs..].iter();
        let used = self.site.is_used.iter();
        Ok(used
            .map(|is_used| {
                if *is_used {
                    behind.next().copied()
                } else {
                    None
                }
            })
            .collect())
    }

    /// Fills a table, and reads the flags that are wanted.
    fn solved(
        &mut self,
        builder: &Builder<'c>,
        wanted: &[usize],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let memrefs = self.plan.memrefs.len();
        let all = memrefs + self.site.retained.len();
        let (pointers, flags) = self.stack.tables(self.home, builder, all)?;
        let in_scope = matches!(self.home, StackScope::Scope);
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
        let table = Table {
            pointers,
            flags,
            memrefs: builder.index(memrefs as i64)?,
            all: builder.index(all as i64)?,
        };
        match self.helper {
            Some(helper) => helper.call(builder, &table)?,
            None => table.solve(builder)?,
        }
        wanted
            .iter()
            .map(|at| builder.load(flags, &[builder.index(*at as i64)?], builder.boolean_type()))
            .collect()
    }
}
