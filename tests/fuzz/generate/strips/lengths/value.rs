//! Memrefs with sizes that are known only at run time.

use super::sizes::Size;

/// A memref.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: String,
    /// Its sizes.
    pub sizes: Vec<Size>,
    /// How a view lies in memory; `None` if it is row-major from the start.
    pub layout: Option<Layout>,
    /// The number of the memory that it is in.
    pub root: usize,
    /// Whether the function allocated it, and it is no view.
    pub is_own: bool,
}

/// Where the elements of a view are; what is known only at run time is `None`.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The distance of neighbours, for each dimension.
    pub strides: Vec<Option<i64>>,
    /// The first element.
    pub offset: Option<i64>,
}

impl Value {
    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The dimensions whose sizes are known only at run time.
    pub fn run(&self) -> Vec<usize> {
        let all = 0..self.rank();
        all.filter(|dim| self.sizes[*dim].is_run()).collect()
    }

    /// The dimensions whose sizes are known.
    pub fn fixed(&self) -> Vec<usize> {
        let all = 0..self.rank();
        all.filter(|dim| !self.sizes[*dim].is_run()).collect()
    }

    /// How many elements it has for the length of a number.
    pub fn count(&self, length: usize) -> i64 {
        self.sizes.iter().map(|size| size.at(length)).product()
    }

    /// Where the elements are.
    pub fn layout(&self) -> Layout {
        let plain = || {
            let mut strides = vec![Some(1_i64); self.rank()];
            for dim in (1..self.rank()).rev() {
                let inside = strides[dim].zip(self.sizes[dim].fixed());
                strides[dim - 1] = inside.map(|(stride, size)| stride * size);
            }
            let offset = Some(0);
            Layout { strides, offset }
        };
        self.layout.clone().unwrap_or_else(plain)
    }
}
