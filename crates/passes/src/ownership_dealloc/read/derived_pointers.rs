//! Values that hold on to memory without being memrefs of it: pointers, tokens, addresses as numbers, and
//! memrefs whose sizes, strides or offset are computed from addresses.
//!
//! A use of such a value is a use of the memory. So these values are found first, along the uses of values
//! that are derived from memrefs. The *pointees* of each are the memory that it is derived from, by values
//! that are visible at the use. If a pointee is not visible after an edge, the parameter that it is passed to
//! takes its place. Memory without such a parameter escapes.

use super::{OwnershipReader, pending_uses::RegionStart};
use crate::memory_function::Walk;
use fixedbitset::FixedBitSet;
use memplan_mlir::{
    calls, control_flow,
    copy::integer_width,
    ir::{
        Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, regions, results,
        stores_memrefs, successors, type_of, users,
    },
    melior::ir::TypeLike,
};
use memplan_ownership::{
    function::{EdgeId, SegmentId, StepIndex, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_semantics::{ResultFact, TypeClass, graph::RegionEdge};
use memplan_summaries::FunctionSummary;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a derived pointer.
pub(super) type PointerId = usize;

/// A set of values in insertion order.
#[derive(Default)]
struct Pointees {
    all: SmallVec<[ValueId; 2]>,
    /// The same as a bit set, if there are many.
    set: FixedBitSet,
}

impl Pointees {
    /// Larger sets are looked up in the bit set.
    const FEW: usize = 16;

    /// Adds a value; returns whether it is new.
    fn add(&mut self, value: ValueId) -> bool {
        if self.all.len() < Self::FEW {
            if self.all.contains(&value) {
                return false;
            }
        } else {
            if self.all.len() == Self::FEW {
                self.set.extend(self.all.iter().map(|value| value.index()));
            }
            self.set.grow(value.index() + 1);
            if self.set.put(value.index()) {
                return false;
            }
        }
        self.all.push(value);
        true
    }
}

/// The kind of step by which a pointer derives from another one, and takes over its pointees.
#[derive(Clone, Copy)]
enum Derivation {
    /// An operation computes it from the other one.
    Computed,
    /// It is a result of an asynchronous operation whose regions, up to this segment, use the other one.
    Inside(SegmentId),
    /// An edge forwards it.
    Edge(EdgeId),
}

/// The derived pointers of a function.
#[derive(Default)]
pub(super) struct DerivedPointers<'c> {
    /// Results that are derived from memrefs, during the search for pointers.
    seeds: Option<Vec<DerivedPointer<'c>>>,
    /// All derived pointers. For each, whether it may be an address as a number, or contain such numbers.
    by_numbers: FxHashMap<Key, bool>,
    ids: FxHashMap<Key, PointerId>,
    /// For each pointer, the memory that it is derived from.
    pointees: Vec<Pointees>,
    /// Derivations: from, to, and how.
    derivations: Vec<(PointerId, PointerId, Derivation)>,
    uses: Vec<(SegmentId, StepIndex, PointerId)>,
    /// Pointers that are used until a segment starts.
    kept: Vec<(SegmentId, PointerId)>,
    /// Memrefs that are derived from pointers.
    memrefs: Vec<(ValueId, PointerId)>,
    escapes: Vec<(PointerId, Op<'c>)>,
    /// Pointers through which memrefs that are stored in their pointees become known to others.
    exposed: Vec<PointerId>,
}

/// A derived pointer.
#[derive(Clone, Copy)]
struct DerivedPointer<'c> {
    value: Val<'c>,
    /// It holds on to memory by numbers. A pointer that is derived from an address has sizes of its own that
    /// are no addresses.
    by_numbers: bool,
}

impl<'c> OwnershipReader<'c, '_> {
    /// Finds all derived pointers. `seeds` are results that are derived from memrefs.
    fn find_pointers(&mut self, seeds: Vec<DerivedPointer<'c>>) {
        let mut open = seeds;
        while let Some(derived) = open.pop() {
            let known = self.pointers.by_numbers.get(&derived.value.key()).copied();
            let is_old = known.is_some_and(|by_numbers| by_numbers || !derived.by_numbers);
            // A memref holds on to other memory by numbers alone.
            if is_old || is_memref(type_of(derived.value)) && !derived.by_numbers {
                continue;
            }
            self.pointers
                .by_numbers
                .insert(derived.value.key(), derived.by_numbers);
            for user in users(derived.value) {
                self.follow_user(user, derived, &mut open);
            }
        }
    }

    /// Adds the values that `user` derives from a pointer or forwards it to.
    fn follow_user(
        &mut self,
        user: Op<'c>,
        derived: DerivedPointer<'c>,
        to: &mut Vec<DerivedPointer<'c>>,
    ) {
        let DerivedPointer { value, by_numbers } = derived;
        let info = self.semantics.info(user);
        let same = |value: Val<'c>| DerivedPointer { value, by_numbers };
        let of_edges = |edges: Option<Vec<RegionEdge<'c>>>, to: &mut Vec<DerivedPointer<'c>>| {
            for (from, into) in edges.iter().flatten().flat_map(|edge| &edge.values) {
                if *from == value {
                    to.push(same(*into));
                }
            }
        };
        for (index, successor) in successors(user).enumerate() {
            let Some(branch) = control_flow::branch_operands(user, index) else {
                continue;
            };
            for (argument, from) in arguments(successor)
                .skip(branch.produced)
                .zip(&branch.forwarded)
            {
                if *from == value {
                    to.push(same(argument));
                }
            }
        }
        if regions(user).next().is_some() {
            if self.semantics.paths_are_known(user) {
                let edges = self.semantics.entry_edges(user);
                let mut passed = edges.iter().flatten().flat_map(|edge| &edge.values);
                if !passed.any(|(from, _)| *from == value) {
                    to.extend(induction_variables_of(user, value).map(same));
                }
                of_edges(edges, to);
                if self.semantics.region_order(user).outlives() {
                    to.extend(results(user).map(|value| DerivedPointer {
                        value,
                        by_numbers: false,
                    }));
                }
            } else {
                let entries = regions(user).filter_map(|region| blocks(region).next());
                let all = entries.flat_map(arguments).chain(results(user));
                // Such an operation passes on elements of a memref.
                let is_read = is_memref(type_of(value)) && self.semantics.of(user).opaque.is_none();
                let semantics = &mut *self.semantics;
                let all =
                    all.filter(|to| !(is_read && semantics.class(type_of(*to)) == TypeClass::Data));
                to.extend(all.map(same));
            }
            return;
        }
        if let Some(group) = self.group(user) {
            to.push(DerivedPointer {
                value: group,
                by_numbers: false,
            });
        }
        if info.is_terminator() {
            of_edges(self.semantics.terminator_edges(user), to);
            return;
        }
        for (at, result) in results(user).enumerate() {
            if self.may_derive(user, derived, (at, result)) {
                let by_numbers = self.by_numbers(derived, result);
                to.push(DerivedPointer {
                    value: result,
                    by_numbers,
                });
            }
        }
    }

    /// Whether a value derived from a pointer may be an address as a number, or contain such numbers.
    fn by_numbers(&mut self, of: DerivedPointer<'c>, result: Val<'c>) -> bool {
        match self.semantics.class(type_of(result)) {
            // Tokens are only awaited.
            TypeClass::Token | TypeClass::Group => false,
            TypeClass::Data if !of.by_numbers => {
                let class = self.semantics.class(type_of(of.value));
                matches!(class, TypeClass::Pointer | TypeClass::UnknownToken)
            }
            _ => of.by_numbers,
        }
    }

    /// Whether a result, given with its number, may hold on to the memory of an operand, `derived`.
    fn may_derive(
        &mut self,
        op: Op<'c>,
        derived: DerivedPointer<'c>,
        (at, result): (usize, Val<'c>),
    ) -> bool {
        let r#type = type_of(result);
        let class = self.semantics.class(r#type);
        if !matches!(class, TypeClass::Data | TypeClass::Memref) {
            return true;
        }
        // A flag is no address.
        if integer_width(r#type) == Some(1) {
            return false;
        }
        if let Some(range) = calls::call_arguments(op) {
            let summary = self.callees.summary(op);
            return match summary.and_then(|summary| summary.result(at)) {
                Some(facet) => {
                    let of = facet.address_of.iter();
                    let mut number_operands =
                        of.filter_map(|at| operands(op).nth(range.start + *at as usize));
                    number_operands.any(|operand| operand == derived.value)
                }
                // Most functions that receive an address and return such a number read the number from
                // memory.
                None => !r#type.is_float(),
            };
        }
        let memory = self.semantics.of(op);
        if class == TypeClass::Memref {
            // The numbers of a stored memref are captured at the store.
            return !matches!(memory.result(at), Some(ResultFact::Loaded { .. }));
        }
        // Data may be an address as a number, unless it is read from memory. The size of a view is an address
        // only if the view was created with it.
        let is_view = |fact: &ResultFact| matches!(fact, ResultFact::View { .. });
        let views = || memory.results.iter().any(|result| is_view(&result.fact));
        memory.opaque.is_some() || !(memory.reads() || !derived.by_numbers && views())
    }

    /// Collects results that hold on to the memory of memref operands.
    pub(super) fn seeds(&mut self, op: Op<'c>, touches: bool) {
        if self.pointers.seeds.is_none() || !touches || results(op).next().is_none() {
            return;
        }
        let holds = self.returns_addresses(op);
        for (at, value) in results(op).enumerate() {
            let by_numbers = match self.semantics.class(type_of(value)) {
                TypeClass::Memref => self.is_sized_by_address(op, at),
                TypeClass::Data => holds,
                _ => false,
            };
            let class = self.semantics.class(type_of(value));
            let is_seed = by_numbers || !matches!(class, TypeClass::Memref | TypeClass::Data);
            if is_seed && !self.is_address_of_no_memref(op, at) {
                let derived = DerivedPointer { value, by_numbers };
                self.pointers.seeds.get_or_insert_default().push(derived);
            }
        }
    }

    /// Whether the result of a call is an address of operands that are no memrefs.
    fn is_address_of_no_memref(&mut self, op: Op<'c>, result: usize) -> bool {
        let memory = self.semantics.of(op);
        let Some(ResultFact::Address { of }) = memory.result(result) else {
            return false;
        };
        let mut of = of.iter().filter_map(|at| operands(op).nth(*at as usize));
        memory.is_call && !of.any(|operand| is_memref(type_of(operand)))
    }

    /// Whether a call returns a memref whose sizes, strides or offset may be computed from addresses of
    /// arguments.
    pub(super) fn is_sized_by_address(&self, op: Op<'c>, result: usize) -> bool {
        let summary = self.callees.summary(op);
        let facet = summary.and_then(|summary| summary.result(result));
        facet.is_some_and(|facet| facet.is_address && !facet.address_of.is_empty())
    }

    /// Whether numbers that an operation returns may be addresses of its operands.
    pub(super) fn returns_addresses(&mut self, op: Op<'c>) -> bool {
        let is_call = self.semantics.info(op).is_call();
        let summary = self.callees.summary(op).filter(|_| is_call);
        self.words.give_address(op, self.semantics)
            || summary.is_some_and(FunctionSummary::returns_addresses)
    }

    pub(super) fn is_derived_pointer(&self, value: Val<'c>) -> bool {
        !self.pointers.by_numbers.is_empty() && self.pointers.by_numbers.contains_key(&value.key())
    }

    /// Whether a value holds on to memory by numbers.
    fn is_by_numbers(&self, value: Val<'c>) -> bool {
        self.pointers.by_numbers.get(&value.key()) == Some(&true)
    }

    fn pointer_id(&mut self, value: Val<'c>) -> Option<PointerId> {
        if !self.is_derived_pointer(value) {
            return None;
        }
        let pointers = &mut self.pointers;
        let next = pointers.pointees.len();
        let id = *pointers.ids.entry(value.key()).or_insert(next);
        if id == next {
            pointers.pointees.push(Pointees::default());
        }
        Some(id)
    }

    pub(super) fn pointer_ids(
        &mut self,
        values: impl Iterator<Item = Val<'c>>,
    ) -> SmallVec<[PointerId; 2]> {
        let mut all = SmallVec::new();
        if !self.pointers.by_numbers.is_empty() {
            for value in values {
                all.extend(self.pointer_id(value));
            }
        }
        all
    }

    /// The number of uses so far.
    pub(super) fn pointer_use_count(&self) -> usize {
        self.pointers.uses.len()
    }

    /// A step uses the pointees of an operand.
    pub(super) fn use_pointees(&mut self, operand: Val<'c>, segment: SegmentId, step: StepIndex) {
        if let Some(pointer) = self.pointer_id(operand) {
            self.pointers.uses.push((segment, step, pointer));
        }
    }

    /// The pointees of an operand are used until a segment starts.
    pub(super) fn keep_pointees(&mut self, operand: Val<'c>, until: SegmentId) {
        if let Some(pointer) = self.pointer_id(operand) {
            self.pointers.kept.push((until, pointer));
        }
    }

    /// Derives results `to` from the operands and `memory`.
    pub(super) fn derive_results(
        &mut self,
        op: Op<'c>,
        to: impl Iterator<Item = Val<'c>>,
        memory: &[ValueId],
    ) {
        if self.pointers.by_numbers.is_empty() {
            return;
        }
        let (memrefs, others): (SmallVec<[Val<'c>; 2]>, SmallVec<[Val<'c>; 2]>) =
            to.partition(|to| is_memref(type_of(*to)));
        self.derive_numbers(op, memrefs.into_iter(), memory);
        let from = self.pointer_ids(operands(op));
        self.derive_pointers(&from, others.into_iter(), memory);
    }

    /// Derives `to` from the operands that hold numbers, and `memory`. These results, or their numbers, may
    /// be addresses.
    pub(super) fn derive_numbers(
        &mut self,
        op: Op<'c>,
        to: impl Iterator<Item = Val<'c>>,
        memory: &[ValueId],
    ) {
        if self.pointers.by_numbers.is_empty() {
            return;
        }
        let number_operands = operands(op).filter(|operand| self.is_by_numbers(*operand));
        let number_operands: SmallVec<[Val<'c>; 2]> = number_operands.collect();
        let from = self.pointer_ids(number_operands.into_iter());
        self.derive_pointers(&from, to, memory);
    }

    fn derive_pointers(
        &mut self,
        from: &[PointerId],
        to: impl Iterator<Item = Val<'c>>,
        memory: &[ValueId],
    ) {
        for to in self.pointer_ids(to) {
            for value in memory {
                self.pointers.pointees[to].add(*value);
            }
            let derivations = from.iter().map(|from| (*from, to, Derivation::Computed));
            self.pointers.derivations.extend(derivations);
        }
    }

    /// Derives the induction variables of a loop from an operand that it forwards to no region, such as a
    /// bound.
    pub(super) fn derive_induction_variables(&mut self, op: Op<'c>, operand: Val<'c>) {
        let Some(from) = self.pointer_id(operand) else {
            return;
        };
        for to in self.pointer_ids(induction_variables_of(op, operand)) {
            self.pointers
                .derivations
                .push((from, to, Derivation::Computed));
        }
    }

    /// Derives the arguments of regions and the results of an operation from its operands, if their
    /// forwarding is unknown.
    pub(super) fn derive_region_arguments(&mut self, op: Op<'c>) {
        let entries = regions(op).filter_map(|region| blocks(region).next());
        let values = entries.flat_map(arguments).chain(results(op));
        self.derive_results(op, values, &[]);
    }

    /// Pointees used inside an asynchronous operation are used until its results are awaited, or forever.
    pub(super) fn derive_from_regions(
        &mut self,
        op: Op<'c>,
        inside: RegionStart,
        next: SegmentId,
        waits: bool,
    ) {
        let is_inside = |(segment, _, pointer): &(SegmentId, StepIndex, PointerId)| {
            (*segment >= inside.segment).then_some(*pointer)
        };
        let uses = self.pointers.uses[inside.uses..].iter();
        let used: SmallVec<[PointerId; 2]> = uses.filter_map(is_inside).collect();
        for to in self.pointer_ids(results(op)) {
            let inside = used
                .iter()
                .map(|from| (*from, to, Derivation::Inside(next)));
            self.pointers.derivations.extend(inside);
        }
        if !waits {
            self.pointers
                .escapes
                .extend(used.iter().map(|pointer| (*pointer, op)));
        }
    }

    /// Derives a memref from the pointers among the operands.
    pub(super) fn derive_memref(&mut self, op: Op<'c>, memref: ValueId) {
        for from in self.pointer_ids(operands(op)) {
            self.pointers.memrefs.push((memref, from));
        }
    }

    /// An edge forwards a pointer.
    pub(super) fn forward_pointer(&mut self, from: Val<'c>, to: Val<'c>, edge: EdgeId) {
        if let (Some(from), Some(to)) = (self.pointer_id(from), self.pointer_id(to)) {
            self.pointers
                .derivations
                .push((from, to, Derivation::Edge(edge)));
        }
    }

    /// The pointees of a value escape.
    pub(super) fn pointees_escape(&mut self, value: Val<'c>, op: Op<'c>) {
        if let Some(pointer) = self.pointer_id(value) {
            self.pointers.escapes.push((pointer, op));
        }
    }

    /// Memrefs stored in memory that an operand refers to by its numbers become known to others.
    pub(super) fn expose_pointees(&mut self, operand: Val<'c>) {
        if stores_memrefs(type_of(operand))
            && let Some(pointer) = self.pointer_id(operand)
        {
            self.pointers.exposed.push(pointer);
        }
    }

    /// Pointees of all operands escape: pointers are not followed out of the function.
    pub(super) fn operand_pointees_escape(&mut self, op: Op<'c>) {
        for pointer in self.pointer_ids(operands(op)) {
            self.pointers.escapes.push((pointer, op));
        }
    }

    /// After the walk: replaces uses of pointers by uses of their pointees.
    pub(super) fn settle_pointers(&mut self) {
        let mut pointers = std::mem::take(&mut self.pointers);
        if pointers.pointees.is_empty() {
            return;
        }
        let order = SegmentOrder::of(&self.reading.memory.function);
        self.spread(&mut pointers, &order);
        for (segment, step, pointer) in pointers.uses {
            for value in &pointers.pointees[pointer].all {
                self.add_use(segment, step, *value);
            }
        }
        for (until, pointer) in pointers.kept {
            for value in &pointers.pointees[pointer].all {
                self.reading
                    .memory
                    .function
                    .used_at_start
                    .push((until, *value));
            }
        }
        for (memref, pointer) in pointers.memrefs {
            if let ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) =
                &mut self.reading.memory.function.values[memref.index()].kind
            {
                let more = pointers.pointees[pointer].all.iter();
                sources.extend(more.copied().filter(|value| *value != memref));
            }
        }
        for (pointer, op) in pointers.escapes {
            for value in &pointers.pointees[pointer].all {
                self.escapes.push((*value, op));
            }
        }
        for pointer in pointers.exposed {
            self.expose_all(&pointers.pointees[pointer].all);
        }
    }

    /// Propagates pointees along derivations.
    fn spread(&mut self, pointers: &mut DerivedPointers<'c>, order: &SegmentOrder) {
        let function = &self.reading.memory.function;
        let mut users: Vec<SmallVec<[(PointerId, Derivation); 2]>> =
            vec![SmallVec::new(); pointers.pointees.len()];
        for (from, to, pass) in &pointers.derivations {
            let is_dead = matches!(pass, Derivation::Edge(edge) if !order.is_reachable(function.edge(*edge).from));
            if !is_dead {
                users[*from].push((*to, *pass));
            }
        }
        let mut open: Vec<(PointerId, ValueId)> = Vec::new();
        for (pointer, memory) in pointers.pointees.iter().enumerate() {
            open.extend(memory.all.iter().map(|value| (pointer, *value)));
        }
        while let Some((pointer, value)) = open.pop() {
            for (to, pass) in &users[pointer] {
                let name = match *pass {
                    Derivation::Computed => value,
                    Derivation::Inside(next)
                        if order.is_visible(&self.reading.memory.function, value, next) =>
                    {
                        value
                    }
                    Derivation::Inside(_) => continue,
                    Derivation::Edge(edge) => {
                        let Some(name) = self.name_after_edge(order, edge, value) else {
                            self.escapes.push((value, self.reading.op_of(edge)));
                            continue;
                        };
                        name
                    }
                };
                if pointers.pointees[*to].add(name) {
                    open.push((*to, name));
                }
            }
        }
    }

    /// The value that stands for a pointee after an edge: a parameter that receives it, or itself if it is
    /// still visible.
    fn name_after_edge(
        &self,
        order: &SegmentOrder,
        edge: EdgeId,
        value: ValueId,
    ) -> Option<ValueId> {
        let function = &self.reading.memory.function;
        let edge = function.edge(edge);
        let to = edge.to?;
        match edge.passed.iter().position(|passed| *passed == Some(value)) {
            Some(at) => function.segment(to).params.get(at).copied(),
            None if function.value(value).segment == to => None,
            None => order.is_visible(function, value, to).then_some(value),
        }
    }

    /// Finds the derived pointers, and records operations with regions that touch memrefs or such pointers.
    pub(super) fn find_touching(&mut self, region: Region<'c>) {
        self.pointers.seeds = Some(Vec::new());
        self.scan_region(region);
        let seeds = self.pointers.seeds.take().unwrap_or_default();
        if !seeds.is_empty() {
            self.find_pointers(seeds);
            self.scan_region(region);
        }
    }
}

/// Arguments of an operation's regions that may be computed from an operand: those of its type.
fn induction_variables_of<'c>(op: Op<'c>, operand: Val<'c>) -> impl Iterator<Item = Val<'c>> {
    let entries = regions(op).filter_map(|region| blocks(region).next());
    entries
        .flat_map(arguments)
        .filter(move |argument| type_of(*argument) == type_of(operand))
}
