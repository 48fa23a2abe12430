//! `memplan-reuse-arguments`: buffers live in the memory of arguments while nothing needs that.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which arguments, and which buffers) -> `hosts::write`.

mod codes;
mod decide;

use crate::{
    coalescing::{self, PackingOptions},
    codes::{INTERNAL, OPTION},
    counts::Counts,
    failure::{fail, fail_as},
    hosts, merge_alloc,
};
use codes::MOVED;
use decide::{Change, Decider};
use memplan_lifetimes::{NoCallees, Summaries};
use memplan_mlir::{
    pass::{
        Declaration, Example, Failed, OptionDeclaration, OptionKind, OptionValues, Pass, Run,
        StatisticDeclaration,
    },
    symbols,
};
use memplan_semantics::{
    Readings, Semantics,
    attributes::{self, DONATED},
    functions,
    names::Names,
};
use memplan_summaries::CallGraph;

/// The pass.
pub struct ReuseArguments;

impl Pass for ReuseArguments {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-reuse-arguments",
        summary: "Let buffers live in memory of arguments while nothing needs that",
        description: "\
The caller holds the memory of arguments for the whole call. The function needs it from the start, or from where it \
writes all elements, to the last read. Buffers that are live at other times become views of that memory. So they are \
not allocated.

An argument with `memplan.donated`, `jax.buffer_donor` or `tf.aliasing_output` is free after its last read. One with \
`memplan.noalias` or `llvm.noalias`, such as an out-param, is free before the function writes all of it. An argument of a \
private function is free, too, if after each of its calls nothing needs the memory that is passed. It is then marked \
`memplan.donated`. All callers have to be known for that: only `func.call` may name the function.

The memory has to have the element type, the memory space and the alignment of a buffer, and room for it. Buffers begin \
where it begins; those of dynamic size have its shape. They follow each other in time; two may also share bytes in place. First come the buffers that are live \
where most bytes are live, then the largest. Nothing else may refer to the argument: it is not stored, freed or passed to \
asynchronous operations.

On a function, the pass uses the marked arguments alone. With `results=off`, it does nothing.",
        example: Example {
            before: "\
func.func @f(%x: memref<8x8xf32>, %y: memref<8x8xf32> {memplan.noalias}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}",
            after: "\
func.func @f(%x: memref<8x8xf32>, %y: memref<8x8xf32> {memplan.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.exp ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%y, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}",
        },
        options: &[
            hosts::RESULTS,
            merge_alloc::CALLS,
            coalescing::IN_PLACE,
            coalescing::MIN_SIZE,
            coalescing::MAX_SIZE,
            OptionDeclaration {
                name: "remarks",
                description: "Emit a remark at each allocation that becomes memory of an argument",
                kind: OptionKind::Flag(false),
            },
        ],
        statistics: &[StatisticDeclaration {
            name: "buffers",
            description: "Buffers that live in arguments",
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
        let counts: Counts<1> = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let changes = match Names::default().info(run.op).is_function() {
            true => {
                let callees = NoCallees::new(keeps);
                let decider = Decider::new(&callees, &readings, how);
                all()
                    .filter_map(|function| decider.alone(function))
                    .collect()
            }
            false => {
                let graph = CallGraph::of(run.op, all().collect());
                let callees = Summaries::as_written(run.op, all(), keeps, &readings);
                Decider::new(&callees, &readings, how).all(&graph)
            }
        };
        for change in &changes {
            counts.add([change.guests.len() as u64]);
            for guest in &change.guests {
                hosts::tell(
                    Self::DECLARATION.argument,
                    MOVED,
                    change.function,
                    guest.alloc,
                    format_args!("argument {}", guest.place),
                    run.values.flag("remarks"),
                );
            }
            attributes::forget_pieces(change.function);
            readings.forget(change.function);
            write(change)?;
        }
        if changes.is_empty() {
            run.preserve_all();
        }
        readings.save(run, all());
        counts.publish(run);
        Ok(())
    }
}

fn write(change: &Change<'_>) -> Result<(), Failed> {
    let mut semantics = Semantics::default();
    for place in &change.marks {
        symbols::mark_argument(change.function, *place, DONATED);
    }
    for guest in &change.guests {
        hosts::write(guest.alloc, guest.host, &mut semantics)
            .map_err(|error| fail_as::<ReuseArguments>(change.function, INTERNAL, error))?;
    }
    Ok(())
}
