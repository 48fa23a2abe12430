//! What pictures call scopes and buffers.

use std::fmt::Write;

use crate::FunctionReport;

/// The scope of that number in a function: `@forward · scope 1: scf.forall · memory space 1`.
pub fn scope(function: &FunctionReport, number: usize) -> String {
    let scope = &function.scopes[number];
    let mut name = match scope.of_program() {
        true => format!("@{}", function.name),
        false => function.name.clone(),
    };
    let several = function.scopes.len() > 1 || scope.kind != "function";
    if several && scope.of_program() {
        _ = write!(name, " · scope {number}: {}", scope.kind);
    }
    if !scope.memory_space.is_empty() {
        _ = write!(name, " · memory space {}", scope.memory_space);
    }
    if let Some(shape) = shape_of(function) {
        _ = write!(name, " · {shape}");
    }
    name
}

/// The dimensions that have only one value: `d0=128, d1=7`.
pub fn shape_of(function: &FunctionReport) -> Option<String> {
    let values = function.dimensions.iter().filter_map(|dimension| {
        let (least, most) = dimension.bounds?;
        (least == most).then(|| format!("{}={least}", dimension.name))
    });
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// `memref<4x4xf32, 1>` without the parts that are the same everywhere: `4x4xf32`.
pub fn shape(ty: &str) -> &str {
    let inner = ty
        .strip_prefix("memref<")
        .and_then(|ty| ty.strip_suffix('>'))
        .unwrap_or(ty);
    inner.split_once(", ").map_or(inner, |(shape, _)| shape)
}

/// A buffer of that id and type: `#7 4x4xf32`.
pub fn buffer(id: u64, ty: &str) -> String {
    match ty {
        "" => format!("#{id}"),
        ty => format!("#{id} {}", shape(ty)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(shape("memref<4x4xf32>"), "4x4xf32");
        assert_eq!(shape("memref<4x4xf32, strided<[4, 1]>, 1>"), "4x4xf32");
        assert_eq!(shape("!gpu.buffer"), "!gpu.buffer");
        assert_eq!(buffer(7, "memref<4xi8>"), "#7 4xi8");
        assert_eq!(buffer(7, ""), "#7");
    }

    #[test]
    fn scopes() {
        let mut report = crate::testing::report(vec![crate::testing::scope(Vec::new())]);
        let function = &mut report.functions[0];
        assert_eq!(scope(function, 0), "@forward");
        function.scopes[0].memory_space = "1".into();
        function.scopes.push(function.scopes[0].clone());
        assert_eq!(
            scope(function, 1),
            "@forward · scope 1: function · memory space 1"
        );
        function.scopes[1].kind = String::new();
        assert_eq!(scope(function, 1), "forward · memory space 1");
    }
}
