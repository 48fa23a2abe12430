//! Random functions.

use memplan_ownership::{
    Function,
    function::{
        Edge, EdgeId, EdgeSplit, RegionId, Segment, SegmentId, StepIndex, Value, ValueId, ValueKind,
    },
    order::SegmentOrder,
};
use smallvec::SmallVec;

use crate::random::Random;

/// Generates functions.
pub struct Maker {
    function: Function,
    random: Random,
}

impl Maker {
    fn new(seed: u64) -> Self {
        Self {
            function: Function {
                regions: vec![None],
                ..Function::default()
            },
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        }
    }

    fn segment(&mut self, region: RegionId) -> SegmentId {
        self.function.segments.push(Segment {
            region: Some(region),
            ..Segment::default()
        });
        SegmentId::new(self.function.segments.len() - 1)
    }

    fn value(&mut self, kind: ValueKind, segment: SegmentId, step: Option<StepIndex>) -> ValueId {
        self.function.values.push(Value {
            kind,
            segment,
            step,
        });
        let value = ValueId::new(self.function.values.len() - 1);
        if step.is_none() {
            self.function.segments[segment.index()].params.push(value);
        }
        value
    }

    fn step(&mut self, segment: SegmentId) -> StepIndex {
        let steps = &mut self.function.segments[segment.index()].steps;
        *steps += 1;
        *steps - 1
    }

    fn edge(
        &mut self,
        from: SegmentId,
        to: Option<SegmentId>,
        passed: Vec<Option<ValueId>>,
        split: EdgeSplit,
    ) {
        self.function.edges.push(Edge {
            from,
            to,
            passed,
            split,
        });
        let edge = EdgeId::new(self.function.edges.len() - 1);
        self.function.segments[from.index()].edges.push(edge);
    }

    fn pick(&mut self, visible: &[ValueId]) -> Option<ValueId> {
        if visible.is_empty() || self.random.chance(3) {
            return None;
        }
        // Prefers recent values.
        let from = if self.random.chance(60) {
            visible.len().saturating_sub(4)
        } else {
            0
        };
        Some(visible[from + self.random.below(visible.len() - from)])
    }

    fn picks(&mut self, visible: &[ValueId], count: usize) -> Vec<Option<ValueId>> {
        (0..count).map(|_| self.pick(visible)).collect()
    }

    /// An operation without regions.
    fn simple(&mut self, segment: SegmentId, visible: &mut Vec<ValueId>) {
        let step = self.step(segment);
        match self.random.below(12) {
            0..=3 => {
                let kind = ValueKind::Fresh {
                    owned: !self.random.chance(5),
                    may_alias: None,
                };
                visible.push(self.value(kind, segment, Some(step)));
            }
            4 => {
                let first = self.value(
                    ValueKind::Fresh {
                        owned: true,
                        may_alias: None,
                    },
                    segment,
                    Some(step),
                );
                let kind = ValueKind::Fresh {
                    owned: true,
                    may_alias: Some(first),
                };
                visible.extend([first, self.value(kind, segment, Some(step))]);
            }
            5 => {
                let count = 2 + self.random.below(2);
                let sources: SmallVec<[ValueId; 2]> =
                    self.picks(visible, count).into_iter().flatten().collect();
                if !sources.is_empty() {
                    visible.push(self.value(ValueKind::AnyOf(sources), segment, Some(step)));
                }
            }
            6 if self.random.chance(30) => {
                visible.push(self.value(ValueKind::Foreign, segment, Some(step)));
            }
            6 => {
                // A call that returns ownership flags. Its results are new, its arguments, or each other.
                let mut sources: SmallVec<[ValueId; 2]> =
                    self.picks(visible, 2).into_iter().flatten().collect();
                for value in &sources {
                    self.function.segments[segment.index()]
                        .uses
                        .push((step, *value));
                }
                let first = ValueId::new(self.function.values.len());
                let second = ValueId::new(first.index() + 1);
                let count = 1 + self.random.below(2);
                let mut others = sources.clone();
                if count == 2 && self.random.chance(50) {
                    sources.push(second);
                }
                if self.random.chance(50) {
                    others.push(first);
                }
                visible.push(self.value(ValueKind::FreshOrAnyOf(sources), segment, Some(step)));
                if count == 2 {
                    let kind = if self.random.chance(70) || others.is_empty() {
                        ValueKind::FreshOrAnyOf(others)
                    } else {
                        ValueKind::AnyOf(others)
                    };
                    visible.push(self.value(kind, segment, Some(step)));
                }
            }
            _ => {
                for value in self.picks(visible, 2).into_iter().flatten() {
                    self.function.segments[segment.index()]
                        .uses
                        .push((step, value));
                }
            }
        }
    }

    /// Operations, some with regions. Returns the segment at their end.
    fn body(
        &mut self,
        mut segment: SegmentId,
        visible: &mut Vec<ValueId>,
        depth: usize,
    ) -> SegmentId {
        for _ in 0..1 + self.random.below(5) {
            if depth == 0 || self.random.chance(70) {
                self.simple(segment, visible);
                continue;
            }
            let outer = self.function.segments[segment.index()].region.unwrap();
            self.step(segment);
            let results = self.random.below(3);
            let next = self.segment(outer);
            self.function.segments[next.index()].continues = Some(segment);
            match self.random.below(3) {
                0 => {
                    // An `if` with or without an `else`.
                    let both = results > 0 || self.random.chance(50);
                    for _ in 0..1 + usize::from(both) {
                        let body = self.region(segment, outer, Vec::new(), visible, depth);
                        let passed = self.picks(&body.visible, results);
                        self.edge(body.end, Some(next), passed, EdgeSplit::Impossible);
                    }
                    if !both {
                        self.edge(segment, Some(next), Vec::new(), EdgeSplit::Impossible);
                    }
                }
                1 => {
                    // A loop that may have no iteration.
                    let passed = self.picks(visible, results);
                    let body = self.region(segment, outer, passed.clone(), visible, depth);
                    self.edge(segment, Some(next), passed, EdgeSplit::Impossible);
                    let yielded = self.picks(&body.visible, results);
                    self.edge(
                        body.end,
                        Some(body.start),
                        yielded.clone(),
                        EdgeSplit::Impossible,
                    );
                    self.edge(body.end, Some(next), yielded, EdgeSplit::Impossible);
                }
                _ => {
                    // A loop with a test before its body.
                    let passed = self.picks(visible, results);
                    let test = self.region(segment, outer, passed, visible, depth);
                    let tested = self.picks(&test.visible, results);
                    self.edge(test.end, Some(next), tested.clone(), EdgeSplit::Impossible);
                    let body = self.region(test.end, outer, tested, visible, depth);
                    let yielded = self.picks(&body.visible, results);
                    self.edge(body.end, Some(test.start), yielded, EdgeSplit::Impossible);
                }
            }
            let params: Vec<ValueId> = (0..results)
                .map(|_| self.value(ValueKind::Param, next, None))
                .collect();
            visible.extend(params);
            segment = next;
        }
        segment
    }
}

struct Region {
    start: SegmentId,
    end: SegmentId,
    visible: Vec<ValueId>,
}

impl Maker {
    /// A region that an edge leads into.
    fn region(
        &mut self,
        from: SegmentId,
        outer: RegionId,
        passed: Vec<Option<ValueId>>,
        visible: &[ValueId],
        depth: usize,
    ) -> Region {
        self.function.regions.push(Some(outer));
        let region = RegionId::new(self.function.regions.len() - 1);
        let start = self.segment(region);
        let mut visible = visible.to_vec();
        for _ in &passed {
            visible.push(self.value(ValueKind::Param, start, None));
        }
        self.edge(from, Some(start), passed, EdgeSplit::Impossible);
        let end = self.body(start, &mut visible, depth - 1);
        self.step(end);
        Region {
            start,
            end,
            visible,
        }
    }

    fn returns(&mut self, segment: SegmentId, visible: &[ValueId]) {
        let count = self.random.below(3);
        let passed = self.picks(visible, count);
        self.edge(segment, None, passed, EdgeSplit::Impossible);
    }

    /// A function of operations with regions.
    pub fn structured(seed: u64) -> Function {
        let mut maker = Self::new(seed);
        let start = maker.segment(RegionId(0));
        let mut visible = Vec::new();
        let arguments = maker.random.below(3);
        for _ in 0..arguments {
            let step = maker.step(start);
            visible.push(maker.value(ValueKind::Foreign, start, Some(step)));
        }
        let end = maker.body(start, &mut visible, 3);
        maker.step(end);
        maker.returns(end, &visible);
        maker.function
    }

    /// A function of blocks with random edges.
    pub fn blocks(seed: u64) -> Function {
        let mut maker = Self::new(seed);
        let count = 2 + maker.random.below(7);
        for at in 0..count {
            let segment = maker.segment(RegionId(0));
            let params = if at == 0 { 0 } else { maker.random.below(3) };
            for _ in 0..params {
                maker.value(ValueKind::Param, segment, None);
            }
        }
        // Edges first, since they define dominance.
        for at in 0..count {
            let edge_count = [1, 1, 2, 2, 0][maker.random.below(5)];
            for _ in 0..edge_count {
                let to = SegmentId::new(1 + maker.random.below(count - 1));
                let from = SegmentId::new(at);
                if !maker.function.segments[at]
                    .edges
                    .iter()
                    .any(|edge| maker.function.edge(*edge).to == Some(to))
                {
                    maker.edge(from, Some(to), Vec::new(), EdgeSplit::Possible);
                }
            }
        }
        let order = SegmentOrder::of(&maker.function);
        let mut seen: Vec<Vec<ValueId>> = vec![Vec::new(); count];
        for segment in order.segments().to_vec() {
            let mut visible: Vec<ValueId> = Vec::new();
            for other in order.segments() {
                if *other != segment && order.dominates(*other, segment) {
                    let own = |value: &&ValueId| maker.function.value(**value).segment == *other;
                    visible.extend(seen[other.index()].iter().filter(own));
                }
            }
            visible.extend(&maker.function.segments[segment.index()].params);
            for _ in 0..maker.random.below(5) {
                maker.simple(segment, &mut visible);
            }
            maker.step(segment);
            for edge in maker.function.segments[segment.index()].edges.clone() {
                let to = maker.function.edge(edge).to.unwrap();
                let params = maker.function.segments[to.index()].params.len();
                maker.function.edges[edge.index()].passed = maker.picks(&visible, params);
            }
            let count = maker.function.segments[segment.index()].edges.len();
            if count == 0 {
                maker.returns(segment, &visible);
            }
            let is_choice = count == 2 && !seed.is_multiple_of(3);
            maker.function.segments[segment.index()].has_branch_condition = is_choice;
            seen[segment.index()] = visible;
        }
        maker.function
    }
}
