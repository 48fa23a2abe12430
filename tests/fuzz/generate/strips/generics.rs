//! `linalg.generic` with random maps: windows, steps, single rows, reductions, permutations, broadcasts, indices, and
//! elements that are loaded from other memory.

use super::buffer::{Buffer, operands};
use super::chain::Chain;

/// The most loops of one operation.
const MOST_LOOPS: usize = 7;

/// One loop.
#[derive(Debug, Clone, Copy)]
struct Loop {
    extent: usize,
    is_reduction: bool,
}

/// An index of an operand.
#[derive(Debug, Clone, Copy)]
enum Index {
    /// A constant.
    Constant(usize),
    /// `factor * d + shift`.
    Step {
        of: usize,
        factor: usize,
        shift: usize,
    },
    /// `step * d + apart * tap`.
    Window {
        of: usize,
        step: usize,
        tap: usize,
        apart: usize,
    },
}

/// An operand with its indices.
struct Operand {
    buffer: Buffer,
    map: Vec<Index>,
    is_read: bool,
}

impl Index {
    /// A loop itself.
    const fn plain(of: usize) -> Self {
        Self::Step {
            of,
            factor: 1,
            shift: 0,
        }
    }

    /// Whether it is this loop itself.
    fn is_plain(self, dim: usize) -> bool {
        matches!(self, Self::Step { of, factor: 1, shift: 0 } if of == dim)
    }

    /// The text, with the number of each loop in the nest.
    fn text(self, places: &[usize]) -> String {
        let times = |of: usize, factor: usize| match factor {
            1 => format!("d{}", places[of]),
            _ => format!("d{} * {factor}", places[of]),
        };
        match self {
            Self::Constant(number) => number.to_string(),
            Self::Step {
                of,
                factor,
                shift: 0,
            } => times(of, factor),
            Self::Step { of, factor, shift } => format!("{} + {shift}", times(of, factor)),
            Self::Window {
                of,
                step,
                tap,
                apart,
            } => format!("{} + {}", times(of, step), times(tap, apart)),
        }
    }
}

/// What is iterated, and how the first operand is read.
#[derive(Default)]
struct Nest {
    loops: Vec<Loop>,
    map: Vec<Index>,
}

impl Nest {
    fn add(&mut self, extent: usize, is_reduction: bool) -> usize {
        self.loops.push(Loop {
            extent,
            is_reduction,
        });
        self.loops.len() - 1
    }
}

impl Chain {
    /// A generic operation on a value.
    pub fn generic(&mut self) {
        let Some(first) = self.pick(|_| true) else {
            return;
        };
        let mut nest = self.nest_over(&first);
        if self.choices.chance(20) {
            let extent = self.between(1, 3);
            nest.add(extent, false);
        }
        if nest.loops.iter().all(|one| one.is_reduction) {
            nest.add(1, false);
        }
        let Nest { loops, map } = nest;
        let of_kind = |is_reduction: bool| -> Vec<usize> {
            let all = 0..loops.len();
            all.filter(|dim| loops[*dim].is_reduction == is_reduction)
                .collect()
        };
        let (parallel, reductions) = (of_kind(false), of_kind(true));
        let order = self.order(parallel.len(), 40);
        let parallel: Vec<usize> = order.iter().map(|at| parallel[*at]).collect();
        let shape: Vec<usize> = parallel.iter().map(|dim| loops[*dim].extent).collect();
        let work: usize = loops.iter().map(|one| one.extent).product();
        if !self.is_small(&shape) || loops.len() > MOST_LOOPS || !self.affords(work) {
            return;
        }
        let mut ins = vec![Operand {
            buffer: first,
            map,
            is_read: true,
        }];
        let others = *self.choices.of(&[0, 1, 2, 0, 1]);
        for _ in 0..others {
            ins.extend(self.other_operand(&loops));
        }
        // Each loop has to be an index of something: taps get an operand of their own, which nobody reads.
        let hidden: Vec<usize> = reductions
            .iter()
            .copied()
            .filter(|dim| !has_plain(&ins, *dim))
            .collect();
        if !hidden.is_empty() {
            let extents: Vec<usize> = hidden.iter().map(|dim| loops[*dim].extent).collect();
            let buffer = self.allocate(&extents);
            ins.push(Operand {
                buffer,
                map: hidden.into_iter().map(Index::plain).collect(),
                is_read: false,
            });
        }
        let to: Vec<Index> = parallel.into_iter().map(Index::plain).collect();
        let out = self.output(&shape, &ins, &to);
        let mut accumulates = !reductions.is_empty();
        if accumulates && self.choices.chance(90) {
            let number = *self.choices.of(&[0, 1]);
            self.fill(&out, number);
        } else if accumulates || self.choices.chance(10) {
            self.feature("an operation adds to what is there");
            if out.is_allocation {
                self.fill(&out, 1);
            }
            accumulates = true;
        }
        self.write_generic(&loops, &ins, (&out, &to), accumulates);
        self.add(out);
    }

    /// Loops over a value, with an index for each dimension.
    fn nest_over(&mut self, first: &Buffer) -> Nest {
        let mut nest = Nest::default();
        let is_simple = self.choices.chance(50);
        for size in first.shape.iter().copied() {
            let kind = *self.choices.of(&[0, 0, 0, 1, 2, 3, 4, 2]);
            let index = match kind {
                _ if is_simple => Index::plain(nest.add(size, false)),
                1 => {
                    let factor = *self.choices.of(&[1, 2, 2, 3]);
                    let shift = self.between(0, 2.min(size - 1));
                    let of = nest.add((size - 1 - shift) / factor + 1, false);
                    Index::Step { of, factor, shift }
                }
                2 => {
                    self.feature("window of a generic operation");
                    let (step, apart) =
                        (*self.choices.of(&[1, 1, 2]), *self.choices.of(&[1, 1, 2]));
                    let mut taps = self.between(1, 3);
                    if (taps - 1) * apart >= size {
                        taps = 1;
                    }
                    let fits = (size - 1 - (taps - 1) * apart) / step + 1;
                    let fewer = *self.choices.of(&[0, 0, 1]);
                    let of = nest.add(fits.saturating_sub(fewer).max(1), false);
                    let tap = nest.add(taps, true);
                    Index::Window {
                        of,
                        step,
                        tap,
                        apart,
                    }
                }
                3 => Index::plain(nest.add(size, true)),
                4 => {
                    self.feature("single row");
                    Index::Constant(self.choices.below(size))
                }
                _ => Index::plain(nest.add(size, false)),
            };
            nest.map.push(index);
        }
        nest
    }

    /// Another operand, with any indices that are within its bounds.
    fn other_operand(&mut self, loops: &[Loop]) -> Option<Operand> {
        let buffer = self.pick_or_argument(|_| true)?;
        let mut map = Vec::new();
        for size in buffer.shape.iter().copied() {
            let same: Vec<usize> = (0..loops.len())
                .filter(|dim| loops[*dim].extent == size)
                .collect();
            let mut steps = Vec::new();
            for (of, one) in loops.iter().enumerate() {
                for (factor, shift) in [(1, 1), (2, 0), (2, 1)] {
                    if factor * (one.extent - 1) + shift < size {
                        steps.push(Index::Step { of, factor, shift });
                    }
                }
            }
            let other = self.choices.chance(10);
            map.push(if !same.is_empty() && !other {
                Index::plain(*self.choices.of(&same))
            } else if !steps.is_empty() && self.choices.chance(80) {
                *self.choices.of(&steps)
            } else {
                Index::Constant(self.choices.below(size))
            });
        }
        let is_read = !self.choices.chance(15);
        Some(Operand {
            buffer,
            map,
            is_read,
        })
    }

    /// What the operation writes: an operand only where both have the same indices.
    fn output(&mut self, shape: &[usize], ins: &[Operand], to: &[Index]) -> Buffer {
        let out = self.any_target(shape);
        let in_step = |operand: &Operand| {
            let plain = operand.map.iter().zip(to);
            let same_map = operand.map.len() == to.len()
                && plain.into_iter().all(|(one, other)| match other {
                    Index::Step { of, .. } => one.is_plain(*of),
                    _ => false,
                });
            operand.buffer.name == out.name && same_map
        };
        let is_clear = |operand: &Operand| operand.buffer.root != out.root || in_step(operand);
        match ins.iter().all(is_clear) {
            true => out,
            false => self.allocate(shape),
        }
    }

    fn write_generic(
        &mut self,
        loops: &[Loop],
        ins: &[Operand],
        (out, to): (&Buffer, &[Index]),
        accumulates: bool,
    ) {
        let places = self.order(loops.len(), 40);
        let mut kinds = vec!["\"parallel\""; loops.len()];
        for (dim, place) in places.iter().enumerate() {
            if loops[dim].is_reduction {
                kinds[*place] = "\"reduction\"";
            }
        }
        let text = |map: &[Index]| -> String {
            let indices: Vec<String> = map.iter().map(|index| index.text(&places)).collect();
            indices.join(", ")
        };
        let maps: Vec<String> = ins
            .iter()
            .map(|operand| operand.map.as_slice())
            .chain([to])
            .map(text)
            .collect();
        let buffers: Vec<Buffer> = ins.iter().map(|operand| operand.buffer.clone()).collect();
        let load = match self.choices.chance(20) {
            true => self.pick_or_argument(|other| other.root != out.root && other.rank() > 0),
            false => None,
        };
        let indexed = self.choices.chance(20);
        let elements = self.open_generic(&kinds, &maps, &buffers, &[out]);
        let mut read: Vec<String> = Vec::new();
        for (operand, element) in ins.iter().zip(&elements) {
            if operand.is_read {
                read.push(element.clone());
            }
        }
        if let Some(load) = load {
            read.push(self.gathered(&load, loops, &places));
        }
        if indexed {
            self.feature("index of an operation");
            let dim = self.choices.below(loops.len());
            read.push(self.element_of_index(dim));
        }
        let mut result = self.combined(&read);
        if accumulates {
            let before = &elements[ins.len()];
            result = self.sum(before, &result);
        }
        let yielded = [result];
        self.close_generic(&yielded, &[out]);
    }

    /// The start of a generic operation; the names of its elements.
    pub fn open_generic(
        &mut self,
        kinds: &[&str],
        maps: &[String],
        ins: &[Buffer],
        outs: &[&Buffer],
    ) -> Vec<String> {
        let loops: Vec<String> = (0..kinds.len()).map(|dim| format!("d{dim}")).collect();
        let loops = loops.join(", ");
        let maps: Vec<String> = maps
            .iter()
            .map(|map| format!("affine_map<({loops}) -> ({map})>"))
            .collect();
        let outs: Vec<Buffer> = outs.iter().map(|out| (*out).clone()).collect();
        let inputs = match ins.is_empty() {
            true => String::new(),
            false => format!("ins({}) ", operands(ins)),
        };
        self.line(format!(
            "linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {inputs}outs({}) {{",
            maps.join(", "),
            kinds.join(", "),
            operands(&outs)
        ));
        let mut names = Vec::new();
        let mut arguments = Vec::new();
        for buffer in ins.iter().chain(&outs) {
            let name = self.name("e");
            arguments.push(format!("{name}: {}", buffer.element));
            names.push(name);
        }
        self.line(format!("^bb0({}):", arguments.join(", ")));
        self.indent += 1;
        names
    }

    /// The end of a generic operation.
    pub fn close_generic(&mut self, results: &[String], outs: &[&Buffer]) {
        let types: Vec<&str> = outs.iter().map(|out| out.element.name()).collect();
        self.line(format!(
            "linalg.yield {} : {}",
            results.join(", "),
            types.join(", ")
        ));
        self.indent -= 1;
        self.line("}");
    }

    /// An element of other memory, whose place depends on the indices of the operation.
    fn gathered(&mut self, from: &Buffer, loops: &[Loop], places: &[usize]) -> String {
        self.feature("element whose place is computed");
        let mut indices = Vec::new();
        for size in from.shape.iter().copied() {
            let fit: Vec<usize> = (0..loops.len())
                .filter(|dim| loops[*dim].extent <= size)
                .collect();
            if fit.is_empty() || self.choices.chance(15) {
                let at = self.choices.below(size);
                indices.push(self.index(at));
                continue;
            }
            let dim = *self.choices.of(&fit);
            let mut index = self.value(format!("linalg.index {} : index", places[dim]));
            if self.choices.chance(50) {
                let last = self.index(loops[dim].extent - 1);
                index = self.value(format!("arith.subi {last}, {index} : index"));
            }
            indices.push(index);
        }
        self.value(format!(
            "memref.load {}[{}] : {}",
            from.name,
            indices.join(", "),
            from.type_text()
        ))
    }
}

/// Whether an operand has this loop itself as an index.
fn has_plain(ins: &[Operand], dim: usize) -> bool {
    let mut indices = ins.iter().flat_map(|operand| &operand.map);
    indices.any(|index| index.is_plain(dim))
}

/// The indices of the loops themselves.
pub fn identity(rank: usize) -> String {
    let loops: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
    loops.join(", ")
}
