//! Options, and the memory spaces that they and the machine describe.

use crate::{
    coalescing::PackingOptions,
    failure::fail,
    memory_spaces::{
        machine::Described,
        names::{short_space, space_name},
        per_space,
    },
};
use memplan_declarations::{
    assign_spaces::DECLARATION, codes::OPTION, merge_alloc::codes::MACHINE,
};
use memplan_machine::Cost;
use memplan_mlir::{
    ir::{Op, context_of},
    pass::{Failed, OptionValues},
};
use memplan_placement::SpaceSet;

/// A memory space.
#[derive(Clone, Debug)]
pub struct Space {
    /// As types of memrefs have it; empty for the default one.
    pub memory_space: String,
    /// Its bytes; `None` without a limit.
    pub limit: Option<u64>,
    /// What reading and writing a byte costs.
    pub read: Cost,
    pub write: Cost,
    /// Whether copies to and from it run beside operations.
    pub copies_beside: bool,
    /// Where buffers go that do not fit, by index.
    slower: Option<usize>,
    /// Where it is described.
    pub place: Option<String>,
}

/// The least search.
const QUICK: memplan_placement::Options = memplan_placement::Options {
    rounds: 20,
    attempts: 100,
    steps: 2000,
};

/// Options of the pass.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The pass that has the options.
    pass: &'static str,
    /// Options of the plan that follows.
    pub how: PackingOptions,
    pub spaces: Vec<Space>,
    /// What a unit of cost is called.
    pub unit: String,
    /// Whether buffers may be in faster spaces than theirs.
    pub promotes: bool,
    pub remarks: bool,
    /// The file for curves, if there is one.
    pub curve: String,
    /// The number of budgets of a curve in the report.
    pub points: u64,
    pub effort: memplan_placement::Options,
}

impl Settings {
    /// Checks the options by themselves.
    pub fn check(values: &OptionValues) -> Result<(), String> {
        let pass = DECLARATION.argument;
        PackingOptions::of(pass, values)?;
        per_space::bytes(values, "budget", pass).map(|_| ())
    }

    /// Reads the options; `None` if they limit nothing.
    pub fn of(values: &OptionValues, machine: Option<&Described>) -> Result<Option<Self>, String> {
        let mut settings = Self::read(DECLARATION.argument, values, machine)?;
        settings.curve = values.text("curve").to_owned();
        settings.points = u64::try_from(values.integer("points")).unwrap_or(0);
        settings.remarks = values.flag("remarks");
        settings.effort = match values.text("search") {
            "quick" => QUICK,
            "thorough" => memplan_placement::Options {
                rounds: 400,
                attempts: 200_000,
                steps: 10_000_000,
            },
            _ => memplan_placement::Options::default(),
        };
        let is_wanted = !settings.curve.is_empty() || settings.points > 0;
        let is_any = settings.are_limited() || settings.promotes || is_wanted;
        Ok(is_any.then_some(settings))
    }

    /// The limits, for another pass that compares what programs cost; `None` if there are none.
    pub fn limits(
        pass: &'static str,
        values: &OptionValues,
        machine: Option<&Described>,
    ) -> Result<Option<Self>, String> {
        let settings = Self::read(pass, values, machine)?;
        Ok(settings.are_limited().then_some(settings))
    }

    /// Whether any space has a limit.
    fn are_limited(&self) -> bool {
        self.spaces.iter().any(|space| space.limit.is_some())
    }

    /// Reads the options that passes share.
    fn read(
        pass: &'static str,
        values: &OptionValues,
        machine: Option<&Described>,
    ) -> Result<Self, String> {
        let mut how = PackingOptions::of(pass, values)?;
        let budgets = per_space::bytes(values, "budget", pass)?;
        let mut spaces = described(machine);
        let mut named: Vec<&String> = budgets.names().collect();
        named.sort_unstable();
        for name in named {
            let is_known = spaces.iter().any(|space| space.memory_space == *name);
            match machine {
                Some(_) if !is_known => {
                    return Err(format!(
                        "{pass}: option 'budget' names memory space {}, which the machine has not",
                        space_name(name)
                    ));
                }
                _ if is_known => {}
                _ => spaces.push(Space::unknown(name)),
            }
        }
        if spaces.len() > memplan_placement::MOST_SPACES {
            return Err(format!(
                "{pass}: {} memory spaces with the default one, at most {} are possible",
                spaces.len(),
                memplan_placement::MOST_SPACES
            ));
        }
        for space in &mut spaces {
            let Some(budget) = budgets.get(&space.memory_space).copied() else {
                continue;
            };
            if let Some(size) = space.limit.filter(|size| *size < budget) {
                return Err(format!(
                    "{pass}: option 'budget' gives {budget} bytes to memory space {}, which has {size}",
                    space_name(&space.memory_space)
                ));
            }
            space.limit = Some(budget);
        }
        if let Some(machine) = machine {
            let all = machine.machine.spaces.iter();
            how.alignment = all
                .filter_map(|space| space.alignment)
                .fold(how.alignment, u64::max);
        }
        Ok(Self {
            pass,
            how,
            spaces,
            unit: machine.map_or_else(|| "unit".to_owned(), |one| one.machine.unit.clone()),
            promotes: values.flag("promote"),
            remarks: false,
            curve: String::new(),
            points: 0,
            effort: QUICK,
        })
    }

    /// Checks that the options and the machine name memory spaces as MLIR writes them.
    pub fn has_spaces(&self, op: Op<'_>) -> Result<(), Failed> {
        for space in &self.spaces {
            let name = &space.memory_space;
            let is_word = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
            if !name.is_empty() && (is_word || context_of(op).parse_attribute(name).is_none()) {
                let wrong = format!("'{name}' is not a memory space");
                return Err(match &space.place {
                    Some(place) => fail(op, MACHINE, format!("{place}: {wrong}")),
                    None => {
                        let pass = self.pass;
                        fail(op, OPTION, format!("{pass}: option 'budget': {wrong}"))
                    }
                });
            }
        }
        Ok(())
    }

    /// The space whose budget curves are about: the first one that has a limit, or the first one.
    pub fn limited(&self) -> usize {
        let limited = self.spaces.iter().position(|space| space.limit.is_some());
        limited.unwrap_or(0)
    }

    /// The space of a memref, as MLIR prints it.
    pub fn index(&self, printed: &str) -> Option<usize> {
        let name = short_space(printed);
        self.spaces
            .iter()
            .position(|space| space.memory_space == name)
    }

    /// The spaces in which a buffer of a space may be.
    pub fn allowed(&self, space: usize) -> SpaceSet {
        let mut all = self.at_or_below(space);
        if self.promotes {
            for other in 0..self.spaces.len() {
                if self.at_or_below(other).has(space) {
                    all = all.with(SpaceSet::one(other));
                }
            }
        }
        all
    }

    /// A space, and those that are slower.
    fn at_or_below(&self, space: usize) -> SpaceSet {
        let (mut all, mut at) = (SpaceSet::one(space), space);
        // The machine has no cycles.
        while let Some(slower) = self.spaces[at].slower {
            all = all.with(SpaceSet::one(slower));
            at = slower;
        }
        all
    }
}

impl Space {
    /// A space that no machine describes.
    fn unknown(memory_space: &str) -> Self {
        Self {
            memory_space: memory_space.to_owned(),
            limit: None,
            read: Cost::ONE,
            write: Cost::ONE,
            copies_beside: false,
            slower: None,
            place: None,
        }
    }
}

/// The spaces of a machine, and the default one.
fn described(machine: Option<&Described>) -> Vec<Space> {
    let mut spaces: Vec<Space> = Vec::new();
    if let Some(machine) = machine {
        let all = machine.machine.spaces.iter();
        spaces.extend(all.map(|space| {
            let reserved = space.reserved.iter().map(|range| range.end - range.start);
            Space {
                memory_space: space.memory_space.clone(),
                limit: space.size.map(|size| size.saturating_sub(reserved.sum())),
                read: space.read,
                write: space.write,
                copies_beside: space.copies_beside,
                slower: space.slower.map(|slower| slower.index()),
                place: Some(machine.place(space)),
            }
        }));
    }
    if spaces.iter().all(|space| !space.memory_space.is_empty()) {
        spaces.push(Space::unknown(""));
    }
    spaces
}
