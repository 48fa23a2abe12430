//! The joined object is equivalent to that of `ld -r`.

use std::path::PathBuf;

use crate::meaning;
use crate::support::{Lab, llvm, run};

const FIRST: &str = r#"
#include <math.h>
static int counter;
static const char *const table[] = {"one", "two", "shared"};
int both(int x) { return x + counter++; }
__attribute__((weak)) int weak_twice(int x) { return 2 * x; }
__attribute__((weak)) int weak_then_strong(void) { return 1; }
__attribute__((visibility("hidden"))) int hidden_here(int x) { return x * 3; }
extern __attribute__((visibility("protected"))) int narrowed(int);
extern int missing(int) __attribute__((weak));
_Thread_local int tls_here = 4;
extern _Thread_local int tls_there;
int common;
double scale(double x) { return x * 3.25 + 0.1; }
float scale_float(float x) { return fabsf(x) * 3.25f; }
const char *name(int i) { return i < 3 ? table[i] : "a string with several words"; }
static int local(int x) { return x + tls_here + tls_there; }
int calls(int x) { return local(x) + hidden_here(x) + narrowed(x) + (missing ? missing(x) : 0) + common; }
int (*pointer)(int) = local;
"#;

const SECOND: &str = r#"
static int counter = 3;
static int local(int x) { return x * counter--; }
__attribute__((weak)) int weak_twice(int x) { return x + x; }
int weak_then_strong(void) { return 2; }
int narrowed(int x) { return local(x) / 7; }
_Thread_local int tls_there = 5;
int common;
double other_scale(double x) { return x * 3.25 - 0.1; }
const char *other_name(void) { return "shared"; }
int missing(int) __attribute__((weak));
int big[1000];
int later(int x);
int asks(int x) { return later(x) + missing(x); }
"#;

fn objects(lab: &Lab, flags: &str) -> Vec<PathBuf> {
    let flags = &format!("{flags} -fcommon");
    vec![
        lab.compile("first.c", FIRST, flags),
        lab.compile("second.c", SECOND, flags),
        lab.compile("nothing.c", "", flags),
    ]
}

#[test]
fn symbols_and_functions_are_those_of_ld_r() {
    for flags in [
        "-O2",
        "-O0",
        "-O2 -fPIC -ffunction-sections -fdata-sections",
        "-O1 -g",
    ] {
        let lab = Lab::new();
        let objects = objects(&lab, flags);
        let (joined, oracle) = (lab.join(&objects), lab.ld_r(&objects));
        assert_eq!(
            meaning::symbols(&joined),
            meaning::symbols(&oracle),
            "{flags}"
        );
        assert_eq!(
            meaning::functions(&joined),
            meaning::functions(&oracle),
            "{flags}"
        );
    }
}

#[test]
fn on_other_machines_they_are_those_of_lld() {
    // A custom LLVM build may lack some of them.
    let known = run(llvm("clang"), ["--print-targets"]);
    for (target, flags) in [
        ("aarch64", "--target=aarch64-linux-gnu -O2"),
        ("aarch64", "--target=aarch64-linux-gnu -O1 -g -fPIC"),
        ("riscv64", "--target=riscv64-linux-gnu -O2"),
        (
            "riscv64",
            "--target=riscv64-linux-gnu -O1 -g -mno-relax -fPIC",
        ),
        ("loongarch64", "--target=loongarch64-linux-gnu -O2"),
        ("ppc64le", "--target=powerpc64le-linux-gnu -O2"),
    ] {
        if !known.split_whitespace().any(|word| word == target) {
            continue;
        }
        let lab = Lab::new();
        let flags = format!(
            "{flags} -ffreestanding -fno-math-errno -isystem {}",
            lab.path("").display()
        );
        lab.write("math.h", "float fabsf(float);");
        let objects = objects(&lab, &flags);
        let joined = lab.join(&objects);
        let oracle = lab.path("lld-r.o");
        let args = ["-r".as_ref(), "-o".as_ref(), oracle.as_os_str()];
        run(
            llvm("ld.lld"),
            args.into_iter()
                .chain(objects.iter().map(|object| object.as_os_str())),
        );
        // Mapping symbols of data in sections with data only are left out.
        let symbols = |path| {
            let mut symbols = meaning::symbols(path);
            symbols.retain(|(name, section, ..)| {
                !name.starts_with("$d") || section.starts_with(".text")
            });
            symbols
        };
        assert_eq!(symbols(&joined), symbols(&oracle), "{flags}");
        assert!(meaning::functions(&joined).len() > 10, "{flags}");
        assert_eq!(
            meaning::functions(&joined),
            meaning::functions(&oracle),
            "{flags}"
        );
    }
}

#[test]
fn functions_have_the_same_bytes_after_linking() {
    let sources = [
        (
            "a.c",
            "int a(int x); int b(int); int data = 3; static int own; int a(int x) { return b(x) + own++ + data; }",
        ),
        (
            "b.c",
            "extern int data; int zero[40]; int b(int x) { return data * x + zero[x]; }",
        ),
        (
            "c.c",
            "int a(int); int b(int); void _start(void) { a(b(3)); for (;;); }",
        ),
    ];
    for flags in ["-O2", "-O0 -fno-pic", "-O2 -ffunction-sections"] {
        let lab = Lab::new();
        let objects: Vec<_> = sources
            .iter()
            .map(|(name, source)| lab.compile(name, source, flags))
            .collect();
        let linked = [lab.join(&objects), lab.ld_r(&objects)].map(|object| {
            let program = lab.path("program");
            let object = object.display().to_string();
            let program = program.display().to_string();
            run("ld", ["-o", &program, &object]);
            let code = run(llvm("llvm-objdump"), ["-d", &program]);
            // Bytes between functions do not matter.
            let code: Vec<_> = code
                .lines()
                .filter(|line| !line.contains("nop"))
                .map(String::from)
                .collect();
            let symbols = run(llvm("llvm-nm"), ["-n", &program]);
            let data = run(llvm("llvm-objdump"), ["-s", "-j", ".data", &program]);
            (code, symbols, data)
        });
        assert_eq!(linked[0], linked[1], "{flags}");
    }
}
