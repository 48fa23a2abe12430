//! The forms in which networks come to the planner: as they are, after CSE, lowered to blocks, and with a batch
//! loop around them. Each has to be planned at its lower bound, with buffers in place and without, and what a turn
//! of the batch loop needs may not be needed across its back edge.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use memplan_harness::networks::Network;
use memplan_harness::networks::batch::batch;
use memplan_harness::networks::transform::{BLOCKS, LOOPS, Variant, transform};
use memplan_harness::tools::Tools;

use super::check::{Bytes, account};
use super::variants::{Variants, allocations, plan};

/// Allocations of the batch loop go in front of it: what ends their contents is then what overwrites them.
const HOIST: &str = "--pass-pipeline=builtin.module(func.func(buffer-loop-hoisting))";

/// Turns of the batch loop, and of those that take long.
const TURNS: [usize; 2] = [3, 2];

/// A form of a network, planned.
#[derive(Debug)]
pub struct Form {
    /// Which one.
    pub name: &'static str,
    /// Allocations before and after.
    pub allocations: (usize, usize),
    /// Its arenas.
    pub bytes: Bytes,
    /// Its arenas with no buffers in place.
    pub apart: Bytes,
    /// Planned.
    planned: Variant,
}

impl Form {
    fn of(name: &'static str, from: &Variant, tools: &Tools, folder: &Path) -> Result<Self> {
        let (planned, report) = plan(tools, &from.file, folder, &format!("{name}, planned"), "")?;
        account(from, &report)?;
        let apart = format!("{name}, planned apart");
        let (apart, apart_report) = plan(tools, &from.file, folder, &apart, "in-place=false")?;
        account(from, &apart_report)?;
        fs::remove_file(apart.file)?;
        Ok(Self {
            name,
            allocations: (
                allocations(&fs::read_to_string(&from.file)?),
                allocations(&fs::read_to_string(&planned.file)?),
            ),
            bytes: Bytes::of(&report),
            apart: Bytes::of(&apart_report),
            planned,
        })
    }
}

/// All forms of a network.
#[derive(Debug)]
pub struct Forms {
    /// They.
    pub all: Vec<Form>,
    /// The network in the batch loop, unplanned.
    looped: Variant,
    /// What the batch loop runs, run once without it: what it needs, the loop has to make do with.
    once: Form,
}

impl Forms {
    /// Makes and plans them in `folder`, verified.
    pub fn make(
        network: &Network,
        variants: &Variants,
        tools: &Tools,
        folder: &Path,
    ) -> Result<Self> {
        let change =
            |name: &str, how: &str| transform(tools, &network.file(), folder, name, &[how]);
        let turns = TURNS[usize::from(!network.is_quick())];
        let looped = batch(network, Some(turns), tools, folder)?;
        let once = batch(network, None, tools, folder)?;
        let looped_blocks = transform(tools, &looped.file, folder, "batch, cf", &[BLOCKS])?;
        let hoisted = transform(tools, &looped.file, folder, "batch, hoisted", &[HOIST])?;
        let forms = [
            ("plain", &variants.plain),
            ("cse", &change("cse", "--cse")?),
            ("cf", &change("cf", BLOCKS)?),
            ("loops, cf", &change("loops, cf", LOOPS)?),
            ("batch", &looped),
            ("batch, cf", &looped_blocks),
            ("batch, hoisted", &hoisted),
        ];
        let all = forms.map(|(name, variant)| Form::of(name, variant, tools, folder));
        let all = all.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(Self {
            all,
            once: Form::of("once", &once, tools, folder)?,
            looped,
        })
    }

    /// The plans are at their bounds, and the batch loop costs nothing.
    pub fn check(&self) -> Vec<Result<()>> {
        let mut results = Vec::new();
        for form in &self.all {
            for (bytes, how) in [(form.bytes, "in place"), (form.apart, "apart")] {
                let (planned, bound) = (bytes.planned, bytes.lower_bound);
                results.push(at_the_bound(form.name, how, planned, bound));
                let once = match how {
                    "apart" => self.once.apart,
                    _ => self.once.bytes,
                };
                if form.name == "batch" {
                    results.push(no_more_than_once(how, planned, once.planned));
                }
            }
        }
        results
    }

    /// What to execute: the batch loop before planning, and each planned form; if not `all`, then the planned forms
    /// that differ most.
    pub fn to_execute(&self, all: bool) -> Vec<&Variant> {
        let planned = self.all.iter().filter(|form| match form.name {
            // It is executed in any case.
            "plain" => false,
            name => all || ["cse", "cf", "batch"].contains(&name),
        });
        let planned = planned.map(|form| &form.planned);
        all.then_some(&self.looped)
            .into_iter()
            .chain(planned)
            .collect()
    }
}

fn at_the_bound(form: &str, how: &str, planned: u64, bound: u64) -> Result<()> {
    ensure!(
        planned == bound,
        "{form}, {how}: {planned} bytes are planned, {bound} are the lower bound"
    );
    Ok(())
}

fn no_more_than_once(how: &str, planned: u64, once: u64) -> Result<()> {
    ensure!(
        planned == once,
        "batch, {how}: {planned} bytes in a loop, {once} without"
    );
    Ok(())
}
