//! What was gained and what was left alone, as an aligned table.

use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::{counted, grouped, short};
use crate::{
    FunctionReport, Program, Report, ScopeReport, Skipped, chains, costs, names, orders, regions,
    shape,
};

pub(crate) const FUNCTIONS: [Column; 11] = [
    Column::left(
        "function",
        "The function, or one scope of a function that has several.",
    ),
    Column::left(
        "scope",
        "The scope of the arena: `function`, or the operation whose body it is, with the memory space where it is not the \
         default one.",
    ),
    Column::right(
        "allocs before",
        "Allocations in the program: buffers in arenas, in regions, and skipped allocations.",
    ),
    Column::right(
        "after",
        "Allocations that stay: arenas, regions and skipped allocations.",
    ),
    Column::right(
        "naive bytes",
        "The sum of the sizes of all buffers, each rounded up to its alignment: what separate allocations take. Where more \
         is known only at run time, `+ ?` follows, here and in the other columns.",
    ),
    Column::right(
        "lower bound",
        "The best lower bound that was proven: no plan has a smaller arena. It is at least the load.",
    ),
    Column::left(
        "proof",
        "The kind of certificate of the lower bound. `load`: the most bytes live at one point; `alignment`: the same with \
         the padding that alignment forces; `clique`: buffers that are all live at once; `end`: the end of one buffer; \
         `search` and `distances`: an exhaustive search; `nothing`: no buffer has bytes.",
    ),
    Column::right("planned", "The size of the arenas in bytes."),
    Column::right(
        "ratio",
        "Planned bytes divided by the lower bound; 1.000 is optimal.",
    ),
    Column::left("planner", "The planner whose plan was taken."),
    Column::left(
        "optimal",
        "Whether the arena is as small as the lower bound.",
    ),
];

pub(crate) const LAYOUTS: [Column; 13] = [
    Column::left("function", "The bounded function."),
    Column::left(
        "layout",
        "The options of the layout: the mode (`plain`, `scan` or `defrag`), the fit, and whether `buffers` or `all` values \
         are placed.",
    ),
    Column::right("paths", "The number of paths through the function."),
    Column::right("ops", "The number of operations."),
    Column::right("live", "The most bytes that are live at once on any path."),
    Column::right("stack", "The size of the stack with this layout, in bytes."),
    Column::right(
        "plain",
        "The size of the stack where no buffers share bytes.",
    ),
    Column::right(
        "scan",
        "The size of the stack without moves, with the fit of the layout.",
    ),
    Column::right(
        "planner",
        "The size of the stack without moves, by the planner.",
    ),
    Column::right(
        "before",
        "The size of the stack without moves, before code after branches was duplicated.",
    ),
    Column::right("defrag", "The size of the stack with moves."),
    Column::right("moves", "The most values that any path moves."),
    Column::right("moved", "The most bytes that any path moves."),
];

pub(crate) const SIZES: [Column; 6] = [
    Column::left("function", "The bounded function."),
    Column::right("loops", "The number of its loops."),
    Column::right("ops", "The number of its operations."),
    Column::right(
        "written out",
        "The number of operations once all loops are unrolled.",
    ),
    Column::right(
        "as a tree",
        "The number of operations once code after branches is duplicated, too.",
    ),
    Column::right("paths", "The number of paths through the function."),
];

pub(crate) const HEAPS: [Column; 3] = [
    Column::right(
        "heap bytes",
        "The most bytes of arenas, results and what is left alone, in one call of the function.",
    ),
    Column::right(
        "at least",
        "A lower bound of that, for this order of the operations.",
    ),
    Column::left("held by", "The function."),
];

/// Most functions whose heap is listed.
const MOST_HEAPS: usize = 8;

pub(crate) const SKIPPED: [Column; 5] = [
    Column::right(
        "skipped",
        "How many allocations were left alone for this reason.",
    ),
    Column::left("reason", "The reason, a topic of `memplan help`."),
    Column::left("first in", "The function of the first of them."),
    Column::left("location", "The location of the first of them."),
    Column::left("type", "The type of the first of them."),
];

/// The report as a table: a row for each function, with one below it for each scope where there
/// are several; a total; a line that sums up; and what was skipped, by reason.
///
/// *allocs before* counts the buffers in the arenas (but arenas of others, which are not of the
/// program, copies on other paths and places that buffers move to), in regions, and the skipped allocations, *after* the arenas,
/// the regions and the skipped allocations; *proof* is that of the lower bound; *ratio* is planned to
/// lower bound. The bytes of the total are sums over all arenas. Functions without allocations are only counted. Functions
/// whose memory goes to regions have a table of their own, and so have blocks that an order was looked for, and chains in
/// strips.
pub fn table(report: &Report) -> String {
    // What goes to regions alone has a table of its own.
    let is_planned = |function: &FunctionReport| function.regions.is_none();
    let any_planned = report.functions.iter().any(is_planned);
    let report = &regions::joined(report);
    let mut rows = vec![headings(&FUNCTIONS)];
    let mut total = Sums::default();
    let mut silent = 0;
    let planned = report.functions.iter();
    let is_aside = |function: &FunctionReport| {
        (function.costs.is_some() || function.explained.is_some()) && function.scopes.is_empty()
    };
    let planned = planned.filter(|function| {
        (any_planned || is_planned(function)) && function.orders.is_empty() && !is_aside(function)
    });
    for function in planned.clone() {
        let sums = Sums::of(function);
        if sums.before == 0 && function.scopes.is_empty() {
            silent += 1;
            continue;
        }
        total.add(&sums);
        push_function(&mut rows, function, &sums);
    }
    let regions = regions::table(report);
    let orders = orders::table(report);
    let chains = chains::table(report);
    let costs = costs::table(report);
    if rows.len() == 1 {
        let mut out = match planned.count() {
            0 if !(regions.is_empty() && orders.is_empty() && costs.is_empty()) => String::new(),
            count => format!("no allocations in {}\n", counted(count, "function")),
        };
        out.push_str(&bounded(report));
        if !regions.is_empty() {
            out.push_str(&regions);
            out.push_str(&skipped(report));
        }
        out.push_str(&orders);
        out.push_str(&chains);
        if !costs.is_empty() && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&costs);
        return out;
    }
    let last = rows.len();
    rows.push(total.row("total".into(), [const { String::new() }; 3]));
    let mut out = aligned(&rows, &alignments(&FUNCTIONS), &[1, last]);
    out.push('\n');
    out.push_str(&total.sentence());
    out.push_str(&rewritten(report));
    if let Some(hint) = shape::hint(report) {
        out.push_str(&hint);
    }
    if silent > 0 {
        out.push_str(&counted(silent, "function"));
        out.push_str(" without allocations\n");
    }
    if !regions.is_empty() {
        out.push('\n');
        out.push_str(&regions);
    }
    out.push_str(&heaps(report));
    if !chains.is_empty() {
        out.push('\n');
        out.push_str(&chains);
    }
    out.push_str(&skipped(report));
    out.push_str(&bounded(report));
    if !orders.is_empty() {
        out.push('\n');
        out.push_str(&orders);
    }
    if !costs.is_empty() {
        out.push('\n');
        out.push_str(&costs);
    }
    out
}

/// What layouts of bounded programs cost, and how large they become: a row for each function, nothing
/// without any.
fn bounded(report: &Report) -> String {
    let functions = || {
        let all = report.functions.iter();
        all.filter_map(|function| Some((&function.name, function.bounded.as_ref()?)))
    };
    let mut out = String::new();
    let mut rows = vec![headings(&LAYOUTS)];
    for (name, layout) in functions().filter_map(|(name, it)| Some((name, it.layout.as_ref()?))) {
        let known = |bytes: Option<u64>| bytes.map_or("-".to_owned(), grouped);
        let words = [&layout.mode, &layout.fit, &layout.values].map(String::as_str);
        rows.push([
            clipped(name),
            clipped(&words.join(" ")),
            match layout.all_paths.as_str() {
                "" => grouped(layout.path_count),
                any if layout.path_count == u64::MAX => clipped(any),
                _ => grouped(layout.path_count),
            },
            grouped(layout.operations),
            grouped(layout.max_live_bytes),
            grouped(layout.peak_bytes),
            grouped(layout.plain_bytes),
            known(layout.scan_bytes),
            known(layout.planner_bytes),
            known(layout.before_tree_bytes),
            known(layout.defrag_bytes),
            grouped(layout.moves),
            grouped(layout.moved_bytes),
        ]);
    }
    if rows.len() > 1 {
        out.push('\n');
        out.push_str(&aligned(&rows, &alignments(&LAYOUTS), &[1]));
    }
    let mut rows = vec![headings(&SIZES)];
    for (name, size) in functions().filter_map(|(name, it)| Some((name, it.size.as_ref()?))) {
        rows.push([
            clipped(name),
            grouped(size.loops.len() as u64),
            grouped(size.operations),
            clipped(&size.expanded),
            clipped(&size.tree),
            clipped(&size.paths),
        ]);
    }
    if rows.len() > 1 {
        out.push('\n');
        out.push_str(&aligned(&rows, &alignments(&SIZES), &[1]));
    }
    out
}

fn push_function(rows: &mut Vec<[String; 11]>, function: &FunctionReport, sums: &Sums) {
    let name = match names::shape_of(function) {
        Some(shape) => clipped(&format!("{} ({shape})", function.name)),
        None => clipped(&function.name),
    };
    match function.scopes.as_slice() {
        [] => rows.push(sums.row(name, ["-"; 3].map(str::to_owned))),
        [scope] => rows.push(sums.row(name, words(scope))),
        scopes => {
            let scopes_word = counted(scopes.len(), "scope");
            rows.push(sums.row(name, [scopes_word, String::new(), String::new()]));
            for (number, scope) in scopes.iter().enumerate() {
                let name = format!("  scope {number}");
                let sums = Sums::of_scope(scope);
                rows.push(sums.row(name, words(scope)));
            }
        }
    }
}

/// The words of a scope's row: its name, the proof and the planner.
fn words(scope: &ScopeReport) -> [String; 3] {
    [
        scope_name(scope),
        clipped(&scope.lower_bound_proof),
        clipped(&scope.planner),
    ]
}

fn scope_name(scope: &ScopeReport) -> String {
    let kind = clipped(&scope.kind);
    if scope.memory_space.is_empty() {
        kind
    } else {
        format!("{kind} in {}", clipped(&scope.memory_space))
    }
}

/// The numbers of one row.
#[derive(Default)]
struct Sums {
    before: usize,
    /// Those of them that are in arenas.
    merged: usize,
    after: usize,
    arenas: usize,
    not_optimal: usize,
    naive: u64,
    bound: u64,
    planned: u64,
    /// Whether the sum of bytes is known only at run time.
    is_open: bool,
}

impl Sums {
    fn of(function: &FunctionReport) -> Self {
        let skipped = function.skipped.len();
        let mut sums = Self {
            before: function
                .skipped
                .iter()
                .filter(|it| it.arena_of.is_empty())
                .count(),
            after: skipped,
            ..Self::default()
        };
        if let Some(regions) = &function.regions {
            sums.before += regions.placed.len();
            let made = regions.made.iter().map(|made| made.count as usize);
            sums.after += made.sum::<usize>();
        }
        function
            .scopes
            .iter()
            .for_each(|scope| sums.add(&Self::of_scope(scope)));
        (sums.planned, sums.bound) = (function.planned(), function.lower_bound());
        sums
    }

    fn of_scope(scope: &ScopeReport) -> Self {
        let own = scope.buffers.iter();
        let own = own.filter(|it| it.arena_of.is_empty() && it.same_as.is_none());
        let slots = scope.slots.iter().flat_map(|slot| &slot.buffers);
        let slots = slots.filter(|it| it.arena_of.is_empty());
        let merged = own.count() + slots.count();
        Self {
            before: merged,
            merged,
            is_open: !scope.slots.is_empty(),
            after: 1,
            arenas: 1,
            not_optimal: usize::from(!scope.optimal),
            naive: scope.separate_bytes(),
            bound: scope.lower_bound_bytes,
            planned: scope.planned_bytes,
        }
    }

    fn add(&mut self, other: &Self) {
        self.before += other.before;
        self.merged += other.merged;
        self.after += other.after;
        self.arenas += other.arenas;
        self.is_open |= other.is_open;
        self.not_optimal += other.not_optimal;
        self.naive = self.naive.saturating_add(other.naive);
        self.bound = self.bound.saturating_add(other.bound);
        self.planned = self.planned.saturating_add(other.planned);
    }

    fn row(&self, name: String, [scope, proof, planner]: [String; 3]) -> [String; 11] {
        let bytes = |bytes| match (self.arenas, self.is_open) {
            (0, _) => "-".to_owned(),
            (_, true) if bytes == 0 => "?".to_owned(),
            (_, true) => format!("{} + ?", grouped(bytes)),
            (_, false) => grouped(bytes),
        };
        let optimal = match (self.arenas, self.not_optimal) {
            _ if self.is_open => "-".to_owned(),
            (0, _) => "-".to_owned(),
            (_, 0) => "yes".to_owned(),
            (1, _) => "no".to_owned(),
            (arenas, not) => format!("{} of {arenas}", arenas - not),
        };
        let ratio = match self.bound {
            _ if self.is_open => "-".to_owned(),
            0 => "-".to_owned(),
            bound => format!("{:.3}", self.planned as f64 / bound as f64),
        };
        [
            name,
            scope,
            grouped(self.before as u64),
            grouped(self.after as u64),
            bytes(self.naive),
            bytes(self.bound),
            proof,
            bytes(self.planned),
            ratio,
            planner,
            optimal,
        ]
    }

    fn sentence(&self) -> String {
        if self.arenas == 0 {
            return "no plan\n".to_owned();
        }
        let change = match self.naive {
            _ if self.is_open => String::new(),
            0 => String::new(),
            naive => {
                let percent = 100.0 * (1.0 - self.planned as f64 / naive as f64);
                let word = if percent < 0.0 { "more" } else { "less" };
                format!(", {:.1}% {word}", percent.abs())
            }
        };
        let of = format!(
            "{} for {}",
            counted(self.arenas, "arena"),
            counted(self.merged, "allocation")
        );
        let (planned, naive) = (short(self.planned), short(self.naive));
        match (self.is_open, self.planned) {
            (false, _) => format!("{of}: {planned} instead of {naive}{change}\n"),
            (true, 0) => format!("{of}, of sizes that are known only at run time\n"),
            (true, _) => format!(
                "{of}: {planned} instead of {naive}, and more of sizes that are known only at run time\n"
            ),
        }
    }
}

/// Says of which program the numbers are, where passes rewrote functions before the plan.
fn rewritten(report: &Report) -> String {
    let planned = report.functions.iter();
    let planned: Vec<&FunctionReport> = planned.filter(|one| !one.scopes.is_empty()).collect();
    let rewritten = planned
        .iter()
        .filter(|one| one.program == Some(Program::Rewritten));
    match rewritten.count() {
        0 => String::new(),
        count => format!(
            "{count} of {} rewritten before the plan: bytes, bounds and `optimal` are of the rewritten program\n",
            counted(planned.len(), "function")
        ),
    }
}

/// What calls hold with results and what is left alone, for the functions that hold the most.
fn heaps(report: &Report) -> String {
    let mut functions: Vec<(&FunctionReport, u64, u64)> = report
        .functions
        .iter()
        .filter_map(|function| {
            let held = function.heap_bytes?;
            Some((function, held, function.heap_lower_bound_bytes.unwrap_or(0)))
        })
        .collect();
    // Stable, so that functions that hold as much stay in the order of the module.
    functions.sort_by_key(|&(_, held, _)| std::cmp::Reverse(held));
    if functions.is_empty() {
        return String::new();
    }
    let mut rows = vec![headings(&HEAPS)];
    rows.extend(
        functions
            .into_iter()
            .take(MOST_HEAPS)
            .map(|(function, held, bound)| {
                [grouped(held), grouped(bound), clipped(&function.name)]
            }),
    );
    format!("\n{}", aligned(&rows, &alignments(&HEAPS), &[1]))
}

/// The skipped allocations by reason, the most frequent first.
fn skipped(report: &Report) -> String {
    let mut reasons: Vec<(&str, usize, &FunctionReport, &Skipped)> = Vec::new();
    for function in &report.functions {
        for skipped in &function.skipped {
            match reasons
                .iter_mut()
                .find(|(reason, ..)| *reason == skipped.reason)
            {
                Some((_, count, ..)) => *count += 1,
                None => reasons.push((&skipped.reason, 1, function, skipped)),
            }
        }
    }
    if reasons.is_empty() {
        return String::new();
    }
    // Stable, so that reasons of the same count stay in the order of the module.
    reasons.sort_by_key(|&(_, count, ..)| std::cmp::Reverse(count));
    let mut rows = vec![headings(&SKIPPED)];
    rows.extend(reasons.into_iter().map(|(reason, count, function, first)| {
        [
            grouped(count as u64),
            clipped(reason),
            clipped(&function.name),
            clipped(&first.location),
            clipped(&first.ty),
        ]
    }));
    format!("\n{}", aligned(&rows, &alignments(&SKIPPED), &[1]))
}
