//! The options as values.

use memplan_bounded::Placement;
use memplan_mlir::pass::OptionValues;
use memplan_planner::Effort;

/// How values share the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Each value has bytes of its own.
    Plain,
    /// A value reuses the bytes of dead values.
    Scan,
    /// Values are moved, too, to join free bytes.
    Defrag,
}

/// Where the stack is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackPlacement {
    /// On the heap; it is freed at each return.
    Alloc,
    /// On the machine's stack.
    Alloca,
    /// By the caller, which passes it as an argument.
    Argument,
}

/// The options.
#[derive(Clone, Debug)]
pub struct Settings {
    pub mode: Mode,
    /// Every value has an offset, scalars included.
    pub all_values: bool,
    pub placement: Placement,
    /// Limit of the bytes that a path may move; `None` is no limit.
    pub move_budget: Option<u64>,
    /// Paths are followed without expanding loops and branches.
    pub is_virtual: bool,
    pub apply: bool,
    pub stack_placement: StackPlacement,
    pub alignment: u64,
    pub effort: Effort,
    pub remarks: bool,
    pub verify: bool,
    /// The texts of the options `mode`, `fit` and `values`, for the report.
    pub option_texts: [String; 3],
}

impl Settings {
    /// The settings that the options select, or an error.
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
            // Scalars stay in registers: there is nothing to rewrite.
            apply: values.flag("apply") && !all_values,
            stack_placement: match values.text("arena") {
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
            option_texts: ["mode", "fit", "values"].map(|name| values.text(name).to_owned()),
        })
    }
}
