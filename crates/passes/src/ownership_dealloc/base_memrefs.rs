//! What values are views of, where only the run knows: it goes with them.
//!
//! `bufferization-lower-deallocations` takes memrefs for the same memory if their data starts at the same
//! place, and the data of a `memref.view` may start elsewhere than that of what it is a view of. Where such a view
//! goes through arguments, results or a select, and what comes of that is compared, what it is a view of goes
//! through one more argument, result or select. That is compared, and freed, instead; the other is a view of it.

use super::{
    infer_summary,
    ownership_summary::Callees,
    read::{Bases, IrEdge, Reading, Start},
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
    function::{Kind, SegmentId, ValueId},
};
use memplan_semantics::{Computes, ResultFact, Semantics};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

ids! {
    /// A carrier, by its place.
    CarrierId,
}

/// From so many views of views on, it is seen to that they end.
const MOST_VIEWS: usize = 1000;

/// Gives a function's values what they are views of, if the plan compares any that may start elsewhere; nothing
/// changes where it does not.
pub fn travel<'c>(
    reading: &Reading<'c>,
    plan: &Plan,
    semantics: &mut Semantics,
) -> Result<Bases<'c>, BuildError> {
    let mut carriers = Carriers::of(reading, semantics);
    carriers.follow(semantics, &FxHashSet::default());
    if !carriers.is_compared(reading, plan) {
        return Ok(Bases::default());
    }
    carriers.shape();
    carriers.grow(semantics)
}

/// Values whose data may start elsewhere than that of other values of the same memory, although what they are views of goes
/// along where it can: results of calls that are told whose memory they are, what is loaded, and what comes of these.
pub fn hidden<'c>(
    reading: &Reading<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Vec<ValueId> {
    if !infer_summary::may_shift(callees, reading) {
        return Vec::new();
    }
    let told = reading.told.iter().flat_map(|(_, values)| values);
    let found = told
        .chain(&reading.loaded)
        .chain(&reading.borrowed)
        .filter_map(|value| reading.values[value.index()]);
    let mut hidden: FxHashSet<Key> = found.map(|val| val.key()).collect();
    let mut carriers = Carriers::of(reading, semantics);
    carriers.follow(semantics, &hidden);
    let moving = carriers
        .of
        .iter()
        .filter(|(_, at)| carriers.all[**at].moves);
    hidden.extend(moving.map(|(val, _)| *val));
    let is_hidden = |value: &ValueId| {
        reading.values[value.index()].is_some_and(|val| hidden.contains(&val.key()))
    };
    (0..reading.values.len())
        .map(ValueId::new)
        .filter(is_hidden)
        .collect()
}

/// Where something comes from that a carrier is.
#[derive(Clone, Copy)]
enum Source<'c> {
    /// An operand.
    Operand(Op<'c>, usize),
    /// What a branch passes for an argument of one of its successors.
    Successor {
        branch: Op<'c>,
        successor: usize,
        argument: usize,
    },
}

impl<'c> Source<'c> {
    /// The operation that hands it on.
    fn op(self) -> Op<'c> {
        let (Self::Operand(op, _) | Self::Successor { branch: op, .. }) = self;
        op
    }
}

/// Is an operation in a block that is never reached?
fn is_dead(dead: &FxHashSet<Key>, op: Op<'_>) -> bool {
    !dead.is_empty() && parent_block(op).is_some_and(|block| dead.contains(&block.key()))
}

/// What carries values on.
#[derive(Clone, Copy)]
enum Site<'c> {
    /// An argument of a block that branches go to.
    Block,
    /// Arguments in an operation and results of it, by what its regions are passed and give.
    Op(Op<'c>),
    /// A select.
    Select(Op<'c>),
}

/// Values that are the same of several.
struct Carrier<'c> {
    site: Site<'c>,
    /// Those that are arguments.
    arguments: SmallVec<[Val<'c>; 2]>,
    /// The numbers of those that are results.
    results: SmallVec<[usize; 1]>,
    sources: Vec<Source<'c>>,
    /// Its data may start elsewhere than that of what it is a view of.
    moves: bool,
    /// The type of what it is a view of, if that can go with it.
    form: Option<Type<'c>>,
}

/// Results of calls that are always the same argument: the operand, and whether the result may start elsewhere.
type BorrowedArguments = FxHashMap<Key, (u32, bool)>;

#[derive(Default)]
struct Carriers<'c> {
    borrowed: BorrowedArguments,
    all: Vec<Carrier<'c>>,
    /// Which one a value belongs to.
    of: FxHashMap<Key, usize>,
    /// For each, what it comes from, and whether a view in between starts elsewhere.
    roots: Vec<Vec<(Val<'c>, bool)>>,
    /// Blocks that are never reached.
    dead: FxHashSet<Key>,
}

impl<'c> Carriers<'c> {
    /// All of a function.
    fn of(reading: &Reading<'c>, semantics: &mut Semantics) -> Self {
        let mut carriers = Self {
            borrowed: reading.borrowed_arguments.clone(),
            ..Self::default()
        };
        for (start, is_reached) in reading.starts.iter().zip(&reading.reached) {
            if let (Start::Block(block), false) = (start, is_reached) {
                carriers.dead.insert(block.key());
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
                (Kind::Param, _) => match site(reading, value.segment) {
                    Some(Site::Block) => carriers.argument(reading, value.segment, val),
                    Some(Site::Op(op))
                        if semantics.table_facts(op).is_extendable && seen.insert(op.key()) =>
                    {
                        carriers.operation(op, semantics);
                    }
                    _ => {}
                },
                (Kind::Any(_), Some(Origin::Result(op, _)))
                    if matches!(semantics.computed(op), Some(Computes::Select(_))) =>
                {
                    carriers.add(
                        Site::Select(op),
                        [val],
                        vec![Source::Operand(op, 1), Source::Operand(op, 2)],
                    );
                }
                _ => {}
            }
        }
        carriers
    }

    fn add(
        &mut self,
        site: Site<'c>,
        members: impl IntoIterator<Item = Val<'c>>,
        sources: Vec<Source<'c>>,
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
        self.all.push(Carrier {
            site,
            arguments,
            results,
            sources,
            moves: false,
            form: None,
        });
    }

    /// An argument of a block.
    fn argument(&mut self, reading: &Reading<'c>, segment: SegmentId, val: Val<'c>) {
        let Some(Origin::Argument(_, number)) = origin(val) else {
            return;
        };
        let mut sources = Vec::new();
        for edge in &reading.incoming[segment.index()] {
            let IrEdge::Branch(branch, successor) = reading.ways[edge.index()] else {
                return;
            };
            let source = Source::Successor {
                branch,
                successor,
                argument: number,
            };
            // What the branch makes itself is seen nowhere.
            if current(source).is_none() && !is_dead(&self.dead, source.op()) {
                return;
            }
            sources.push(source);
        }
        self.add(Site::Block, [val], sources);
    }

    /// Memrefs that go into the regions of an operation, from one to another, and out.
    fn operation(&mut self, op: Op<'c>, semantics: &mut Semantics) {
        let entry = semantics.entry_edges(op).map(|edges| (op, edges));
        let ends = regions(op).flat_map(blocks).filter_map(terminator);
        let passed = ends.filter_map(|end| Some((end, semantics.terminator_edges(end)?)));
        let passed = entry.into_iter().chain(passed);
        // All that one operand becomes is one, and all operands that become the same are its sources.
        let mut classes: Vec<(SmallVec<[Val<'c>; 2]>, Vec<Source<'c>>)> = Vec::new();
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
                classes[at].1.push(Source::Operand(source, operand));
                for (_, to) in pairs {
                    if class.insert(to.key(), at).is_none() {
                        classes[at].0.push(*to);
                    }
                }
            }
        }
        for (members, sources) in classes {
            self.add(Site::Op(op), members, sources);
        }
    }

    /// Which ones may start elsewhere than what they are views of, as `hidden` ones do.
    fn follow(&mut self, semantics: &mut Semantics, hidden: &FxHashSet<Key>) {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.all.len()];
        let mut open = Vec::new();
        for (index, carrier) in self.all.iter_mut().enumerate() {
            let live = carrier.sources.iter();
            let live = live.filter(|source| !is_dead(&self.dead, source.op()));
            let vals = live.filter_map(|source| current(*source));
            let roots: Vec<_> = vals
                .map(|val| root(val, &self.borrowed, semantics))
                .collect();
            for (root, _) in &roots {
                if let Some(from) = self.of.get(&root.key()) {
                    users[*from].push(index);
                }
            }
            let mut starts = roots.iter();
            if starts.any(|(root, is_elsewhere)| *is_elsewhere || hidden.contains(&root.key())) {
                carrier.moves = true;
                open.push(index);
            }
            self.roots.push(roots);
        }
        while let Some(index) = open.pop() {
            for user in &users[index] {
                if !self.all[*user].moves {
                    self.all[*user].moves = true;
                    open.push(*user);
                }
            }
        }
    }

    /// Is one that may start elsewhere compared with anything?
    fn is_compared(&self, reading: &Reading<'c>, plan: &Plan) -> bool {
        let moves = |value: ValueId| {
            let val = reading.values[value.index()];
            let carrier = val.and_then(|val| self.of.get(&val.key()));
            carrier.is_some_and(|carrier| self.all[*carrier].moves)
        };
        let tested = plan.tests.iter().filter(|test| !test.retained.is_empty());
        let mut tested = tested.flat_map(|test| test.retained.iter().chain([&test.value]));
        let several = |gather: &&memplan_ownership::plan::Gather| {
            gather.memrefs.len() + gather.retained.len() > 1
        };
        let gathered = plan.gathers.iter().filter(several);
        let mut gathered = gathered.flat_map(|gather| {
            let memrefs = gather.memrefs.iter().map(|(value, _)| value);
            memrefs.chain(&gather.retained)
        });
        tested.any(|value| moves(*value)) || gathered.any(|value| moves(*value))
    }

    /// Does what a value stands for go with it?
    fn is_carried(&self, val: Val<'c>) -> Option<usize> {
        let from = self.of.get(&val.key()).copied();
        from.filter(|from| self.all[*from].moves)
    }

    /// The types of what those are views of that may start elsewhere: one for all that come from each other.
    fn shape(&mut self) {
        let mut classes: UnionFind<CarrierId> = UnionFind::default();
        let mut stuck: Vec<usize> = Vec::new();
        let moving: Vec<usize> = (0..self.all.len())
            .filter(|at| self.all[*at].moves)
            .collect();
        for index in &moving {
            for (root, _) in &self.roots[*index] {
                let Some(from) = self.is_carried(*root) else {
                    continue;
                };
                classes.unite(CarrierId::new(*index), CarrierId::new(from));
                // One select needs what another stands for, which comes behind it: never executed.
                let is_select = |at: usize| matches!(self.all[at].site, Site::Select(_));
                if is_select(*index) && is_select(from) && from >= *index {
                    stuck.push(*index);
                }
            }
        }
        let mut types: FxHashMap<CarrierId, SmallVec<[Type<'c>; 2]>> = FxHashMap::default();
        // Where something is passed that is never executed, a memref has to be made up.
        let mut flat: FxHashSet<CarrierId> = FxHashSet::default();
        for index in &moving {
            let class = classes.find(CarrierId::new(*index));
            let mut sources = self.all[*index].sources.iter();
            if sources.any(|source| is_dead(&self.dead, source.op())) {
                flat.insert(class);
            }
            let all = types.entry(class).or_default();
            for (root, _) in &self.roots[*index] {
                if self.is_carried(*root).is_none() && !all.contains(&type_of(*root)) {
                    all.push(type_of(*root));
                }
            }
        }
        for index in stuck {
            types.remove(&classes.find(CarrierId::new(index)));
        }
        let forms: FxHashMap<CarrierId, Type<'c>> = types
            .into_iter()
            .filter_map(|(class, all)| {
                Some((
                    class,
                    build::common_start_type(&all, flat.contains(&class))?,
                ))
            })
            .collect();
        for index in moving {
            self.all[index].form = forms.get(&classes.find(CarrierId::new(index))).copied();
        }
    }

    /// Arguments, results and selects for what goes along.
    fn grow(self, semantics: &mut Semantics) -> Result<Bases<'c>, BuildError> {
        let mut writer = Writer {
            semantics,
            bases: Bases::default(),
            renamed: FxHashMap::default(),
            borrowed: self.borrowed,
            dead: self.dead,
        };
        let growing: Vec<(Carrier<'c>, Type<'c>)> = self
            .all
            .into_iter()
            .filter_map(|carrier| carrier.form.map(|form| (carrier, form)))
            .collect();
        let mut entries = Vec::with_capacity(growing.len());
        let mut given = Vec::new();
        for (carrier, form) in &growing {
            writer.arguments(carrier, *form)?;
            let (entry, first) = writer.operation(carrier, *form)?;
            entries.push(entry);
            given.push(first);
        }
        for ((carrier, _), first) in growing.iter().zip(given) {
            writer.results(carrier, first)?;
        }
        for (carrier, form) in &growing {
            writer.select(carrier, *form)?;
        }
        for ((carrier, form), entry) in growing.iter().zip(entries) {
            writer.pass(carrier, *form, entry)?;
        }
        Ok(writer.bases)
    }
}

struct Writer<'c, 'n> {
    semantics: &'n mut Semantics,
    bases: Bases<'c>,
    /// Operations that were made anew, by what they were first.
    renamed: FxHashMap<Key, Op<'c>>,
    borrowed: BorrowedArguments,
    /// Blocks that are never reached.
    dead: FxHashSet<Key>,
}

impl<'c> Writer<'c, '_> {
    fn now(&self, op: Op<'c>) -> Op<'c> {
        self.renamed.get(&op.key()).copied().unwrap_or(op)
    }

    /// One more argument beside each.
    fn arguments(&mut self, carrier: &Carrier<'c>, form: Type<'c>) -> Result<(), BuildError> {
        for argument in &carrier.arguments {
            let Some(Origin::Argument(block, _)) = origin(*argument) else {
                return Err(BuildError::signature());
            };
            let owner = block_parent(block).ok_or_else(BuildError::signature)?;
            let base = rebuild::append_argument(block, form, owner.location())
                .ok_or_else(BuildError::signature)?;
            self.bases.insert(argument.key(), base);
        }
        Ok(())
    }

    /// The operation anew, with an operand for what enters its regions and results beside its own: the number of
    /// that operand, which is to be set, and of the first of those results.
    fn operation(
        &mut self,
        carrier: &Carrier<'c>,
        form: Type<'c>,
    ) -> Result<(Option<usize>, usize), BuildError> {
        let Site::Op(first) = carrier.site else {
            return Ok((None, 0));
        };
        let enters = |source: &Source<'c>| matches!(source, Source::Operand(op, _) if op.key() == first.key());
        let entering = carrier.sources.iter().find(|source| enters(source));
        let op = self.now(first);
        let (operand, result) = (operands(op).count(), results(op).count());
        // Any value will do until it is set.
        let placeholder = entering.and_then(|source| self.current(*source));
        let more: SmallVec<[Val<'c>; 1]> = placeholder.into_iter().collect();
        let grown = rebuild::recreate(op, &more, &vec![form; carrier.results.len()])
            .ok_or_else(BuildError::signature)?;
        self.renamed.insert(first.key(), grown);
        Ok((entering.map(|_| operand), result))
    }

    /// The results beside an operation's own; `first` is the number of the first.
    fn results(&mut self, carrier: &Carrier<'c>, first: usize) -> Result<(), BuildError> {
        let Site::Op(op) = carrier.site else {
            return Ok(());
        };
        let all: Vec<Val<'c>> = results(self.now(op)).collect();
        for (at, number) in carrier.results.iter().enumerate() {
            let base = all.get(first + at).ok_or_else(BuildError::signature)?;
            self.bases.insert(all[*number].key(), *base);
        }
        Ok(())
    }

    /// A select beside each.
    fn select(&mut self, carrier: &Carrier<'c>, form: Type<'c>) -> Result<(), BuildError> {
        let Site::Select(op) = carrier.site else {
            return Ok(());
        };
        let all: SmallVec<[Val<'c>; 3]> = operands(op).collect();
        let &[condition, yes, no] = all.as_slice() else {
            return Err(BuildError::signature());
        };
        let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
        let (yes, no) = (
            self.base(&builder, yes, form)?,
            self.base(&builder, no, form)?,
        );
        let base = builder.select(condition, yes, no)?;
        for result in results(op) {
            self.bases.insert(result.key(), base);
        }
        Ok(())
    }

    /// What is passed along with what a carrier is passed; an operand of that number of its own is set.
    fn pass(
        &mut self,
        carrier: &Carrier<'c>,
        form: Type<'c>,
        entry: Option<usize>,
    ) -> Result<(), BuildError> {
        if let Site::Select(_) = carrier.site {
            return Ok(());
        }
        for source in &carrier.sources {
            let first = source.op();
            let op = self.now(first);
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
            let base = if is_dead(&self.dead, op) {
                builder.placeholder_memref(form)?
            } else {
                let val = self.current(*source).ok_or_else(BuildError::signature)?;
                self.base(&builder, val, form)?
            };
            match (*source, carrier.site) {
                (Source::Successor { successor, .. }, _) => {
                    if !rebuild::append_to_successor(op, successor, &[base]) {
                        return Err(BuildError::signature());
                    }
                }
                (_, Site::Op(own)) if own.key() == first.key() => {
                    let entry = entry.ok_or_else(BuildError::signature)?;
                    values::set_operand(op, entry, base);
                }
                _ => symbols::append_operands(op, &[base]),
            }
        }
        Ok(())
    }

    /// What a value is a view of, in the form in which it goes along.
    fn base(
        &mut self,
        builder: &Builder<'c>,
        val: Val<'c>,
        form: Type<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let (root, _) = root(val, &self.borrowed, self.semantics);
        match self.bases.get(&root.key()) {
            Some(base) => Ok(*base),
            None => builder.view_start_as(root, form),
        }
    }

    /// What a source is now.
    fn current(&self, source: Source<'c>) -> Option<Val<'c>> {
        match source {
            Source::Operand(op, number) => operand(self.now(op), number as u32),
            Source::Successor { .. } => current(source),
        }
    }
}

/// What a source is.
fn current(source: Source<'_>) -> Option<Val<'_>> {
    match source {
        Source::Operand(op, number) => operand(op, number as u32),
        Source::Successor {
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

/// Where a parameter of a segment is.
fn site<'c>(reading: &Reading<'c>, segment: SegmentId) -> Option<Site<'c>> {
    match reading.starts[segment.index()] {
        Start::Behind(op) => Some(Site::Op(op)),
        Start::Between(_) => None,
        Start::Block(block) => {
            let owner = block_parent(block)?;
            let is_entry = regions(owner).any(|region| blocks(region).next() == Some(block));
            Some(if is_entry {
                Site::Op(owner)
            } else {
                Site::Block
            })
        }
    }
}

/// What a value is a view of, and whether its data may start elsewhere than that of what it is a view of.
fn root<'c>(
    val: Val<'c>,
    borrowed: &BorrowedArguments,
    semantics: &mut Semantics,
) -> (Val<'c>, bool) {
    let (mut val, mut is_elsewhere) = (val, false);
    // In code that is never executed, a view may be one of itself.
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    for number in 0.. {
        let Some(Origin::Result(op, result)) = origin(val) else {
            break;
        };
        let memory = semantics.of(op);
        let (of, moves) = match (memory.result(result), borrowed.get(&val.key())) {
            (Some(ResultFact::View { of, start }), _) => (*of, start.moves(op)),
            (_, Some((of, moves))) => (*of, *moves),
            _ => break,
        };
        let source = operand(op, of);
        let Some(source) = source.filter(|source| is_memref(type_of(*source))) else {
            break;
        };
        if number >= MOST_VIEWS && !seen.insert(val.key()) {
            break;
        }
        is_elsewhere |= moves;
        val = source;
    }
    (val, is_elsewhere)
}
