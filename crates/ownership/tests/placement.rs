//! Placement of frees in small functions: as early as possible, and without flags where none is needed.

use memplan_ownership::{
    Function, Plan, decide,
    function::{Edge, EdgeId, EdgeSplit, RegionId, Segment, SegmentId, Value, ValueId, ValueKind},
    plan::{Free, Ownership, ProgramPoint},
};

const NEW: ValueKind = ValueKind::Fresh {
    owned: true,
    may_alias: None,
};

/// A function under construction. Each segment has a region and a number of steps.
struct FunctionBuilder(Function);

impl FunctionBuilder {
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

    fn value(&mut self, kind: ValueKind, segment: u32, step: Option<u32>) -> ValueId {
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

    fn edge(&mut self, from: u32, to: Option<u32>, passed: &[ValueId], split: EdgeSplit) -> EdgeId {
        let id = EdgeId::new(self.0.edges.len());
        self.0.edges.push(Edge {
            from: SegmentId(from),
            to: to.map(SegmentId),
            passed: passed.iter().copied().map(Some).collect(),
            split,
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
fn memory_is_freed_after_its_last_use() {
    let mut builder = FunctionBuilder::new(&[(0, 5)], &[None]);
    let a = builder.value(NEW, 0, Some(0));
    let b = builder.value(NEW, 0, Some(1));
    builder.uses(0, 2, a);
    builder.uses(0, 3, b);
    builder.edge(0, None, &[], EdgeSplit::Impossible);
    assert_eq!(
        frees(&builder.plan()),
        [(a.0, after(0, 2)), (b.0, after(0, 3))]
    );
}

#[test]
fn unused_memory_is_freed_at_once() {
    let mut builder = FunctionBuilder::new(&[(0, 3)], &[None]);
    let a = builder.value(NEW, 0, Some(1));
    builder.edge(0, None, &[], EdgeSplit::Impossible);
    assert_eq!(frees(&builder.plan()), [(a.0, after(0, 1))]);
}

#[test]
fn returned_memory_belongs_to_the_caller() {
    let mut builder = FunctionBuilder::new(&[(0, 2)], &[None]);
    let a = builder.value(NEW, 0, Some(0));
    let edge = builder.edge(0, None, &[a, a], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert_eq!(frees(&plan), []);
    assert_eq!(plan.ownership_passed_by(edge, 0), Ownership::Always);
    assert_eq!(plan.passed_ownership[edge.index()][1].shared_with, Some(0));
}

/// A use in one of two branches: freed after it there, and at the start of the other.
#[test]
fn a_use_in_one_branch_frees_in_both() {
    let mut builder =
        FunctionBuilder::new(&[(0, 2), (1, 2), (2, 1), (0, 1)], &[None, Some(0), Some(0)]);
    let a = builder.value(NEW, 0, Some(0));
    builder.uses(1, 0, a);
    builder.edge(0, Some(1), &[], EdgeSplit::Impossible);
    builder.edge(0, Some(2), &[], EdgeSplit::Impossible);
    builder.edge(1, Some(3), &[], EdgeSplit::Impossible);
    builder.edge(2, Some(3), &[], EdgeSplit::Impossible);
    builder.edge(3, None, &[], EdgeSplit::Impossible);
    assert_eq!(frees(&builder.plan()), [(a.0, AT(2)), (a.0, after(1, 0))]);
}

/// A use in a branch without an alternative. The edge past it takes no code, so memory is freed after both.
#[test]
fn a_use_in_the_only_branch_frees_after_it() {
    let mut builder = FunctionBuilder::new(&[(0, 2), (1, 2), (0, 1)], &[None, Some(0)]);
    let a = builder.value(NEW, 0, Some(0));
    builder.uses(1, 0, a);
    builder.edge(0, Some(1), &[], EdgeSplit::Impossible);
    builder.edge(0, Some(2), &[], EdgeSplit::Impossible);
    builder.edge(1, Some(2), &[], EdgeSplit::Impossible);
    builder.edge(2, None, &[], EdgeSplit::Impossible);
    assert_eq!(frees(&builder.plan()), [(a.0, AT(2))]);
}

/// for (x = a, y = b) { use x, y; yield y, x }: nothing to test, nothing to free before the end.
#[test]
fn a_loop_that_swaps_needs_no_test() {
    let mut builder = FunctionBuilder::new(&[(0, 3), (1, 2), (0, 3)], &[None, Some(0)]);
    let a = builder.value(NEW, 0, Some(0));
    let b = builder.value(NEW, 0, Some(1));
    let x = builder.value(ValueKind::Param, 1, None);
    let y = builder.value(ValueKind::Param, 1, None);
    let r = builder.value(ValueKind::Param, 2, None);
    let s = builder.value(ValueKind::Param, 2, None);
    builder.uses(1, 0, x);
    builder.uses(1, 0, y);
    builder.edge(0, Some(1), &[a, b], EdgeSplit::Impossible);
    builder.edge(0, Some(2), &[a, b], EdgeSplit::Impossible);
    builder.edge(1, Some(1), &[y, x], EdgeSplit::Impossible);
    builder.edge(1, Some(2), &[y, x], EdgeSplit::Impossible);
    builder.uses(2, 0, r);
    builder.uses(2, 1, s);
    builder.edge(2, None, &[], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(r.0, after(2, 0)), (s.0, after(2, 1))]);
    for value in [a, b, x, y, r, s] {
        assert_eq!(plan.ownership_of(value), Ownership::Always);
    }
}

/// for (x = a) { n = new; n = f(x); yield n }: each iteration frees the old one before the end of the body.
#[test]
fn a_loop_that_replaces_frees_in_each_iteration() {
    let mut builder = FunctionBuilder::new(&[(0, 2), (1, 4), (0, 2)], &[None, Some(0)]);
    let a = builder.value(NEW, 0, Some(0));
    let x = builder.value(ValueKind::Param, 1, None);
    let n = builder.value(NEW, 1, Some(0));
    let r = builder.value(ValueKind::Param, 2, None);
    builder.uses(1, 1, x);
    builder.uses(1, 1, n);
    builder.edge(0, Some(1), &[a], EdgeSplit::Impossible);
    builder.edge(0, Some(2), &[a], EdgeSplit::Impossible);
    builder.edge(1, Some(1), &[n], EdgeSplit::Impossible);
    builder.edge(1, Some(2), &[n], EdgeSplit::Impossible);
    builder.uses(2, 0, r);
    builder.edge(2, None, &[], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(x.0, after(1, 1)), (r.0, after(2, 0))]);
    assert_eq!(plan.ownership_of(x), Ownership::Always);
}

/// The same with an initial value that is used after the loop: the first iteration must not free it.
#[test]
fn an_initial_value_that_is_used_later_gives_the_loop_a_flag() {
    let mut builder = FunctionBuilder::new(&[(0, 2), (1, 4), (0, 3)], &[None, Some(0)]);
    let a = builder.value(NEW, 0, Some(0));
    let x = builder.value(ValueKind::Param, 1, None);
    let n = builder.value(NEW, 1, Some(0));
    let r = builder.value(ValueKind::Param, 2, None);
    builder.uses(1, 1, x);
    builder.edge(0, Some(1), &[a], EdgeSplit::Impossible);
    builder.edge(0, Some(2), &[a], EdgeSplit::Impossible);
    builder.edge(1, Some(1), &[n], EdgeSplit::Impossible);
    builder.edge(1, Some(2), &[n], EdgeSplit::Impossible);
    builder.uses(2, 0, a);
    builder.uses(2, 1, r);
    builder.edge(2, None, &[], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(plan.ownership_of(x), Ownership::Dynamic);
    assert_eq!(plan.ownership_of(r), Ownership::Dynamic);
    // `r` may be `a`.
    assert_eq!(
        frees(&plan),
        [(a.0, after(2, 1)), (x.0, after(1, 1)), (r.0, after(2, 1))]
    );
}

/// Two blocks that each pass a buffer of their own to a third: its parameter always owns its memory.
#[test]
fn blocks_that_join_pass_their_own() {
    let mut builder = FunctionBuilder::new(&[(0, 1), (0, 2), (0, 2), (0, 2)], &[None]);
    let a = builder.value(NEW, 1, Some(0));
    let b = builder.value(NEW, 2, Some(0));
    let p = builder.value(ValueKind::Param, 3, None);
    builder.edge(0, Some(1), &[], EdgeSplit::Possible);
    builder.edge(0, Some(2), &[], EdgeSplit::Possible);
    builder.edge(1, Some(3), &[a], EdgeSplit::Possible);
    builder.edge(2, Some(3), &[b], EdgeSplit::Possible);
    builder.uses(3, 0, p);
    builder.edge(3, None, &[], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(p.0, after(3, 0))]);
    assert_eq!(plan.ownership_of(p), Ownership::Always);
}

/// A select of two that both end with it: they are freed together, without a test.
#[test]
fn a_select_keeps_both_until_it_ends() {
    let mut builder = FunctionBuilder::new(&[(0, 5)], &[None]);
    let a = builder.value(NEW, 0, Some(0));
    let b = builder.value(NEW, 0, Some(1));
    let s = builder.value(ValueKind::AnyOf([a, b].into_iter().collect()), 0, Some(2));
    builder.uses(0, 3, s);
    builder.edge(0, None, &[], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert!(plan.tests.is_empty());
    assert_eq!(frees(&plan), [(a.0, after(0, 3)), (b.0, after(0, 3))]);
}

/// A returned select: the caller always owns it, and a test frees the other buffer.
#[test]
fn a_select_that_is_returned_needs_one_test_an_owner_and_no_flag() {
    let mut builder = FunctionBuilder::new(&[(0, 4)], &[None]);
    let a = builder.value(NEW, 0, Some(0));
    let b = builder.value(NEW, 0, Some(1));
    let s = builder.value(ValueKind::AnyOf([a, b].into_iter().collect()), 0, Some(2));
    let edge = builder.edge(0, None, &[s], EdgeSplit::Impossible);
    let plan = builder.plan();
    assert_eq!(plan.tests.len(), 2);
    assert_eq!(plan.ownership_passed_by(edge, 0), Ownership::Always);
    assert_eq!(frees(&plan), []);
}

/// Linear time between an owner's last use and the start of a chain of 10,000 diamonds.
#[test]
fn many_diamonds_are_planned_in_linear_time() {
    let count = 10_000;
    let mut segments = vec![(0, 2)];
    for _ in 0..count {
        segments.extend([(0, 2), (0, 2), (0, 3)]);
    }
    let mut builder = FunctionBuilder::new(&segments, &[None]);
    let mut at = 0;
    let outer = builder.value(NEW, 0, Some(0));
    for _ in 0..count {
        let (left, right, join) = (at + 1, at + 2, at + 3);
        let a = builder.value(NEW, left, Some(0));
        let b = builder.value(NEW, right, Some(0));
        let p = builder.value(ValueKind::Param, join, None);
        builder.edge(at, Some(left), &[], EdgeSplit::Possible);
        builder.edge(at, Some(right), &[], EdgeSplit::Possible);
        builder.edge(left, Some(join), &[a], EdgeSplit::Possible);
        builder.edge(right, Some(join), &[b], EdgeSplit::Possible);
        builder.uses(join as usize, 1, p);
        at = join;
    }
    builder.uses(at as usize, 1, outer);
    builder.edge(at, None, &[], EdgeSplit::Impossible);
    let start = std::time::Instant::now();
    let plan = builder.plan();
    assert_eq!(plan.frees.len(), count + 1);
    // Generous: a tenth of a second is usual, one second without optimization.
    assert!(start.elapsed().as_secs() < 20);
}
