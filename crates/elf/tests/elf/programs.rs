//! Programs linked from the joined object run like those linked from the object files, with both linkers.

use std::path::PathBuf;

use crate::support::{Lab, llvm, run};

/// Links the object files and the joined object with both linkers, runs all, and returns the output.
fn printed(lab: &Lab, objects: &[PathBuf], flags: &str) -> String {
    let joined = [lab.join(objects)];
    let expected = lab.link_and_run("bfd", objects, flags);
    for linker in ["bfd", "lld"] {
        assert_eq!(
            lab.link_and_run(linker, &joined, flags),
            expected,
            "{linker} {flags}"
        );
    }
    expected
}

/// Definitions in both object files: inline functions, templates, a class with virtual tables.
const SHARED: &str = r#"
extern "C" int printf(const char *, ...);
inline int count() { static int n = 0; return ++n; }
template <class T> T twice(T x) { return x + x; }
struct Error { const char *what; virtual int code() const { return 7; } virtual ~Error() {} Error(const char *w) : what(w) {} };
struct Guard { int *at; ~Guard() { ++*at; } };
template <class T> struct Cell {
    T *held; explicit Cell(T x) : held(new T(x)) {} virtual ~Cell() { delete held; }
    virtual T get(int x) { Guard guard{held}; if (x > 8) throw Error("too large"); return *held; }
};
"#;

const THROWS: &str = r#"
#include "shared.h"
struct Worse : Error { using Error::Error; int code() const override { return 8; } };
int unwound;
int throws(int x) {
    Guard guard{&unwound};
    Cell<int> cell(x);
    if (x == 4) throw Worse("shared string");
    return cell.get(twice(x)) + count();
}
"#;

const CATCHES: &str = r#"
#include "shared.h"
int throws(int);
extern int unwound;
struct Counted { static int n; Counted() { n += 1; } };
int Counted::n;
static Counted first, second;
int main() {
    for (int i = 0; i < 7; i++) {
        try { printf("%d\n", throws(i)); }
        catch (const Error &error) { printf("caught %s %d\n", error.what, error.code()); }
    }
    try { Cell<int>(1).get(9); } catch (...) { printf("caught "); }
    printf("%s %d %d %d %d\n", "shared string", count(), twice(1), Counted::n, unwound);
    return 0;
}
"#;

/// The last lines of the output.
const LAST: &str = "caught too large 7\ncaught shared string 5 2 2 7\n";

/// The two object files.
fn units(lab: &Lab, flags: &str) -> [PathBuf; 2] {
    lab.write("shared.h", SHARED);
    [
        lab.compile("throws.cpp", THROWS, flags),
        lab.compile("catches.cpp", CATCHES, flags),
    ]
}

#[test]
fn exceptions_cross_units_and_inline_functions_are_one() {
    for flags in [
        "-O0",
        "-O2",
        "-O2 -ffunction-sections -fPIC",
        "-O1 -g",
        "-Os -gdwarf-4",
    ] {
        let lab = Lab::new();
        let objects = units(&lab, flags);
        let printed = printed(&lab, &objects, "");
        assert!(printed.ends_with(LAST), "{printed}");
    }
}

#[test]
fn functions_that_nothing_calls_still_go() {
    let lab = Lab::new();
    let flags = "-O2 -ffunction-sections -fdata-sections";
    let objects = units(&lab, flags);
    printed(&lab, &objects, "-Wl,--gc-sections");
}

#[test]
fn the_linker_finds_the_units_groups_in_the_joined_object() {
    let lab = Lab::new();
    let objects = units(&lab, "-O0");
    let all = [lab.join(&objects[..1]), objects[1].clone()];
    for linker in ["bfd", "lld"] {
        let printed = lab.link_and_run(linker, &all, "");
        assert!(printed.ends_with(LAST), "{printed}");
    }
}

#[test]
fn a_joined_object_joins_again() {
    let lab = Lab::new();
    let objects = units(&lab, "-O1 -g");
    let once = crate::support::join(&objects).expect("joins");
    let again = crate::support::join(&[lab.write("once.o", &once)]).expect("joins");
    let twice = crate::support::join(&[lab.write("again.o", &again)]).expect("joins");
    assert_eq!(again, twice);
    let parts: Vec<_> = objects
        .iter()
        .enumerate()
        .map(|(number, object)| {
            let part = crate::support::join(std::slice::from_ref(object)).expect("joins");
            lab.write(&format!("part-{number}.o"), part)
        })
        .collect();
    printed(&lab, &parts, "");
    printed(&lab, &[lab.path("again.o")], "");
}

#[test]
fn debug_information_is_right() {
    for flags in [
        "-g -O0",
        "-g -O2",
        "-g -gdwarf-4 -O1",
        "-g -O1 -ffunction-sections -fdebug-types-section",
    ] {
        let lab = Lab::new();
        let objects = units(&lab, flags);
        let joined = lab.join(&objects);
        let program = lab.link("lld", &[joined], "");
        run(
            llvm("llvm-dwarfdump"),
            ["--verify".as_ref(), program.as_os_str()],
        );
        let symbols = run(llvm("llvm-nm"), [&program]);
        for (function, place) in [("_Z6throwsi", "throws.cpp:5"), ("main", "catches.cpp:8")] {
            let line = symbols
                .lines()
                .find(|line| line.ends_with(&format!(" {function}")))
                .expect("the function");
            let address = line.split(' ').next().expect("an address");
            let found = run(
                llvm("llvm-addr2line"),
                ["-e".as_ref(), program.as_os_str(), address.as_ref()],
            );
            assert!(found.contains(place), "{flags}: {found}");
        }
    }
}

#[test]
fn constructors_run_in_the_order_of_the_units() {
    let lab = Lab::new();
    let objects: Vec<_> = ["a", "b", "c"]
        .iter()
        .map(|name| {
            let source = format!(
                r#"extern "C" int printf(const char *, ...);
                namespace {{ struct Says {{ Says() {{ printf("{name}"); }} ~Says() {{ printf("-{name}"); }} }}; }}
                static Says says;
                __attribute__((constructor(101))) static void early() {{ printf("early {name} "); }}
                __attribute__((destructor)) static void late() {{ printf(" late {name}"); }}"#
            );
            lab.compile(&format!("{name}.cpp"), &source, "-O1")
        })
        .chain([lab.compile("main.c", "int main(void) { return 0; }", "")])
        .collect();
    let printed = printed(&lab, &objects, "");
    assert!(
        printed.starts_with("early a early b early c abc-c-b-a"),
        "{printed}"
    );
}

#[test]
fn symbols_meet_as_linkers_have_it() {
    let lab = Lab::new();
    let first = r#"
        #include <stdio.h>
        _Thread_local int own_tls = 1; extern _Thread_local int tls; _Thread_local int zero_tls[4];
        static _Thread_local int local_tls = 9;
        int common[10]; char small_common;
        __attribute__((weak)) int overridden(void) { return 1; }
        __attribute__((weak)) int kept(void) { return 3; }
        extern int nowhere(void) __attribute__((weak));
        int both(void);
        extern int (*alias)(void);
        extern int chosen(void);
        int main(void) {
            common[9] = 7; zero_tls[3] = 2;
            printf("%d %d %d %d\n", own_tls, tls, zero_tls[3], local_tls);
            printf("%d %d %d %d %d\n", overridden(), kept(), nowhere ? nowhere() : 0, both(), alias());
            printf("%d %d\n", common[9] + small_common, chosen());
            return 0;
        }"#;
    let second = r#"
        int common[5]; long long small_common;
        _Thread_local int tls = 5; static _Thread_local int local_tls = 8;
        int overridden(void) { return 2; }
        __attribute__((weak)) int kept(void) { return 4; }
        static int own(void) { return common[9] + (int)small_common + local_tls; }
        int both(void) { return own() + overridden(); }
        int (*alias)(void) = own;
        static int one(void) { return 11; }
        static int (*choose(void))(void) { return one; }
        int chosen(void) __attribute__((ifunc("choose")));"#;
    for flags in [
        "-O0 -fcommon",
        "-O2 -fcommon",
        "-O2 -fcommon -fPIC -ftls-model=global-dynamic",
    ] {
        let objects = [
            lab.compile("first.c", first, flags),
            lab.compile("second.c", second, flags),
        ];
        for objects in [&objects[..], &[objects[1].clone(), objects[0].clone()]] {
            let printed = printed(&lab, objects, "");
            let kept = if objects[0].ends_with("first.c.o") {
                3
            } else {
                4
            };
            assert_eq!(printed, format!("1 5 2 9\n2 {kept} 0 17 15\n7 11\n"));
        }
    }
}

#[test]
fn constants_and_strings_are_there_once() {
    let lab = Lab::new();
    let source = |name: &str, order: [&str; 2]| {
        format!(
            r#"double scale_{name}(double x) {{ return x * 3.25 + 1.7; }}
            float half_{name}(float x) {{ return x * 0.3f + {}f; }}
            typedef float v4 __attribute__((vector_size(16)));
            void vector_{name}(v4 *x) {{ *x = *x * (v4){{1.5f, 2.5f, 3.5f, 4.5f}}; }}
            const char *word_{name}(int x) {{ return x ? "a word of both" : "{name}"; }}
            const char *tail_{name}(int x) {{ return &"a word of both"[x & 7]; }}
            const int *wide_{name}(void) {{ return (const int *)L"wide words"; }}"#,
            order.join("f + ")
        )
    };
    let main = r#"#include <stdio.h>
        #define ALL(n) double scale_##n(double); float half_##n(float); const char *word_##n(int), *tail_##n(int);\
            void vector_##n(void *); const int *wide_##n(void);
        ALL(a) ALL(b)
        #define SHOW(n) { float __attribute__((aligned(16))) v[4] = {1, 1, 1, 1}; vector_##n(v); vector_##n(v);\
            printf("%g %g %s %s %s %g %c\n", scale_##n(2), half_##n(2), word_##n(0), word_##n(1), tail_##n(2), v[3],\
                wide_##n()[3]); }
        int main(void) { SHOW(a) SHOW(b) return 0; }"#;
    let objects = [
        lab.compile("a.c", &source("a", ["0.7", "0.9"]), "-O2"),
        lab.compile("b.c", &source("b", ["0.9", "0.7"]), "-O2"),
        lab.compile("main.c", main, "-O2"),
    ];
    printed(&lab, &objects, "");
    let pools = |objects: &[PathBuf]| {
        use object::{Object, ObjectSection};
        let bytes = crate::support::join(objects).expect("joins");
        let file = object::File::parse(&*bytes).expect("an object");
        let pools: Vec<_> = [
            ".rodata.cst4",
            ".rodata.cst8",
            ".rodata.cst16",
            ".rodata.str1.1",
            ".rodata.str4.4",
        ]
        .iter()
        .map(|name| {
            let sections: Vec<_> = file
                .sections()
                .filter(|section| section.name() == Ok(name))
                .collect();
            assert_eq!(sections.len(), 1, "{name}");
            sections[0].data().expect("its bytes").to_vec()
        })
        .collect();
        pools
    };
    let [a, b, main] = objects;
    let one = pools(&[a.clone(), b.clone(), main.clone()]);
    assert_eq!(one, pools(&[main, b, a]), "the order of units says nothing");
    for (pool, entsize) in one.iter().zip([4, 8, 16]) {
        let entries: Vec<_> = pool.chunks(entsize).collect();
        assert!(
            !entries.is_empty() && entries.windows(2).all(|pair| pair[0] < pair[1]),
            "{entries:?}"
        );
    }
    let words: Vec<_> = one[3].split(|byte| *byte == 0).collect();
    assert_eq!(
        words
            .iter()
            .filter(|word| **word == b"a word of both")
            .count(),
        1
    );
    assert_eq!(one[4].len(), 4 * "wide words\0".len());
}
