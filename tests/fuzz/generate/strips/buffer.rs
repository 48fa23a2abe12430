//! Memrefs of static shape, and views of them.

use std::fmt;

use super::super::types::Element;

/// A memref of static shape.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Its sizes.
    pub shape: Vec<usize>,
    /// Its element type.
    pub element: Element,
    /// The number of the memory that it is in.
    pub root: u32,
    /// Whether that memory is an argument.
    pub is_argument: bool,
    /// Whether it is an allocation, and no view.
    pub is_allocation: bool,
    /// How a view lies in memory; `None` if it is row-major from the start.
    pub layout: Option<Layout>,
}

/// Where the elements of a view are.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The distance of neighbours, for each dimension.
    pub strides: Vec<usize>,
    /// The first element; `None` if it is known only at run time.
    pub offset: Option<usize>,
}

impl Buffer {
    /// The number of elements.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Where the elements are.
    pub fn layout(&self) -> Layout {
        let plain = || Layout {
            strides: strides(&self.shape),
            offset: Some(0),
        };
        self.layout.clone().unwrap_or_else(plain)
    }

    /// The type in MLIR.
    pub fn type_text(&self) -> String {
        let sizes: String = self.shape.iter().map(|size| format!("{size}x")).collect();
        let layout = match &self.layout {
            None => String::new(),
            Some(Layout { strides, offset }) => {
                let offset = match offset {
                    None => ", offset: ?".to_owned(),
                    Some(0) => String::new(),
                    Some(offset) => format!(", offset: {offset}"),
                };
                format!(", strided<{strides:?}{offset}>")
            }
        };
        format!("memref<{sizes}{}{layout}>", self.element)
    }
}

/// The name and the type.
impl fmt::Display for Buffer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} : {}", self.name, self.type_text())
    }
}

/// The strides of a row-major memref.
fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim] * shape[dim];
    }
    strides
}

/// Several buffers, as operands: their names, then their types.
pub fn operands(buffers: &[Buffer]) -> String {
    let names: Vec<&str> = buffers.iter().map(|buffer| buffer.name.as_str()).collect();
    format!("{} : {}", names.join(", "), types(buffers))
}

/// The types of several buffers.
pub fn types(buffers: &[Buffer]) -> String {
    let types: Vec<String> = buffers.iter().map(Buffer::type_text).collect();
    types.join(", ")
}
