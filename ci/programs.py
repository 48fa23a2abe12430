"""Generators of programs of any size for measurements: each writes a program to a file."""
import functools
import random
import re


def count_ops(path):
    """The number of ops: lines that begin an op."""
    with open(path) as file:
        return sum(1 for line in file if re.match(r'\s+(%|"?[a-z_]+\.[a-z_]+)', line))


def program(write):
    """Decorates a generator that writes to an open file, so that it takes the file's path."""
    @functools.wraps(write)
    def to_path(path, size):
        with open(path, "w") as file:
            write(file, size)
    return to_path


@program
def generate(file, ops):
    """One function of buffers with five ops each. The code of a buffer reads the previous buffer and an earlier one."""
    choice = random.Random(ops)
    sizes = [choice.choice([16, 64, 256, 1024, 4096]) for _ in range(ops // 5)]
    file.write("func.func @forward(%x: f32) -> f32 {\n  %c0 = arith.constant 0 : index\n"
               f"  %b0 = memref.alloc() : memref<{sizes[0]}xf32>\n"
               f"  memref.store %x, %b0[%c0] : memref<{sizes[0]}xf32>\n")
    for i in range(1, len(sizes)):
        far = max(0, i - 1 - int(choice.expovariate(1 / 8)))
        file.write(f"  %b{i} = memref.alloc() : memref<{sizes[i]}xf32>\n"
                   f"  %n{i} = memref.load %b{i - 1}[%c0] : memref<{sizes[i - 1]}xf32>\n"
                   f"  %f{i} = memref.load %b{far}[%c0] : memref<{sizes[far]}xf32>\n"
                   f"  %s{i} = arith.addf %n{i}, %f{i} : f32\n"
                   f"  memref.store %s{i}, %b{i}[%c0] : memref<{sizes[i]}xf32>\n")
    last = len(sizes) - 1
    file.write(f"  %r = memref.load %b{last}[%c0] : memref<{sizes[last]}xf32>\n  return %r : f32\n}}\n")


@program
def generate_blocks(file, ops):
    """One function of blocks of 100 ops, nested in loops of 8 blocks and these in loops of 64. Five ops are an allocation,
    a store to it, two loads, and a call with both values. One load in ten is from a buffer of another block, usually a
    near one."""
    choice = random.Random(ops)
    blocks, buffers = ops // 100, []
    file.write("func.func @forward(%x: f32, %again: i1) -> f32 {\n  %c0 = arith.constant 0 : index\n  cf.br ^b0\n")
    for block in range(blocks):
        file.write(f"^b{block}:\n")
        mine = []
        for _ in range(19 if block + 1 < blocks else 1):
            size = choice.choice([16, 64, 256, 1024])
            name = f"%b{block}_{len(mine)}"
            mine.append((name, size))
            file.write(f"  {name} = memref.alloc() : memref<{size}xf32>\n"
                       f"  memref.store %x, {name}[%c0] : memref<{size}xf32>\n")
            for load in range(2):
                far = 1 + int(choice.expovariate(1 / 16))
                if far <= len(buffers) and choice.random() < 0.1:
                    source, elements = choice.choice(buffers[-far])
                else:
                    source, elements = mine[max(0, len(mine) - 1 - int(choice.expovariate(1 / 4)))]
                file.write(f"  {name}_{load} = memref.load {source}[%c0] : memref<{elements}xf32>\n")
            file.write(f"  func.call @use({name}_0, {name}_1) : (f32, f32) -> ()\n")
        buffers.append(mine)
        length = 64 if block % 64 == 63 else 8 if block % 8 == 7 else 0
        if block + 1 == blocks:
            file.write("  return %x : f32\n}\nfunc.func private @use(f32, f32)\n")
        elif length:
            file.write(f"  cf.cond_br %again, ^b{block + 1 - length}, ^b{block + 1}\n")
        else:
            file.write(f"  cf.br ^b{block + 1}\n")


@program
def generate_nasnet(file, ops):
    """Cells as in NASNet: five sums of two separable convolutions of earlier results, concatenated."""
    image = "memref<1x32x32x16xf32>"
    four, one = "affine_map<(a, b, c, d) -> (a, b, c, d)>", "affine_map<(a, b, c, d) -> (d)>"
    count = 2  # The number of ops so far.
    file.write(f"func.func @forward(%x: {image}, %depth: memref<3x3x16xf32>, %point: memref<1x1x16x16xf32>, "
               f"%scale: memref<16xf32>) -> {image} {{\n  %zero = arith.constant 0.0 : f32\n")

    def new(name):
        file.write(f"  {name} = memref.alloc() {{alignment = 64 : i64}} : {image}\n")

    def pointwise(name, inputs, body):
        new(name)
        types = ", ".join(kind for _, kind in inputs)
        maps = ", ".join(one if kind != image else four for _, kind in inputs)
        names = ", ".join(value for value, _ in inputs)
        arguments = ", ".join(f"%i{at}: f32" for at in range(len(inputs)))
        parallel = ", ".join(['"parallel"'] * 4)
        file.write(f"  linalg.generic {{indexing_maps = [{maps}, {four}], iterator_types = [{parallel}]}} "
                   f"ins({names} : {types}) outs({name} : {image}) {{\n  ^bb0({arguments}, %o: f32):\n{body}  }}\n")
        return name

    def separable(name, source):
        relu = pointwise(f"{name}_relu", [(source, image)],
                         "    %m = arith.maximumf %i0, %zero : f32\n    linalg.yield %m : f32\n")
        padded = "memref<1x34x34x16xf32>"
        window = "memref<1x32x32x16xf32, strided<[18496, 544, 16, 1], offset: 560>>"
        file.write(f"  {name}_pad = memref.alloc() {{alignment = 64 : i64}} : {padded}\n"
                   f"  linalg.fill ins(%zero : f32) outs({name}_pad : {padded})\n"
                   f"  {name}_in = memref.subview {name}_pad[0, 1, 1, 0] [1, 32, 32, 16] [1, 1, 1, 1] "
                   f": {padded} to {window}\n  memref.copy {relu}, {name}_in : {image} to {window}\n")
        new(f"{name}_d")
        file.write(f"  linalg.fill ins(%zero : f32) outs({name}_d : {image})\n"
                   f"  linalg.depthwise_conv_2d_nhwc_hwc ins({name}_pad, %depth : {padded}, memref<3x3x16xf32>) "
                   f"outs({name}_d : {image})\n")
        new(f"{name}_p")
        file.write(f"  linalg.fill ins(%zero : f32) outs({name}_p : {image})\n"
                   f"  linalg.conv_2d_nhwc_hwcf ins({name}_d, %point : {image}, memref<1x1x16x16xf32>) "
                   f"outs({name}_p : {image})\n")
        return pointwise(f"{name}_n", [(f"{name}_p", image), ("%scale", "memref<16xf32>")],
                         "    %m = arith.mulf %i0, %i1 : f32\n    linalg.yield %m : f32\n")

    def add(name, left, right):
        return pointwise(name, [(left, image), (right, image)],
                         "    %m = arith.addf %i0, %i1 : f32\n    linalg.yield %m : f32\n")

    results, cell = ["%x", "%x"], 0
    while count < ops:
        earlier, parts = results[-2:], []
        for block in range(5):
            # 37 ops each, including nested ones.
            left = separable(f"%c{cell}_{block}l", earlier[block % 2])
            right = separable(f"%c{cell}_{block}r", (earlier + parts)[block % 3])
            parts.append(add(f"%c{cell}_{block}", left, right))
            count += 2 * 24 + 4
        total = parts[0]
        for block in range(1, 5):
            total = add(f"%c{cell}_s{block}", total, parts[block])
            count += 4
        results.append(total)
        cell += 1
    file.write(f"  return {results[-1]} : {image}\n}}\n")


@program
def generate_branches(file, ops):
    """Branches that may yield a new buffer, and loops that swap two buffers. Each uses the result of the previous one."""
    kind = "memref<64xf32>"
    file.write(f"func.func @forward(%x: f32, %n: index, %in: {kind}) -> f32 {{\n  %c0 = arith.constant 0 : index\n"
               f"  %c1 = arith.constant 1 : index\n  %v0 = memref.load %in[%c0] : {kind}\n")
    units = ops // 25
    for i in range(units):
        file.write(f"""  %z{i} = arith.cmpf ogt, %v{i}, %x : f32
  %a{i} = memref.alloc() : {kind}
  memref.store %v{i}, %a{i}[%c0] : {kind}
  %r{i} = scf.if %z{i} -> ({kind}) {{
    %b = memref.alloc() : {kind}
    memref.store %x, %b[%c0] : {kind}
    scf.yield %b : {kind}
  }} else {{
    scf.yield %a{i} : {kind}
  }}
  %l{i} = memref.load %r{i}[%c0] : {kind}
  %p{i} = memref.alloc() : {kind}
  memref.store %l{i}, %p{i}[%c0] : {kind}
  %q{i} = memref.alloc() : {kind}
  memref.store %x, %q{i}[%c0] : {kind}
  %s{i}:2 = scf.for %t = %c0 to %n step %c1 iter_args(%f = %p{i}, %g = %q{i}) -> ({kind}, {kind}) {{
    %o = memref.load %f[%c0] : {kind}
    %k = arith.addf %o, %x : f32
    memref.store %k, %g[%c0] : {kind}
    scf.yield %g, %f : {kind}, {kind}
  }}
  %m{i} = memref.load %s{i}#0[%c0] : {kind}
  %w{i} = memref.load %s{i}#1[%c0] : {kind}
  %v{i + 1} = arith.addf %m{i}, %w{i} : f32
""")
    file.write(f"  return %v{units} : f32\n}}\n")


@program
def generate_selects(file, count):
    """A chain of selects: each between a new buffer and the result of the previous select."""
    kind = "memref<64xf32>"
    file.write(f"func.func @forward(%x: f32, %y: f32, %s0: {kind}) -> f32 {{\n  %c0 = arith.constant 0 : index\n")
    for i in range(count):
        file.write(f"  %l{i} = memref.load %s{i}[%c0] : {kind}\n  %z{i} = arith.cmpf ogt, %l{i}, %x : f32\n"
                   f"  %b{i} = memref.alloc() : {kind}\n  memref.store %y, %b{i}[%c0] : {kind}\n"
                   f"  %s{i + 1} = arith.select %z{i}, %s{i}, %b{i} : {kind}\n")
    file.write(f"  %r = memref.load %s{count}[%c0] : {kind}\n  return %r : f32\n}}\n")


@program
def generate_diamonds(file, count):
    """Consecutive diamonds of blocks: one side of each replaces the buffer by a new one."""
    kind = "memref<8xf32>"
    file.write(f"func.func @forward(%x: {kind}, %y: f32) {{\n  %zero = arith.constant 0 : index\n"
               f"  %a = memref.alloc() : {kind}\n  memref.copy %x, %a : {kind} to {kind}\n"
               f"  cf.br ^head0(%a : {kind})\n")
    for i in range(count):
        file.write(f"^head{i}(%p{i}: {kind}):\n  %v{i} = memref.load %p{i}[%zero] : {kind}\n"
                   f"  %c{i} = arith.cmpf ogt, %v{i}, %y : f32\n  cf.cond_br %c{i}, ^left{i}, ^right{i}\n^left{i}:\n"
                   f"  %b{i} = memref.alloc() : {kind}\n  memref.copy %p{i}, %b{i} : {kind} to {kind}\n"
                   f"  cf.br ^head{i + 1}(%b{i} : {kind})\n^right{i}:\n  cf.br ^head{i + 1}(%p{i} : {kind})\n")
    file.write(f"^head{count}(%p: {kind}):\n  memref.copy %p, %x : {kind} to {kind}\n  return\n}}\n")


# A loop of `%n` iterations that swaps two buffers.
SWAP = """
func.func @swap(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%c0] : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %x, %b[%c0] : memref<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<16xf32>, memref<16xf32>) {
    %v = memref.load %p[%c0] : memref<16xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %q[%c0] : memref<16xf32>
    scf.yield %q, %p : memref<16xf32>, memref<16xf32>
  }
  %s = memref.load %r#0[%c0] : memref<16xf32>
  %t = memref.load %r#1[%c0] : memref<16xf32>
  %u = arith.addf %s, %t : f32
  return %u : f32
}
"""


def swap_main(iterations):
    """The driver of SWAP. It prints its seconds, its result, and the number of executed allocations."""
    return f"""
func.func private @rtclock() -> f64
func.func @main() {{
  %n = arith.constant {iterations} : index
  %x = arith.constant 0.5 : f32
  llvm.call @heap_start() : () -> ()
  %start = func.call @rtclock() : () -> f64
  %r = func.call @swap(%x, %n) : (f32, index) -> f32
  %stop = func.call @rtclock() : () -> f64
  %time = arith.subf %stop, %start : f64
  %made = llvm.call @heap_allocations() : () -> i64
  vector.print %time : f64
  vector.print %r : f32
  vector.print %made : i64
  return
}}
"""


def function_text(number, choice, fails, small):
    """Function `number` of a module, with 15 to 400 ops, and the symbols that it needs."""
    count = 3 if small else choice.choices([3, 15, 75], [6, 3, 1])[0]
    sizes = [choice.choice([4, 16, 64, 256]) for _ in range(count)]
    lines = []
    if number % 5 == 0:
        lines += [f"func.func private @h{number}(%x: f32, %n: index) -> f32 {{",
                  "  %c0 = arith.constant 0 : index",
                  "  %a = memref.alloc(%n) : memref<?xf32>",
                  "  memref.store %x, %a[%c0] : memref<?xf32>",
                  "  %r = memref.load %a[%c0] : memref<?xf32>",
                  "  return %r : f32", "}"]
    lines += [f"func.func @f{number}(%x: f32, %n: index) -> f32 {{",
              "  %c0 = arith.constant 0 : index",
              "  %c1 = arith.constant 1 : index",
              f"  %w = memref.get_global @w{number % 40} : memref<4xf32>",
              "  %y0 = memref.load %w[%c1] : memref<4xf32>",
              "  %b0 = memref.alloc() : memref<256xf32>",
              "  memref.store %y0, %b0[%c0] : memref<256xf32>"]
    size = 256
    for at in range(1, count):
        lines += [f"  %b{at} = memref.alloc() : memref<{sizes[at]}xf32>",
                  f"  %n{at} = memref.load %b{at - 1}[%c0] : memref<{size}xf32>",
                  f"  %s{at} = arith.addf %n{at}, %x : f32",
                  f"  memref.store %s{at}, %b{at}[%c0] : memref<{sizes[at]}xf32>"]
        size = sizes[at]
    lines.append(f"  %v = memref.load %b{count - 1}[%c0] : memref<{size}xf32>")
    last = "%v"
    if number % 3 == 0:
        lines += ["  %l = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> (f32) {",
                  "    %t = memref.alloc(%n) : memref<?xf32>",
                  "    memref.store %sum, %t[%i] : memref<?xf32>",
                  "    %u = memref.load %t[%i] : memref<?xf32>",
                  "    %next = arith.addf %u, %x : f32",
                  "    scf.yield %next : f32", "  }"]
        last = "%l"
    if fails:
        lines += ["  %e = tensor.from_elements %v, %x : tensor<2xf32>",
                  "  %g = tensor.extract %e[%n] : tensor<2xf32>",
                  f"  %k = arith.addf {last}, %g : f32"]
        last = "%k"
    if number % 5 == 0:
        lines += [f"  %q = call @h{number}({last}, %n) : (f32, index) -> f32"]
        last = "%q"
    return "\n".join(lines + [f"  return {last} : f32", "}", ""])


def generate_functions(path, count, failing=(), small=False):
    """A module of functions of mixed sizes, or of small ones if `small`. They share constants, some of which are equal. The
    functions in `failing` do not compile."""
    choice = random.Random(count)
    with open(path, "w") as file:
        for number in range(40):
            file.write(f'memref.global "private" constant @w{number} : memref<4xf32> = '
                       f"dense<[1.0, {number % 10}.0, 3.0, 4.0]>\n")
        for number in range(count):
            file.write(function_text(number, choice, number in failing, small))
