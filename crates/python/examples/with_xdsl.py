"""A program of xDSL: built there, planned by memplan, and read back."""

from io import StringIO

import memplan
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, MemRefType, ModuleOp, f32
from xdsl.dialects.func import Func, FuncOp, ReturnOp
from xdsl.dialects.memref import AllocOp, CopyOp, DeallocOp, MemRef
from xdsl.parser import Parser
from xdsl.printer import Printer

TYPE = MemRefType(f32, [64])


@Builder.implicit_region([TYPE, TYPE])
def body(arguments):
    """Copies the first argument to the second, twice, each time through a buffer."""
    source, target = arguments
    for _ in range(2):
        buffer = AllocOp.get(f32, shape=[64])
        CopyOp(source, buffer)
        CopyOp(buffer, target)
        DeallocOp.get(buffer)
    ReturnOp()


module = ModuleOp([FuncOp("f", ([TYPE, TYPE], []), body)])
text = StringIO()
Printer(text, print_generic_format=True).print_op(module)
# The generic form is what both know.
result = memplan.optimize(text.getvalue(), generic=True)
print(result.table())

context = Context()
for dialect in (Arith, Builtin, Func, MemRef):
    context.load_dialect(dialect)
planned = Parser(context, result.module).parse_module()
planned.verify()
