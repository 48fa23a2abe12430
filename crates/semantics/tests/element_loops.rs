//! Loops over elements: which memrefs may have the same bytes. Random nests are executed here, with one array and with
//! two, and single cases are listed.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, blocks, ops, regions},
    melior::{
        Context,
        ir::{BlockLike, Module, operation::OperationLike},
    },
};
use memplan_semantics::Semantics;
use std::fmt::Write as _;

/// The number of pairs of the first loop of a body; `None` if it is no nest with pairs.
fn pairs(body: &str) -> Option<usize> {
    pairs_in(&with_all_dialects(), body)
}

/// The same in a context.
fn pairs_in(context: &Context, body: &str) -> Option<usize> {
    let text = format!(
        "func.func private @outside()
         func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8x8xf32>, %d: memref<8x8xf32>, %n: index,
             %s: memref<8xf32, strided<[2]>>, %e: memref<?xf32>, %g: memref<?xf32>, %h: memref<8xi32>,
             %p: memref<8xmemref<4xf32>>, %q: memref<8xmemref<4xf32>>) {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c2 = arith.constant 2 : index
           %c8 = arith.constant 8 : index
           %big = arith.constant 4294967296 : index
           %minus = arith.constant -1 : index
           %zero = arith.constant 0.0 : f32
           {body}
           return
         }}"
    );
    let module = Module::parse(context, &text).expect("the program parses");
    let block = module.body();
    let declared: Op<'_> = block.first_operation().expect("a function");
    let function = declared.next_in_block().expect("a second function");
    let mut semantics = Semantics::default();
    let inside = regions(function).flat_map(blocks).flat_map(ops);
    let mut loops = inside.filter(|op| regions(*op).next().is_some());
    let found = semantics.element_loop(loops.next().expect("a loop"));
    found.map(|found| found.pairs.len())
}

/// A loop from 1 to 7 whose body is this.
fn one_loop(body: &str) -> Option<usize> {
    pairs(&format!(
        "%c7 = arith.constant 7 : index
         scf.for %i = %c1 to %c7 step %c1 {{
           %up = arith.addi %i, %c1 : index
           %down = arith.subi %i, %c1 : index
           {body}
         }}"
    ))
}

#[test]
fn elements_at_the_same_and_at_later_indices_are_read_before_they_are_written() {
    let copy = |load: &str, store: &str| {
        one_loop(&format!(
            "%x = memref.load %a[{load}] : memref<8xf32>
             memref.store %x, %b[{store}] : memref<8xf32>"
        ))
    };
    assert_eq!(copy("%i", "%i"), Some(1));
    assert_eq!(copy("%up", "%i"), Some(1));
    assert_eq!(copy("%i", "%down"), Some(1));
    assert_eq!(copy("%up", "%down"), Some(1));
    assert_eq!(copy("%down", "%i"), None);
    assert_eq!(copy("%i", "%up"), None);
    assert_eq!(copy("%c2", "%i"), None);
    assert_eq!(copy("%n", "%i"), None);
}

#[test]
fn a_load_after_the_store_reads_the_stored_element() {
    let body = |memref: &str| {
        one_loop(&format!(
            "memref.store %zero, %b[%i] : memref<8xf32>
             %x = memref.load {memref}[%i] : memref<8xf32>
             %y = memref.load %a[%up] : memref<8xf32>
             %z = arith.addf %x, %y : f32
             memref.store %z, %b[%i] : memref<8xf32>"
        ))
    };
    assert_eq!(body("%a"), None);
    assert_eq!(body("%b"), None);
}

#[test]
fn affine_loops_and_both_dimensions() {
    let with_step = |step: u32, load: &str, store: &str| {
        pairs(&format!(
            "affine.for %i = 1 to 7 {{
               affine.for %j = 1 to 7 step {step} {{
                 %x = affine.load %c[{load}] : memref<8x8xf32>
                 affine.store %x, %d[{store}] : memref<8x8xf32>
               }}
             }}"
        ))
    };
    let nest = |load: &str, store: &str| with_step(1, load, store);
    assert_eq!(nest("%i, %j", "%i, %j"), Some(1));
    assert_eq!(nest("%j, %i", "%j, %i"), Some(1));
    assert_eq!(nest("%j, %i", "%i, %j"), None);
    assert_eq!(nest("%i + 1, %j - 1", "%i, %j"), Some(1));
    assert_eq!(nest("%i - 1, %j + 1", "%i, %j"), None);
    // The inner loop is the first dimension here.
    assert_eq!(nest("%j + 1, %i - 1", "%j, %i"), None);
    assert_eq!(nest("%j - 1, %i + 1", "%j, %i"), Some(1));
    assert_eq!(nest("%i, %j", "%i, %i"), None);
    assert_eq!(nest("%i + 3 - 2, %j + symbol(%n)", "%i, %j"), None);
    // No iteration is one step before another one.
    assert_eq!(with_step(2, "%i - 1, %j + 1", "%i, %j"), Some(1));
    assert_eq!(with_step(2, "%i - 1, %j + 2", "%i, %j"), None);
    assert_eq!(nest("%i * 2, %j", "%i * 2, %j"), None);
}

#[test]
fn what_a_nest_must_not_have() {
    let also = |op: &str| {
        one_loop(&format!(
            "%x = memref.load %a[%i] : memref<8xf32>
             {op}
             memref.store %x, %b[%i] : memref<8xf32>"
        ))
    };
    assert_eq!(also("%y = arith.addf %x, %x : f32"), Some(1));
    assert_eq!(
        also("%y = memref.load %c[%i, %i] : memref<8x8xf32>"),
        Some(1)
    );
    assert_eq!(also("%y = memref.load %b[%up] : memref<8xf32>"), None);
    assert_eq!(also("memref.store %x, %a[%i] : memref<8xf32>"), None);
    assert_eq!(also("func.call @outside() : () -> ()"), None);
    assert_eq!(also("%y = memref.alloc() : memref<8xf32>"), None);
    assert_eq!(
        also("%y = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index"),
        None
    );
    assert_eq!(
        also("%y = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>"),
        None
    );
    assert_eq!(
        also("memref.copy %a, %b : memref<8xf32> to memref<8xf32>"),
        None
    );
    assert_eq!(also("scf.for %j = %c0 to %n step %c1 { }"), None);
}

#[test]
fn types_bounds_and_large_constants() {
    let of = |from: &str, to: &str, r#type: &str, element: &str| {
        one_loop(&format!(
            "%x = memref.load {from}[%i] : {type}
             memref.store %x, {to}[%i] : {type}
             %y = builtin.unrealized_conversion_cast %c0 : index to {element}",
            r#type = r#type
        ))
    };
    // An operation that is not free of effects.
    assert_eq!(of("%a", "%b", "memref<8xf32>", "i7"), Some(1));
    assert_eq!(of("%e", "%g", "memref<?xf32>", "i7"), None);
    assert_eq!(of("%p", "%q", "memref<8xmemref<4xf32>>", "i7"), None);
    let mixed = "%x = memref.load %a[%i] : memref<8xf32>
                 memref.store %x, %s[%i] : memref<8xf32, strided<[2]>>";
    assert_eq!(one_loop(mixed), None);
    let body = "{ %x = memref.load %a[%i] : memref<8xf32>
                  memref.store %x, %b[%i] : memref<8xf32> }";
    let with = |bounds: &str| pairs(&format!("scf.for {bounds} {body}"));
    assert_eq!(with("%i = %c0 to %n step %c1"), Some(1));
    assert_eq!(with("%i = %n to %c8 step %n"), Some(1));
    assert_eq!(with("unsigned %i = %c0 to %n step %c1"), None);
    assert_eq!(with("%i = %c0 to %n step %minus"), None);
    let far = "%x = memref.load %a[%i] : memref<8xf32>
               %j = arith.subi %i, %big : index
               memref.store %x, %b[%j] : memref<8xf32>";
    assert_eq!(one_loop(far), None);
    let parallel = format!(
        "scf.parallel (%i) = (%c0) to (%c8) step (%c1) {{ {} scf.reduce }}",
        &body[1..body.len() - 1]
    );
    assert_eq!(pairs(&parallel), None);
}

/// Numbers from a generator that needs no crate.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// A nest of two loops over 8x8 elements: accesses in their order. Each has the loop of each dimension, and constants.
struct TwoLoops {
    accesses: Vec<(bool, [usize; 2], [i64; 2])>,
    step: i64,
}

impl TwoLoops {
    fn random(random: &mut Random) -> Self {
        let order = [[0, 1], [1, 0]][random.below(2)];
        let count = 2 + random.below(2);
        let store = random.below(count);
        let accesses = (0..count).map(|at| {
            let order = match random.below(8) {
                0 => [order[1], order[0]],
                _ => order,
            };
            let mut constant = || [0, 0, 1, -1][random.below(4)];
            (at == store, order, [constant(), constant()])
        });
        Self {
            accesses: accesses.collect(),
            step: 1 + random.below(2) as i64,
        }
    }

    fn text(&self) -> String {
        let mut body = String::new();
        for (at, (writes, order, by)) in self.accesses.iter().enumerate() {
            let index = |dimension: usize| {
                let name = ["%i", "%j"][order[dimension]];
                format!("{name} + ({})", by[dimension])
            };
            let place = format!("[{}, {}] : memref<8x8xf32>", index(0), index(1));
            let _ = match writes {
                true => writeln!(body, "affine.store %zero, %d{place}"),
                false => writeln!(body, "%x{at} = affine.load %c{place}"),
            };
        }
        let step = self.step;
        format!("affine.for %i = 1 to 7 step {step} {{ affine.for %j = 1 to 7 {{ {body} }} }}")
    }

    /// Whether a load reads an element that was stored before, if both memrefs have the same bytes.
    fn reads_what_is_stored(&self) -> bool {
        let mut stored = [[false; 8]; 8];
        let mut i = 1;
        while i < 7 {
            for j in 1..7 {
                for (writes, order, by) in &self.accesses {
                    let inductions = [i, j];
                    let place = [0, 1].map(|at| (inductions[order[at]] + by[at]) as usize);
                    if *writes {
                        stored[place[0]][place[1]] = true;
                    } else if stored[place[0]][place[1]] {
                        return true;
                    }
                }
            }
            i += self.step;
        }
        false
    }
}

#[test]
fn random_nests_of_two_loops_do_the_same_with_one_array() {
    let mut random = Random(1);
    let context = with_all_dialects();
    let (mut found, mut missed) = (0, 0);
    for _ in 0..3_000 {
        let nest = TwoLoops::random(&mut random);
        let is_pair = pairs_in(&context, &nest.text()).is_some();
        let is_wrong = nest.reads_what_is_stored();
        assert!(!is_pair || !is_wrong, "{}", nest.text());
        found += usize::from(is_pair);
        missed += usize::from(!is_pair && !is_wrong);
    }
    // Missed are, for example, distances that are larger than the loops.
    assert!(
        found > 900 && missed < found / 8,
        "{found} found, {missed} missed"
    );
}
