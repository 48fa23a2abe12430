//! The forms of networks before planning: as they are, after CSE, lowered to blocks, and in a batch loop. Each must
//! be planned at its lower bound, with buffers in place and without, and values of one iteration of the batch loop
//! must not be live across its back edge.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use memplan_harness::networks::Network;
use memplan_harness::networks::batch::batch;
use memplan_harness::networks::transform::{BLOCKS, LOOPS, Variant, transform};
use memplan_harness::tools::Tools;

use super::check::{Bytes, check_report};
use super::variants::{Variants, allocations, plan};

/// Hoists allocations out of the batch loop: only overwrites then end their contents.
const HOIST: &str = "--pass-pipeline=builtin.module(func.func(buffer-loop-hoisting))";

/// The trip count of the batch loop; the second one for slow networks.
const TRIP_COUNTS: [usize; 2] = [3, 2];

/// A form of a network, planned.
#[derive(Debug)]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// The allocations before and after.
    pub allocations: (usize, usize),
    /// Its arenas.
    pub bytes: Bytes,
    /// Its arenas without in-place reuse.
    pub without_reuse: Bytes,
    /// The planned program.
    planned: Variant,
}

impl Form {
    fn of(name: &'static str, from: &Variant, tools: &Tools, folder: &Path) -> Result<Self> {
        let (planned, report) = plan(tools, &from.file, folder, &format!("{name}, planned"), "")?;
        check_report(from, &report)?;
        let without_reuse = format!("{name}, planned apart");
        let (without_reuse, report_without_reuse) =
            plan(tools, &from.file, folder, &without_reuse, "in-place=false")?;
        check_report(from, &report_without_reuse)?;
        fs::remove_file(without_reuse.file)?;
        Ok(Self {
            name,
            allocations: (
                allocations(&fs::read_to_string(&from.file)?),
                allocations(&fs::read_to_string(&planned.file)?),
            ),
            bytes: Bytes::of(&report),
            without_reuse: Bytes::of(&report_without_reuse),
            planned,
        })
    }
}

/// All forms of a network.
#[derive(Debug)]
pub struct Forms {
    /// The forms.
    pub all: Vec<Form>,
    /// The network in the batch loop, unplanned.
    looped: Variant,
    /// The body of the batch loop, run once without it: the loop must need no more memory.
    once: Form,
}

impl Forms {
    /// Creates and plans the forms in `folder`, with verification.
    pub fn make(
        network: &Network,
        variants: &Variants,
        tools: &Tools,
        folder: &Path,
    ) -> Result<Self> {
        let change =
            |name: &str, how: &str| transform(tools, &network.file(), folder, name, &[how]);
        let trip_count = TRIP_COUNTS[usize::from(!network.is_quick())];
        let looped = batch(network, Some(trip_count), tools, folder)?;
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

    /// Checks that the plans are at their bounds, and that the batch loop costs nothing.
    pub fn check(&self) -> Vec<Result<()>> {
        let mut results = Vec::new();
        for form in &self.all {
            for (bytes, how) in [(form.bytes, "in place"), (form.without_reuse, "apart")] {
                let (planned, bound) = (bytes.planned, bytes.lower_bound);
                results.push(at_the_bound(form.name, how, planned, bound));
                let once = match how {
                    "apart" => self.once.without_reuse,
                    _ => self.once.bytes,
                };
                if form.name == "batch" {
                    results.push(no_more_than_once(how, planned, once.planned));
                }
            }
        }
        results
    }

    /// The programs to execute: the batch loop before planning, and each planned form; if not `all`, only the planned
    /// forms that differ most.
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
