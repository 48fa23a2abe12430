#!/usr/bin/env python3
"""Puts the libraries that memplan needs into the tree of a wheel: wheel_libraries.py LLVM_PREFIX TREE PATCHELF

Libraries of the C compiler and of libc are those of the system, by the rules of manylinux. LLVM's and MLIR's and what they need
come along, under their own names: a plugin finds the MLIR of the mlir-opt that loads it by that name. Two have stand-ins, as
nothing of memplan calls them, and they are as large as a third of the rest: libxml2, by which LLVM merges manifests of Windows,
and Z3. A call of a stand-in ends the process with its name. The licenses of all that is inside are in TREE/share/licenses.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SYSTEM = re.compile(r"(ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so")
STAND_INS = re.compile(r"lib(xml2|z3)\.so")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(path):
    """The libraries that a file needs, by name, with their paths."""
    lines = (re.match(r"\s*(\S+) => (\S+) \(", line) for line in run("ldd", path).splitlines())
    return {line[1]: line[2] for line in lines if line}


def direct(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", path))


def stand_in(name, symbols, path):
    """A library with these symbols, (name, version), each of which ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        source, script = os.path.join(folder, "stand_in.c"), os.path.join(folder, "versions")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\n#include <stdlib.h>\n")
            for symbol, _ in symbols:
                file.write(f'void {symbol}(void) {{ fputs("memplan: {name} is not in this package: {symbol}\\n", stderr);'
                           " abort(); }\n")
        versions = {}
        for symbol, version in symbols:
            versions.setdefault(version, []).append(symbol)
        with open(script, "w", encoding="utf-8") as file:
            for version, members in versions.items():
                if version:
                    file.write(f"{version} {{ global: {'; '.join(members)}; }};\n")
        options = [f"-Wl,--version-script={script}"] if any(versions) else []
        run("cc", "-shared", "-fPIC", "-fno-builtin", "-O1", "-s", f"-Wl,-soname,{name}", *options, source, "-o", path)


def undefined(path):
    """The undefined symbols of a library, with their versions."""
    found = []
    for line in run("nm", "-D", "--undefined-only", "--with-symbol-versions", path).splitlines():
        symbol, _, version = line.split()[-1].partition("@")
        found.append((symbol, version.lstrip("@")))
    return found


def defined(path):
    lines = run("nm", "-D", "--defined-only", "--format=just-symbols", path).split()
    return {line.partition("@")[0] for line in lines}


def licenses(tree, libraries):
    """Copies the licenses of Debian's packages and of the crates."""
    place = os.path.join(tree, "share", "licenses")
    os.makedirs(place, exist_ok=True)
    for path in libraries:
        real = os.path.realpath(path)
        names = [real, real.replace("/usr/lib/", "/lib/", 1), path]
        owner = next((found.stdout.split(":")[0] for found in
                      (subprocess.run(["dpkg", "-S", name], capture_output=True, text=True) for name in names)
                      if found.returncode == 0), None)
        if owner is None:
            sys.exit(f"{path}: no package of Debian has it")
        shutil.copy(f"/usr/share/doc/{owner}/copyright", os.path.join(place, f"{owner}.txt"))
    metadata = json.loads(run("cargo", "metadata", "--format-version", "1", "--offline", "--locked"))
    missing = []
    for package in metadata["packages"]:
        if package["source"] is None:
            continue
        folder = os.path.dirname(package["manifest_path"])
        texts = sorted(path for pattern in ("LICEN[CS]E*", "COPYING*", "UNLICENSE*") for path in glob.glob(os.path.join(folder, pattern)))
        texts = [path for path in texts if os.path.isfile(path)]
        if not texts:
            missing.append(f"{package['name']} {package['version']}: {package['license']}")
        for path in texts:
            shutil.copy(path, os.path.join(place, f"crate-{package['name']}-{os.path.basename(path)}"))
    with open(os.path.join(place, "crates-without-a-file.txt"), "w", encoding="utf-8") as file:
        file.write("Crates whose license is named in their description alone:\n" + "".join(f"{line}\n" for line in missing))


def main():
    llvm, tree, patchelf = sys.argv[1:]
    lib = os.path.join(tree, "lib")
    ours = [path for path in glob.glob(os.path.join(tree, "bin", "*")) + glob.glob(os.path.join(lib, "*.so"))]
    wanted = {}
    for path in ours:
        wanted.update(needed(path))
    wanted = {name: path for name, path in wanted.items()
              if not SYSTEM.match(name) and not os.path.realpath(path).startswith(os.path.realpath(tree))}
    replaced = {name: path for name, path in wanted.items() if STAND_INS.match(name)}
    # What only the replaced ones need is not needed.
    kept, queue = {}, [name for path in ours for name in direct(path)]
    while queue:
        name = queue.pop()
        if name in wanted and name not in kept and name not in replaced:
            kept[name] = wanted[name]
            queue += direct(wanted[name])
    for name, path in kept.items():
        shutil.copy(os.path.realpath(path), os.path.join(lib, name))
    for name, path in replaced.items():
        symbols = {one for other in kept.values() for one in undefined(other) if one[0] in defined(path)}
        stand_in(name, sorted(symbols), os.path.join(lib, name))
    for name in kept:
        path = os.path.join(lib, name)
        run("chmod", "755", path)
        run(patchelf, "--set-rpath", "$ORIGIN", path)
    for path in ours:
        if direct(path):
            run(patchelf, "--set-rpath", "$ORIGIN" if path.startswith(lib) else "$ORIGIN/../lib", path)
    licenses(tree, list(kept.values()) + [llvm + "/lib/libMLIR.so"])
    print(f"libraries: {', '.join(sorted(kept))}; stand-ins: {', '.join(sorted(replaced))}")


main()
