//! Deallocations under a flag: proofs that one frees no buffer of an arena, although its operand may refer to one.
//!
//! A planned function may free a value that is a buffer of an arena on one path and heap memory on another, if a flag
//! goes with it: `memplan-ownership-dealloc` writes such flags, and so may a program. The claim *when `g` is true, `v` is no
//! buffer* is proven backwards, from the flags that hold at the deallocation (`flow`) to where both come from:
//!
//! * It holds if `g` is constantly false, or if `v` is a new allocation.
//! * If an edge of control flow forwards both, or one while the other stands, it has to hold for what each edge forwards, unless
//!   control only takes the edge where `g` is false.
//! * A view, a selection, a conjunction and so on are what they are computed from.
//! * If `g` says that the addresses of `v` and `w` are equal, it holds if `w` is no buffer, or where the rest of `g` is true. No
//!   operation on `w` or a view of it may have freed it before: frees through other values are not followed.
//! * A base that was loaded from bytes on the stack (`Semantics::stored_descriptors`) is the memref that was stored there.
//! * If a call returns both, it holds if it does at each return of the callee, there of the callee's arguments in place of
//!   buffers. It also holds for results of functions without a body that `memplan.owned` or, on the call, `memplan.assumed_owned`
//!   describes.
//!
//! Claims of loops and recursive functions support each other (`goals`).

mod flow;
mod goals;

use crate::{
    callees::Callees,
    descriptors::Descriptors,
    program::{Action, Values},
    read::{Free, Reading},
};
use flow::{FunctionFlow, Guard};
use goals::{Because, GoalId};
use memplan_mlir::{
    calls::{call_arguments, callee, function_body},
    constants::constant,
    copy::integer_width,
    ir::{Identity, Key, Op, Origin, Val, is_memref, operands, origin, results, type_of, users},
    layout::{element_count, has_identity_layout},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Computes, ResultFact, Semantics,
    arithmetic::{Binary, Predicate},
    attributes::{ARENA, ASSUMED_OWNED, BUFFER, OWNED_RESULTS, is_donated, is_result_owned},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Most claims that are looked at for the deallocations of one function.
const MAX_GOALS: usize = 1 << 16;

/// What a value is claimed not to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Not {
    /// A buffer of an arena, or an arena.
    Buffer,
    /// Memory of an argument of the function, or a buffer.
    Argument,
}

/// The claim that a value is not this whenever the guard holds. The function is that of the value.
#[derive(Clone, Copy)]
struct Claim<'c> {
    guard: Option<Guard<'c>>,
    value: Val<'c>,
    not: Not,
    function: Op<'c>,
}

/// Removes the deallocations of a function that are proven to free no buffer.
pub fn remove_proven<'c>(function: Op<'c>, reading: &mut Reading<'c>, callees: &mut Callees<'c>) {
    if reading.frees.is_empty() {
        return;
    }
    let mut proofs = Proofs {
        semantics: Semantics::default(),
        descriptors: Descriptors::default(),
        callees,
        flows: FxHashMap::default(),
        arenas: reading.arenas.iter().map(|arena| arena.key()).collect(),
        numbers: FxHashMap::default(),
        goals: Vec::new(),
        open: Vec::new(),
    };
    let roots: Vec<Option<GoalId>> = reading
        .frees
        .iter()
        .map(|free| proofs.free(function, free))
        .collect();
    let holds = proofs.solve();
    for (free, root) in reading.frees.iter().zip(roots) {
        if root.is_some_and(|root| holds[root.index()]) {
            reading.program.actions[free.action].action = Action::Needed(Values::new());
        }
    }
}

type GoalKey = (Option<(Key, bool)>, Key, Not);

struct Proofs<'c, 'p> {
    semantics: Semantics,
    descriptors: Descriptors<'c>,
    callees: &'p mut Callees<'c>,
    /// The functions looked at; `None` for those without a body.
    flows: FxHashMap<Key, Option<FunctionFlow<'c>>>,
    /// The arenas of the function that is checked.
    arenas: FxHashSet<Key>,
    numbers: FxHashMap<GoalKey, GoalId>,
    goals: Vec<Because>,
    /// Claims that have to be looked at.
    open: Vec<(GoalId, Claim<'c>)>,
}

impl<'c> Proofs<'c, '_> {
    /// The claim that a deallocation frees no buffer.
    fn free(&mut self, function: Op<'c>, free: &Free<'c>) -> Option<GoalId> {
        self.flow(function)?;
        let flow = self.flows[&function.key()].as_ref()?;
        let guards = flow.guards(free.op, &mut self.semantics);
        let guards = guards.into_iter().map(Some).chain([None]);
        let claims = guards.map(|guard| Claim {
            guard,
            value: free.value,
            not: Not::Buffer,
            function,
        });
        let reasons: Vec<Claim<'c>> = claims.collect();
        let any = reasons.into_iter().map(|claim| self.goal(claim)).collect();
        Some(self.new_goal(Because::Any(any)))
    }

    fn solve(mut self) -> Vec<bool> {
        while let Some((goal, claim)) = self.open.pop() {
            if self.goals.len() > MAX_GOALS {
                break;
            }
            let reasons = self.reasons(claim);
            self.goals[goal.index()] = Because::Any(reasons);
        }
        goals::solve(&self.goals)
    }

    fn new_goal(&mut self, because: Because) -> GoalId {
        self.goals.push(because);
        GoalId::new(self.goals.len() - 1)
    }

    fn goal(&mut self, claim: Claim<'c>) -> GoalId {
        let guard = claim.guard.map(|(flag, is)| (flag.key(), is));
        let key = (guard, claim.value.key(), claim.not);
        if let Some(goal) = self.numbers.get(&key) {
            return *goal;
        }
        let goal = self.new_goal(Because::Unknown);
        self.numbers.insert(key, goal);
        self.open.push((goal, claim));
        goal
    }

    /// The claim that all of these hold.
    fn all(&mut self, claims: impl IntoIterator<Item = Claim<'c>>) -> GoalId {
        let goals = claims.into_iter().map(|claim| self.goal(claim)).collect();
        self.new_goal(Because::All(goals))
    }

    fn holds(&mut self) -> GoalId {
        self.new_goal(Because::holds())
    }

    fn flow(&mut self, function: Op<'c>) -> Option<()> {
        let flow = self
            .flows
            .entry(function.key())
            .or_insert_with(|| FunctionFlow::of(function, &mut self.semantics));
        flow.is_some().then_some(())
    }

    /// Claims of which each is enough for this one.
    fn reasons(&mut self, claim: Claim<'c>) -> SmallVec<[GoalId; 2]> {
        let mut reasons = SmallVec::new();
        if let Some(guard) = claim.guard {
            let without = Claim {
                guard: None,
                ..claim
            };
            reasons.push(self.goal(without));
            self.by_guard(claim, guard, &mut reasons);
        }
        self.by_value(claim, &mut reasons);
        reasons.extend(self.by_control(claim));
        reasons
    }

    /// What the guard is computed from.
    fn by_guard(
        &mut self,
        claim: Claim<'c>,
        (flag, is): Guard<'c>,
        reasons: &mut SmallVec<[GoalId; 2]>,
    ) {
        if let Some(constant) = constant(flag) {
            if (constant != 0) != is {
                reasons.push(self.holds());
            }
            return;
        }
        let under = |flag, is| Claim {
            guard: Some((flag, is)),
            ..claim
        };
        match self.semantics.computes(flag) {
            Some(Computes::Binary(Binary::Xor, [one, other])) => {
                for (constant_one, other) in [(one, other), (other, one)] {
                    if let Some(flips) = constant(constant_one) {
                        reasons.push(self.goal(under(other, is != (flips != 0))));
                    }
                }
            }
            // Both are true if the conjunction is, and both false if the disjunction is.
            Some(Computes::Binary(binary @ (Binary::And | Binary::Or), both)) => {
                let claims = both.map(|one| under(one, is));
                if (binary == Binary::And) == is {
                    reasons.extend(claims.map(|claim| self.goal(claim)));
                    // Two addresses are equal, and the other memory is no buffer where the rest holds.
                    let [one, other] = both;
                    for (equal, rest) in [(one, other), (other, one)] {
                        if let Some(equal) = self.equal_numbers((equal, is)) {
                            self.by_address(under(rest, is), equal, reasons);
                        }
                    }
                } else {
                    reasons.push(self.all(claims));
                }
            }
            Some(Computes::Select([_, yes, no])) => {
                reasons.push(self.all([under(yes, is), under(no, is)]));
            }
            Some(Computes::Compare(..)) => {
                if let Some(equal) = self.equal_numbers((flag, is)) {
                    let claim = Claim {
                        guard: None,
                        ..claim
                    };
                    self.by_address(claim, equal, reasons);
                }
            }
            _ => {}
        }
    }

    /// The numbers that are equal where a guard holds, and their comparison.
    fn equal_numbers(&mut self, (flag, is): Guard<'c>) -> Option<(Op<'c>, [Val<'c>; 2])> {
        let both = match self.semantics.computes(flag)? {
            Computes::Compare(Predicate::Equal, both) if is => both,
            Computes::Compare(Predicate::NotEqual, both) if !is => both,
            _ => return None,
        };
        match origin(flag)? {
            Origin::Result(op, _) => Some((op, both)),
            Origin::Argument(..) => None,
        }
    }

    /// Two equal numbers: if these are addresses, of the value and of other memory that is not freed, then that is the memory of
    /// the value.
    fn by_address(
        &mut self,
        claim: Claim<'c>,
        (comparison, both): (Op<'c>, [Val<'c>; 2]),
        reasons: &mut SmallVec<[GoalId; 2]>,
    ) {
        let [Some(one), Some(other)] = both.map(|number| self.address_of(claim.function, number))
        else {
            return;
        };
        let root = self.root(claim.value);
        for (one, other) in [(one, other), (other, one)] {
            if self.root(one) == root && !self.is_freed_before(claim.function, other, comparison) {
                reasons.push(self.goal(Claim {
                    value: other,
                    ..claim
                }));
            }
        }
    }

    /// The memref whose address a number is: the aligned pointer, or the allocated one, which is the first field of a
    /// descriptor and is loaded right after that was stored.
    fn address_of(&mut self, function: Op<'c>, number: Val<'c>) -> Option<Val<'c>> {
        let number = self.semantics.same_address(number);
        match self.semantics.computes(number)? {
            Computes::Pointer(of) => self.points_inside(of).then_some(of),
            Computes::Element(from) if integer_width(type_of(number)) >= Some(64) => {
                let Some(Origin::Result(load, _)) = origin(number) else {
                    return None;
                };
                let flow = self.flows.get(&function.key())?.as_ref()?;
                let stored = flow.stored_before(load)?;
                let (to, value) = (stored.memref, stored.value);
                let is_first = operands(load).count() == 1;
                let same = self.start_of(from)? == self.start_of(to)?;
                (is_first && same).then_some(value)
            }
            _ => None,
        }
    }

    /// Whether the aligned pointer of a memref is in its allocation: a view of no bytes may start after the last one, where other
    /// memory is.
    fn points_inside(&mut self, memref: Val<'c>) -> bool {
        let mut value = memref;
        loop {
            let r#type = type_of(value);
            if has_identity_layout(r#type) && element_count(r#type) > Some(0) {
                return true;
            }
            let Some(Origin::Result(op, number)) = origin(value) else {
                return true;
            };
            let memory = self.semantics.of(op);
            let Some(ResultFact::View { of, start }) = memory.result(number) else {
                return true;
            };
            match operands(op).nth(*of as usize) {
                Some(source) if !start.moves(op) => value = source,
                _ => return false,
            }
        }
    }

    /// Whether a memref, or a view of it, may be freed before two addresses are compared. Other memory may then have its address.
    fn is_freed_before(&mut self, function: Op<'c>, memref: Val<'c>, comparison: Op<'c>) -> bool {
        let root = self.root(memref);
        let mut seen = FxHashSet::default();
        let mut open = vec![root];
        let mut frees = Vec::new();
        while let Some(value) = open.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            for user in users(value) {
                let memory = self.semantics.of(user);
                let numbers = operands(user).zip(0..).filter(|(one, _)| *one == value);
                for (_, number) in numbers {
                    let is_freed = memory
                        .operand(number)
                        .is_some_and(|used| used.frees.is_some());
                    if is_freed || self.is_donated(user, number) {
                        frees.push(user);
                    }
                }
                if memory.view_source().is_some() {
                    open.extend(results(user));
                }
            }
        }
        let flow = self.flows[&function.key()].as_ref();
        flow.is_none_or(|flow| {
            let mut frees = frees.into_iter();
            frees.any(|free| flow.may_come_from(free, comparison, root))
        })
    }

    /// Whether a call donates an operand.
    fn is_donated(&self, call: Op<'c>, operand: usize) -> bool {
        let (Some(callee), Some(arguments)) = (callee(call), call_arguments(call)) else {
            return false;
        };
        arguments.contains(&operand) && is_donated(callee, operand - arguments.start)
    }

    /// The bytes at whose start a view begins.
    fn start_of(&mut self, view: Val<'c>) -> Option<Val<'c>> {
        let Some(Origin::Result(op, _)) = origin(view) else {
            return None;
        };
        let view = self.semantics.byte_view(op)?;
        (constant(view.shift) == Some(0)).then_some(view.source)
    }

    /// The value of which this one is a view or the base, or a view of a view and so on.
    fn root(&mut self, value: Val<'c>) -> Val<'c> {
        let mut value = value;
        while let Some(Origin::Result(op, number)) = origin(value) {
            if self.is_buffer(op, value) {
                break;
            }
            let memory = self.semantics.of(op);
            let source = match memory.result(number) {
                Some(ResultFact::View { of, .. }) => operands(op).nth(*of as usize),
                Some(ResultFact::Loaded { .. }) => self.base(op),
                _ => None,
            };
            let Some(source) = source else {
                break;
            };
            value = source;
        }
        value
    }

    /// The memref whose base an operation loads.
    fn base(&mut self, load: Op<'c>) -> Option<Val<'c>> {
        let base = self.descriptors.base(load, &mut self.semantics);
        base.map(|base| base.memref)
    }

    fn is_buffer(&self, op: Op<'c>, value: Val<'c>) -> bool {
        op.has_attribute(BUFFER) || op.has_attribute(ARENA) || self.arenas.contains(&value.key())
    }

    /// What the value is computed from.
    fn by_value(&mut self, claim: Claim<'c>, reasons: &mut SmallVec<[GoalId; 2]>) {
        let Some(Origin::Result(op, number)) = origin(claim.value) else {
            let is_argument = self.flows[&claim.function.key()]
                .as_ref()
                .is_some_and(|flow| flow.is_argument(claim.value));
            let is_arena = self.arenas.contains(&claim.value.key());
            if is_argument && !is_arena && claim.not == Not::Buffer {
                reasons.push(self.holds());
            }
            return;
        };
        if self.is_buffer(op, claim.value) {
            return;
        }
        let memory = self.semantics.of(op);
        if memory.is_call && is_memref(type_of(claim.value)) {
            return self.by_call(claim, op, number, reasons);
        }
        let of = |at: &u32| operands(op).nth(*at as usize);
        match memory.result(number) {
            Some(ResultFact::New {
                may_share: None, ..
            }) => reasons.push(self.holds()),
            Some(ResultFact::View { of: at, .. }) => {
                let source = of(at).map(|value| Claim { value, ..claim });
                reasons.extend(source.map(|source| self.goal(source)));
            }
            Some(ResultFact::Loaded { .. }) => {
                let memref = self.base(op).map(|value| Claim { value, ..claim });
                reasons.extend(memref.map(|memref| self.goal(memref)));
            }
            Some(ResultFact::AnyOf(all)) => {
                let sources = all.iter().filter_map(of);
                let sources: Vec<Claim<'c>> =
                    sources.map(|value| Claim { value, ..claim }).collect();
                if sources.len() == all.len() {
                    reasons.push(self.all(sources));
                }
                if let (Some(guard), Some(Computes::Select([by, yes, no]))) =
                    (claim.guard, self.semantics.computes(claim.value))
                {
                    self.by_selection(claim, guard, [by, yes, no], reasons);
                }
            }
            _ => {}
        }
    }

    /// A selection by the guard itself, or by the value that selects the guard.
    fn by_selection(
        &mut self,
        claim: Claim<'c>,
        (flag, is): Guard<'c>,
        [by, yes, no]: [Val<'c>; 3],
        reasons: &mut SmallVec<[GoalId; 2]>,
    ) {
        if flag == by {
            let value = if is { yes } else { no };
            reasons.push(self.goal(Claim { value, ..claim }));
        }
        if let Some(Computes::Select([same, if_yes, if_no])) = self.semantics.computes(flag)
            && same == by
        {
            let pairs = [(if_yes, yes), (if_no, no)];
            reasons.push(self.all(pairs.map(|(flag, value)| Claim {
                guard: Some((flag, is)),
                value,
                ..claim
            })));
        }
    }

    /// What the callee returns.
    fn by_call(
        &mut self,
        claim: Claim<'c>,
        call: Op<'c>,
        number: usize,
        reasons: &mut SmallVec<[GoalId; 2]>,
    ) {
        let Some(body) = self.callees.body_of(call) else {
            let declared = callee(call).filter(|callee| function_body(*callee).is_none());
            if declared.is_some_and(|callee| {
                call.has_attribute(ASSUMED_OWNED) || is_result_owned(callee, number)
            }) {
                reasons.push(self.holds());
            }
            return;
        };
        if self.flow(body).is_none() {
            return;
        }
        if let Some(arguments) = self.callees.returned_arguments(call, number) {
            let claims = arguments.into_iter().map(|value| Claim { value, ..claim });
            reasons.push(self.all(claims));
        }
        if let Some((flag, true)) = claim.guard
            && let Some(flag) =
                flag_number(call, number).filter(|at| results(call).nth(*at) == Some(flag))
        {
            let flow = self.flows[&body.key()].as_ref();
            let returned = flow.map_or(&[][..], |flow| flow.returned());
            let claims: Option<Vec<Claim<'c>>> = returned
                .iter()
                .map(|values| {
                    Some(Claim {
                        guard: Some((*values.get(flag)?, true)),
                        value: *values.get(number)?,
                        not: Not::Argument,
                        function: body,
                    })
                })
                .collect();
            reasons.extend(claims.map(|claims| self.all(claims)));
        }
    }

    /// What the edges forward that lead to where the value or the guard is decided.
    fn by_control(&mut self, claim: Claim<'c>) -> Option<GoalId> {
        let flow = self.flows.get(&claim.function.key())?.as_ref()?;
        let of_value = flow.target(claim.value);
        let flag = claim.guard.map(|(flag, _)| flag);
        let of_flag = flag.and_then(|flag| flow.target(flag));
        let stands =
            |other: Option<Val<'c>>, at| other.is_none_or(|other| flow.is_before(other, at));
        let (segment, moves_value, moves_flag) = match (of_value, of_flag) {
            (Some(one), Some(other)) if one == other => (one, true, true),
            (Some(at), _) if stands(flag, at) => (at, true, false),
            (_, Some(at)) if stands(Some(claim.value), at) => (at, false, true),
            _ => return None,
        };
        let mut claims = Vec::new();
        for arrival in flow.arrivals(segment)? {
            let value = match moves_value {
                true => arrival.source(claim.value)?,
                false => claim.value,
            };
            let guard = claim.guard.and_then(|(flag, is)| match moves_flag {
                true => Some((arrival.source(flag)?, is)),
                false => Some((flag, is)),
            });
            if guard.is_some_and(|guard| flow.excludes(&arrival, guard, &mut self.semantics)) {
                continue;
            }
            claims.push(Claim {
                guard,
                value,
                ..claim
            });
        }
        Some(self.all(claims))
    }
}

/// The number of the result of a call that says whether the caller owns a memref that it returns.
fn flag_number(call: Op<'_>, result: usize) -> Option<usize> {
    if !call.has_attribute(OWNED_RESULTS) {
        return None;
    }
    let memrefs = results(call).map(|result| is_memref(type_of(result)));
    let memrefs: SmallVec<[bool; 4]> = memrefs.collect();
    let count = |some: &[bool]| some.iter().filter(|is_one| **is_one).count();
    let first = memrefs.len().checked_sub(count(&memrefs))?;
    Some(first + count(memrefs.get(..result)?))
}
