//! Plans that a report gives: `plan=FILE`.

use super::{Given, GivenSlice, NestedOffsets, NestedPlace};
use crate::memory_spaces::names::short_space;
use crate::{
    failure::fail,
    merge_alloc::{
        codes, decide,
        dynamic::decide::Slots,
        plan::{Plan, Slice},
    },
};
use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    build,
    ir::{Identity, Key, Op, results, symbol_name, type_of},
    layout::memory_space,
    pass::Failed,
};
use memplan_report::{BufferReport, FunctionReport, Report, ReportError};
use memplan_semantics::attributes::OFFSET;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// Why a file is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// It is no report, or its numbers contradict each other.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// It has no report.
    #[error("it has no report")]
    Empty,
}

/// The plans of a report.
#[derive(Debug, Default)]
pub struct PlanFile {
    /// By name. Functions of nested modules may have the same name: they are in the order of the module.
    functions: FxHashMap<String, Vec<FunctionReport>>,
}

impl PlanFile {
    /// Reads a report, or several that were appended to one file.
    ///
    /// # Errors
    /// The file cannot be read, it is no report, or its numbers contradict each other.
    pub fn read(path: &Path) -> Result<Self, PlanFileError> {
        let mut functions: FxHashMap<String, Vec<FunctionReport>> = FxHashMap::default();
        let reports = Report::read_all(&std::fs::read_to_string(path)?)?;
        if reports.is_empty() {
            return Err(PlanFileError::Empty);
        }
        for report in reports {
            report.check()?;
            for function in report.functions {
                let all = functions.entry(function.name.clone()).or_default();
                all.push(function);
            }
        }
        Ok(Self { functions })
    }
}

/// A plan file for the functions of a run.
pub struct PlanOfRun<'p> {
    file: &'p PlanFile,
    /// For functions of a module, the place among those of the same name, and how many there are.
    places: Option<FxHashMap<Key, (usize, usize)>>,
}

impl<'p> PlanOfRun<'p> {
    /// The plan for a run on functions, each of which may be one of several with its name.
    pub const fn on_functions(file: &'p PlanFile) -> Self {
        Self { file, places: None }
    }

    /// The plan for a run on a module. A function of the plan that the module has not is an error.
    pub fn on_module(
        file: &'p PlanFile,
        module: Op<'_>,
        functions: &[Op<'_>],
    ) -> Result<Self, Failed> {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        let mut places = FxHashMap::default();
        for function in functions {
            let count = counts.entry(symbol_name(*function)).or_default();
            places.insert(function.key(), (*count, 0));
            *count += 1;
        }
        for function in functions {
            if let Some((_, count)) = places.get_mut(&function.key()) {
                *count = counts[&symbol_name(*function)];
            }
        }
        let is_needed =
            |reports: &[FunctionReport]| reports.iter().any(|report| !report.scopes.is_empty());
        let names = file.functions.iter();
        let missing = names.filter(|(name, all)| !counts.contains_key(*name) && is_needed(all));
        if let Some((name, _)) = missing.min_by_key(|(name, _)| *name) {
            let why = format!("the plan has a function @{name}, which the module does not have");
            return Err(fail(module, codes::MISFIT, why));
        }
        let places = Some(places);
        Ok(Self { file, places })
    }

    /// The reports of functions with this name, which of them is that of this one, and how many such functions there are.
    fn reports(&self, function: Op<'_>) -> (&[FunctionReport], usize, usize) {
        let reports = self.file.functions.get(&symbol_name(function));
        let reports = reports.map_or(&[][..], Vec::as_slice);
        let places = self.places.as_ref();
        let (place, count) = places.map_or((0, 1), |places| places[&function.key()]);
        (reports, place, count)
    }

    /// Allocations that the plan leaves alone by choice.
    pub fn left(&self, function: Op<'_>, analysis: &Analysis<'_>) -> Vec<BufferId> {
        let (reports, place, _) = self.reports(function);
        let skipped = reports.get(place).map_or(&[][..], |report| &report.skipped);
        let ids: FxHashSet<u64> = skipped.iter().filter_map(|one| one.id).collect();
        let all = analysis.plannable.iter().map(|own| own.buffer);
        all.filter(|buffer| ids.contains(&u64::from(buffer.0)))
            .collect()
    }

    /// Checks that the arenas are those of the plan.
    pub fn has_arenas(&self, function: Op<'_>, plan: &Plan) -> Result<(), Failed> {
        let (reports, place, _) = self.reports(function);
        let scopes = reports.get(place).map_or(&[][..], |report| &report.scopes);
        let given = scopes.iter().map(|scope| {
            let space = short_space(&scope.memory_space);
            (space, scope.planned_bytes, scope.slots.len())
        });
        let own = plan.arenas.iter().map(|arena| {
            let slots = arena.dynamic.as_ref().map_or(0, |part| part.slots.len());
            (short_space(&arena.memory_space), arena.size, slots)
        });
        match own.eq(given) {
            true => Ok(()),
            false => {
                let why = "the plan has other arenas: it was made with other options";
                Err(fail(function, codes::MISFIT, why))
            }
        }
    }

    /// What the plan gives for a function. All that does not fit is reported.
    pub fn given(
        &self,
        function: Op<'_>,
        analysis: &Analysis<'_>,
        slots: &[Slots],
        least_alignment: u64,
    ) -> Result<Given, Failed> {
        let name = symbol_name(function);
        let (reports, place, count) = self.reports(function);
        if reports.len() > 1 && reports.len() != count {
            let why = match self.places {
                Some(_) => format!(
                    "the plan has {} functions @{name}, and the module has {count}",
                    reports.len()
                ),
                None => format!(
                    "the plan has {} functions @{name}: schedule the pass on the module",
                    reports.len()
                ),
            };
            return Err(fail(function, codes::MISFIT, why));
        }
        let report = reports.get(place);
        let matching = Matching {
            function,
            analysis,
            name: &name,
            is_missing: report.is_none(),
            least_alignment,
        };
        matching.all(report.unwrap_or(&FunctionReport::default()), slots)
    }
}

/// A buffer of a report, with the memory space of its arena.
#[derive(Clone, Copy)]
struct Entry<'r> {
    buffer: &'r BufferReport,
    memory_space: &'r str,
    arena: u64,
    is_of_iteration: bool,
}

struct Matching<'m, 'c> {
    function: Op<'c>,
    analysis: &'m Analysis<'c>,
    name: &'m str,
    is_missing: bool,
    least_alignment: u64,
}

impl Matching<'_, '_> {
    fn all(&self, report: &FunctionReport, slots: &[Slots]) -> Result<Given, Failed> {
        let mut entries: FxHashMap<u64, Entry<'_>> = FxHashMap::default();
        let mut nested: FxHashMap<u64, (NestedPlace, u64)> = FxHashMap::default();
        for (arena, scope) in (0..).zip(&report.scopes) {
            for buffer in &scope.buffers {
                // What is allocated for a callee is a buffer like others.
                let is_buffer = buffer.id < self.analysis.program.buffers.len() as u64;
                if is_buffer || buffer.arena_of.is_empty() {
                    let memory_space = scope.memory_space.as_str();
                    entries.insert(
                        buffer.id,
                        Entry {
                            buffer,
                            memory_space,
                            arena,
                            is_of_iteration: scope.each_iteration,
                        },
                    );
                } else {
                    let place = NestedPlace {
                        offset: buffer.offset,
                        arena,
                        is_of_iteration: scope.each_iteration,
                    };
                    nested.insert(buffer.id, (place, buffer.size));
                }
            }
        }
        let hosts: FxHashSet<u64> = entries
            .values()
            .filter_map(|entry| entry.buffer.in_place_with)
            .collect();
        let mut given = Given {
            nested: NestedOffsets::ById(nested),
            ..Given::default()
        };
        let mut result = Ok(());
        let analysis = self.analysis;
        let in_slots: FxHashSet<BufferId> = slots.iter().flat_map(Slots::members).collect();
        for (place, plannable) in analysis.plannable.iter().enumerate() {
            let fact = &analysis.program.buffers[plannable.buffer.index()];
            if fact.dynamic.is_some() || in_slots.contains(&plannable.buffer) {
                continue;
            }
            let op = analysis.handles.buffers[plannable.buffer.index()];
            let id = u64::from(plannable.buffer.0);
            let own = decide::slice(place, fact.size, plannable, self.least_alignment);
            let own = own.map_err(|error| fail(op, error.code(), error))?;
            match self.slice(op, entries.remove(&id), &own) {
                Ok((slice, space)) => {
                    let group = slice.group.or_else(|| hosts.contains(&id).then_some(id));
                    given.slices.insert(place, GivenSlice { group, ..slice });
                    if let Some(space) = space {
                        given.spaces.insert(place, space);
                    }
                }
                Err(why) => result = Err(fail(op, codes::MISFIT, why)),
            }
        }
        for (buffer, reason) in &analysis.skipped {
            if entries.remove(&u64::from(buffer.0)).is_some() {
                let op = analysis.handles.buffers[buffer.index()];
                let why = format!(
                    "the plan has an offset for an allocation that is not merged: {} [{}]",
                    reason.text(),
                    reason.id()
                );
                result = Err(fail(op, codes::MISFIT, why));
            }
        }
        let left = entries.values().min_by_key(|entry| entry.buffer.id);
        if let Some(Entry { buffer, .. }) = left {
            let why = format!(
                "the plan has a buffer of type {} with id {}, which the function does not have",
                buffer.ty, buffer.id
            );
            result = Err(fail(self.function, codes::MISFIT, why));
        }
        result.and(self.slots(report, slots)).map(|()| given)
    }

    /// The slice of an allocation, and its memory space if that is another one.
    fn slice(
        &self,
        op: Op<'_>,
        entry: Option<Entry<'_>>,
        own: &Slice,
    ) -> Result<(GivenSlice, Option<String>), String> {
        let Some(Entry {
            buffer,
            memory_space: space,
            arena,
            is_of_iteration,
        }) = entry
        else {
            return Err(self.missing());
        };
        let (ty, own_space) = results(op)
            .next()
            .map(|result| (type_of(result).to_string(), memory_space(type_of(result))))
            .unwrap_or_default();
        if buffer.ty != ty {
            return Err(format!(
                "the plan is of another program: there, this allocation is of type {}",
                buffer.ty
            ));
        }
        if buffer.size != own.size {
            return Err(format!(
                "the plan has {} bytes for it, and it takes {}",
                buffer.size, own.size
            ));
        }
        let alignment = own.alignment;
        let offset = buffer.offset;
        if !offset.is_multiple_of(alignment) {
            return Err(format!(
                "its offset in the plan is {offset}, which is not a multiple of its alignment of \
                 {alignment} bytes"
            ));
        }
        if let Some(fixed) = build::integer(op, OFFSET)
            && u64::try_from(fixed) != Ok(offset)
        {
            return Err(format!(
                "its offset in the plan is {offset}, and `{OFFSET}` is {fixed}"
            ));
        }
        let moves = short_space(space) != short_space(&own_space);
        Ok((
            GivenSlice {
                offset,
                group: buffer.in_place_with,
                arena,
                is_of_iteration,
            },
            moves.then(|| space.to_string()),
        ))
    }

    fn missing(&self) -> String {
        match self.is_missing {
            true => format!("the plan has no function @{}", self.name),
            false => "the plan has no such allocation".to_string(),
        }
    }

    /// Slots of dynamic size follow from the program alone: those of the plan must be the same.
    fn slots(&self, report: &FunctionReport, slots: &[Slots]) -> Result<(), Failed> {
        let given = report.scopes.iter().flat_map(|scope| &scope.slots);
        let mut given: Vec<Vec<u64>> = given
            .map(|slot| slot.buffers.iter().map(|buffer| buffer.id).collect())
            .collect();
        given.sort_unstable();
        let members = |slot: &[BufferId]| slot.iter().map(|buffer| u64::from(buffer.0)).collect();
        let parts = slots.iter().flat_map(|slots| &slots.parts);
        for slot in parts.flat_map(|part| &part.slots) {
            let own: Vec<u64> = members(&slot.members);
            if let Ok(at) = given.binary_search(&own) {
                given.remove(at);
            } else if let Some(buffer) = slot.members.first() {
                let why = match self.is_missing {
                    true => self.missing(),
                    false => "the plan has no slot for this allocation of dynamic size and those \
                              that share it"
                        .to_string(),
                };
                let op = self.analysis.handles.buffers[buffer.index()];
                return Err(fail(op, codes::MISFIT, why));
            }
        }
        match given.is_empty() {
            true => Ok(()),
            false => {
                let why = "the plan has a slot of dynamic size that the function does not have";
                Err(fail(self.function, codes::MISFIT, why))
            }
        }
    }
}
