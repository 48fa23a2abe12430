//! Sizes of memrefs, as the LLVM lowering lays them out.

use crate::{
    ffi,
    ir::{Identity, Key, Op},
};
use melior::ir::{Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::MlirAttribute;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The reason why a memref has no size that can be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoSize {
    /// The memref is unranked, or a dimension is dynamic.
    Dynamic,
    /// The layout is not the identity.
    Layout,
    /// The size of the element type is not known.
    Element,
    /// The size does not fit an index.
    TooLarge,
}

/// The largest memref that is planned, in bytes.
pub const MAX_BYTES: u64 = 1 << 60;

/// Size and alignment of a memref, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Distance from the first byte to the end of the last one.
    pub size: u64,
    /// Alignment of the element type.
    pub alignment: u64,
}

/// Size of a memref with dynamic dimensions, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicExtent {
    /// The size divided by the product of the dynamic dimensions.
    pub bytes: u64,
    /// Alignment of the element type.
    pub alignment: u64,
}

/// The data layout in force at an operation, with a cache of memref types.
pub struct DataLayout {
    raw: ffi::MemplanDataLayout,
    cache: FxHashMap<Key, Result<Extent, NoSize>>,
}

impl DataLayout {
    /// The data layout at `op`.
    pub fn at(op: Op<'_>) -> Self {
        Self {
            // SAFETY: a live operation; freed in `drop`.
            raw: unsafe { ffi::memplanDataLayoutAt(op.to_raw()) },
            cache: FxHashMap::default(),
        }
    }

    /// Size and alignment of a memref type with static shape.
    pub fn extent(&mut self, memref: Type<'_>) -> Result<Extent, NoSize> {
        if let Some(found) = self.cache.get(&memref.key()) {
            return *found;
        }
        let found = self.compute(memref);
        self.cache.insert(memref.key(), found);
        found
    }

    /// Bytes for each unit of the dynamic dimensions of a memref with the identity layout.
    pub fn dynamic_extent(&self, memref: Type<'_>) -> Result<DynamicExtent, NoSize> {
        let (stride, alignment) = self.element(memref)?;
        let raw = memref.to_raw();
        // SAFETY: a live type, and a memref: `element` checked that.
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

    /// Alignment of a memref's element type, whatever its shape and layout; 1 if it is not known.
    pub fn element_alignment(&self, memref: Type<'_>) -> u64 {
        self.any_element(memref).1
    }

    /// Bytes that an element of a memref takes, whatever its shape and layout; 0 if they are not known.
    pub fn element_bytes(&self, memref: Type<'_>) -> u64 {
        self.any_element(memref).0
    }

    /// Stride and alignment of an element.
    fn any_element(&self, memref: Type<'_>) -> (u64, u64) {
        let (mut stride, mut alignment) = (0, 1);
        // SAFETY: a live type, whose kind is checked first.
        unsafe {
            let raw = memref.to_raw();
            if mlir_sys::mlirTypeIsAShaped(raw) {
                let element = mlir_sys::mlirShapedTypeGetElementType(raw);
                ffi::memplanElementLayout(self.raw, element, &raw mut stride, &raw mut alignment);
            }
        }
        (stride, alignment)
    }

    /// Size and alignment of a value that is no memref, as an element of a memref has them. `None` if they are not
    /// known.
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

    /// Stride and alignment of an element in bytes, of a ranked memref with the identity layout.
    fn element(&self, memref: Type<'_>) -> Result<(u64, u64), NoSize> {
        let raw = memref.to_raw();
        // SAFETY: a live type; each query fits the kind that was checked first.
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
        // SAFETY: a live type; each query fits the kind that was checked first.
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
        // SAFETY: created in `at`, and not used again.
        unsafe { ffi::memplanDataLayoutDestroy(self.raw) }
    }
}

/// The position of a dimension among the dynamic ones. `None` if it is static, or if the memref has no such
/// dimension.
pub fn dynamic_dimension_index(memref: Type<'_>, dimension: usize) -> Option<usize> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first; dimensions are below its rank.
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

/// The size of a dimension of a ranked memref. `None` if it is dynamic, or if the memref has no such dimension.
pub fn static_dimension(memref: Type<'_>, dimension: i64) -> Option<i64> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first; the dimension is below its rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw)
            || !(0..mlir_sys::mlirShapedTypeGetRank(raw)).contains(&dimension)
            || mlir_sys::mlirShapedTypeIsDynamicDim(raw, dimension as isize)
        {
            return None;
        }
        Some(mlir_sys::mlirShapedTypeGetDimSize(raw, dimension as isize))
    }
}

/// The dynamic dimensions of a ranked memref, in order; none for other types.
pub fn dynamic_dimensions(memref: Type<'_>) -> Vec<usize> {
    let dimensions = 0..rank(memref).unwrap_or(0);
    dimensions
        .filter(|dimension| dynamic_dimension_index(memref, *dimension).is_some())
        .collect()
}

/// Is it a ranked memref with the identity layout: row-major without gaps?
pub fn has_identity_layout(memref: Type<'_>) -> bool {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first.
    unsafe { mlir_sys::mlirTypeIsAMemRef(raw) && ffi::memplanMemRefIsIdentity(raw) }
}

/// The memref type with these sizes in place of its dynamic ones. `None` if the number of sizes differs, or if the
/// layout is not the identity.
pub fn with_sizes<'c>(memref: Type<'c>, sizes: &[i64]) -> Option<Type<'c>> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first; the shape has its rank.
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
        with_shape(memref, &shape)
    }
}

/// The memref type with this shape and the identity layout, and the same elements in the same memory space. `None` for
/// other types.
pub fn with_shape<'c>(memref: Type<'c>, shape: &[i64]) -> Option<Type<'c>> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first; the shape has the given length.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw) {
            return None;
        }
        Type::from_option_raw(mlir_sys::mlirMemRefTypeContiguousGet(
            mlir_sys::mlirShapedTypeGetElementType(raw),
            shape.len() as isize,
            shape.as_ptr(),
            mlir_sys::mlirMemRefTypeGetMemorySpace(raw),
        ))
    }
}

/// Number of elements of a memref with static shape.
pub fn element_count(memref: Type<'_>) -> Option<i64> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first; dimensions are below its rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAMemRef(raw) || !mlir_sys::mlirShapedTypeHasStaticShape(raw) {
            return None;
        }
        (0..mlir_sys::mlirShapedTypeGetRank(raw) as isize)
            .map(|at| mlir_sys::mlirShapedTypeGetDimSize(raw, at))
            .try_fold(1_i64, |count, size| count.checked_mul(size))
    }
}

/// Rank of a memref; `None` for other types.
pub fn rank(memref: Type<'_>) -> Option<usize> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first.
    unsafe {
        mlir_sys::mlirTypeIsAMemRef(raw).then(|| mlir_sys::mlirShapedTypeGetRank(raw) as usize)
    }
}

/// The element type of a ranked memref.
pub fn element_type<'c>(memref: Type<'c>) -> Option<Type<'c>> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first.
    unsafe {
        mlir_sys::mlirTypeIsAMemRef(raw)
            .then(|| Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(raw)))
    }
}

/// The element type and the shape of a vector of fixed size; `None` for other types.
pub fn vector_shape(vector: Type<'_>) -> Option<(Type<'_>, SmallVec<[i64; 4]>)> {
    let raw = vector.to_raw();
    // SAFETY: a live type, whose kind is checked first; dimensions are below the rank.
    unsafe {
        if !mlir_sys::mlirTypeIsAVector(raw) || mlir_sys::mlirVectorTypeIsScalable(raw) {
            return None;
        }
        let shape = (0..mlir_sys::mlirShapedTypeGetRank(raw))
            .map(|at| mlir_sys::mlirShapedTypeGetDimSize(raw, at as isize));
        let element = Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(raw));
        Some((element, shape.collect()))
    }
}

/// Whether two memrefs have the same shape; dynamic sizes are the same only to the types.
pub fn have_same_shape(one: Type<'_>, other: Type<'_>) -> bool {
    let (Some(rank), other_rank) = (rank(one), rank(other)) else {
        return false;
    };
    // SAFETY: both are memrefs of this rank.
    let size = |memref: Type<'_>, at: usize| unsafe {
        mlir_sys::mlirShapedTypeGetDimSize(memref.to_raw(), at as isize)
    };
    other_rank == Some(rank) && (0..rank).all(|at| size(one, at) == size(other, at))
}

/// Number of elements of a memref with one static dimension and the identity layout; `None` for other types.
pub fn row_length(memref: Type<'_>) -> Option<i64> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first, with one dimension.
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
    // SAFETY: a live type, whose kind is checked first.
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

/// The memory space of a ranked memref type; `None` is the default one.
pub fn memory_space_of<'c>(memref: Type<'c>) -> Option<Attribute<'c>> {
    melior::ir::r#type::MemRefType::try_from(memref)
        .ok()?
        .memory_space()
}

/// The ranked memref type in another memory space; `None` stands for the default one.
pub fn with_memory_space<'c>(memref: Type<'c>, space: Option<Attribute<'c>>) -> Option<Type<'c>> {
    with_parts(memref, |layout, _| {
        // SAFETY: has no arguments.
        let none = || unsafe { mlir_sys::mlirAttributeGetNull() };
        (layout, space.map_or_else(none, |space| space.to_raw()))
    })
}

/// The ranked memref type with another layout.
pub fn with_layout<'c>(memref: Type<'c>, layout: Attribute<'c>) -> Option<Type<'c>> {
    with_parts(memref, |_, space| (layout.to_raw(), space))
}

/// The ranked memref type with the layout and memory space that `parts` returns for its own.
fn with_parts<'c>(
    memref: Type<'c>,
    parts: impl FnOnce(MlirAttribute, MlirAttribute) -> (MlirAttribute, MlirAttribute),
) -> Option<Type<'c>> {
    let raw = memref.to_raw();
    // SAFETY: a live type, whose kind is checked first; the shape has its rank.
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
