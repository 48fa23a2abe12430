//! The plugin compares versions of LLVM, and loads the library that is in its folder.

use memplan_harness::{
    command::{limited, output},
    tools::{Tools, root},
};
use std::{
    ffi::OsStr,
    fs,
    os::unix::{fs::symlink, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
};
use tempfile::TempDir;

/// The `mlir-opt` of Debian's package `mlir-19-tools`.
const FOREIGN_MLIR_OPT: &str = "/usr/lib/llvm-19/bin/mlir-opt";
const LOADED: &str = "1 memplan\n";
/// No tool goes on with this version.
const NOT_LOADED: &str = "0 memplan\n";

/// The major and the minor version of the LLVM that memplan is built for.
pub fn llvm_version(tools: &Tools) -> [u32; 2] {
    let mut asked = Command::new(tools.bin().join("llvm-config"));
    let text = text(asked.arg("--version").output().unwrap().stdout);
    let mut numbers = text.split('.').map(|number| number.parse().unwrap());
    [numbers.next().unwrap(), numbers.next().unwrap()]
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// What the plugin says in a tool of this LLVM.
fn refusal(tools: &Tools, major: u32, minor: u32) -> String {
    let [own, own_minor] = llvm_version(tools);
    format!(
        "memplan: error: this plugin is built for LLVM {own}.{own_minor}, and this tool has LLVM {major}.{minor}: \
         load it into the tools of LLVM {own}.{own_minor}\n"
    )
}

/// A tool that loads plugins, in a folder of its own. `version`: of its LLVM, if others see that.
struct Host {
    tools: Tools,
    folder: TempDir,
}

impl Host {
    fn new(version: Option<[u32; 2]>) -> Self {
        let (tools, folder) = (Tools::find().unwrap(), tempfile::tempdir().unwrap());
        let mut compiler = limited(Duration::from_secs(60), "cc");
        if let Some([major, minor]) = version {
            compiler.args([format!("-DMAJOR={major}"), format!("-DMINOR={minor}")]);
        }
        compiler
            .arg(root().join("tests/plugin/foreign.c"))
            .args(["-rdynamic", "-o"])
            .arg(folder.path().join("foreign"))
            .arg("-ldl");
        output(&mut compiler).unwrap();
        Self { tools, folder }
    }

    /// One with memplan's own LLVM.
    fn own() -> Self {
        let version = llvm_version(&Tools::find().unwrap());
        Self::new(Some(version))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn library_name(&self) -> &OsStr {
        self.tools.library.file_name().unwrap()
    }

    /// A copy of the plugin, in a new folder.
    fn copy(&self, folder: &str) -> PathBuf {
        let copy = self.path(folder).join("libmemplan.so");
        fs::create_dir(self.path(folder)).unwrap();
        fs::copy(&self.tools.plugin, &copy).unwrap();
        copy
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.path("foreign"));
        // Cargo's folders, which have the library.
        command.env_remove("LD_LIBRARY_PATH");
        command
    }

    /// What the tool prints of plugins and what they say.
    fn loads(&self, plugins: &[&Path]) -> (String, String) {
        answer(self.command().args(plugins))
    }
}

fn answer(command: &mut Command) -> (String, String) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{done:?}");
    (text(done.stdout), text(done.stderr))
}

fn loaded() -> (String, String) {
    (LOADED.to_owned(), String::new())
}

/// That nothing is loaded; what the plugin says, in one line.
fn not_loaded((answer, said): (String, String)) -> String {
    assert_eq!(answer, NOT_LOADED);
    assert_eq!(said.matches('\n').count(), 1, "{said}");
    assert!(said.starts_with("memplan: error: "), "{said}");
    said
}

#[test]
fn a_tool_with_another_llvm_gets_a_message_and_no_plugin() {
    let [major, minor] = llvm_version(&Tools::find().unwrap());
    for version in [[19, 1], [major, minor + 1], [major + 1, minor]] {
        let host = Host::new(Some(version));
        let said = not_loaded(host.loads(&[&host.tools.plugin]));
        assert_eq!(said, refusal(&host.tools, version[0], version[1]));
    }
}

#[test]
fn a_tool_with_the_same_llvm_loads_the_plugin_and_so_does_one_whose_llvm_is_not_seen() {
    for host in [Host::own(), Host::new(None)] {
        assert_eq!(host.loads(&[&host.tools.plugin]), loaded());
    }
}

#[test]
fn another_llvm_is_found_before_the_library_is_missed() {
    let host = Host::new(Some([19, 1]));
    let said = not_loaded(host.loads(&[&host.copy("alone")]));
    assert_eq!(said, refusal(&host.tools, 19, 1));
}

#[test]
fn a_plugin_without_its_library_says_so() {
    let host = Host::own();
    let said = not_loaded(host.loads(&[&host.copy("alone")]));
    let name = host.library_name().to_string_lossy();
    assert!(
        said.contains(&format!("cannot load {name}, which belongs beside")),
        "{said}"
    );
    assert!(said.contains("No such file or directory"), "{said}");
}

#[test]
fn a_library_that_does_not_load_is_not_replaced_by_another_one() {
    let host = Host::own();
    let plugin = host.copy("broken");
    let library = plugin.with_file_name(host.library_name());
    fs::write(&library, "no library").unwrap();
    let elsewhere = host.tools.library.parent().unwrap();
    let mut command = host.command();
    let command = command.env("LD_LIBRARY_PATH", elsewhere).arg(&plugin);
    let said = not_loaded(answer(command));
    assert!(said.contains(library.to_str().unwrap()), "{said}");
}

#[test]
fn a_copy_of_the_plugin_in_place_of_the_library_does_not_call_itself() {
    let host = Host::own();
    let plugin = host.copy("renamed");
    fs::copy(&plugin, plugin.with_file_name(host.library_name())).unwrap();
    let said = not_loaded(host.loads(&[&plugin]));
    assert!(said.contains("it is a copy of libmemplan.so"), "{said}");
}

#[test]
fn a_library_for_another_architecture_is_not_called_missing() {
    let host = Host::own();
    let plugin = host.copy("foreign-library");
    let library = plugin.with_file_name(host.library_name());
    let mut bytes = fs::read(&plugin).unwrap();
    // The machine in the header of ELF: x86-64 becomes AArch64, and the other way round.
    bytes[18] ^= 0x3e ^ 0xb7;
    fs::write(&library, bytes).unwrap();
    let said = not_loaded(host.loads(&[&plugin]));
    let expected = format!("{} is for another architecture", library.display());
    assert!(said.contains(&expected), "{said}");
}

#[test]
fn a_plugin_without_a_library_beside_it_takes_the_one_of_the_search_path() {
    let host = Host::own();
    let plugin = host.copy("alone");
    let elsewhere = host.tools.library.parent().unwrap();
    let mut command = host.command();
    let command = command.env("LD_LIBRARY_PATH", elsewhere).arg(plugin);
    assert_eq!(answer(command), loaded());
}

#[test]
fn a_symbolic_link_to_the_plugin_leads_to_the_library() {
    let host = Host::own();
    let link = host.path("linked.so");
    symlink(&host.tools.plugin, &link).unwrap();
    assert_eq!(host.loads(&[&link]), loaded());
}

#[test]
fn a_relative_path_leads_to_the_library() {
    let host = Host::own();
    let folder = host.tools.plugin.parent().unwrap().canonicalize().unwrap();
    let name = host.tools.plugin.file_name().unwrap();
    let above = Path::new("..").join(folder.file_name().unwrap()).join(name);
    for plugin in [Path::new(".").join(name), above] {
        let mut command = host.command();
        let answer = answer(command.arg(plugin).current_dir(&folder));
        assert_eq!(answer, loaded());
    }
}

/// `mlir-opt` on a program that `memplan-merge-alloc` plans.
fn planned(tools: &Tools, plugins: &[&Path], folder: &Path) -> Output {
    let program = "func.func @f(%x: memref<64xf32>) {\n\
                   %a = memref.alloc() : memref<64xf32>\n\
                   memref.copy %x, %a : memref<64xf32> to memref<64xf32>\n\
                   return\n}\n";
    let input = tempfile::NamedTempFile::new().unwrap();
    fs::write(&input, program).unwrap();
    let loads = plugins
        .iter()
        .map(|plugin| format!("--load-pass-plugin={}", plugin.display()));
    Command::new(tools.mlir_opt())
        .arg(input.path())
        .args(loads)
        .arg("--pass-pipeline=builtin.module(func.func(memplan-merge-alloc))")
        .current_dir(folder)
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap()
}

fn is_planned(done: Output) {
    assert!(done.status.success(), "{done:?}");
    assert!(done.stderr.is_empty(), "{done:?}");
    assert!(text(done.stdout).contains("memplan.arena"));
}

#[test]
fn mlir_opt_takes_a_relative_path_and_a_link() {
    let host = Host::own();
    let plugin = host.tools.plugin.canonicalize().unwrap();
    let (folder, name) = (plugin.parent().unwrap(), plugin.file_name().unwrap());
    let relative = Path::new(".").join(name);
    is_planned(planned(&host.tools, &[&relative], folder));
    symlink(&plugin, host.path("linked.so")).unwrap();
    let link = Path::new("./linked.so");
    is_planned(planned(&host.tools, &[link], host.folder.path()));
}

#[test]
fn a_plugin_that_is_loaded_twice_registers_its_passes_once() {
    let host = Host::own();
    let plugin = host.tools.plugin.canonicalize().unwrap();
    // A copy with a library of its own: the one that is loaded already serves both.
    let copy = host.copy("copy");
    fs::copy(
        &host.tools.library,
        copy.with_file_name(host.library_name()),
    )
    .unwrap();
    for second in [&plugin, &copy] {
        let plugins: [&Path; 2] = [&plugin, second];
        is_planned(planned(&host.tools, &plugins, host.folder.path()));
        assert_eq!(host.loads(&plugins), (LOADED.repeat(2), String::new()));
    }
}

#[test]
fn the_mlir_opt_of_another_llvm_refuses_the_plugin_and_does_not_abort() {
    let foreign = Path::new(FOREIGN_MLIR_OPT);
    if !foreign.exists() {
        eprintln!("not run: no {FOREIGN_MLIR_OPT}, which `ci/setup test` installs");
        return;
    }
    let tools = Tools::find().unwrap();
    let run = |pipeline: &[&str]| {
        let mut command = Command::new(foreign);
        let load = format!("--load-pass-plugin={}", tools.plugin.display());
        let done = command.arg(load).args(pipeline).arg("/dev/null").output();
        let done = done.unwrap();
        assert_eq!(done.status.signal(), None, "{done:?}");
        let said = text(done.stderr);
        let line = refusal(&tools, 19, 1);
        assert_eq!(said.matches(&line).count(), 1, "{said}");
        (done.status.code(), said)
    };
    let (status, _) = run(&[]);
    assert_eq!(status, Some(0), "a tool goes on without a plugin");
    let (status, said) = run(&["--pass-pipeline=builtin.module(memplan)"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("does not refer to a registered pass"));
}
