//! Facts that depend on an operation's name alone: its row in the table, looked up once.

use crate::{
    allocators::Allocator,
    arithmetic::Computation,
    dialects::{self, TableEntry},
    form::Form,
    names::NameInfo,
    op_memory::{OperandNumber, RegionOrder},
    registration::registry::{self, Describe},
    statement::{
        Bytes, Covers, ElementIndices, Fill, GlobalAttributes, Outlined, Part, Returns, Retype,
        Speculation, Statement, Strides, Traps,
    },
};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike};
use std::sync::Arc;

#[cfg(debug_assertions)]
use crate::statement::Row;

/// The facts about the operations of one name.
pub(crate) struct NameFacts {
    pub(crate) info: NameInfo,
    /// The statements about memory; `None` if the table has no row with such statements.
    pub(crate) row: Option<&'static [Statement]>,
    /// All statements of the row.
    pub(crate) control: &'static [Statement],
    /// The table has a row, or statements for the whole dialect.
    pub(crate) is_in_table: bool,
    /// The row describes the memory behavior completely: interfaces are not queried.
    pub(crate) is_complete: bool,
    /// The dialect's statements for all operations without a row.
    pub(crate) others: &'static [Statement],
    /// The statements about memory, of the row or else of the dialect.
    pub(crate) of_memory: Box<[Statement]>,
    /// The registered description, if there is one.
    pub(crate) described: Option<Arc<Describe>>,
    pub(crate) table: TableFacts,
    pub(crate) form: Form,
    /// The order in which regions run.
    pub(crate) order: RegionOrder,
}

/// The table's facts about all operations of one name. A query costs one look-up, and queries no interface.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableFacts {
    /// They free an operand.
    pub frees: bool,
    /// Their results are addresses, as numbers or pointers.
    pub returns_addresses: bool,
    /// The allocator of the memory that they allocate.
    pub allocates: Option<Allocator>,
    /// An embedder describes each of them.
    pub is_described: bool,
    /// The regions that become functions of their own.
    pub outlined: Option<Outlined>,
    /// They visit all elements of their memrefs.
    pub walks: bool,
    /// No operation may be moved across them.
    pub is_ordered: bool,
    /// They may be compiled as if memrefs were aligned to whole vectors.
    pub relies_on_alignment: bool,
    /// The attribute that names the global whose memory their result is.
    pub names_global: Option<&'static str>,
    /// The attribute with the affine map of which their result is the least one.
    pub least_of: Option<&'static str>,
    /// The attribute with the number of the loop whose iteration its result is.
    pub loop_index: Option<&'static str>,
    /// They declare globals, with these attributes.
    pub global: Option<GlobalAttributes>,
    /// Their results are copies of an operand, or the operand itself.
    pub clones: bool,
    /// Operands, arguments and results can be appended.
    pub is_extendable: bool,
    /// They are reducing loops: the terminator of the body has a region for each result.
    pub reduces: bool,
    /// They free operands whose flags are true, and retained operands keep their memory.
    pub frees_by_flags: bool,
    /// They have a model of `BufferDeallocationOpInterface` with facts that no other source has.
    pub models_deallocation: bool,
    /// They may be asynchronous.
    pub may_outlive: bool,
    /// They jump to their successors by address, so no block can be inserted on the edge.
    pub jumps_by_address: bool,
    /// They wait for all threads of a workgroup, and order their accesses to its memory, if the function says so.
    pub workgroup_barrier: Option<fn(Op<'_>) -> bool>,
    /// Their results are the same in all threads of a workgroup if their operands are.
    pub is_uniform: bool,
    /// The attribute with the dimension, if the result is a coordinate of the thread.
    pub(crate) thread_id: Option<&'static str>,
    /// The attribute with the dimension, if the result is a size of the workgroup.
    pub(crate) workgroup_size: Option<&'static str>,
    /// They must be first in blocks that are unwind destinations.
    pub starts_landing_pad: bool,
    /// If they write, they may store operands at the address of a symbol.
    pub may_store_by_symbol: bool,
    /// Their result is a view of operand 0 with these elements.
    pub(crate) part: Option<Part>,
    /// Their result is a view of these bytes of operand 0.
    pub(crate) bytes: Option<Bytes>,
    /// Their result has the sizes of operand 0.
    pub(crate) has_same_sizes: bool,
    pub(crate) computes: Option<Computation>,
    /// They copy one operand to another; the attribute has the permutation of the dimensions.
    pub(crate) copies: Option<(OperandNumber, OperandNumber, Option<&'static str>)>,
    /// They fill a memref.
    pub(crate) fills: Option<Fill>,
    pub(crate) speculation: Option<Speculation>,
    pub(crate) traps: Option<Traps>,
    pub(crate) returns: Option<Returns>,
    /// They read one element of operand 0, at these indices.
    pub(crate) loads_element: Option<ElementIndices>,
    /// They implement MLIR's `LinalgOp`.
    pub is_structured: bool,
    pub(crate) overwrites: Option<(OperandNumber, Covers)>,
    pub(crate) strides: Option<Strides>,
    pub(crate) retypes: Option<Retype>,
}

impl TableFacts {
    /// Facts that hold even if an embedder describes the memory behavior.
    fn of_kind(entry: TableEntry, info: NameInfo, order: RegionOrder) -> Self {
        let mut table = Self {
            models_deallocation: info.has_deallocation_model(),
            may_outlive: order.outlives() || info.starts_transfer,
            may_store_by_symbol: info.is_symbol_user() && !info.is_call(),
            ..Self::default()
        };
        for statement in entry.statements() {
            match statement {
                Statement::Extends => table.is_extendable = true,
                Statement::Reduces => table.reduces = true,
                Statement::JumpsByAddress => table.jumps_by_address = true,
                Statement::StartsLandingPad => table.starts_landing_pad = true,
                Statement::UpstreamModel => table.models_deallocation = false,
                Statement::Launches => table.may_store_by_symbol = false,
                _ => {}
            }
        }
        table
    }

    fn of(entry: TableEntry, info: NameInfo, order: RegionOrder) -> Self {
        let mut table = Self {
            is_ordered: entry.is_ordered,
            ..Self::of_kind(entry, info, order)
        };
        table.is_uniform = entry.is_of_values;
        for statement in entry.row.unwrap_or_default() {
            match statement {
                Statement::WorkgroupBarrier(is_one) => table.workgroup_barrier = Some(*is_one),
                Statement::SameInWorkgroup => table.is_uniform = true,
                Statement::ThreadId(dimension) => table.thread_id = Some(*dimension),
                Statement::WorkgroupSize(dimension) => {
                    table.is_uniform = true;
                    table.workgroup_size = Some(*dimension);
                }
                Statement::Computes(Computation::Dimension) => table.is_uniform = true,
                Statement::Frees(..) | Statement::Reallocates(_) => table.frees = true,
                Statement::Address(_) => table.returns_addresses = true,
                Statement::Allocates(by) => table.allocates = Some(*by),
                Statement::Clones(_) => table.clones = true,
                Statement::FreesByFlags => table.frees_by_flags = true,
                Statement::NeverLeft => table.returns = Some(Returns::Perhaps),
                _ => {}
            }
        }
        for statement in entry.statements() {
            match *statement {
                Statement::Fence => table.is_ordered = true,
                Statement::Outlines(which) => table.outlined = Some(which),
                Statement::Walks => table.walks = true,
                Statement::Copies(from, to, order) => table.copies = Some((from, to, order)),
                Statement::Fills(fill) => table.fills = Some(fill),
                Statement::Part(part) => table.part = Some(part),
                Statement::Bytes(bytes) => table.bytes = Some(bytes),
                Statement::SameSizes => table.has_same_sizes = true,
                Statement::Computes(computation) => table.computes = Some(computation),
                Statement::LoadsElement(indices) => table.loads_element = Some(indices),
                Statement::NamesGlobal(name) => table.names_global = Some(name),
                Statement::Least(map) => table.least_of = Some(map),
                Statement::LoopIndex(number) => table.loop_index = Some(number),
                Statement::IsGlobal(attributes) => table.global = Some(attributes),
                Statement::ReliesOnAlignment => table.relies_on_alignment = true,
                Statement::Traps(traps) => table.traps = Some(traps),
                Statement::Returns(returns) => table.returns = Some(returns),
                Statement::Structured => table.is_structured = true,
                Statement::Overwrites(operand, when) => table.overwrites = Some((operand, when)),
                Statement::Strides(strides) => table.strides = Some(strides),
                Statement::Retypes(retype) => table.retypes = Some(retype),
                _ => {}
            }
        }
        table.speculation = entry.speculation();
        table
    }
}

/// The statements about memory, of the row or else of the dialect.
fn of_memory(row: Option<&[Statement]>, others: &[Statement]) -> Box<[Statement]> {
    let all = row.unwrap_or(others).iter();
    all.filter(|one| !one.is_separate()).copied().collect()
}

impl NameFacts {
    pub(crate) fn of(op: Op<'_>, info: NameInfo) -> Self {
        let entry = dialects::look_up(op, info);
        let name = op.name();
        let described = name
            .as_string_ref()
            .as_str()
            .ok()
            .and_then(registry::look_up);
        // A row without statements about memory leaves these to interfaces.
        let is_of_memory =
            |row: &&[Statement]| row.is_empty() || !row.iter().all(Statement::is_separate);
        let row = entry.row.filter(is_of_memory);
        let control = entry.row.unwrap_or_default();
        let mut order = match info.has_parallel_region() {
            true => RegionOrder::Parallel,
            false => RegionOrder::Sequential,
        };
        for statement in entry.statements() {
            if let Statement::Runs(stated) = statement {
                order = *stated;
            }
        }
        // An embedder's description replaces the row.
        let table = match described.is_some() {
            true => TableFacts {
                is_described: true,
                ..TableFacts::of_kind(entry, info, order)
            },
            false => TableFacts::of(entry, info, order),
        };
        Self {
            info,
            row,
            control,
            is_in_table: entry.row.is_some() || !entry.others.is_empty(),
            is_complete: row.is_some_and(Statement::are_complete),
            others: entry.others,
            of_memory: of_memory(row, entry.others),
            table,
            form: Form::of(control, order, info.is_allocation_scope()),
            order,
            described,
        }
    }

    /// The facts with another row, if that has this name.
    #[cfg(debug_assertions)]
    pub(crate) fn with_row(self, op: Op<'_>, row: Option<Row>) -> Self {
        match row {
            Some(Row { name, statements }) if op.name().as_string_ref().as_str() == Ok(name) => {
                let entry = TableEntry {
                    row: Some(statements),
                    ..dialects::look_up(op, self.info)
                };
                Self {
                    row: Some(statements),
                    of_memory: of_memory(Some(statements), entry.others),
                    is_complete: Statement::are_complete(statements),
                    table: TableFacts::of(entry, self.info, self.order),
                    ..self
                }
            }
            _ => self,
        }
    }
}
