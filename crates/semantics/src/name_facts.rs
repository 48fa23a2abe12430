//! What a name alone decides: the row of the table, looked up once.

use crate::{
    allocators::Allocator,
    arithmetic::Computation,
    dialects::{self, Said},
    form::Form,
    names::NameInfo,
    op_memory::{OperandNumber, RegionOrder},
    registration::registry::{self, Describe},
    statement::{
        Bytes, Covers, Fill, Outlined, Part, Returns, Retype, Speculation, Statement, Strides,
        Traps,
    },
};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike};
use std::sync::Arc;

#[cfg(debug_assertions)]
use crate::statement::Row;

/// What is known of the operations of one name.
pub(crate) struct NameFacts {
    pub(crate) info: NameInfo,
    /// What the table says of memory; `None` where it has no row that does.
    pub(crate) row: Option<&'static [Statement]>,
    /// All that the row of the table says.
    pub(crate) control: &'static [Statement],
    /// The table says something.
    pub(crate) is_in_table: bool,
    /// The row says all: interfaces are not asked.
    pub(crate) is_whole: bool,
    /// What its dialect says of all operations without a row.
    pub(crate) others: &'static [Statement],
    /// What is said of memory, by the row or else by the dialect.
    pub(crate) of_memory: Box<[Statement]>,
    /// Who describes them, if somebody has registered that.
    pub(crate) described: Option<Arc<Describe>>,
    pub(crate) says: NameSays,
    pub(crate) form: Form,
    /// When regions run.
    pub(crate) order: RegionOrder,
}

/// What the table says of all operations of one name. It costs one look-up, and no interface is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameSays {
    /// They free an operand.
    pub frees: bool,
    /// Their results are addresses, as numbers or pointers.
    pub gives_addresses: bool,
    /// Whose memory they allocate.
    pub allocates: Option<Allocator>,
    /// An embedder describes each of them.
    pub is_described: bool,
    /// Which of their regions become functions of their own.
    pub outlined: Option<Outlined>,
    /// They go over all elements of their memrefs.
    pub walks: bool,
    /// Nothing changes places with them.
    pub is_ordered: bool,
    /// They may be compiled as if memrefs were aligned to whole vectors.
    pub relies_on_alignment: bool,
    /// Their results are copies of an operand, or the operand itself.
    pub clones: bool,
    /// More operands, arguments and results can be added at the end of each.
    pub is_extendable: bool,
    /// They are loops that reduce what iterations come to: the terminator of the body has a region for each result.
    pub reduces: bool,
    /// They free operands where flags hold, and what is retained keeps its memory.
    pub frees_by_flags: bool,
    /// They have a model of `BufferDeallocationOpInterface` that may say what nobody else does.
    pub models_deallocation: bool,
    /// They may go on after control has passed them.
    pub may_outlive: bool,
    /// They go to their successors by address: no block can be put in between.
    pub jumps_by_address: bool,
    /// They are the first operations of blocks that unwinding goes to.
    pub starts_landing_pad: bool,
    /// If they write, they may store what they are given where a symbol says.
    pub may_store_by_symbol: bool,
    /// Their result is a view of operand 0 that has these elements.
    pub(crate) part: Option<Part>,
    /// Their result is a view of these bytes of operand 0.
    pub(crate) bytes: Option<Bytes>,
    pub(crate) computes: Option<Computation>,
    /// They copy one operand to another, with the dimensions in the order that an attribute says.
    pub(crate) copies: Option<(OperandNumber, OperandNumber, Option<&'static str>)>,
    /// They fill a memref.
    pub(crate) fills: Option<Fill>,
    pub(crate) speculation: Option<Speculation>,
    pub(crate) traps: Option<Traps>,
    pub(crate) returns: Option<Returns>,
    pub(crate) is_structured: bool,
    pub(crate) overwrites: Option<(OperandNumber, Covers)>,
    pub(crate) strides: Option<Strides>,
    pub(crate) retypes: Option<Retype>,
}

impl NameSays {
    /// Of operations of this name: what they are, whatever an embedder says that they do to memory.
    fn of_kind(said: Said, info: NameInfo, order: RegionOrder) -> Self {
        let mut says = Self {
            models_deallocation: info.has_deallocation_model(),
            may_outlive: order.outlives() || info.starts_transfer,
            may_store_by_symbol: info.is_symbol_user() && !info.is_call(),
            ..Self::default()
        };
        for statement in said.statements() {
            match statement {
                Statement::Extends => says.is_extendable = true,
                Statement::Reduces => says.reduces = true,
                Statement::JumpsByAddress => says.jumps_by_address = true,
                Statement::StartsLandingPad => says.starts_landing_pad = true,
                Statement::UpstreamModel => says.models_deallocation = false,
                Statement::Launches => says.may_store_by_symbol = false,
                _ => {}
            }
        }
        says
    }

    fn of(said: Said, info: NameInfo, order: RegionOrder) -> Self {
        let mut says = Self {
            is_ordered: said.is_ordered,
            ..Self::of_kind(said, info, order)
        };
        for statement in said.row.unwrap_or_default() {
            match statement {
                Statement::Frees(..) | Statement::Reallocates(_) => says.frees = true,
                Statement::Address(_) => says.gives_addresses = true,
                Statement::Allocates(by) => says.allocates = Some(*by),
                Statement::Clones(_) => says.clones = true,
                Statement::FreesByFlags => says.frees_by_flags = true,
                Statement::NeverLeft => says.returns = Some(Returns::Perhaps),
                _ => {}
            }
        }
        for statement in said.statements() {
            match *statement {
                Statement::Fence => says.is_ordered = true,
                Statement::Outlines(which) => says.outlined = Some(which),
                Statement::Walks => says.walks = true,
                Statement::Copies(from, to, order) => says.copies = Some((from, to, order)),
                Statement::Fills(fill) => says.fills = Some(fill),
                Statement::Part(part) => says.part = Some(part),
                Statement::Bytes(bytes) => says.bytes = Some(bytes),
                Statement::Computes(computation) => says.computes = Some(computation),
                Statement::ReliesOnAlignment => says.relies_on_alignment = true,
                Statement::Traps(traps) => says.traps = Some(traps),
                Statement::Returns(returns) => says.returns = Some(returns),
                Statement::Structured => says.is_structured = true,
                Statement::Overwrites(operand, when) => says.overwrites = Some((operand, when)),
                Statement::Strides(strides) => says.strides = Some(strides),
                Statement::Retypes(retype) => says.retypes = Some(retype),
                _ => {}
            }
        }
        says.speculation = said.speculation();
        says
    }
}

/// What is said of memory, by a row, or else by its dialect.
fn of_memory(row: Option<&[Statement]>, others: &[Statement]) -> Box<[Statement]> {
    let all = row.unwrap_or(others).iter();
    all.filter(|one| !one.is_aside()).copied().collect()
}

impl NameFacts {
    pub(crate) fn of(op: Op<'_>, info: NameInfo) -> Self {
        let said = dialects::look_up(op, info);
        let name = op.name();
        let described = name.as_string_ref().as_str().ok().and_then(registry::ask);
        // A row that is not about memory leaves that to interfaces.
        let is_of_memory =
            |row: &&[Statement]| row.is_empty() || !row.iter().all(Statement::is_aside);
        let row = said.row.filter(is_of_memory);
        let control = said.row.unwrap_or_default();
        let mut order = match info.has_parallel_region() {
            true => RegionOrder::Parallel,
            false => RegionOrder::Sequential,
        };
        for statement in said.statements() {
            if let Statement::Runs(stated) = statement {
                order = *stated;
            }
        }
        // What an embedder says replaces the row.
        let says = match described.is_some() {
            true => NameSays {
                is_described: true,
                ..NameSays::of_kind(said, info, order)
            },
            false => NameSays::of(said, info, order),
        };
        Self {
            info,
            row,
            control,
            is_in_table: said.row.is_some() || !said.others.is_empty(),
            is_whole: row.is_some_and(Statement::say_all),
            others: said.others,
            of_memory: of_memory(row, said.others),
            says,
            form: Form::of(control, order, info.is_allocation_scope()),
            order,
            described,
        }
    }

    /// The same with another row, if that is one of this name.
    #[cfg(debug_assertions)]
    pub(crate) fn with_row(self, op: Op<'_>, row: Option<Row>) -> Self {
        match row {
            Some(Row { name, statements }) if op.name().as_string_ref().as_str() == Ok(name) => {
                let said = Said {
                    row: Some(statements),
                    ..dialects::look_up(op, self.info)
                };
                Self {
                    row: Some(statements),
                    of_memory: of_memory(Some(statements), said.others),
                    is_whole: Statement::say_all(statements),
                    says: NameSays::of(said, self.info, self.order),
                    ..self
                }
            }
            _ => self,
        }
    }
}
