//! Decides which buffers live in results, and which results are allocated earlier for that.

use crate::{
    hosts,
    merge_alloc::BlockTree,
    new_buffers,
    result_heap::{self, Counting, Heap},
    shapes::Shapes,
};
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, Position, ScopeId},
};
use memplan_mlir::{
    ir::{Op, Val, ancestor_in, operands, parent_block, results, type_of},
    layout::{dynamic_dimensions, memory_space},
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, collections::BTreeMap};

/// A result with buffers that live in its memory.
pub struct Change<'c> {
    /// Its allocation.
    pub result: Op<'c>,
    /// Its number.
    pub number: u32,
    /// The operation before which it is allocated now, if that is earlier.
    pub before: Option<Op<'c>>,
    /// The values that give its dynamic dimensions their sizes there.
    pub sizes: Vec<Val<'c>>,
    /// The allocations of the buffers.
    pub guests: Vec<Op<'c>>,
}

/// Largest number of results of a function that buffers live in.
const MOST_RESULTS: usize = 256;

/// What is known beside the function.
#[derive(Clone, Copy)]
pub struct Where {
    /// Whether its arenas are on the heap.
    pub arenas_on_heap: bool,
    /// Whether loops are taken to run at least once.
    pub loops_run: bool,
}

/// The changes of a function: those that lower the bytes of its arenas, and let it hold no more of the heap with its results.
/// With dynamic sizes, that is decided at one shape, and holds at others. The sizes of the analysis change.
pub fn decide<'c>(
    analysis: &mut Analysis<'c>,
    known: Where,
    semantics: &mut Semantics,
) -> Vec<Change<'c>> {
    let mut shapes = Shapes::default();
    let sizes = shapes.read(analysis, semantics);
    sizes.set(analysis, 0);
    let mut all = rooms(analysis, known, (&mut shapes, semantics));
    for shape in 1..sizes.shapes() {
        if all.iter().any(|(_, found)| !found.is_empty()) {
            sizes.set(analysis, shape);
            keep_within(analysis, known, &mut all);
        }
    }
    let found = all.iter().flat_map(|(_, found)| found);
    found.filter_map(|room| change(analysis, room)).collect()
}

/// Results of a memory space with their guests.
type InSpace = (String, Vec<Room>);

/// The results that hold buffers at a shape.
fn rooms(
    analysis: &Analysis<'_>,
    known: Where,
    (shapes, semantics): (&mut Shapes, &mut Semantics),
) -> Vec<InSpace> {
    if analysis.plannable.is_empty() || analysis.program.has_arena {
        return Vec::new();
    }
    let mut by_space: BTreeMap<String, Vec<(u32, BufferId)>> = BTreeMap::new();
    for (number, result) in own_results(analysis) {
        let value = results(analysis.handles.buffers[result.index()]).next();
        let space = value.map(|value| memory_space(type_of(value)));
        by_space
            .entry(space.unwrap_or_default())
            .or_default()
            .push((number, result));
    }
    let mut all = Vec::new();
    let tree = BlockTree::of(&analysis.program).with_loops(known.loops_run);
    for (space, results) in by_space {
        let mut rooms = Rooms::of(analysis, &space, &known.counting(&tree));
        let mut found: Vec<Room> = results
            .into_iter()
            .map(|(number, result)| rooms.fill(number, result, (&mut *shapes, &mut *semantics)))
            .collect();
        found.iter_mut().for_each(|room| rooms.clear(room));
        all.push((space, found));
    }
    all
}

/// At another shape, removes the guests of results that are allocated earlier, if the function would hold more with them.
fn keep_within(analysis: &Analysis<'_>, known: Where, all: &mut [InSpace]) {
    let tree = BlockTree::of(&analysis.program).with_loops(known.loops_run);
    for (space, found) in all {
        let mut rooms = Rooms::of(analysis, space, &known.counting(&tree));
        for room in found.iter_mut() {
            let guests = std::mem::take(&mut room.guests);
            guests
                .into_iter()
                .for_each(|guest| rooms.lodge(room, guest));
        }
        if !rooms.heap.is_within() {
            for room in found.iter_mut() {
                let own = analysis.program.buffers[room.result.index()].position;
                room.guests.retain(|(at, _)| *at >= own);
            }
        }
    }
}

/// What changes for a result.
fn change<'c>(analysis: &Analysis<'c>, room: &Room) -> Option<Change<'c>> {
    let buffers = &analysis.handles.buffers;
    let result = buffers[room.result.index()];
    let (first, guest) = room.guests.last()?;
    let own = analysis.program.buffers[room.result.index()].position;
    let before = match *first < own {
        true => Some(ancestor_in(buffers[guest.index()], parent_block(result)?)?),
        false => None,
    };
    Some(Change {
        result,
        number: room.number,
        before,
        // The first buffer has the same shape.
        sizes: match before {
            Some(_) => operands(buffers[guest.index()]).collect(),
            None => operands(result).collect(),
        },
        guests: room
            .guests
            .iter()
            .rev()
            .map(|(_, guest)| buffers[guest.index()])
            .collect(),
    })
}

impl Where {
    const fn counting<'t>(&self, tree: &'t BlockTree<'t>) -> Counting<'t> {
        match self.arenas_on_heap {
            true => Counting::Arenas(tree),
            false => Counting::NoArenas,
        }
    }
}

/// The results that may hold buffers, each with its number, the largest first.
fn own_results(analysis: &Analysis<'_>) -> Vec<(u32, BufferId)> {
    let program = &analysis.program;
    let body = program.scopes[ScopeId::new(0).index()].body;
    let entry = program.nodes[body.index()].blocks.first();
    let mut numbers: Vec<u32> = program.returned.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let may_hold = |buffer: &BufferId| {
        let fact = &program.buffers[buffer.index()];
        let alloc = analysis.handles.buffers[buffer.index()];
        Some(&fact.block) == entry
            && fact.size > 0
            && has_sizes_only(alloc)
            && new_buffers::is_only_returned(analysis, *buffer)
    };
    let own = numbers.into_iter().filter_map(|number| {
        let buffer = new_buffers::of_result(analysis, number).filter(may_hold)?;
        Some((number, buffer))
    });
    let mut all: Vec<(u32, BufferId)> = own.collect();
    all.sort_by_key(|(number, buffer)| (Reverse(program.buffers[buffer.index()].size), *number));
    all.truncate(MOST_RESULTS);
    all
}

/// Whether the operands of an allocation are its dynamic dimensions.
fn has_sizes_only(alloc: Op<'_>) -> bool {
    let form = results(alloc).next().map(type_of);
    form.is_some_and(|form| operands(alloc).count() == dynamic_dimensions(form).len())
}

/// A result with its guests.
struct Room {
    number: u32,
    result: BufferId,
    /// The guests, each with the position from which the result has to be there; the last of the list comes first.
    guests: Vec<(Position, BufferId)>,
}

/// The state of the decision in one memory space.
struct Rooms<'a, 'c> {
    analysis: &'a Analysis<'c>,
    heap: Heap<'a, 'c>,
    lodged: FxHashSet<BufferId>,
}

impl<'a, 'c> Rooms<'a, 'c> {
    fn of(analysis: &'a Analysis<'c>, space: &str, counts: &Counting<'_>) -> Self {
        Self {
            analysis,
            heap: Heap::of(analysis, space, counts),
            lodged: FxHashSet::default(),
        }
    }

    /// Lets as many buffers live in a result as the function holds no more for.
    fn fill(
        &mut self,
        number: u32,
        result: BufferId,
        (shapes, semantics): (&mut Shapes, &mut Semantics),
    ) -> Room {
        let host = result_heap::host(self.analysis, result, (&mut *shapes, &mut *semantics));
        let found = hosts::guests(self.analysis, &[host], &self.lodged, (shapes, semantics));
        let found = found.into_iter().flatten();
        let mut guests: Vec<(Position, BufferId)> = found
            .filter_map(|guest| Some((self.start(result, guest)?, guest)))
            .collect();
        guests.sort_unstable_by_key(|guest| Reverse(*guest));
        let mut room = Room {
            number,
            result,
            guests: Vec::new(),
        };
        let own = self.analysis.program.buffers[result.index()].position;
        for guest in guests {
            self.lodge(&mut room, guest);
        }
        // The arena only grows when guests leave.
        if !self.heap.has_room_for_arena() {
            while room.guests.last().is_some_and(|(at, _)| *at < own) {
                self.release(&mut room);
            }
        }
        // Each of the first ones lets the result be held earlier.
        while let Some((at, _)) = room.guests.last()
            && !(self.heap.is_within() && (*at >= own || self.heap.is_known(*at, own)))
        {
            self.release(&mut room);
        }
        room
    }

    /// Gives up the first guests, for which the result is allocated earlier, as long as arenas need no more without them.
    fn clear(&mut self, room: &mut Room) {
        let own = self.analysis.program.buffers[room.result.index()].position;
        while let Some(guest) = room.guests.last().copied().filter(|(at, _)| *at < own) {
            let most = self.heap.arena();
            self.release(room);
            if self.heap.arena() > most || !self.heap.is_within() {
                self.lodge(room, guest);
                break;
            }
        }
    }

    fn lodge(&mut self, room: &mut Room, guest: (Position, BufferId)) {
        let old = self.begin(room);
        room.guests.push(guest);
        self.heap.begin(room.result, old, self.begin(room));
        self.heap.lodge(guest.1);
        self.lodged.insert(guest.1);
    }

    fn release(&mut self, room: &mut Room) {
        let old = self.begin(room);
        let Some((_, guest)) = room.guests.pop() else {
            return;
        };
        self.heap.begin(room.result, old, self.begin(room));
        self.heap.release(guest);
        self.lodged.remove(&guest);
    }

    /// The position from which a result is held.
    fn begin(&self, room: &Room) -> Position {
        let own = self.analysis.program.buffers[room.result.index()].position;
        let first = room.guests.last().map(|(at, _)| *at);
        first.map_or(own, |first| first.min(own))
    }

    /// The position in the block of a result from which it has to be there for a guest; `None` if that block does not come
    /// before the guest.
    fn start(&self, result: BufferId, guest: BufferId) -> Option<Position> {
        let program = &self.analysis.program;
        let (host, fact) = (
            &program.buffers[result.index()],
            &program.buffers[guest.index()],
        );
        let (mut block, mut position) = (fact.block, fact.position);
        // The sizes of a buffer further inside may not be computed before that.
        let is_dynamic = operands(self.analysis.handles.buffers[result.index()]).count() > 0;
        if is_dynamic && block != host.block && position < host.position {
            return None;
        }
        while block != host.block {
            let node = &program.nodes[program.blocks[block.index()].node.index()];
            position = node.start;
            match node.parent {
                Some(parent) => block = parent,
                // Another block of the function: the entry comes before it.
                None => return (host.position < fact.position).then_some(fact.position),
            }
        }
        Some(position)
    }
}
