//! Sizes of memrefs as the LLVM lowering lays them out.

use crate::{
    ffi,
    ir::{Identity, Key, Op},
};
use melior::ir::{Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::MlirAttribute;
use rustc_hash::FxHashMap;

/// Why a memref has no size that can be planned with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoSize {
    /// Unranked, or a dimension is only known at run time.
    Dynamic,
    /// Strides or an offset that are not those of rows one after another.
    Layout,
    /// The element type has no size that is known here.
    Element,
    /// More bytes than an index counts.
    TooLarge,
}

/// The largest memref that is planned, in bytes.
pub const MAX_BYTES: u64 = 1 << 60;

/// Size and alignment of a memref, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// From the first byte to one past the last.
    pub size: u64,
    /// What its element type asks for.
    pub alignment: u64,
}

/// A memref with dimensions that only the run knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicExtent {
    /// Bytes, divided by the dimensions that only the run knows.
    pub bytes: u64,
    /// What its element type asks for.
    pub alignment: u64,
}

/// The data layout in force at an operation, with the memref types seen so far.
pub struct DataLayout {
    raw: ffi::MemplanDataLayout,
    cache: FxHashMap<Key, Result<Extent, NoSize>>,
}

impl DataLayout {
    /// The layout at `op`.
    pub fn at(op: Op<'_>) -> Self {
        Self {
            // SAFETY: a live operation; freed in `drop`.
            raw: unsafe { ffi::memplanDataLayoutAt(op.to_raw()) },
            cache: FxHashMap::default(),
        }
    }

    /// Size and alignment of a memref type.
    pub fn extent(&mut self, memref: Type<'_>) -> Result<Extent, NoSize> {
        if let Some(found) = self.cache.get(&memref.key()) {
            return *found;
        }
        let found = self.compute(memref);
        self.cache.insert(memref.key(), found);
        found
    }

    /// Bytes for each unit of the dimensions that only the run knows: of a memref with such
    /// dimensions, laid out row by row.
    pub fn dynamic_extent(&self, memref: Type<'_>) -> Result<DynamicExtent, NoSize> {
        let (stride, alignment) = self.element(memref)?;
        let raw = memref.to_raw();
        // SAFETY: a live type, and a memref: it has such elements.
        unsafe {
            let bytes = (0..mlir_sys::mlirShapedTypeGetRank(raw) as isize)
                .filter(|index| !mlir_sys::mlirShapedTypeIsDynamicDim(raw, *index))
                .map(|index| mlir_sys::mlirShapedTypeGetDimSize(raw, index) as u64)
                .try_fold(stride, |bytes: u64, dim| bytes.checked_mul(dim));
            match bytes {
                Some(bytes) if bytes <= MAX_BYTES => Ok(DynamicExtent { bytes, alignment }),
                _ => Err(NoSize::TooLarge),
            }
        }
    }

    /// What the element type of a memref asks for, whatever its shape and layout; 1 if not known.
    pub fn element_alignment(&self, memref: Type<'_>) -> u64 {
        let (mut stride, mut alignment) = (0, 1);
        // SAFETY: a live type, which is asked for its kind first.
        unsafe {
            let raw = memref.to_raw();
            if mlir_sys::mlirTypeIsAShaped(raw) {
                let element = mlir_sys::mlirShapedTypeGetElementType(raw);
                ffi::memplanElementLayout(self.raw, element, &raw mut stride, &raw mut alignment);
            }
        }
        alignment
    }

    /// Size and alignment of a value that is no memref, as an element of one would have them; `None` if that
    /// is not known.
    pub fn scalar(&self, r#type: Type<'_>) -> Option<Extent> {
        // SAFETY: a live type; both out parameters outlive the call.
        unsafe {
            let raw = r#type.to_raw();
            let (mut size, mut alignment) = (0, 1);
            let is_known = !mlir_sys::mlirTypeIsAMemRef(raw)
                && ffi::memplanElementLayout(self.raw, raw, &raw mut size, &raw mut alignment);
            is_known.then_some(Extent { size, alignment })
        }
    }

    /// Bytes from one element to the next, and their alignment: of a ranked memref, laid out row by row.
    fn element(&self, memref: Type<'_>) -> Result<(u64, u64), NoSize> {
        let raw = memref.to_raw();
        // SAFETY: a live type; each query fits the kind that was asked first.
        unsafe {
            if !mlir_sys::mlirTypeIsAMemRef(raw) {
                return Err(NoSize::Dynamic);
            }
            if !ffi::memplanMemRefIsIdentity(raw) {
                return Err(NoSize::Layout);
            }
            let (mut stride, mut alignment) = (0, 0);
            let element = mlir_sys::mlirShapedTypeGetElementType(raw);
            if !ffi::memplanElementLayout(self.raw, element, &raw mut stride, &raw mut alignment) {
                return Err(NoSize::Element);
            }
            Ok((stride, alignment))
        }
    }

    fn compute(&self, memref: Type<'_>) -> Result<Extent, NoSize> {
        let raw = memref.to_raw();
        // SAFETY: a live type; each query fits the kind that was asked first.
        unsafe {
            if !mlir_sys::mlirTypeIsAMemRef(raw) || !mlir_sys::mlirShapedTypeHasStaticShape(raw) {
                return Err(NoSize::Dynamic);
            }
            let (stride, alignment) = self.element(memref)?;
            let dims: Vec<u64> = (0..mlir_sys::mlirShapedTypeGetRank(raw))
                .map(|index| mlir_sys::mlirShapedTypeGetDimSize(raw, index as isize) as u64)
                .collect();
            let size = if dims.contains(&0) {
                Some(0)
            } else {
                dims.iter()
                    .try_fold(stride, |size: u64, dim| size.checked_mul(*dim))
            };
            match size {
                Some(size) if i64::try_from(size).is_ok() => Ok(Extent { size, alignment }),
                _ => Err(NoSize::TooLarge),
            }
        }
    }
}

impl Drop for DataLayout {
    fn drop(&mut self) {
        // SAFETY: made in `at`, and not used again.
        unsafe { ffi::memplanDataLayoutDestroy(self.raw) }
    }
}

/// The place of a dimension among those that only the run knows; `None` if the type tells it, or has no
/// such dimension.
pub fn run_time_dimension(memref: Type<'_>, dimension: usize) -> Option<usize> {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first; dimensions are below its rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw)
            || dimension >= mlir_sys::mlirShapedTypeGetRank(raw) as usize
        {
            return None;
        }
        let is_dynamic = |at: usize| mlir_sys::mlirShapedTypeIsDynamicDim(raw, at as isize);
        is_dynamic(dimension).then(|| (0..dimension).filter(|at| is_dynamic(*at)).count())
    }
}

/// Is it a ranked memref whose elements lie row by row, without gaps?
pub fn is_row_by_row(memref: Type<'_>) -> bool {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first.
    unsafe { mlir_sys::mlirTypeIsAMemRef(raw) && ffi::memplanMemRefIsIdentity(raw) }
}

/// The same memref with these sizes for the dimensions that only the run knows, as many as these are; none if
/// its elements do not lie one behind the other.
pub fn with_sizes<'c>(memref: Type<'c>, sizes: &[i64]) -> Option<Type<'c>> {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first; the shape has its rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw) || !ffi::memplanMemRefIsIdentity(raw) {
            return None;
        }
        let mut given = sizes.iter();
        let shape: Option<Vec<i64>> = (0..mlir_sys::mlirShapedTypeGetRank(raw) as isize)
            .map(|at| match mlir_sys::mlirShapedTypeIsDynamicDim(raw, at) {
                true => given.next().copied(),
                false => Some(mlir_sys::mlirShapedTypeGetDimSize(raw, at)),
            })
            .collect();
        let shape = shape.filter(|_| given.next().is_none())?;
        Type::from_option_raw(mlir_sys::mlirMemRefTypeContiguousGet(
            mlir_sys::mlirShapedTypeGetElementType(raw),
            shape.len() as isize,
            shape.as_ptr(),
            mlir_sys::mlirMemRefTypeGetMemorySpace(raw),
        ))
    }
}

/// How many elements a memref of known shape has.
pub fn element_count(memref: Type<'_>) -> Option<i64> {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first; dimensions are below its rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw) || !mlir_sys::mlirShapedTypeHasStaticShape(raw) {
            return None;
        }
        (0..mlir_sys::mlirShapedTypeGetRank(raw) as isize)
            .map(|at| mlir_sys::mlirShapedTypeGetDimSize(raw, at))
            .try_fold(1_i64, |count, size| count.checked_mul(size))
    }
}

/// How many dimensions a memref has; `None` for any other type.
pub fn rank(memref: Type<'_>) -> Option<usize> {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first.
    unsafe {
        mlir_sys::mlirTypeIsAMemRef(raw).then(|| mlir_sys::mlirShapedTypeGetRank(raw) as usize)
    }
}

/// How many elements a memref of one dimension has, one behind the other; `None` for any other type.
pub fn row_length(memref: Type<'_>) -> Option<i64> {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first, with one dimension.
    unsafe {
        let is_row = mlir_sys::mlirTypeIsAMemRef(raw)
            && mlir_sys::mlirShapedTypeHasStaticShape(raw)
            && mlir_sys::mlirShapedTypeGetRank(raw) == 1
            && ffi::memplanMemRefIsIdentity(raw);
        is_row.then(|| mlir_sys::mlirShapedTypeGetDimSize(raw, 0))
    }
}

/// The memory space of a memref, as MLIR prints it; empty for the default one.
pub fn memory_space(memref: Type<'_>) -> String {
    // SAFETY: a live type of the kind that is asked first.
    unsafe {
        let raw = memref.to_raw();
        let space = if mlir_sys::mlirTypeIsAMemRef(raw) {
            mlir_sys::mlirMemRefTypeGetMemorySpace(raw)
        } else {
            mlir_sys::mlirUnrankedMemrefGetMemorySpace(raw)
        };
        Attribute::from_option_raw(space)
            .map(|space| space.to_string())
            .unwrap_or_default()
    }
}

/// The same ranked memref in another memory space; `None` stands for the default one.
pub fn in_space<'c>(memref: Type<'c>, space: Option<Attribute<'c>>) -> Option<Type<'c>> {
    with_parts(memref, |layout, _| {
        // SAFETY: takes nothing.
        let none = || unsafe { mlir_sys::mlirAttributeGetNull() };
        (layout, space.map_or_else(none, |space| space.to_raw()))
    })
}

/// The same ranked memref in another layout.
pub fn in_layout<'c>(memref: Type<'c>, layout: Attribute<'c>) -> Option<Type<'c>> {
    with_parts(memref, |_, space| (layout.to_raw(), space))
}

/// A ranked memref with another layout and memory space than these.
fn with_parts<'c>(
    memref: Type<'c>,
    parts: impl FnOnce(MlirAttribute, MlirAttribute) -> (MlirAttribute, MlirAttribute),
) -> Option<Type<'c>> {
    let raw = memref.to_raw();
    // SAFETY: a live type of the kind that is asked first; the shape has its rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw) {
            return None;
        }
        let shape: Vec<i64> = (0..mlir_sys::mlirShapedTypeGetRank(raw))
            .map(|index| mlir_sys::mlirShapedTypeGetDimSize(raw, index as isize))
            .collect();
        let (layout, space) = parts(
            mlir_sys::mlirMemRefTypeGetLayout(raw),
            mlir_sys::mlirMemRefTypeGetMemorySpace(raw),
        );
        Type::from_option_raw(mlir_sys::mlirMemRefTypeGet(
            mlir_sys::mlirShapedTypeGetElementType(raw),
            shape.len() as isize,
            shape.as_ptr(),
            layout,
            space,
        ))
    }
}
