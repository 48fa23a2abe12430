//! Runs random functions. At each step all visible values are compared: values that must alias do, and values
//! that never alias do not.

#[path = "common/random.rs"]
mod random;

use memplan_ownership::{
    function::{
        Edge, EdgeId, EdgeSplit, Function, RegionId, Segment, SegmentId, Value, ValueId, ValueKind,
    },
    order::SegmentOrder,
    origins::{AliasOracle, AliasResult, Origins, OriginsInput},
};
use smallvec::SmallVec;
use std::collections::BTreeMap;

use random::Random;

/// A random program: the input of the analysis, and the effects of its steps.
struct Program {
    memory: OriginsInput,
    /// By segment and step: the value that the step stores, if it stores one.
    stores: BTreeMap<(SegmentId, u32), ValueId>,
}

fn value(
    function: &mut Function,
    kind: ValueKind,
    segment: SegmentId,
    step: Option<u32>,
) -> ValueId {
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

/// Blocks with random edges. Operands and passed values are chosen among the values that dominate them.
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
            let kind = if at == 0 {
                ValueKind::Foreign
            } else {
                ValueKind::Param
            };
            value(&mut function, kind, segment, None);
        }
    }
    for from in 0..count {
        for _ in 0..[1, 1, 2, 2, 3][random.below(5)] {
            // Mostly forward edges, some backward; none leads to the entry.
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
                split: EdgeSplit::Impossible,
            });
            function.segments[from].edges.push(edge);
        }
    }
    let order = SegmentOrder::of(&function);
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
                    let kind = ValueKind::Fresh {
                        owned: true,
                        may_alias: None,
                    };
                    value(&mut function, kind, segment, Some(step));
                }
                5 => {
                    // Two results of one call, perhaps the same.
                    let kind = ValueKind::Fresh {
                        owned: true,
                        may_alias: None,
                    };
                    let first = value(&mut function, kind, segment, Some(step));
                    let kind = ValueKind::Fresh {
                        owned: true,
                        may_alias: Some(first),
                    };
                    value(&mut function, kind, segment, Some(step));
                }
                6 => {
                    let sources: SmallVec<[ValueId; 2]> =
                        (0..2).map(|_| named[random.below(named.len())]).collect();
                    value(
                        &mut function,
                        ValueKind::AnyOf(sources),
                        segment,
                        Some(step),
                    );
                }
                7 => unknown.push(value(
                    &mut function,
                    ValueKind::Foreign,
                    segment,
                    Some(step),
                )),
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
        memory: OriginsInput {
            function,
            unknown,
            escapes,
            marks,
        },
        stores,
    }
}

type Place = u64;

/// The state of a run: the memory of each value since its last definition.
struct Run<'p, 'o> {
    program: &'p Program,
    origins: &'o mut Origins<'p>,
    random: Random,
    places: Vec<Option<Place>>,
    /// The marks that accompany memory.
    marks: Vec<u8>,
    /// Stored memory with its marks, and memory of others.
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
            ValueKind::Fresh { may_alias, .. } => {
                let before = made.filter(|_| may_alias.is_some() && self.random.chance(50));
                let place = before.unwrap_or_else(|| self.fresh());
                *made = Some(place);
                self.set(value, place, 0);
            }
            ValueKind::AnyOf(sources) => {
                let source = sources[self.random.below(sources.len())];
                let place = self.places[source.index()].unwrap();
                self.set(value, place, self.marks[source.index()]);
            }
            ValueKind::Foreign | ValueKind::Param | ValueKind::FreshOrAnyOf(_) => unreachable!(),
        }
    }

    /// Compares all visible values.
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
        let groups = self.origins.may_alias_groups(&named, named.len());
        let mut together = std::collections::BTreeSet::new();
        for group in groups {
            for one in &group {
                together.extend(group.iter().map(|other| (*one, *other)));
            }
        }
        for (at, one) in named.iter().enumerate() {
            let marks = self.marks[one.index()];
            assert_eq!(self.origins.marks(*one) & marks, marks);
            for (later, other) in named.iter().enumerate().skip(at + 1) {
                let is_same = self.places[one.index()] == self.places[other.index()];
                let relation = self.origins.alias(*one, *other);
                let holds = match relation {
                    AliasResult::Must => is_same,
                    AliasResult::No => !is_same,
                    AliasResult::May => true,
                };
                assert!(
                    holds,
                    "{one:?} and {other:?}: {relation:?} at {segment:?} {step}, {:?}",
                    self.program.memory
                );
                assert!(!is_same || together.contains(&(at as u32, later as u32)));
                self.compared += usize::from(relation != AliasResult::May);
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
fn alias_results_hold_in_each_run() {
    let mut compared = 0;
    for seed in 0..1200 {
        let program = program(seed);
        let mut origins = Origins::of(&program.memory);
        for run in 0..4 {
            let count = program.memory.function.values.len();
            let mut run = Run {
                program: &program,
                origins: &mut origins,
                random: Random((seed * 4 + run).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
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

/// A chain of joins of the previous join and a new value. The last join may be any of them.
fn chain(length: usize) -> (OriginsInput, ValueId, Vec<ValueId>) {
    let mut function = Function {
        regions: vec![None],
        segments: vec![Segment {
            region: Some(RegionId(0)),
            ..Segment::default()
        }],
        ..Function::default()
    };
    let fresh = ValueKind::Fresh {
        owned: true,
        may_alias: None,
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
        let either = ValueKind::AnyOf(SmallVec::from_slice(&[last, new]));
        last = value(&mut function, either, SegmentId(0), Some(2 + 2 * step));
        all.push(new);
    }
    let later = value(
        &mut function,
        fresh,
        SegmentId(0),
        Some(1 + 2 * length as u32),
    );
    all.push(later);
    let memory = OriginsInput {
        function,
        ..OriginsInput::default()
    };
    (memory, last, all)
}

#[test]
fn values_with_too_many_origins_may_alias() {
    for length in [10, 1000] {
        let (memory, last, all) = chain(length);
        let mut origins = Origins::of(&memory);
        let later = all[all.len() - 1];
        for one in &all {
            let expected = if *one == later {
                AliasResult::No
            } else {
                AliasResult::May
            };
            assert_eq!(origins.alias(*one, last), expected, "{length}");
        }
    }
}

#[test]
fn buffers_that_a_loop_swaps_stay_apart() {
    // Segment 0 defines a and b, and jumps to 1 with both. Segment 1 jumps to itself with both, swapped.
    let segment = Segment {
        region: Some(RegionId(0)),
        ..Segment::default()
    };
    let mut function = Function {
        regions: vec![None],
        segments: vec![segment.clone(), segment],
        ..Function::default()
    };
    let fresh = ValueKind::Fresh {
        owned: true,
        may_alias: None,
    };
    let a = value(&mut function, fresh.clone(), SegmentId(0), Some(0));
    let b = value(&mut function, fresh, SegmentId(0), Some(1));
    let p = value(&mut function, ValueKind::Param, SegmentId(1), None);
    let q = value(&mut function, ValueKind::Param, SegmentId(1), None);
    for (from, passed) in [(0, [a, b]), (1, [q, p])] {
        function.segments[from].edges.push(EdgeId::new(from));
        function.edges.push(Edge {
            from: SegmentId::new(from),
            to: Some(SegmentId(1)),
            passed: passed.map(Some).to_vec(),
            split: EdgeSplit::Impossible,
        });
    }
    let memory = OriginsInput {
        function,
        ..OriginsInput::default()
    };
    let mut origins = Origins::of(&memory);
    assert_eq!(origins.alias(p, q), AliasResult::No);
    assert_eq!(origins.alias(p, a), AliasResult::May);
}
