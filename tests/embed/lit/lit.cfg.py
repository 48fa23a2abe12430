# A custom lit suite that runs stock mlir-opt with the plugin: lit -D prefix=PREFIX FOLDER, where memplan is installed.
# -D llvm=… selects another LLVM.
import os
import shlex

import lit.formats

config.name = "embed"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("output", os.path.join(config.test_source_root, "Output"))

prefix = lit_config.params["prefix"]
llvm = lit_config.params.get("llvm", "/usr/lib/llvm-22")
plugin = os.path.join(prefix, "lib", "libmemplan.so")
config.environment["PATH"] = os.pathsep.join([os.path.join(prefix, "bin"), os.path.join(llvm, "bin"), os.environ["PATH"]])
config.substitutions.append(("%memplan-plugin", "--load-pass-plugin=" + shlex.quote(plugin)))
