//! The memory and the scalars that an executed function is called with.

use std::fmt::Write;

/// The value of dynamic sizes.
const DYNAMIC: i64 = 4;

/// The number of elements that a pointer refers to.
const POINTED: i64 = 64;

/// The element types, and the types of numbers that can be printed.
pub const ELEMENTS: [&str; 10] = [
    "i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64",
];

/// The memory of an argument.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The element type.
    pub element: String,
    /// Its memory space after a comma; empty for the default space.
    pub space: String,
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    pub offset: i64,
    /// The number of elements, counted from the start of the data.
    pub length: i64,
}

/// How an argument is created.
#[derive(Clone, Debug)]
pub enum Argument {
    Memref(Buffer),
    /// A pointer to memory.
    Pointer(Buffer),
    /// The operation that creates it.
    Scalar(String),
}

impl Argument {
    /// The argument for a type, if one can be created.
    pub fn of(r#type: &str) -> Option<Self> {
        if r#type == "!llvm.ptr" {
            return buffer(&format!("memref<{POINTED}xi32>")).map(Self::Pointer);
        }
        let made = buffer(r#type).map(Self::Memref);
        made.or_else(|| scalar(r#type).map(Self::Scalar))
    }

    /// Its memory, if any.
    pub const fn memory(&self) -> Option<&Buffer> {
        match self {
            Self::Memref(buffer) | Self::Pointer(buffer) => Some(buffer),
            Self::Scalar(_) => None,
        }
    }
}

/// The step between the numbers in successive elements, chosen such that they neither ascend nor descend.
pub const ALL: i64 = 101;
pub const STEP: i64 = 37;
/// The first number.
pub const START: i64 = 70;

/// The difference between successive arguments. Outputs are later arguments, so their numbers are lower than those of
/// inputs.
pub fn first(at: usize) -> i64 {
    200 * (5_i64 - at as i64).max(0)
}

/// The difference between the other contents and the usual ones. The other contents are greater than all usual ones
/// if possible.
pub fn shift(element: &str) -> i64 {
    match element {
        "i1" => 1,
        "i8" => 17,
        _ => 2000,
    }
}

impl Buffer {
    /// The type of all its elements as one dimension.
    pub fn flat(&self) -> String {
        let Self {
            element,
            space,
            length,
            ..
        } = self;
        format!("memref<{length}x{element}{space}>")
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> i64 {
        let element = match self.element.as_str() {
            "i1" | "i8" => 1,
            "i16" | "f16" | "bf16" => 2,
            "i32" | "f32" => 4,
            _ => 8,
        };
        element * self.length
    }

    /// The printed elements of argument `at` before the function runs; `None` if they are rounded.
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

/// The memory of a memref of this type. The layout must not be a map, and the memory space must be a number.
fn buffer(r#type: &str) -> Option<Buffer> {
    let inner = r#type.strip_prefix("memref<")?.strip_suffix('>')?;
    let (shape, rest) = match inner.split_once(", ") {
        Some((shape, rest)) => (shape, rest),
        None => (inner, ""),
    };
    let mut sizes: Vec<&str> = shape.split('x').collect();
    // The letter x also occurs in "index".
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

/// The operation that creates a scalar or a vector.
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

/// The number and type of the elements of a one-dimensional vector.
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

/// Converts a value of a type to `i64`.
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

/// Converts from `i64` to a type.
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
