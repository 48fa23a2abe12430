//! Random functions are run, and at each step all values that can be named are compared: what is said to be the same
//! is, and what is said never to be is not.

#[path = "common/random.rs"]
mod random;

use memplan_ownership::{
    function::{Edge, EdgeId, Function, Kind, RegionId, Room, Segment, SegmentId, Value, ValueId},
    order::Order,
    origins::{Memory, Origins, Overlaps, Relation},
};
use smallvec::SmallVec;
use std::collections::BTreeMap;

use random::Random;

/// A program: what it is to the analysis, and what its steps do.
struct Program {
    memory: Memory,
    /// By segment and step: the value that the step stores, where it stores one.
    stores: BTreeMap<(SegmentId, u32), ValueId>,
}

fn value(function: &mut Function, kind: Kind, segment: SegmentId, step: Option<u32>) -> ValueId {
    let id = ValueId::new(function.values.len());
    function.values.push(Value {
        kind,
        segment,
        step,
    });
    if step.is_none() {
        function.segments[segment.index()].params.push(id);
    }
    id
}

/// Blocks with edges anywhere; what each passes and uses is what dominates it.
fn program(seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut function = Function {
        regions: vec![None],
        ..Function::default()
    };
    let count = 2 + random.below(6);
    for at in 0..count {
        function.segments.push(Segment {
            region: Some(RegionId(0)),
            ..Segment::default()
        });
        let segment = SegmentId::new(at);
        let params = if at == 0 { 2 } else { random.below(4) };
        for _ in 0..params {
            let kind = if at == 0 { Kind::Foreign } else { Kind::Param };
            value(&mut function, kind, segment, None);
        }
    }
    for from in 0..count {
        for _ in 0..[1, 1, 2, 2, 3][random.below(5)] {
            // Often on, and at times back; none leads to the first.
            let to = match random.chance(60) {
                true => from + 1 + random.below(2),
                false => 1 + random.below(count - 1),
            };
            let to = (to < count).then(|| SegmentId::new(to));
            let edge = EdgeId::new(function.edges.len());
            function.edges.push(Edge {
                from: SegmentId::new(from),
                to,
                passed: Vec::new(),
                room: Room::None,
            });
            function.segments[from].edges.push(edge);
        }
    }
    let order = Order::of(&function);
    let mut unknown = Vec::new();
    let mut escapes = Vec::new();
    let mut stores = BTreeMap::new();
    for segment in order.segments().to_vec() {
        let visible = |function: &Function| -> Vec<ValueId> {
            let all = (0..function.values.len()).map(ValueId::new);
            all.filter(|value| {
                let home = function.value(*value).segment;
                home == segment || order.dominates(home, segment)
            })
            .collect()
        };
        for step in 0..1 + random.below(5) as u32 {
            function.segments[segment.index()].steps = step + 2;
            let named = visible(&function);
            match random.below(10) {
                0..=4 => {
                    let kind = Kind::Fresh {
                        owned: true,
                        same_as: None,
                    };
                    value(&mut function, kind, segment, Some(step));
                }
                5 => {
                    // Two results of one call, perhaps the same.
                    let kind = Kind::Fresh {
                        owned: true,
                        same_as: None,
                    };
                    let first = value(&mut function, kind, segment, Some(step));
                    let kind = Kind::Fresh {
                        owned: true,
                        same_as: Some(first),
                    };
                    value(&mut function, kind, segment, Some(step));
                }
                6 => {
                    let sources: SmallVec<[ValueId; 2]> =
                        (0..2).map(|_| named[random.below(named.len())]).collect();
                    value(&mut function, Kind::Any(sources), segment, Some(step));
                }
                7 => unknown.push(value(&mut function, Kind::Foreign, segment, Some(step))),
                8 => {
                    let stored = named[random.below(named.len())];
                    stores.insert((segment, step), stored);
                    escapes.push(stored);
                }
                _ => {}
            }
        }
        let named = visible(&function);
        for edge in function.segments[segment.index()].edges.clone() {
            let Some(to) = function.edge(edge).to else {
                continue;
            };
            let params = function.segments[to.index()].params.len();
            function.edges[edge.index()].passed = (0..params)
                .map(|_| (!random.chance(4)).then(|| named[random.below(named.len())]))
                .collect();
        }
    }
    let marks = (0..function.values.len())
        .map(|_| u8::from(random.chance(10)))
        .collect();
    Program {
        memory: Memory {
            function,
            unknown,
            escapes,
            marks,
        },
        stores,
    }
}

type Place = u64;

/// A run: where each value's memory is, as it was last defined.
struct Run<'p, 'o> {
    program: &'p Program,
    origins: &'o mut Origins<'p>,
    random: Random,
    places: Vec<Option<Place>>,
    /// The marks that go with memory.
    marks: Vec<u8>,
    /// What was stored, with its marks, and memory of others.
    others: Vec<(Place, u8)>,
    next: Place,
    compared: usize,
}

impl Run<'_, '_> {
    fn fresh(&mut self) -> Place {
        self.next += 1;
        self.next
    }

    fn set(&mut self, value: ValueId, place: Place, marks: u8) {
        self.places[value.index()] = Some(place);
        self.marks[value.index()] = marks | self.program.memory.marks[value.index()];
    }

    fn define(&mut self, value: ValueId, made: &mut Option<Place>) {
        let function = &self.program.memory.function;
        if self.program.memory.unknown.contains(&value) {
            let (place, _) = self.others[self.random.below(self.others.len())];
            self.set(value, place, 0);
            return;
        }
        match &function.value(value).kind {
            Kind::Fresh { same_as, .. } => {
                let before = made.filter(|_| same_as.is_some() && self.random.chance(50));
                let place = before.unwrap_or_else(|| self.fresh());
                *made = Some(place);
                self.set(value, place, 0);
            }
            Kind::Any(sources) => {
                let source = sources[self.random.below(sources.len())];
                let place = self.places[source.index()].unwrap();
                self.set(value, place, self.marks[source.index()]);
            }
            Kind::Foreign | Kind::Param | Kind::Told(_) => unreachable!(),
        }
    }

    /// Compares all that can be named.
    fn compare(&mut self, segment: SegmentId, step: u32) {
        let function = &self.program.memory.function;
        let named: Vec<ValueId> = (0..function.values.len())
            .map(ValueId::new)
            .filter(|value| {
                let fact = function.value(*value);
                if fact.segment == segment {
                    fact.step.is_none_or(|at| at < step)
                } else {
                    self.origins.order().dominates(fact.segment, segment)
                }
            })
            .collect();
        let groups = self.origins.overlaps(&named, named.len());
        let mut together = std::collections::BTreeSet::new();
        for group in groups {
            for one in &group {
                together.extend(group.iter().map(|other| (*one, *other)));
            }
        }
        for (at, one) in named.iter().enumerate() {
            let marks = self.marks[one.index()];
            assert_eq!(self.origins.marks(*one) & marks, marks);
            for (behind, other) in named.iter().enumerate().skip(at + 1) {
                let is_same = self.places[one.index()] == self.places[other.index()];
                let relation = self.origins.relation(*one, *other);
                let holds = match relation {
                    Relation::Same => is_same,
                    Relation::Never => !is_same,
                    Relation::Maybe => true,
                };
                assert!(
                    holds,
                    "{one:?} and {other:?}: {relation:?} at {segment:?} {step}, {:?}",
                    self.program.memory
                );
                assert!(!is_same || together.contains(&(at as u32, behind as u32)));
                self.compared += usize::from(relation != Relation::Maybe);
            }
        }
    }

    fn run(&mut self) {
        let function = &self.program.memory.function;
        for param in &function.segments[0].params {
            // Two arguments may be the same.
            let place = 1 + self.random.below(2) as Place;
            self.set(*param, place, 0);
            self.others.push((place, 0));
        }
        self.next = 2;
        let mut at = SegmentId(0);
        for _ in 0..40 {
            let segment = function.segment(at);
            for step in 0..segment.steps {
                self.compare(at, step);
                let mut made = None;
                for index in 0..function.values.len() {
                    let fact = &function.values[index];
                    if fact.segment == at && fact.step == Some(step) {
                        self.define(ValueId::new(index), &mut made);
                    }
                }
                if let Some(stored) = self.program.stores.get(&(at, step)) {
                    let place = self.places[stored.index()].unwrap();
                    self.others.push((place, 0));
                }
            }
            let edge = segment.edges[self.random.below(segment.edges.len())];
            let edge = function.edge(edge);
            let Some(to) = edge.to else { return };
            let passed: Vec<(Place, u8)> = edge
                .passed
                .iter()
                .map(|passed| match passed {
                    Some(value) => (
                        self.places[value.index()].unwrap(),
                        self.marks[value.index()],
                    ),
                    None => self.others[self.random.below(self.others.len())],
                })
                .collect();
            for (param, (place, marks)) in function.segment(to).params.iter().zip(passed) {
                self.set(*param, place, marks);
            }
            at = to;
        }
    }
}

#[test]
fn what_is_said_of_two_values_holds_in_each_run() {
    let mut compared = 0;
    for seed in 0..1200 {
        let program = program(seed);
        let mut origins = Origins::of(&program.memory);
        for turn in 0..4 {
            let count = program.memory.function.values.len();
            let mut run = Run {
                program: &program,
                origins: &mut origins,
                random: Random((seed * 4 + turn).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
                places: vec![None; count],
                marks: vec![0; count],
                others: Vec::new(),
                next: 0,
                compared: 0,
            };
            run.run();
            compared += run.compared;
        }
    }
    assert!(compared > 40_000, "{compared}");
}

/// A chain of joins, each of the one before and something new: what is behind it may be any of them.
fn chain(length: usize) -> (Memory, ValueId, Vec<ValueId>) {
    let mut function = Function {
        regions: vec![None],
        segments: vec![Segment {
            region: Some(RegionId(0)),
            ..Segment::default()
        }],
        ..Function::default()
    };
    let fresh = Kind::Fresh {
        owned: true,
        same_as: None,
    };
    let mut all = vec![value(&mut function, fresh.clone(), SegmentId(0), Some(0))];
    let mut last = all[0];
    for step in 0..length as u32 {
        let new = value(
            &mut function,
            fresh.clone(),
            SegmentId(0),
            Some(1 + 2 * step),
        );
        let either = Kind::Any(SmallVec::from_slice(&[last, new]));
        last = value(&mut function, either, SegmentId(0), Some(2 + 2 * step));
        all.push(new);
    }
    let behind = value(
        &mut function,
        fresh,
        SegmentId(0),
        Some(1 + 2 * length as u32),
    );
    all.push(behind);
    let memory = Memory {
        function,
        ..Memory::default()
    };
    (memory, last, all)
}

#[test]
fn more_origins_than_are_told_apart_may_all_be_the_same() {
    for length in [10, 1000] {
        let (memory, last, all) = chain(length);
        let mut origins = Origins::of(&memory);
        let behind = all[all.len() - 1];
        for one in &all {
            let expected = if *one == behind {
                Relation::Never
            } else {
                Relation::Maybe
            };
            assert_eq!(origins.relation(*one, last), expected, "{length}");
        }
    }
}

#[test]
fn buffers_that_a_loop_swaps_stay_apart() {
    // 0: a, b; jumps to 1 with both, which jumps to itself with both, swapped.
    let segment = Segment {
        region: Some(RegionId(0)),
        ..Segment::default()
    };
    let mut function = Function {
        regions: vec![None],
        segments: vec![segment.clone(), segment],
        ..Function::default()
    };
    let fresh = Kind::Fresh {
        owned: true,
        same_as: None,
    };
    let a = value(&mut function, fresh.clone(), SegmentId(0), Some(0));
    let b = value(&mut function, fresh, SegmentId(0), Some(1));
    let p = value(&mut function, Kind::Param, SegmentId(1), None);
    let q = value(&mut function, Kind::Param, SegmentId(1), None);
    for (from, passed) in [(0, [a, b]), (1, [q, p])] {
        function.segments[from].edges.push(EdgeId::new(from));
        function.edges.push(Edge {
            from: SegmentId::new(from),
            to: Some(SegmentId(1)),
            passed: passed.map(Some).to_vec(),
            room: Room::None,
        });
    }
    let memory = Memory {
        function,
        ..Memory::default()
    };
    let mut origins = Origins::of(&memory);
    assert_eq!(origins.relation(p, q), Relation::Never);
    assert_eq!(origins.relation(p, a), Relation::Maybe);
}
