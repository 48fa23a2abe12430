//! The memory and the scalars that an executed function is called with.

use std::fmt::Write;

/// What dynamic sizes are.
const DYNAMIC: i64 = 4;

/// Elements of the memory that a pointer is to.
const POINTED: i64 = 64;

/// The types of elements, and of numbers that can be printed.
pub const ELEMENTS: [&str; 10] = [
    "i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64",
];

/// Memory of an argument.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The type of its elements.
    pub element: String,
    /// Its memory space, after a comma; nothing for the usual one.
    pub space: String,
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    pub offset: i64,
    /// So many elements, from that where its data starts.
    pub length: i64,
}

/// How an argument is made.
#[derive(Clone, Debug)]
pub enum Argument {
    Memref(Buffer),
    /// A pointer to memory.
    Pointer(Buffer),
    /// The operation that makes it.
    Scalar(String),
}

impl Argument {
    /// An argument of a type, if one can be made.
    pub fn of(r#type: &str) -> Option<Self> {
        if r#type == "!llvm.ptr" {
            return buffer(&format!("memref<{POINTED}xi32>")).map(Self::Pointer);
        }
        let made = buffer(r#type).map(Self::Memref);
        made.or_else(|| scalar(r#type).map(Self::Scalar))
    }

    /// Its memory, if it has some.
    pub const fn memory(&self) -> Option<&Buffer> {
        match self {
            Self::Memref(buffer) | Self::Pointer(buffer) => Some(buffer),
            Self::Scalar(_) => None,
        }
    }
}

/// Elements have so many numbers, each so far from the one before: they neither ascend nor descend.
pub const ALL: i64 = 101;
pub const STEP: i64 = 37;
/// The first of them.
pub const START: i64 = 70;

/// What is added to them for an argument: outputs, which come later, have less than inputs.
pub fn first(at: usize) -> i64 {
    200 * (5_i64 - at as i64).max(0)
}

/// How far the numbers of other contents are from those: they are greater than all of them, where they can be.
pub fn shift(element: &str) -> i64 {
    match element {
        "i1" => 1,
        "i8" => 17,
        _ => 2000,
    }
}

impl Buffer {
    /// The type of all its elements in a row.
    pub fn flat(&self) -> String {
        let Self {
            element,
            space,
            length,
            ..
        } = self;
        format!("memref<{length}x{element}{space}>")
    }

    /// The bytes that it has.
    pub fn bytes(&self) -> i64 {
        let element = match self.element.as_str() {
            "i1" | "i8" => 1,
            "i16" | "f16" | "bf16" => 2,
            "i32" | "f32" => 4,
            _ => 8,
        };
        element * self.length
    }

    /// The elements of argument `at` before the function runs, as they are printed; none where they are rounded.
    pub fn contents(&self, at: usize, is_other: bool) -> Vec<Option<i64>> {
        let other = match is_other {
            true => shift(&self.element),
            false => 0,
        };
        let printed = |number: i64| match self.element.as_str() {
            "i1" => Some(number & 1),
            "i8" => Some(number & 0xff),
            "i16" => Some(number & 0xffff),
            "f16" | "bf16" => None,
            "f32" => Some(i64::from((number as f32).to_bits())),
            "f64" => Some((number as f64).to_bits() as i64),
            _ => Some(number),
        };
        (0..self.length)
            .map(|place| printed((STEP * place + START) % ALL + first(at) + other))
            .collect()
    }
}

/// The memory of a memref of a type. Its layout is no map, its space a number.
fn buffer(r#type: &str) -> Option<Buffer> {
    let inner = r#type.strip_prefix("memref<")?.strip_suffix('>')?;
    let (shape, rest) = match inner.split_once(", ") {
        Some((shape, rest)) => (shape, rest),
        None => (inner, ""),
    };
    let mut sizes: Vec<&str> = shape.split('x').collect();
    // "index" has one, too.
    let element = match shape.ends_with("index") {
        true => {
            sizes.truncate(sizes.len() - 2);
            "index"
        }
        false => sizes.pop()?,
    };
    if !ELEMENTS.contains(&element) {
        return None;
    }
    let number = |text: &str| match text {
        "?" => Some(DYNAMIC),
        _ => text.parse::<i64>().ok(),
    };
    let sizes: Vec<i64> = sizes.into_iter().map(number).collect::<Option<_>>()?;
    let mut strides = vec![1; sizes.len()];
    for at in (1..sizes.len()).rev() {
        strides[at - 1] = strides[at] * sizes[at];
    }
    let mut offset = 0;
    let mut space = rest;
    if let Some(layout) = rest.strip_prefix("strided<[") {
        let (listed, after) = layout.split_once(']')?;
        let listed = listed.split(", ").filter(|one| !one.is_empty());
        for (stride, text) in strides.iter_mut().zip(listed) {
            if text != "?" {
                *stride = number(text)?;
            }
        }
        let (start, after) = after.split_once('>')?;
        if let Some(start) = start.strip_prefix(", offset: ") {
            offset = if start == "?" { 0 } else { number(start)? };
        }
        space = after.strip_prefix(", ").unwrap_or_default();
    }
    if !space.chars().all(|one| one.is_ascii_digit()) {
        return None;
    }
    let reach = sizes
        .iter()
        .zip(&strides)
        .map(|(size, stride)| (size - 1) * stride);
    let length = offset + reach.sum::<i64>() + 1;
    Some(Buffer {
        element: element.to_owned(),
        space: match space {
            "" => String::new(),
            space => format!(", {space}"),
        },
        sizes,
        strides,
        offset,
        length,
    })
}

/// The operation that makes a scalar or a vector.
fn scalar(r#type: &str) -> Option<String> {
    let constant = |value: &str| Some(format!("arith.constant {value} : {}", r#type));
    match r#type {
        "index" => constant("2"),
        "i1" => Some("arith.constant true".to_owned()),
        "i8" | "i16" | "i32" | "i64" => constant("3"),
        "f16" | "bf16" | "f32" | "f64" => constant("2.5"),
        _ => {
            let inner = r#type.strip_prefix("vector<")?.strip_suffix('>')?;
            let (count, element) = inner.split_once('x')?;
            let count: usize = count.parse().ok()?;
            let list = |of: &dyn Fn(usize) -> String| {
                let all: Vec<_> = (0..count).map(of).collect();
                constant(&format!("dense<[{}]>", all.join(", ")))
            };
            match element {
                "i1" => list(&|at| (at % 2 == 0).to_string()),
                "index" | "i8" | "i16" | "i32" | "i64" => list(&|at| at.to_string()),
                "f16" | "bf16" | "f32" | "f64" => list(&|at| format!("{at}.5")),
                _ => None,
            }
        }
    }
}

/// The count and the type of the elements of a vector with one dimension.
pub fn vector(r#type: &str) -> Option<(usize, &str)> {
    let inner = r#type.strip_prefix("vector<")?.strip_suffix('>')?;
    let (count, element) = inner.split_once('x')?;
    let is_plain = ELEMENTS.contains(&element);
    count
        .parse()
        .ok()
        .filter(|_| is_plain)
        .map(|count| (count, element))
}

/// To `i64`, from a value of a type.
pub fn widened(out: &mut String, value: &str, r#type: &str, name: &str) {
    let float = |bits: u32| {
        format!(
            "{name}b = arith.bitcast {value} : {type} to i{bits}\n{name} = arith.extui {name}b : i{bits} to i64"
        )
    };
    let line = match r#type {
        "f16" | "bf16" => float(16),
        "f32" => float(32),
        "f64" => format!("{name} = arith.bitcast {value} : f64 to i64"),
        "index" => format!("{name} = arith.index_cast {value} : index to i64"),
        "i64" => format!("{name} = arith.ori {value}, {value} : i64"),
        _ => format!("{name} = arith.extui {value} : {type} to i64"),
    };
    _ = writeln!(out, "{line}");
}

/// From `i64`, to a value of a type.
pub fn narrowed(out: &mut String, value: &str, r#type: &str, name: &str) {
    let line = match r#type {
        "index" => format!("{name} = arith.index_cast {value} : i64 to index"),
        "i64" => format!("{name} = arith.ori {value}, {value} : i64"),
        kind if kind.starts_with('i') => {
            format!("{name} = arith.trunci {value} : i64 to {kind}")
        }
        kind => format!("{name} = arith.sitofp {value} : i64 to {kind}"),
    };
    _ = writeln!(out, "{line}");
}
