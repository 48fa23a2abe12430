//! Forwards the base memref of a view along with the view, where the base is known only at run time.
//!
//! `bufferization-lower-deallocations` takes memrefs for the same memory if their data starts at the same
//! address. The data of a `memref.view` may start elsewhere than that of its source: the view is *shifted*. A
//! shifted view may pass through arguments, results or a select to a value that the plan compares. Then the
//! base memref of the view passes through an additional argument, result or select. The base is compared and
//! freed in place of the view.

use super::{
    infer_summary,
    ownership_summary::Callees,
    read::{BaseMemrefs, IrEdge, Reading, SegmentStart},
};
use memplan_flow::{UnionFind, ids};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    control_flow,
    ir::{
        Identity, Key, Op, Origin, Type, Val, block_parent, blocks, is_memref, operand, operands,
        origin, parent_block, regions, results, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    rebuild, symbols, values,
};
use memplan_ownership::{
    Plan,
    function::{SegmentId, ValueId, ValueKind},
};
use memplan_semantics::{Computes, ResultFact, Semantics};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

ids! {
    /// A merge, by its position.
    MergeId,
}

/// Longer chains of views are checked for cycles.
const MAX_VIEWS: usize = 1000;

/// Forwards bases if the plan compares a value that may be shifted. Otherwise it changes nothing.
pub fn forward_bases<'c>(
    reading: &Reading<'c>,
    plan: &Plan,
    semantics: &mut Semantics,
) -> Result<BaseMemrefs<'c>, BuildError> {
    let mut merges = Merges::of(reading, semantics);
    merges.find_shifted(semantics, &FxHashSet::default());
    if !merges.is_compared(reading, plan) {
        return Ok(BaseMemrefs::default());
    }
    merges.choose_base_types();
    merges.add_bases(semantics)
}

/// Values that may be shifted although bases are forwarded where possible: results of calls that return
/// flags, loaded memrefs, borrowed results, and values derived from these.
pub fn shifted_values<'c>(
    reading: &Reading<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Vec<ValueId> {
    if !infer_summary::may_have_shifted_views(callees, reading) {
        return Vec::new();
    }
    let from_calls = reading.flag_calls.iter().flat_map(|(_, values)| values);
    let found = from_calls
        .chain(&reading.loaded)
        .chain(&reading.borrowed)
        .filter_map(|value| reading.values[value.index()]);
    let mut shifted_keys: FxHashSet<Key> = found.map(|val| val.key()).collect();
    let mut merges = Merges::of(reading, semantics);
    merges.find_shifted(semantics, &shifted_keys);
    let shifted = merges
        .of
        .iter()
        .filter(|(_, at)| merges.all[**at].is_shifted);
    shifted_keys.extend(shifted.map(|(val, _)| *val));
    let is_shifted_value = |value: &ValueId| {
        reading.values[value.index()].is_some_and(|val| shifted_keys.contains(&val.key()))
    };
    (0..reading.values.len())
        .map(ValueId::new)
        .filter(is_shifted_value)
        .collect()
}

/// A source of a merge.
#[derive(Clone, Copy)]
enum MergeSource<'c> {
    /// An operand.
    Operand(Op<'c>, usize),
    /// The operand that a branch forwards to an argument of one of its successors.
    Successor {
        branch: Op<'c>,
        successor: usize,
        argument: usize,
    },
}

impl<'c> MergeSource<'c> {
    /// The operation that forwards it.
    fn op(self) -> Op<'c> {
        let (Self::Operand(op, _) | Self::Successor { branch: op, .. }) = self;
        op
    }
}

/// Whether an operation is in an unreachable block.
fn is_dead(dead: &FxHashSet<Key>, op: Op<'_>) -> bool {
    !dead.is_empty() && parent_block(op).is_some_and(|block| dead.contains(&block.key()))
}

/// The kind of a merge.
#[derive(Clone, Copy)]
enum MergeSite<'c> {
    /// An argument of a block that branches jump to.
    Block,
    /// Arguments in the regions of an operation, and results of it.
    Op(Op<'c>),
    /// A select.
    Select(Op<'c>),
}

/// Values that all have the same sources.
struct Merge<'c> {
    site: MergeSite<'c>,
    /// Its values that are block arguments.
    arguments: SmallVec<[Val<'c>; 2]>,
    /// The numbers of its values that are results.
    results: SmallVec<[usize; 1]>,
    sources: Vec<MergeSource<'c>>,
    /// Its data may start elsewhere than that of its base.
    is_shifted: bool,
    /// The type of its base, if the base can be forwarded.
    base_type: Option<Type<'c>>,
}

/// Results of calls that are always the same argument: the operand, and whether the result may be shifted.
type BorrowedArguments = FxHashMap<Key, (u32, bool)>;

#[derive(Default)]
struct Merges<'c> {
    borrowed: BorrowedArguments,
    all: Vec<Merge<'c>>,
    /// The merge of each value.
    of: FxHashMap<Key, usize>,
    /// For each merge, the roots of its sources, and whether a view in between is shifted.
    roots: Vec<Vec<(Val<'c>, bool)>>,
    /// Unreachable blocks.
    dead: FxHashSet<Key>,
}

impl<'c> Merges<'c> {
    /// The merges of a function.
    fn of(reading: &Reading<'c>, semantics: &mut Semantics) -> Self {
        let mut merges = Self {
            borrowed: reading.borrowed_arguments.clone(),
            ..Self::default()
        };
        for (start, is_reached) in reading.starts.iter().zip(&reading.reached) {
            if let (SegmentStart::Block(block), false) = (start, is_reached) {
                merges.dead.insert(block.key());
            }
        }
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        for (value, val) in reading.function.values.iter().zip(&reading.values) {
            let Some(val) = val.filter(|val| is_memref(type_of(*val))) else {
                continue;
            };
            if !reading.reached[value.segment.index()] {
                continue;
            }
            match (&value.kind, origin(val)) {
                (ValueKind::Param, _) => match site(reading, value.segment) {
                    Some(MergeSite::Block) => {
                        merges.add_block_argument(reading, value.segment, val)
                    }
                    Some(MergeSite::Op(op))
                        if semantics.table_facts(op).is_extendable && seen.insert(op.key()) =>
                    {
                        merges.add_op_values(op, semantics);
                    }
                    _ => {}
                },
                (ValueKind::AnyOf(_), Some(Origin::Result(op, _)))
                    if matches!(semantics.computed(op), Some(Computes::Select(_))) =>
                {
                    merges.add(
                        MergeSite::Select(op),
                        [val],
                        vec![MergeSource::Operand(op, 1), MergeSource::Operand(op, 2)],
                    );
                }
                _ => {}
            }
        }
        merges
    }

    fn add(
        &mut self,
        site: MergeSite<'c>,
        members: impl IntoIterator<Item = Val<'c>>,
        sources: Vec<MergeSource<'c>>,
    ) {
        let mut arguments = SmallVec::new();
        let mut results = SmallVec::new();
        for member in members {
            self.of.insert(member.key(), self.all.len());
            match origin(member) {
                Some(Origin::Result(_, number)) => results.push(number),
                _ => arguments.push(member),
            }
        }
        self.all.push(Merge {
            site,
            arguments,
            results,
            sources,
            is_shifted: false,
            base_type: None,
        });
    }

    /// Adds an argument of a block.
    fn add_block_argument(&mut self, reading: &Reading<'c>, segment: SegmentId, val: Val<'c>) {
        let Some(Origin::Argument(_, number)) = origin(val) else {
            return;
        };
        let mut sources = Vec::new();
        for edge in &reading.incoming[segment.index()] {
            let IrEdge::Branch(branch, successor) = reading.ir_edges[edge.index()] else {
                return;
            };
            let source = MergeSource::Successor {
                branch,
                successor,
                argument: number,
            };
            // A value that the branch itself produces cannot be followed.
            if source_value(source).is_none() && !is_dead(&self.dead, source.op()) {
                return;
            }
            sources.push(source);
        }
        self.add(MergeSite::Block, [val], sources);
    }

    /// Adds the memrefs that pass into the regions of an operation, between them, and out of them.
    fn add_op_values(&mut self, op: Op<'c>, semantics: &mut Semantics) {
        let entry = semantics.entry_edges(op).map(|edges| (op, edges));
        let ends = regions(op).flat_map(blocks).filter_map(terminator);
        let passed = ends.filter_map(|end| Some((end, semantics.terminator_edges(end)?)));
        let passed = entry.into_iter().chain(passed);
        // All values that receive one operand are one merge, and all operands that they receive are its
        // sources.
        let mut classes: Vec<(SmallVec<[Val<'c>; 2]>, Vec<MergeSource<'c>>)> = Vec::new();
        let mut class: FxHashMap<Key, usize> = FxHashMap::default();
        for (source, edges) in passed {
            let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
            for (number, operand) in operands(source).enumerate() {
                numbers.entry(operand.key()).or_insert(number);
            }
            let most = edges.iter().map(|edge| edge.values.len()).max();
            for number in 0..most.unwrap_or(0) {
                let pairs = edges.iter().filter_map(|edge| edge.values.get(number));
                let pairs: SmallVec<[_; 2]> =
                    pairs.filter(|(_, to)| is_memref(type_of(*to))).collect();
                let Some((from, _)) = pairs.first() else {
                    continue;
                };
                let Some(operand) = numbers.get(&from.key()).copied() else {
                    continue;
                };
                let known = pairs.iter().find_map(|(_, to)| class.get(&to.key()));
                let at = known.copied().unwrap_or(classes.len());
                if at == classes.len() {
                    classes.push((SmallVec::new(), Vec::new()));
                }
                classes[at].1.push(MergeSource::Operand(source, operand));
                for (_, to) in pairs {
                    if class.insert(to.key(), at).is_none() {
                        classes[at].0.push(*to);
                    }
                }
            }
        }
        for (members, sources) in classes {
            self.add(MergeSite::Op(op), members, sources);
        }
    }

    /// Finds the merges that may be shifted, given the values that are (`shifted_keys`).
    fn find_shifted(&mut self, semantics: &mut Semantics, shifted_keys: &FxHashSet<Key>) {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.all.len()];
        let mut open = Vec::new();
        for (index, merge) in self.all.iter_mut().enumerate() {
            let live = merge.sources.iter();
            let live = live.filter(|source| !is_dead(&self.dead, source.op()));
            let vals = live.filter_map(|source| source_value(*source));
            let roots: Vec<_> = vals
                .map(|val| root(val, &self.borrowed, semantics))
                .collect();
            for (root, _) in &roots {
                if let Some(from) = self.of.get(&root.key()) {
                    users[*from].push(index);
                }
            }
            let mut starts = roots.iter();
            if starts
                .any(|(root, is_any_shifted)| *is_any_shifted || shifted_keys.contains(&root.key()))
            {
                merge.is_shifted = true;
                open.push(index);
            }
            self.roots.push(roots);
        }
        while let Some(index) = open.pop() {
            for user in &users[index] {
                if !self.all[*user].is_shifted {
                    self.all[*user].is_shifted = true;
                    open.push(*user);
                }
            }
        }
    }

    /// Whether the plan compares a shifted value with anything.
    fn is_compared(&self, reading: &Reading<'c>, plan: &Plan) -> bool {
        let is_shifted = |value: ValueId| {
            let val = reading.values[value.index()];
            let merge = val.and_then(|val| self.of.get(&val.key()));
            merge.is_some_and(|merge| self.all[*merge].is_shifted)
        };
        let tested = plan.tests.iter().filter(|test| !test.retained.is_empty());
        let mut tested = tested.flat_map(|test| test.retained.iter().chain([&test.value]));
        let several = |gather: &&memplan_ownership::plan::BlockEndDealloc| {
            gather.memrefs.len() + gather.retained.len() > 1
        };
        let gathered = plan.block_end_deallocs.iter().filter(several);
        let mut gathered = gathered.flat_map(|gather| {
            let memrefs = gather.memrefs.iter().map(|(value, _)| value);
            memrefs.chain(&gather.retained)
        });
        tested.any(|value| is_shifted(*value)) || gathered.any(|value| is_shifted(*value))
    }

    /// The merge of a value, if it is shifted.
    fn shifted_merge(&self, val: Val<'c>) -> Option<usize> {
        let from = self.of.get(&val.key()).copied();
        from.filter(|from| self.all[*from].is_shifted)
    }

    /// Chooses the types of bases: one type for all merges that are connected.
    fn choose_base_types(&mut self) {
        let mut classes: UnionFind<MergeId> = UnionFind::default();
        let mut unorderable: Vec<usize> = Vec::new();
        let shifted: Vec<usize> = (0..self.all.len())
            .filter(|at| self.all[*at].is_shifted)
            .collect();
        for index in &shifted {
            for (root, _) in &self.roots[*index] {
                let Some(from) = self.shifted_merge(*root) else {
                    continue;
                };
                classes.unite(MergeId::new(*index), MergeId::new(from));
                // One select needs the base of a later one. Such code is never executed.
                let is_select = |at: usize| matches!(self.all[at].site, MergeSite::Select(_));
                if is_select(*index) && is_select(from) && from >= *index {
                    unorderable.push(*index);
                }
            }
        }
        let mut types: FxHashMap<MergeId, SmallVec<[Type<'c>; 2]>> = FxHashMap::default();
        // Unreachable sources need a placeholder memref.
        let mut flat: FxHashSet<MergeId> = FxHashSet::default();
        for index in &shifted {
            let class = classes.find(MergeId::new(*index));
            let mut sources = self.all[*index].sources.iter();
            if sources.any(|source| is_dead(&self.dead, source.op())) {
                flat.insert(class);
            }
            let all = types.entry(class).or_default();
            for (root, _) in &self.roots[*index] {
                if self.shifted_merge(*root).is_none() && !all.contains(&type_of(*root)) {
                    all.push(type_of(*root));
                }
            }
        }
        for index in unorderable {
            types.remove(&classes.find(MergeId::new(index)));
        }
        let base_types: FxHashMap<MergeId, Type<'c>> = types
            .into_iter()
            .filter_map(|(class, all)| {
                Some((
                    class,
                    build::common_start_type(&all, flat.contains(&class))?,
                ))
            })
            .collect();
        for index in shifted {
            self.all[index].base_type = base_types.get(&classes.find(MergeId::new(index))).copied();
        }
    }

    /// Adds arguments, results and selects for bases.
    fn add_bases(self, semantics: &mut Semantics) -> Result<BaseMemrefs<'c>, BuildError> {
        let mut writer = Writer {
            semantics,
            bases: BaseMemrefs::default(),
            recreated: FxHashMap::default(),
            borrowed: self.borrowed,
            dead: self.dead,
        };
        let with_base: Vec<(Merge<'c>, Type<'c>)> = self
            .all
            .into_iter()
            .filter_map(|merge| merge.base_type.map(|base_type| (merge, base_type)))
            .collect();
        let mut entries = Vec::with_capacity(with_base.len());
        let mut first_results = Vec::new();
        for (merge, base_type) in &with_base {
            writer.add_base_arguments(merge, *base_type)?;
            let (entry, first) = writer.recreate_op(merge, *base_type)?;
            entries.push(entry);
            first_results.push(first);
        }
        for ((merge, _), first) in with_base.iter().zip(first_results) {
            writer.record_base_results(merge, first)?;
        }
        for (merge, base_type) in &with_base {
            writer.add_base_select(merge, *base_type)?;
        }
        for ((merge, base_type), entry) in with_base.iter().zip(entries) {
            writer.forward_base(merge, *base_type, entry)?;
        }
        Ok(writer.bases)
    }
}

struct Writer<'c, 'n> {
    semantics: &'n mut Semantics,
    bases: BaseMemrefs<'c>,
    /// Recreated operations, by the original one.
    recreated: FxHashMap<Key, Op<'c>>,
    borrowed: BorrowedArguments,
    /// Unreachable blocks.
    dead: FxHashSet<Key>,
}

impl<'c> Writer<'c, '_> {
    fn current_op(&self, op: Op<'c>) -> Op<'c> {
        self.recreated.get(&op.key()).copied().unwrap_or(op)
    }

    /// Adds an argument for the base of each argument.
    fn add_base_arguments(
        &mut self,
        merge: &Merge<'c>,
        base_type: Type<'c>,
    ) -> Result<(), BuildError> {
        for argument in &merge.arguments {
            let Some(Origin::Argument(block, _)) = origin(*argument) else {
                return Err(BuildError::unexpected());
            };
            let owner = block_parent(block).ok_or_else(BuildError::unexpected)?;
            let base = rebuild::append_argument(block, base_type, owner.location())
                .ok_or_else(BuildError::unexpected)?;
            self.bases.insert(argument.key(), base);
        }
        Ok(())
    }

    /// Recreates the operation with an operand for the base that enters its regions, and results for bases.
    /// Returns the number of that operand, which is set later, and of the first new result.
    fn recreate_op(
        &mut self,
        merge: &Merge<'c>,
        base_type: Type<'c>,
    ) -> Result<(Option<usize>, usize), BuildError> {
        let MergeSite::Op(first) = merge.site else {
            return Ok((None, 0));
        };
        let enters = |source: &MergeSource<'c>| matches!(source, MergeSource::Operand(op, _) if op.key() == first.key());
        let entering = merge.sources.iter().find(|source| enters(source));
        let op = self.current_op(first);
        let (operand, result) = (operands(op).count(), results(op).count());
        // A placeholder.
        let placeholder = entering.and_then(|source| self.current_source(*source));
        let more: SmallVec<[Val<'c>; 1]> = placeholder.into_iter().collect();
        let recreated_op = rebuild::recreate(op, &more, &vec![base_type; merge.results.len()])
            .ok_or_else(BuildError::unexpected)?;
        self.recreated.insert(first.key(), recreated_op);
        Ok((entering.map(|_| operand), result))
    }

    /// Records the results for bases; `first` is the number of the first.
    fn record_base_results(&mut self, merge: &Merge<'c>, first: usize) -> Result<(), BuildError> {
        let MergeSite::Op(op) = merge.site else {
            return Ok(());
        };
        let all: Vec<Val<'c>> = results(self.current_op(op)).collect();
        for (at, number) in merge.results.iter().enumerate() {
            let base = all.get(first + at).ok_or_else(BuildError::unexpected)?;
            self.bases.insert(all[*number].key(), *base);
        }
        Ok(())
    }

    /// Adds a select of the bases.
    fn add_base_select(
        &mut self,
        merge: &Merge<'c>,
        base_type: Type<'c>,
    ) -> Result<(), BuildError> {
        let MergeSite::Select(op) = merge.site else {
            return Ok(());
        };
        let all: SmallVec<[Val<'c>; 3]> = operands(op).collect();
        let &[condition, yes, no] = all.as_slice() else {
            return Err(BuildError::unexpected());
        };
        let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
        let (yes, no) = (
            self.base(&builder, yes, base_type)?,
            self.base(&builder, no, base_type)?,
        );
        let base = builder.select(condition, yes, no)?;
        for result in results(op) {
            self.bases.insert(result.key(), base);
        }
        Ok(())
    }

    /// Forwards the bases of a merge's sources. `entry` is the number of the operand to set for the entry of
    /// its regions.
    fn forward_base(
        &mut self,
        merge: &Merge<'c>,
        base_type: Type<'c>,
        entry: Option<usize>,
    ) -> Result<(), BuildError> {
        if let MergeSite::Select(_) = merge.site {
            return Ok(());
        }
        for source in &merge.sources {
            let first = source.op();
            let op = self.current_op(first);
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
            let base = if is_dead(&self.dead, op) {
                builder.placeholder_memref(base_type)?
            } else {
                let val = self
                    .current_source(*source)
                    .ok_or_else(BuildError::unexpected)?;
                self.base(&builder, val, base_type)?
            };
            match (*source, merge.site) {
                (MergeSource::Successor { successor, .. }, _) => {
                    if !rebuild::append_to_successor(op, successor, &[base]) {
                        return Err(BuildError::unexpected());
                    }
                }
                (_, MergeSite::Op(own)) if own.key() == first.key() => {
                    let entry = entry.ok_or_else(BuildError::unexpected)?;
                    values::set_operand(op, entry, base);
                }
                _ => symbols::append_operands(op, &[base]),
            }
        }
        Ok(())
    }

    /// The base of a value, cast to the type in which it is forwarded.
    fn base(
        &mut self,
        builder: &Builder<'c>,
        val: Val<'c>,
        base_type: Type<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let (root, _) = root(val, &self.borrowed, self.semantics);
        match self.bases.get(&root.key()) {
            Some(base) => Ok(*base),
            None => builder.view_start_as(root, base_type),
        }
    }

    /// The current value of a source.
    fn current_source(&self, source: MergeSource<'c>) -> Option<Val<'c>> {
        match source {
            MergeSource::Operand(op, number) => operand(self.current_op(op), number as u32),
            MergeSource::Successor { .. } => source_value(source),
        }
    }
}

/// The value of a source.
fn source_value(source: MergeSource<'_>) -> Option<Val<'_>> {
    match source {
        MergeSource::Operand(op, number) => operand(op, number as u32),
        MergeSource::Successor {
            branch,
            successor,
            argument,
        } => {
            let passed = control_flow::branch_operands(branch, successor)?;
            let number = argument.checked_sub(passed.produced)?;
            passed.forwarded.get(number).copied()
        }
    }
}

/// The kind of merge that a parameter of a segment belongs to.
fn site<'c>(reading: &Reading<'c>, segment: SegmentId) -> Option<MergeSite<'c>> {
    match reading.starts[segment.index()] {
        SegmentStart::After(op) => Some(MergeSite::Op(op)),
        SegmentStart::Between(_) => None,
        SegmentStart::Block(block) => {
            let owner = block_parent(block)?;
            let is_entry = regions(owner).any(|region| blocks(region).next() == Some(block));
            Some(if is_entry {
                MergeSite::Op(owner)
            } else {
                MergeSite::Block
            })
        }
    }
}

/// The base memref of a value: the source of its views, and whether a view in between is shifted.
fn root<'c>(
    val: Val<'c>,
    borrowed: &BorrowedArguments,
    semantics: &mut Semantics,
) -> (Val<'c>, bool) {
    let (mut val, mut is_any_shifted) = (val, false);
    // In unreachable code, a view may be its own source.
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    for number in 0.. {
        let Some(Origin::Result(op, result)) = origin(val) else {
            break;
        };
        let memory = semantics.of(op);
        let (of, is_shifted) = match (memory.result(result), borrowed.get(&val.key())) {
            (Some(ResultFact::View { of, start }), _) => (*of, start.moves(op)),
            (_, Some((of, is_shifted))) => (*of, *is_shifted),
            _ => break,
        };
        let source = operand(op, of);
        let Some(source) = source.filter(|source| is_memref(type_of(*source))) else {
            break;
        };
        if number >= MAX_VIEWS && !seen.insert(val.key()) {
            break;
        }
        is_any_shifted |= is_shifted;
        val = source;
    }
    (val, is_any_shifted)
}
