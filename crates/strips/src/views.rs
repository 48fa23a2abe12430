//! A dimension of a buffer, seen through views.

use smallvec::SmallVec;

/// A step from a memref to a view of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Every `stride`-th element from `offset` on of each dimension.
    Part {
        /// For each dimension of the source.
        offsets: SmallVec<[i64; 4]>,
        /// For each dimension of the source.
        sizes: SmallVec<[i64; 4]>,
        /// For each dimension of the source.
        strides: SmallVec<[i64; 4]>,
        /// For each dimension of the source the one of the view that it becomes, if it does not vanish.
        becomes: SmallVec<[Option<u32>; 4]>,
    },
    /// Dimension i of the view is dimension `order[i]` of the source.
    Transpose {
        /// For each dimension of the view.
        order: SmallVec<[u32; 4]>,
    },
    /// Each dimension of the source becomes a group of dimensions of the view.
    Expand(Groups),
    /// Each group of dimensions of the source becomes a dimension of the view.
    Collapse(Groups),
}

/// Which dimensions of one memref are one dimension of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// For each dimension of the memref with fewer, those of the other.
    pub groups: SmallVec<[SmallVec<[u32; 4]>; 4]>,
    /// The shape of the memref with more.
    pub shape: SmallVec<[i64; 6]>,
}

/// What an access sees of a buffer: all of it, or what a list of steps leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// From the buffer on.
    pub steps: Vec<Step>,
    /// Whether it has all elements of the buffer.
    pub is_whole: bool,
}

/// Which rows of a buffer are rows of a view. Rows p to q of the view (q not included) are
///
/// * rows `offset + stride * p` to `offset + stride * (q - 1) + 1` of the buffer, or
/// * rows `p * rows / per` to `q * rows / per`, where dimensions are grouped otherwise (offset 0, stride 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowMap {
    /// First row.
    pub offset: i64,
    /// Rows from one to the next.
    pub stride: i64,
    /// Rows of the buffer
    pub rows: i64,
    /// that are so many rows of the view.
    pub per: i64,
    /// A strip has a multiple of so many rows of the buffer: views between them group these.
    pub unit: i64,
}

impl RowMap {
    /// Each row of the view is that of the buffer.
    pub const SAME: Self = Self {
        offset: 0,
        stride: 1,
        rows: 1,
        per: 1,
        unit: 1,
    };

    /// Whether rows of one are groups of rows of the other, or of a view between them.
    pub const fn is_grouped(&self) -> bool {
        self.rows != 1 || self.per != 1 || self.unit != 1
    }

    /// Whether so many rows of the view are whole groups everywhere.
    pub const fn has_whole_groups(&self, rows: i64) -> bool {
        rows * self.rows % self.per == 0 && rows * self.rows / self.per % self.unit == 0
    }
}

/// A dimension of a buffer, and of a view of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The buffer's dimension.
    pub buffer: u32,
    /// The view's dimension.
    pub view: u32,
    /// The rows.
    pub map: RowMap,
}

impl Seen {
    /// A dimension of a memref, as it is.
    const fn same(dimension: u32) -> Self {
        Self {
            buffer: dimension,
            view: dimension,
            map: RowMap::SAME,
        }
    }
}

impl View {
    /// Follows a dimension of the view to the buffer. `None` if it is mixed with others, or not a dimension there.
    pub fn from_view(&self, dimension: u32) -> Option<Seen> {
        if self.steps.is_empty() {
            return Some(Seen::same(dimension));
        }
        let (mut at, mut steps) = (dimension, SmallVec::<[Scale; 4]>::new());
        for step in self.steps.iter().rev() {
            let (source, scale) = step.to_source(at)?;
            steps.push(scale);
            at = source;
        }
        Some(Seen {
            buffer: at,
            view: dimension,
            map: composed(steps.into_iter().rev())?,
        })
    }

    /// Follows a dimension of the buffer to the view.
    pub fn from_buffer(&self, dimension: u32) -> Option<Seen> {
        if self.steps.is_empty() {
            return Some(Seen::same(dimension));
        }
        let (mut at, mut steps) = (dimension, SmallVec::<[Scale; 4]>::new());
        for step in &self.steps {
            let (view, scale) = step.to_view(at)?;
            steps.push(scale);
            at = view;
        }
        Some(Seen {
            buffer: dimension,
            view: at,
            map: composed(steps.into_iter())?,
        })
    }
}

/// What one step does to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Nothing.
    Same,
    /// Rows of the view are some of the source.
    Part {
        /// The first one.
        offset: i64,
        /// Rows from one to the next.
        stride: i64,
    },
    /// A row of the view is so many of the source.
    Wider(i64),
    /// A row of the source is so many of the view.
    Narrower(i64),
}

impl Step {
    fn to_source(&self, dimension: u32) -> Option<(u32, Scale)> {
        let index = dimension as usize;
        match self {
            Self::Part { becomes, .. } => {
                let source = becomes.iter().position(|to| *to == Some(dimension))?;
                Some((source as u32, self.part(source)?))
            }
            Self::Transpose { order } => Some((*order.get(index)?, Scale::Same)),
            Self::Expand(groups) => {
                let (few, rows) = groups.outermost(dimension)?;
                Some((few, Scale::Wider(rows)))
            }
            Self::Collapse(groups) => {
                let (many, rows) = groups.of_group(dimension)?;
                Some((many, Scale::Narrower(rows)))
            }
        }
    }

    /// The dimension of the view that a dimension of the source becomes.
    pub fn to_view(&self, dimension: u32) -> Option<(u32, Scale)> {
        let index = dimension as usize;
        match self {
            Self::Part { becomes, .. } => Some(((*becomes.get(index)?)?, self.part(index)?)),
            Self::Transpose { order } => {
                let view = order.iter().position(|from| *from == dimension)?;
                Some((view as u32, Scale::Same))
            }
            Self::Expand(groups) => {
                let (many, rows) = groups.of_group(dimension)?;
                Some((many, Scale::Wider(rows)))
            }
            Self::Collapse(groups) => {
                let (few, rows) = groups.outermost(dimension)?;
                Some((few, Scale::Narrower(rows)))
            }
        }
    }

    fn part(&self, source: usize) -> Option<Scale> {
        let Self::Part {
            offsets, strides, ..
        } = self
        else {
            return None;
        };
        let (offset, stride) = (*offsets.get(source)?, *strides.get(source)?);
        (stride > 0).then_some(Scale::Part { offset, stride })
    }
}

impl Groups {
    /// The dimension of the memref with fewer that a dimension is the outermost part of, and rows of it in one of the
    /// other.
    fn outermost(&self, many: u32) -> Option<(u32, i64)> {
        let few = self.groups.iter().position(|group| group.contains(&many))?;
        let (outermost, rows) = self.of_group(few as u32)?;
        (outermost == many).then_some((few as u32, rows))
    }

    /// The outermost dimension of a group that has not one row only, and the elements in one of its rows.
    fn of_group(&self, few: u32) -> Option<(u32, i64)> {
        let group = self.groups.get(few as usize)?;
        let size = |many: &u32| self.shape.get(*many as usize).copied();
        let at = group.iter().position(|many| size(many) != Some(1))?;
        let rows = group[at + 1..].iter().map(size).product::<Option<i64>>()?;
        (rows > 0).then_some((group[at], rows))
    }
}

/// What steps do to rows, one after the other.
fn composed(steps: impl Iterator<Item = Scale>) -> Option<RowMap> {
    let mut map = RowMap::SAME;
    for step in steps {
        match step {
            Scale::Same | Scale::Wider(1) | Scale::Narrower(1) => continue,
            Scale::Part {
                offset: 0,
                stride: 1,
            } => continue,
            Scale::Part { offset, stride } if !map.is_grouped() => {
                map.offset += map.stride * offset;
                map.stride *= stride;
            }
            Scale::Wider(rows) if (map.offset, map.stride) == (0, 1) => map.rows *= rows,
            Scale::Narrower(rows) if (map.offset, map.stride) == (0, 1) => map.per *= rows,
            _ => return None,
        }
        let common = greatest_common_divisor(map.rows, map.per);
        map.rows /= common;
        map.per /= common;
        let common = greatest_common_divisor(map.rows, map.unit);
        map.unit = (map.rows / common).checked_mul(map.unit)?;
    }
    Some(map)
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    match other {
        0 => one.abs().max(1),
        _ => greatest_common_divisor(other, one % other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    fn view(steps: Vec<Step>) -> View {
        View {
            steps,
            is_whole: false,
        }
    }

    fn groups() -> Groups {
        Groups {
            groups: smallvec![smallvec![0, 1], smallvec![2, 3]],
            shape: smallvec![1, 8, 4, 5],
        }
    }

    #[test]
    fn parts_of_parts_add_up() {
        let part = |offset, stride| Step::Part {
            offsets: smallvec![0, offset],
            sizes: smallvec![4, 4],
            strides: smallvec![1, stride],
            becomes: smallvec![Some(0), Some(1)],
        };
        let seen = view(vec![part(3, 2), part(5, 4)]).from_view(1).unwrap();
        assert_eq!((seen.buffer, seen.map.offset, seen.map.stride), (1, 13, 8));
        assert_eq!(view(vec![part(3, -1)]).from_view(1), None);
    }

    #[test]
    fn a_dimension_that_vanishes_is_not_followed() {
        let step = Step::Part {
            offsets: smallvec![2, 0, 0],
            sizes: smallvec![1, 4, 4],
            strides: smallvec![1, 1, 1],
            becomes: smallvec![None, Some(0), Some(1)],
        };
        let view = view(vec![step]);
        assert_eq!(view.from_buffer(0), None);
        assert_eq!(view.from_view(0).map(|seen| seen.buffer), Some(1));
    }

    #[test]
    fn only_the_outermost_dimension_of_a_group_has_rows() {
        let expanded = view(vec![Step::Expand(groups())]);
        let seen = expanded.from_view(2).unwrap();
        assert_eq!((seen.buffer, seen.map.rows, seen.map.per), (1, 5, 1));
        assert_eq!(expanded.from_view(3), None);
        // The dimension before it has one row.
        assert_eq!(expanded.from_buffer(0).map(|seen| seen.view), Some(1));
        let collapsed = view(vec![Step::Collapse(groups())]);
        let seen = collapsed.from_view(1).unwrap();
        assert_eq!((seen.buffer, seen.map.rows, seen.map.per), (2, 1, 5));
        assert_eq!(collapsed.from_buffer(3), None);
    }

    #[test]
    fn a_transposed_dimension_is_found_from_both_sides() {
        let view = view(vec![Step::Transpose {
            order: smallvec![2, 0, 1],
        }]);
        assert_eq!(view.from_view(0).map(|seen| seen.buffer), Some(2));
        assert_eq!(view.from_buffer(2).map(|seen| seen.view), Some(0));
    }

    #[test]
    fn groups_that_undo_each_other_leave_rows_in_groups() {
        let view = view(vec![Step::Expand(groups()), Step::Collapse(groups())]);
        let map = view.from_view(1).unwrap().map;
        assert_eq!((map.rows, map.per, map.unit), (1, 1, 5));
        assert!(map.has_whole_groups(10) && !map.has_whole_groups(4));
    }
}
