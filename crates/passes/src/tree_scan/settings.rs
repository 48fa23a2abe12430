//! The options as values.

use memplan_bounded::Placement;
use memplan_mlir::pass::OptionValues;
use memplan_planner::Effort;

/// How values share the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Not at all.
    Plain,
    /// What is dead gives its bytes to what comes.
    Scan,
    /// And values are moved to make room.
    Defrag,
}

/// Where the stack lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackPlacement {
    /// On the heap, freed at each return.
    Alloc,
    /// On the machine's stack.
    Alloca,
    /// An argument of the function.
    Argument,
}

/// The options.
#[derive(Clone, Debug)]
pub struct Settings {
    pub mode: Mode,
    /// Every value gets a place, not only memory.
    pub all_values: bool,
    pub placement: Placement,
    /// The most bytes that a path may move; none: as many as it takes.
    pub move_budget: Option<u64>,
    /// Paths are followed through the program as it is.
    pub is_virtual: bool,
    pub apply: bool,
    pub home: StackPlacement,
    pub alignment: u64,
    pub effort: Effort,
    pub remarks: bool,
    pub verify: bool,
    /// The words of the options, for the report.
    pub words: [String; 3],
}

impl Settings {
    /// From the options, or what is wrong with them.
    pub fn of(values: &OptionValues) -> Result<Self, String> {
        let all_values = values.text("values") == "all";
        let move_budget = values.text("move-budget").parse().ok();
        let mode = match values.text("mode") {
            "plain" => Mode::Plain,
            "scan" => Mode::Scan,
            _ => Mode::Defrag,
        };
        if move_budget.is_some() && mode != Mode::Defrag {
            return Err("memplan-tree-scan: move-budget needs mode=defrag".to_owned());
        }
        if move_budget.is_some() && values.flag("virtual") {
            return Err(
                "memplan-tree-scan: move-budget has no effect with virtual=true, which moves \
                nothing"
                    .to_owned(),
            );
        }
        Ok(Self {
            mode,
            all_values,
            placement: match values.text("fit") {
                "first" => Placement::First,
                "best" => Placement::Best,
                _ => Placement::Planner,
            },
            move_budget,
            is_virtual: values.flag("virtual"),
            // Scalars stay where the compiler has them: there is nothing to rewrite.
            apply: values.flag("apply") && !all_values,
            home: match values.text("arena") {
                "alloca" => StackPlacement::Alloca,
                "arg" => StackPlacement::Argument,
                _ => StackPlacement::Alloc,
            },
            alignment: values.integer("alignment").cast_unsigned(),
            effort: values
                .text("effort")
                .parse()
                .map_err(|error| format!("memplan-tree-scan: {error}"))?,
            remarks: values.flag("remarks"),
            verify: values.flag("verify"),
            words: ["mode", "fit", "values"].map(|name| values.text(name).to_owned()),
        })
    }
}
