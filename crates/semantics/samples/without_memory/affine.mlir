// affine.apply
func.func @affine_apply(%i: index, %j: index) -> index {
  %r = affine.apply affine_map<(i)[n] -> (i * 3 + n floordiv 2 - 1)>(%i)[%j]
  return %r : index
}
// -----
// affine.apply: division
func.func @affine_apply_division(%i: index, %j: index) -> (index, index, index) {
  %a = affine.apply affine_map<(i, j) -> ((i - j * 5) floordiv 3)>(%i, %j)
  %b = affine.apply affine_map<(i, j) -> ((i - j * 5) ceildiv 3)>(%i, %j)
  %c = affine.apply affine_map<(i, j) -> ((i - j * 5) mod 3)>(%i, %j)
  return %a, %b, %c : index, index, index
}
// -----
// affine.min, affine.max
func.func @affine_extremes(%i: index, %j: index) -> (index, index) {
  %a = affine.min affine_map<(i)[n] -> (i * 3, n + 7, 100)>(%i)[%j]
  %b = affine.max affine_map<(i)[n] -> (i * 3, n + 7, 1)>(%i)[%j]
  return %a, %b : index, index
}
// -----
// affine.delinearize_index
func.func @affine_delinearize_index(%i: index, %n: index) -> (index, index, index) {
  %k = arith.constant 13 : index
  %s = arith.muli %i, %k : index
  %a:3 = affine.delinearize_index %s into (4, 3, 5) : index, index, index
  return %a#0, %a#1, %a#2 : index, index, index
}
// -----
// affine.delinearize_index: of a basis that is not constant
func.func @affine_delinearize_index_dynamic(%i: index, %n: index) -> (index, index, index) {
  %k = arith.constant 13 : index
  %s = arith.muli %i, %k : index
  %a:3 = affine.delinearize_index %s into (%n, 5) : index, index, index
  return %a#0, %a#1, %a#2 : index, index, index
}
// -----
// affine.linearize_index
func.func @affine_linearize_index(%i: index, %j: index, %n: index) -> (index, index) {
  %one = arith.constant 1 : index
  %a = affine.linearize_index [%i, %one, %j] by (4, 3, 5) : index
  %b = affine.linearize_index disjoint [%i, %one, %one] by (%n, 5) : index
  return %a, %b : index, index
}
