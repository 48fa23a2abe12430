# Lets LLVM's own lit run this folder: `lit lit/`. `cargo test --test lit` needs no lit and does the same.
# LLVM_PREFIX selects LLVM, MEMPLAN_PLUGIN the plugin, MEMPLAN_BIN the command line `memplan`; all have defaults.
import os
import platform
import shutil

import lit.formats
import lit.util

here = os.path.dirname(os.path.abspath(__file__))
target = os.environ.get("CARGO_TARGET_DIR", os.path.join(os.path.dirname(here), "target"))
llvm = os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22")
plugin = os.path.abspath(os.environ.get("MEMPLAN_PLUGIN", os.path.join(target, "release", "libmemplan.so")))
memplan = os.path.abspath(os.environ.get("MEMPLAN_BIN", os.path.join(target, "release", "memplan")))

runtime = os.path.join(os.path.dirname(memplan), "libmemplan_runtime.so")

for path in (os.path.join(llvm, "bin", "mlir-opt"), plugin, memplan, runtime):
    if not os.path.isfile(path):
        lit_config.fatal(f"no {path}: run `cargo build --release --workspace`, or see the top of {here}/lit.cfg.py")

config.name = "memplan"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = here
config.test_exec_root = os.path.join(target, "lit")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(llvm, "bin"), os.path.dirname(memplan), os.environ["PATH"]])
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 60

config.available_features.update(["plugin", platform.machine()])
config.substitutions += [
    ("%memplan-opt", f"{llvm}/bin/mlir-opt --load-pass-plugin={plugin}"),
    ("%plugin", plugin),
    ("%runtime", runtime),
    ("%mlir_lib_dir", f"{llvm}/lib"),
]
valgrind = shutil.which("valgrind")
if valgrind:
    config.available_features.add("valgrind")
    config.substitutions.append(("%valgrind", f"{valgrind} --quiet --error-exitcode=99"))

# The names of substitutions.txt, whose texts may use those above. The longest stands first: %runner is part of others.
with open(os.path.join(here, "substitutions.txt"), encoding="utf-8") as definitions:
    for line in definitions:
        if line.startswith("%"):
            name, text = line.rstrip().split(" = ", 1)
            for known, value in config.substitutions:
                text = text.replace(known, value)
            config.substitutions.insert(0, (name, text))
config.substitutions.sort(key=lambda pair: -len(pair[0]))
