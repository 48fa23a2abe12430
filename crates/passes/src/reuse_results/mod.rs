//! `memplan-reuse-results`: buffers live in the memory of results while nothing needs that.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which buffers, in which results) -> `hosts::write`.

mod codes;
mod decide;

use crate::{
    coalescing::{self, PackingOptions},
    codes::{INTERNAL, OPTION},
    counts::Counts,
    failure::{fail, fail_as},
    hosts,
    merge_alloc::{self, ArenaPlacement},
};
use codes::MOVED;
use decide::{Change, Where};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    build::BuildError,
    ir::{Op, is_memref, results},
    pass::{
        Declaration, Example, Failed, OptionDeclaration, OptionKind, OptionValues, Pass, Run,
        StatisticDeclaration,
    },
    symbols::function_type,
    values::{move_before, set_operand},
};
use memplan_semantics::{Readings, Semantics, attributes, functions, names::Names};

/// The pass.
pub struct ReuseResults;

impl Pass for ReuseResults {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-reuse-results",
        summary: "Let buffers live in memory of results while nothing needs that",
        description: "\
A result that the function allocates is memory that nothing needs before it is written. Until then, buffers of the \
function live there: they become views of the result, and are not allocated. The result is allocated earlier for that, \
if needed: before the first of these buffers.

A buffer becomes part of a result only where arenas are then smaller, and where the function holds no more of the heap. \
The arena and the results that are allocated earlier take no more than what it held at its peak anyway. What only a \
branch needs does not count there and, with `min-trips=0`, what only a loop needs. So less is possible with arenas on the \
heap than with others (`arena`). In between, no memory of unknown size is allocated: left alone, or of \
bodies that run in parallel. A buffer that lets the result stay where it is costs nothing, and always does.

A result is one buffer, whatever the function returns it from, allocated in the first block. With dynamic sizes, a buffer \
needs the shape of the result, and bytes are compared at a few values of the dimensions. It may not be \
merged with others, freed or stored, and nothing may assert where it is. It has the element type, the memory space and \
the alignment of a buffer, and room for it. Buffers begin where the result begins. They follow each other in time; two \
may also share bytes in place.

With `results=off`, the pass does nothing.",
        example: Example {
            before: "\
func.func @f(%x: memref<8x8xf32>) -> memref<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %r = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  return %r : memref<8x8xf32>
}",
            after: "\
func.func @f(%x: memref<8x8xf32>) -> memref<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%r, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  return %r : memref<8x8xf32>
}",
        },
        options: &[
            hosts::RESULTS,
            merge_alloc::CALLS,
            merge_alloc::ARENA,
            merge_alloc::MIN_TRIPS,
            coalescing::IN_PLACE,
            coalescing::MIN_SIZE,
            coalescing::MAX_SIZE,
            OptionDeclaration {
                name: "remarks",
                description: "Emit a remark at each allocation that becomes memory of a result",
                kind: OptionKind::Flag(false),
            },
        ],
        statistics: &[StatisticDeclaration {
            name: "buffers",
            description: "Buffers that live in results",
        }],
        codes: &[codes::ALL],
        dialects: &["memref"],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        PackingOptions::without_alignment(Self::DECLARATION.argument, values).map(|_| ())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        if run.values.text(hosts::RESULTS.name) == "off" {
            run.preserve_all();
            return Ok(());
        }
        let keeps = run.values.text(merge_alloc::CALLS.name) == "capture";
        let how = PackingOptions::without_alignment(Self::DECLARATION.argument, &run.values)
            .map_err(|message| fail(run.op, OPTION, message))?;
        let arena = ArenaPlacement::of(run.values.text(merge_alloc::ARENA.name));
        let arena = arena.unwrap_or(ArenaPlacement::Alloc);
        let known = |function| Where {
            arenas_on_heap: ArenaPlacement::likely(function, arena) == ArenaPlacement::Alloc,
            loops_run: run.values.text(merge_alloc::MIN_TRIPS.name) == "1",
        };
        let counts: Counts<1> = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let mut changed = false;
        let mut visit = |callees: &dyn Callees| {
            for function in all().filter(|function| returns_memory(*function)) {
                let changes = readings.with(function, |semantics| {
                    let mut analysis = how.analyse(function, semantics, callees);
                    decide::decide(&mut analysis, known(function), semantics)
                });
                if changes.is_empty() {
                    continue;
                }
                changed = true;
                attributes::forget_pieces(function);
                readings.forget(function);
                for change in &changes {
                    counts.add([change.guests.len() as u64]);
                    tell(function, change, run.values.flag("remarks"));
                    write(change).map_err(|error| fail_as::<Self>(function, INTERNAL, error))?;
                }
            }
            Ok(())
        };
        match Names::default().info(run.op).is_function() {
            true => visit(&NoCallees::new(keeps)),
            false => visit(&Summaries::as_written(run.op, all(), keeps, &readings)),
        }?;
        if !changed {
            run.preserve_all();
        }
        readings.save(run, all());
        counts.publish(run);
        Ok(())
    }
}

fn returns_memory(function: Op<'_>) -> bool {
    function_type(function).is_some_and(|form| {
        let mut results = (0..form.result_count()).filter_map(|at| form.result(at).ok());
        results.any(is_memref)
    })
}

fn tell(function: Op<'_>, change: &Change<'_>, as_diagnostics: bool) {
    for guest in &change.guests {
        hosts::tell(
            ReuseResults::DECLARATION.argument,
            MOVED,
            function,
            *guest,
            format_args!("result {}", change.number),
            as_diagnostics,
        );
    }
}

fn write(change: &Change<'_>) -> Result<(), BuildError> {
    if let Some(before) = change.before {
        move_before(change.result, before);
        for (place, size) in change.sizes.iter().enumerate() {
            set_operand(change.result, place, *size);
        }
    }
    let host = results(change.result)
        .next()
        .ok_or_else(BuildError::unexpected)?;
    let mut semantics = Semantics::default();
    for guest in &change.guests {
        hosts::write(*guest, host, &mut semantics)?;
    }
    Ok(())
}
