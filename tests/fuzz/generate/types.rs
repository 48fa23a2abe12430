//! Element types, sizes and memref types.

use std::fmt;

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    I64,
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    Index,
    Vector,
    Complex,
}

impl Element {
    /// All element types; the simplest first.
    pub const ALL: [Self; 10] = [
        Self::I64,
        Self::F32,
        Self::F64,
        Self::I8,
        Self::I32,
        Self::I1,
        Self::I16,
        Self::Index,
        Self::Vector,
        Self::Complex,
    ];

    /// The name in MLIR.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I1 => "i1",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::Index => "index",
            Self::Vector => "vector<4xf32>",
            Self::Complex => "complex<f32>",
        }
    }

    /// The bytes that an element takes in memory.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::I1 | Self::I8 => 1,
            Self::I16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::I64 | Self::F64 | Self::Index | Self::Complex => 8,
            Self::Vector => 16,
        }
    }

    /// Whether it is an integer; includes vectors of integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::I64 | Self::I32 | Self::I16 | Self::I8)
    }

    /// Whether there are vectors of it.
    pub const fn fits_vectors(self) -> bool {
        self.is_integer() || matches!(self, Self::F32 | Self::F64)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// One size of a memref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dim {
    /// A static size.
    Fixed(u64),
    /// A dynamic size: the function's value `%s0`, `%s1` and so on.
    Run(usize),
}

/// The dynamic sizes, as text: each function computes them from its argument `%n`, which is 2, 3 or 4. The last one
/// may be zero, which only its value shows.
pub const RUN_SIZES: [(&str, &str); 4] = [
    ("%s0", "arith.addi %n, %c0"),
    ("%s1", "arith.muli %n, %c2"),
    ("%s2", "arith.addi %n, %c3"),
    ("%s3", "arith.subi %n, %c2"),
];

/// The dynamic size that may be zero.
pub const MAYBE_ZERO: usize = 3;

impl Dim {
    /// The value of the size.
    pub fn value(self) -> String {
        match self {
            Self::Fixed(size) => format!("%c{size}"),
            Self::Run(number) => RUN_SIZES[number].0.to_owned(),
        }
    }
}

/// A memory space that is not the default. It is a prime above all sizes, so that no other number of a program is the same,
/// nor a product of sizes, and it can be removed from the text.
pub const SPACE: u32 = 9973;

/// A memref type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// The element type.
    pub element: Element,
    /// The sizes.
    pub shape: Vec<Dim>,
    /// The layout in MLIR; empty for the identity.
    pub layout: String,
    /// The memory space; 0 is the default.
    pub space: u32,
}

impl Type {
    /// A type of static sizes, row-major, in space 0.
    pub fn plain(element: Element, shape: &[u64]) -> Self {
        Self {
            element,
            shape: shape.iter().map(|size| Dim::Fixed(*size)).collect(),
            layout: String::new(),
            space: 0,
        }
    }

    /// The sizes, if all are static.
    pub fn sizes(&self) -> Option<Vec<u64>> {
        let size = |dim: &Dim| match dim {
            Dim::Fixed(size) => Some(*size),
            Dim::Run(_) => None,
        };
        self.shape.iter().map(size).collect()
    }

    /// The sizes, if all are static, none is zero and the layout is row-major.
    pub fn contiguous(&self) -> Option<Vec<u64>> {
        let sizes = self.sizes()?;
        (self.layout.is_empty() && sizes.iter().all(|size| *size > 0)).then_some(sizes)
    }

    /// The same type with other sizes and layout.
    pub fn with(&self, shape: &[u64], layout: String) -> Self {
        Self {
            shape: shape.iter().map(|size| Dim::Fixed(*size)).collect(),
            layout,
            ..self.clone()
        }
    }

    /// The same type with all sizes dynamic: the target of a cast.
    pub fn erased(&self) -> String {
        self.text(|_| "?".to_owned())
    }

    /// The operands for the dynamic sizes of an allocation.
    pub fn run_sizes(&self) -> Vec<String> {
        let runs = self.shape.iter().filter(|dim| matches!(dim, Dim::Run(_)));
        runs.map(|dim| dim.value()).collect()
    }

    /// Whether it may have no element.
    pub fn may_be_empty(&self) -> bool {
        self.shape.contains(&Dim::Fixed(0)) || self.shape.contains(&Dim::Run(MAYBE_ZERO))
    }

    fn text(&self, size: impl Fn(&Dim) -> String) -> String {
        let mut text = String::from("memref<");
        for dim in &self.shape {
            text += &size(dim);
            text.push('x');
        }
        text += self.element.name();
        if !self.layout.is_empty() {
            text += ", ";
            text += &self.layout;
        }
        if self.space != 0 {
            text += &format!(", {}", self.space);
        }
        text + ">"
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |dim: &Dim| match dim {
            Dim::Fixed(size) => size.to_string(),
            Dim::Run(_) => "?".to_owned(),
        };
        out.write_str(&self.text(size))
    }
}
