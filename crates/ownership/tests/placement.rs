//! Where frees come to stand in small functions: as early as can be, and without flags where none is needed.

use memplan_ownership::{
    Function, Plan, decide,
    function::{Edge, EdgeId, Kind, RegionId, Room, Segment, SegmentId, Value, ValueId},
    plan::{Flag, Free, ProgramPoint},
};

const NEW: Kind = Kind::Fresh {
    owned: true,
    same_as: None,
};

/// Segments of so many steps, each in a region; parameters, other values, uses, and ways.
struct Made(Function);

impl Made {
    fn new(segments: &[(u32, u32)], regions: &[Option<u32>]) -> Self {
        let segments = segments.iter().map(|(region, steps)| Segment {
            region: Some(RegionId(*region)),
            steps: *steps,
            ..Segment::default()
        });
        Self(Function {
            segments: segments.collect(),
            regions: regions.iter().map(|outer| outer.map(RegionId)).collect(),
            ..Function::default()
        })
    }

    fn value(&mut self, kind: Kind, segment: u32, step: Option<u32>) -> ValueId {
        let id = ValueId::new(self.0.values.len());
        let segment = SegmentId(segment);
        self.0.values.push(Value {
            kind,
            segment,
            step,
        });
        if step.is_none() {
            self.0.segments[segment.index()].params.push(id);
        }
        id
    }

    fn uses(&mut self, segment: usize, step: u32, value: ValueId) {
        self.0.segments[segment].uses.push((step, value));
    }

    fn way(&mut self, from: u32, to: Option<u32>, passed: &[ValueId], room: Room) -> EdgeId {
        let id = EdgeId::new(self.0.edges.len());
        self.0.edges.push(Edge {
            from: SegmentId(from),
            to: to.map(SegmentId),
            passed: passed.iter().copied().map(Some).collect(),
            room,
        });
        self.0.segments[from as usize].edges.push(id);
        id
    }

    fn plan(&self) -> Plan {
        decide(&self.0).expect("a plan")
    }
}

fn frees(plan: &Plan) -> Vec<(u32, ProgramPoint)> {
    let mut all: Vec<(u32, ProgramPoint)> = plan
        .frees
        .iter()
        .map(|Free { value, place }| (value.0, *place))
        .collect();
    all.sort_unstable();
    all
}

const AT: fn(u32) -> ProgramPoint = |segment| ProgramPoint::Start(SegmentId(segment));

fn after(segment: u32, step: u32) -> ProgramPoint {
    ProgramPoint::After(SegmentId(segment), step)
}

#[test]
fn memory_goes_behind_its_last_use() {
    let mut made = Made::new(&[(0, 5)], &[None]);
    let a = made.value(NEW, 0, Some(0));
    let b = made.value(NEW, 0, Some(1));
    made.uses(0, 2, a);
    made.uses(0, 3, b);
    made.way(0, None, &[], Room::None);
    assert_eq!(
        frees(&made.plan()),
        [(a.0, after(0, 2)), (b.0, after(0, 3))]
    );
}

#[test]
fn what_is_not_used_goes_at_once() {
    let mut made = Made::new(&[(0, 3)], &[None]);
    let a = made.value(NEW, 0, Some(1));
    made.way(0, None, &[], Room::None);
    assert_eq!(frees(&made.plan()), [(a.0, after(0, 1))]);
}

#[test]
fn what_is_returned_belongs_to_the_caller() {
    let mut made = Made::new(&[(0, 2)], &[None]);
    let a = made.value(NEW, 0, Some(0));
    let way = made.way(0, None, &[a, a], Room::None);
    let plan = made.plan();
    assert_eq!(frees(&plan), []);
    assert_eq!(plan.passed(way, 0), Flag::Yes);
    assert_eq!(plan.passes[way.index()][1].shared_with, Some(0));
}

/// A use in one branch of two: behind it there, and at the start of the other.
#[test]
fn a_use_in_one_branch_frees_in_both() {
    let mut made = Made::new(&[(0, 2), (1, 2), (2, 1), (0, 1)], &[None, Some(0), Some(0)]);
    let a = made.value(NEW, 0, Some(0));
    made.uses(1, 0, a);
    made.way(0, Some(1), &[], Room::None);
    made.way(0, Some(2), &[], Room::None);
    made.way(1, Some(3), &[], Room::None);
    made.way(2, Some(3), &[], Room::None);
    made.way(3, None, &[], Room::None);
    assert_eq!(frees(&made.plan()), [(a.0, AT(2)), (a.0, after(1, 0))]);
}

/// A use in a branch without another one: there is no place on the way past it, so behind both.
#[test]
fn a_use_in_the_only_branch_frees_behind() {
    let mut made = Made::new(&[(0, 2), (1, 2), (0, 1)], &[None, Some(0)]);
    let a = made.value(NEW, 0, Some(0));
    made.uses(1, 0, a);
    made.way(0, Some(1), &[], Room::None);
    made.way(0, Some(2), &[], Room::None);
    made.way(1, Some(2), &[], Room::None);
    made.way(2, None, &[], Room::None);
    assert_eq!(frees(&made.plan()), [(a.0, AT(2))]);
}

/// for (x = a, y = b) { use x, y; yield y, x }: nothing to test, nothing to free before the end.
#[test]
fn a_loop_that_swaps_needs_no_test() {
    let mut made = Made::new(&[(0, 3), (1, 2), (0, 3)], &[None, Some(0)]);
    let a = made.value(NEW, 0, Some(0));
    let b = made.value(NEW, 0, Some(1));
    let x = made.value(Kind::Param, 1, None);
    let y = made.value(Kind::Param, 1, None);
    let r = made.value(Kind::Param, 2, None);
    let s = made.value(Kind::Param, 2, None);
    made.uses(1, 0, x);
    made.uses(1, 0, y);
    made.way(0, Some(1), &[a, b], Room::None);
    made.way(0, Some(2), &[a, b], Room::None);
    made.way(1, Some(1), &[y, x], Room::None);
    made.way(1, Some(2), &[y, x], Room::None);
    made.uses(2, 0, r);
    made.uses(2, 1, s);
    made.way(2, None, &[], Room::None);
    let plan = made.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(r.0, after(2, 0)), (s.0, after(2, 1))]);
    for value in [a, b, x, y, r, s] {
        assert_eq!(plan.flag(value), Flag::Yes);
    }
}

/// for (x = a) { n = new; n = f(x); yield n }: the old one goes in each turn, before the end of the body.
#[test]
fn a_loop_that_replaces_frees_in_each_turn() {
    let mut made = Made::new(&[(0, 2), (1, 4), (0, 2)], &[None, Some(0)]);
    let a = made.value(NEW, 0, Some(0));
    let x = made.value(Kind::Param, 1, None);
    let n = made.value(NEW, 1, Some(0));
    let r = made.value(Kind::Param, 2, None);
    made.uses(1, 1, x);
    made.uses(1, 1, n);
    made.way(0, Some(1), &[a], Room::None);
    made.way(0, Some(2), &[a], Room::None);
    made.way(1, Some(1), &[n], Room::None);
    made.way(1, Some(2), &[n], Room::None);
    made.uses(2, 0, r);
    made.way(2, None, &[], Room::None);
    let plan = made.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(x.0, after(1, 1)), (r.0, after(2, 0))]);
    assert_eq!(plan.flag(x), Flag::Yes);
}

/// The same with a start that is needed behind the loop: the first turn must not free it.
#[test]
fn a_start_that_is_needed_later_gives_the_loop_a_flag() {
    let mut made = Made::new(&[(0, 2), (1, 4), (0, 3)], &[None, Some(0)]);
    let a = made.value(NEW, 0, Some(0));
    let x = made.value(Kind::Param, 1, None);
    let n = made.value(NEW, 1, Some(0));
    let r = made.value(Kind::Param, 2, None);
    made.uses(1, 1, x);
    made.way(0, Some(1), &[a], Room::None);
    made.way(0, Some(2), &[a], Room::None);
    made.way(1, Some(1), &[n], Room::None);
    made.way(1, Some(2), &[n], Room::None);
    made.uses(2, 0, a);
    made.uses(2, 1, r);
    made.way(2, None, &[], Room::None);
    let plan = made.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(plan.flag(x), Flag::Dynamic);
    assert_eq!(plan.flag(r), Flag::Dynamic);
    // `r` may be `a`.
    assert_eq!(
        frees(&plan),
        [(a.0, after(2, 1)), (x.0, after(1, 1)), (r.0, after(2, 1))]
    );
}

/// Two blocks that each pass their own to a third: it owns whichever it gets.
#[test]
fn blocks_that_join_pass_their_own() {
    let mut made = Made::new(&[(0, 1), (0, 2), (0, 2), (0, 2)], &[None]);
    let a = made.value(NEW, 1, Some(0));
    let b = made.value(NEW, 2, Some(0));
    let p = made.value(Kind::Param, 3, None);
    made.way(0, Some(1), &[], Room::Split);
    made.way(0, Some(2), &[], Room::Split);
    made.way(1, Some(3), &[a], Room::Split);
    made.way(2, Some(3), &[b], Room::Split);
    made.uses(3, 0, p);
    made.way(3, None, &[], Room::None);
    let plan = made.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(p.0, after(3, 0))]);
    assert_eq!(plan.flag(p), Flag::Yes);
}

/// A select of two that both end with it: they go together, without a test.
#[test]
fn a_select_keeps_both_until_it_ends() {
    let mut made = Made::new(&[(0, 5)], &[None]);
    let a = made.value(NEW, 0, Some(0));
    let b = made.value(NEW, 0, Some(1));
    let s = made.value(Kind::Any([a, b].into_iter().collect()), 0, Some(2));
    made.uses(0, 3, s);
    made.way(0, None, &[], Room::None);
    let plan = made.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(a.0, after(0, 3)), (b.0, after(0, 3))]);
}

/// A select that is returned: the caller owns it for certain, and a test frees the other.
#[test]
fn a_select_that_is_returned_needs_one_test_an_owner_and_no_flag() {
    let mut made = Made::new(&[(0, 4)], &[None]);
    let a = made.value(NEW, 0, Some(0));
    let b = made.value(NEW, 0, Some(1));
    let s = made.value(Kind::Any([a, b].into_iter().collect()), 0, Some(2));
    let way = made.way(0, None, &[s], Room::None);
    let plan = made.plan();
    assert_eq!(plan.tests.len(), 2);
    assert_eq!(plan.passed(way, 0), Flag::Yes);
    assert_eq!(frees(&plan), []);
}

/// Between an owner's last use and the start of a chain of 10,000 diamonds nothing is quadratic.
#[test]
fn many_diamonds_are_planned_in_linear_time() {
    let count = 10_000;
    let mut segments = vec![(0, 2)];
    for _ in 0..count {
        segments.extend([(0, 2), (0, 2), (0, 3)]);
    }
    let mut made = Made::new(&segments, &[None]);
    let mut at = 0;
    let outer = made.value(NEW, 0, Some(0));
    for _ in 0..count {
        let (left, right, join) = (at + 1, at + 2, at + 3);
        let a = made.value(NEW, left, Some(0));
        let b = made.value(NEW, right, Some(0));
        let p = made.value(Kind::Param, join, None);
        made.way(at, Some(left), &[], Room::Split);
        made.way(at, Some(right), &[], Room::Split);
        made.way(left, Some(join), &[a], Room::Split);
        made.way(right, Some(join), &[b], Room::Split);
        made.uses(join as usize, 1, p);
        at = join;
    }
    made.uses(at as usize, 1, outer);
    made.way(at, None, &[], Room::None);
    let start = std::time::Instant::now();
    let plan = made.plan();
    assert_eq!(plan.frees.len(), count + 1);
    // Generous: a tenth of a second is usual, without optimization one.
    assert!(start.elapsed().as_secs() < 20);
}
