//! Decides offsets, and barriers to add. Plain data, except for operations that barriers come before.

use super::read::{Group, Left};
use memplan_interface::SkipReason;
use memplan_mlir::{
    ir::{Op, type_of},
    pass::OptionValues,
};
use memplan_workgroup::{BufferId, Kernel, Options, Place, Plan, PlanError, plan};
use std::cmp::Reverse;

/// What a user asks for.
pub struct Settings {
    options: Options,
    alignment: u64,
    pub launch_attributions: bool,
    pub remarks: bool,
}

impl Settings {
    pub fn of(values: &OptionValues) -> Self {
        Self {
            options: Options {
                insert_barriers: values.flag("insert-barriers"),
                most_barriers: values.integer("max-barriers").unsigned_abs() as usize,
                ..Options::default()
            },
            alignment: values.integer("alignment").unsigned_abs(),
            launch_attributions: values.flag("launch-attributions"),
            remarks: values.flag("remarks"),
        }
    }
}

/// A barrier to add.
pub struct Barrier<'c> {
    /// The operation that it is before.
    pub before: Op<'c>,
    /// How many more bytes the plan would have without it.
    pub saved_bytes: u64,
}

/// What to do to the buffers of a group.
pub struct Decision<'c> {
    pub plan: Plan,
    /// The kernel of the plan, with its barriers and alignments.
    pub kernel: Kernel,
    pub barriers: Vec<Barrier<'c>>,
    /// The bytes of separate buffers.
    pub before: u64,
    /// The alignment of all.
    pub alignment: u64,
}

impl Decision<'_> {
    /// Does the plan have fewer bytes than separate buffers?
    pub fn gains(&self) -> bool {
        self.plan.bytes < self.before
    }
}

/// Decides for a group. `None` if it has a buffer alone.
pub fn decide<'c>(
    group: &Group<'c>,
    settings: &Settings,
) -> Result<Option<Decision<'c>>, PlanError> {
    if group.buffers.len() < 2 {
        return Ok(None);
    }
    if group.shares_whole {
        return whole(group, settings).map(Some);
    }
    let mut kernel = group.kernel.clone();
    for buffer in kernel.buffers.values_mut() {
        buffer.alignment = buffer.alignment.max(settings.alignment);
    }
    let mut decided = plan(&kernel, &settings.options)?;
    let mut barriers = Vec::new();
    if !decided.inserted.is_empty() {
        let (places, own) = places(group, &decided);
        let without = Options {
            insert_barriers: false,
            ..settings.options
        };
        let with = |places: &[Place]| plan(&kernel.with_barriers(places), &without);
        decided = with(&places)?;
        for (at, before) in own.into_iter().enumerate() {
            let mut others = places.clone();
            others.remove(at);
            let saved_bytes = with(&others)?.bytes.saturating_sub(decided.bytes);
            barriers.push(Barrier {
                before,
                saved_bytes,
            });
        }
        // Moved out of their operations, barriers may save nothing.
        let useful = barriers.iter().map(|barrier| barrier.saved_bytes > 0);
        let useful: Vec<bool> = useful.collect();
        let mut kept = useful.iter();
        let places: Vec<Place> = places
            .into_iter()
            .filter(|_| kept.next() == Some(&true))
            .collect();
        barriers.retain(|barrier| barrier.saved_bytes > 0);
        decided = with(&places)?;
        kernel = kernel.with_barriers(&places);
    }
    let alignments = kernel.buffers.values().map(|buffer| buffer.alignment);
    Ok(Some(Decision {
        before: separate(group),
        alignment: alignments.max().unwrap_or(1),
        plan: decided,
        kernel,
        barriers,
    }))
}

/// Lets buffers share all of another one: largest first, each with the first of which nothing interferes with it. Barriers are not
/// added.
fn whole<'c>(group: &Group<'c>, settings: &Settings) -> Result<Decision<'c>, PlanError> {
    let options = Options {
        insert_barriers: false,
        ..settings.options
    };
    let mut plan = plan(&group.kernel, &options)?;
    let mut order: Vec<BufferId> = group.kernel.buffers.keys().collect();
    order.sort_by_key(|one| (Reverse(group.kernel.buffers[*one].size), *one));
    let mut shared: Vec<Vec<BufferId>> = Vec::new();
    for one in order {
        let is_free = |of: &&mut Vec<BufferId>| {
            let mut all = of.iter();
            all.all(|other| !plan.interference.interferes(one, *other))
        };
        match shared.iter_mut().find(is_free) {
            Some(of) => of.push(one),
            None => shared.push(vec![one]),
        }
    }
    let mut end = 0_u64;
    for of in shared {
        let first = &group.kernel.buffers[of[0]];
        end = end.next_multiple_of(first.alignment);
        for one in &of {
            plan.offsets[*one] = end;
        }
        end = end.saturating_add(first.size);
    }
    let alignments = group.buffers.iter().map(|buffer| buffer.alignment);
    plan.bytes = end;
    Ok(Decision {
        before: separate(group),
        alignment: alignments.max().unwrap_or(1),
        plan,
        kernel: group.kernel.clone(),
        barriers: Vec::new(),
    })
}

/// The buffers of a group that share nothing, because they can only share all of another one.
pub fn alone<'c>(group: &Group<'c>, decision: Option<&Decision<'c>>) -> Vec<Left<'c>> {
    let offset =
        |buffer: usize| decision.map(|decision| decision.plan.offsets[BufferId::new(buffer)]);
    let is_alone = |buffer: &usize| {
        let mut others = (0..group.buffers.len()).filter(|other| other != buffer);
        group.shares_whole && !others.any(|other| offset(other) == offset(*buffer))
    };
    let alone = (0..group.buffers.len()).filter(is_alone);
    let alone = alone.map(|buffer| Left {
        op: group.op,
        r#type: type_of(group.buffers[buffer].value),
        reason: SkipReason::LaunchAttribution,
    });
    alone.collect()
}

/// The bytes of separate buffers, one after the other at their own alignments.
fn separate(group: &Group<'_>) -> u64 {
    let mut end = 0_u64;
    for buffer in &group.buffers {
        end = end
            .next_multiple_of(buffer.alignment)
            .saturating_add(buffer.size);
    }
    end
}

/// The places of barriers that the plan adds, before whole operations, and these operations.
fn places<'c>(group: &Group<'c>, plan: &Plan) -> (Vec<Place>, Vec<Op<'c>>) {
    let (mut places, mut before) = (Vec::new(), Vec::new());
    for inserted in &plan.inserted {
        let Place { block, mut action } = inserted.place;
        let (own, end) = &group.places[block.0 as usize];
        let Some(op) = own.get(action).copied().or(*end) else {
            continue;
        };
        while action > 0 && own[action - 1] == op {
            action -= 1;
        }
        let place = Place { block, action };
        if !places.contains(&place) {
            places.push(place);
            before.push(op);
        }
    }
    (places, before)
}
