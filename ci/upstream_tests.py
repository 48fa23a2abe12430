"""Upstream's tests from Debian's source package of LLVM, and the commands of their RUN lines."""
import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

from networks import say

PACKAGE = "llvm-toolchain-22"
LIBRARIES = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "lib")
# The folders that are extracted from the package.
FOLDERS = ["mlir/test/Integration/Dialect/SparseTensor", "mlir/test/Integration/data"]
# The names of apt's options for its sources.
SOURCE_LIST, SOURCE_PARTS = "Dir::Etc::SourceList", "Dir::Etc::SourceParts"


def sources(cache):
    """The folder of upstream's sources in the cache. Downloads them from Debian if necessary."""
    version = source_version()
    folder = os.path.join(cache, PACKAGE + ("-" + version.replace(":", "_") if version else ""))
    if not os.path.isdir(folder):
        archive = archived(cache, version) or downloaded(cache, version)
        say(f"extracting {os.path.basename(archive)}")
        part = folder + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        wanted = ["*/" + path for path in FOLDERS]
        done = subprocess.run(["tar", "-xf", archive, "-C", part, "--strip-components=1", "--wildcards", *wanted],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{archive}: tar failed: {done.stderr[:2000]}")
        os.rename(part, folder)
    return folder


def source_version():
    """The version of the source package of the installed MLIR; empty if it is not Debian's."""
    query = ["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", "libmlir-22-dev"]
    if not shutil.which(query[0]):
        return ""
    name, _, version = subprocess.run(query, capture_output=True, text=True).stdout.partition(" ")
    return version if name == PACKAGE else ""


def upstream_version(version):
    return version.partition(":")[2].rpartition("-")[0]


def archived(folder, version):
    """The path of the package's archive in a folder; None if there is none."""
    upstream = upstream_version(version)
    archives = [file for file in os.listdir(folder) if re.fullmatch(PACKAGE + r"_.*\.orig\.tar\.\w+", file)]
    found = [file for file in archives if upstream in file]
    return os.path.join(folder, max(found)) if found else None


def downloaded(cache, version):
    """Downloads the package's archive with apt and separate package lists, so that the machine's lists stay unchanged."""
    if not shutil.which("apt-get"):
        sys.exit("the tests are in Debian's source package, and there is no apt-get: give a source tree of LLVM 22 with --tests")
    folder = os.path.join(cache, "apt")
    for path in ("lists/partial", "archives/partial", "sources.list.d", "sources"):
        os.makedirs(os.path.join(folder, path), exist_ok=True)
    own = {SOURCE_LIST: "/dev/null", SOURCE_PARTS: os.path.join(folder, "sources.list.d"),
           "Dir::State::Lists": os.path.join(folder, "lists"), "Dir::Cache": folder, "APT::Sandbox::User": "root"}
    write_sources(own[SOURCE_PARTS])
    options = [word for name, value in own.items() for word in ("-o", f"{name}={value}")]
    say("apt-get update, for sources")
    apt(["apt-get", "-q", *options, "update"], folder)
    package = f"{PACKAGE}={version}" if version else PACKAGE
    say(f"downloading {package}: 197 MB")
    # apt resumes a partial download.
    sources_folder = os.path.join(folder, "sources")
    try:
        apt(["apt-get", "-q", *options, "--download-only", "source", package], sources_folder)
    except SystemExit:
        # A repository of security updates may have no sources. Debian's main repository has the same tarball.
        if not from_pool(own[SOURCE_PARTS], options, version, sources_folder):
            raise
    archive = archived(sources_folder, version)
    if not archive:
        sys.exit(f"apt-get brought no archive of {package}")
    return shutil.move(archive, cache)


def from_pool(parts, options, version, folder):
    """Downloads the tarball of a source package from any of the machine's repositories, and checks its hash."""
    records = subprocess.run(["apt-cache", *options, "showsrc", PACKAGE], capture_output=True, text=True).stdout
    upstream = re.escape(upstream_version(version))
    hashed = re.search(rf"^ ([0-9a-f]{{64}}) \d+ ({PACKAGE}_{upstream}\S*\.orig\.tar\.\w+)$", records, re.MULTILINE)
    if not hashed:
        return False
    uris = []
    for name in sorted(os.listdir(parts)):
        with open(os.path.join(parts, name), encoding="utf-8") as opened:
            uris += re.findall(r"https?://[^\s\]]+", opened.read())
    for uri in dict.fromkeys(uris):
        url = f"{uri.rstrip('/')}/pool/main/{PACKAGE[0]}/{PACKAGE}/{hashed[2]}"
        fetch = ["/usr/lib/apt/apt-helper", "download-file", url, os.path.join(folder, hashed[2]), f"SHA256:{hashed[1]}"]
        if subprocess.run(fetch, capture_output=True).returncode == 0:
            return True
    return False


def apt(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("E:")] or done.stderr.splitlines()
        say("")
        sys.exit("\n".join([f"the tests cannot be had: {' '.join(command[-2:])}:", *errors[:8],
                            "a source tree of LLVM 22 does as well: --tests FOLDER/mlir/test/Integration/Dialect/SparseTensor/CPU"]))


def write_sources(folder):
    """Writes source entries for the machine's repositories, in both of apt's formats."""
    config = subprocess.run(["apt-config", "shell", "LIST", SOURCE_LIST + "/f", "PARTS", SOURCE_PARTS + "/d"],
                            capture_output=True, text=True).stdout
    paths = dict(re.findall(r"^(\w+)='(.*)'$", config, re.MULTILINE))
    files = [paths["LIST"]] if os.path.isfile(paths.get("LIST", "")) else []
    if os.path.isdir(paths.get("PARTS", "")):
        files += [os.path.join(paths["PARTS"], name) for name in sorted(os.listdir(paths["PARTS"]))]
    for file in files:
        if not file.endswith((".list", ".sources")):
            continue
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
        if file.endswith(".list"):
            text = "".join(f"deb-src{rest}\n" for rest in re.findall(r"^deb(?=\s)(.*)$", text, re.MULTILINE))
        else:
            text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE)
        with open(os.path.join(folder, os.path.basename(file)), "w", encoding="utf-8") as opened:
            opened.write(text)


class RunLine(NamedTuple):
    """A RUN line: its number in the file, counted from 1, the command, and the reason if it cannot run here."""
    number: int
    command: str
    missing: str


DIRECTIVE = re.compile(r"^\s*//\s*(RUN|DEFINE|REDEFINE|REQUIRES):(.*)$")
CONDITION = re.compile(r"%if\s+(\S+)\s+%\{(.*?)%\}(?:\s*%else\s+%\{(.*?)%\})?")


def run_lines(path, temporary):
    """The RUN lines of a file, as lit would run them without any available feature."""
    root = os.path.abspath(path)
    for _ in range(6):
        root = os.path.dirname(root)
    names = {name: os.path.join(LIBRARIES, f"lib{name}.so")
             for name in ("mlir_c_runner_utils", "mlir_runner_utils", "mlir_async_runtime")}
    fixed = {**names, **{"native_" + name: file for name, file in names.items()}, "mlir_src_dir": root,
             "mlir_lib_dir": LIBRARIES, "mlir_native_utils_lib_dir": LIBRARIES, "shlibext": ".so", "lli_host_or_aarch64_cmd": "lli",
             "lli": "lli", "ENABLE_VLA": "false", "VLA_ARCH_ATTR_OPTIONS": "", "S": os.path.dirname(path), "s": path,
             "t": temporary}
    defined, lines, needed = {}, [], ""
    for number, kind, text in directives(path):
        if kind == "REQUIRES":
            needed = f"needs {text.strip()}"
        elif kind == "RUN":
            command, missing = conditions(expanded(text, defined), needed)
            lines.append(RunLine(number, substituted(command, fixed).strip(), missing))
        else:
            name, _, value = text.partition("=")
            defined[name.strip()] = value.strip()
    return lines


def directives(path):
    """(line, kind, text) of each directive, with continuation lines joined."""
    found = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = DIRECTIVE.match(line)
            if not match:
                continue
            kind, text = match[1], match[2].strip()
            found = (found[0], found[1], f"{found[2]} {text}") if found else (number, kind, text)
            if text.endswith("\\"):
                found = (*found[:2], found[2][:-1])
                continue
            yield found
            found = None


def expanded(text, defined):
    """A text with the file's definitions substituted, including nested ones."""
    for _ in range(len(defined) + 1):
        again = re.sub(r"%\{[\w-]+\}", lambda match: defined.get(match[0], match[0]), text)
        if again == text:
            break
        text = again
    return text


def conditions(text, needed):
    """A text without its parts that depend on features, and that feature if nothing else is left."""
    features = [match[1] for match in CONDITION.finditer(text)]
    text = CONDITION.sub(lambda match: match[3] or "", text)
    if not needed and features and not text.strip():
        needed = f"needs {features[0]}"
    return text, needed


def substituted(text, names):
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"%{name}(?![\w])", lambda _, value=names[name]: value, text)
    return text
