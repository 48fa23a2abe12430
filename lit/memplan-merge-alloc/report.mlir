// RUN: rm -f %t.json %t.single.json %t.func.json
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-size report=%t.json})' \
// RUN:   --split-input-file -o /dev/null
// RUN: sed -n 's,^// JSON ,,p' %s | diff - %t.json
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-size report=%t.single.json})' \
// RUN:   --split-input-file --mlir-disable-threading -o /dev/null
// RUN: cmp %t.json %t.single.json
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-size report=-})' \
// RUN:   --split-input-file -o /dev/null 2> %t.err
// RUN: memplan table --check %t.json > %t.txt
// RUN: memplan table --check %t.err | diff %t.txt -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{planner=by-size \
// RUN:   report=%t.func.json}))' --split-input-file -o /dev/null
// RUN: cmp %t.json %t.func.json

// The exact report of planned and skipped buffers; a second chunk is in the same document. Standard error gets one for each.
// JSON {"version":1,"functions":[
// JSON   {"name":"first","scopes":[
// JSON     {"kind":"function","location":"model:0:1","arena":"alloc","memory_space":"","planner":"by-size","optimal":true,"naive_bytes":512,"load_bytes":256,"lower_bound_bytes":256,"lower_bound_proof":"load","op_floor_bytes":256,"planned_bytes":256,"alignment":128,"buffers":[
// JSON       {"id":0,"location":"model:1:1","type":"memref<64xf32>","size":256,"alignment":64,"offset":0,"live":[[2,3]],"in_place_with":null},
// JSON       {"id":1,"location":"model:2:1","type":"memref<64xf32>","size":256,"alignment":128,"offset":0,"live":[[4,5]],"in_place_with":null}],"peak":{"op":{"name":"func.call","location":"model:6:1"},"buffers":[
// JSON       {"id":0,"made_by":{"name":"func.call","location":"model:6:1"},"is_used":true}]}}],"skipped":[
// JSON     {"location":"model:3:1","type":"memref<8xf32>","reason":"returned"}],"program":"given","functions_read":1,"heap_bytes":256,"heap_lower_bound_bytes":256},
// JSON   {"name":"second","scopes":[],"skipped":[],"program":"given","functions_read":0},
// JSON   {"name":"other_chunk","scopes":[
// JSON     {"kind":"parallel","location":"model:4:1","arena":"alloc","memory_space":"","planner":"by-size","optimal":true,"naive_bytes":256,"load_bytes":256,"lower_bound_bytes":256,"lower_bound_proof":"load","op_floor_bytes":256,"planned_bytes":256,"alignment":64,"buffers":[
// JSON       {"id":0,"location":"model:5:1","type":"memref<64xf32>","size":256,"alignment":64,"offset":0,"live":[[4,5]],"in_place_with":null}],"peak":{"op":{"name":"func.call","location":"model:7:1"},"buffers":[
// JSON       {"id":0,"made_by":{"name":"func.call","location":"model:7:1"},"is_used":true}]}}],"skipped":[],"program":"given","functions_read":1}],"chunks":[
// JSON   {"first":0,"functions":2},
// JSON   {"first":2,"functions":1}]}

func.func private @use(memref<64xf32>)
func.func @first() -> memref<8xf32> {
  %a = memref.alloc() : memref<64xf32> loc("model":1:1)
  call @use(%a) : (memref<64xf32>) -> () loc("model":6:1)
  %b = memref.alloc() {alignment = 128} : memref<64xf32> loc("model":2:1)
  call @use(%b) : (memref<64xf32>) -> ()
  %r = memref.alloc() : memref<8xf32> loc("model":3:1)
  return %r : memref<8xf32>
} loc("model":0:1)
func.func @second() {
  return
} loc("model":9:1)

// -----

func.func private @use(memref<64xf32>)
func.func @other_chunk(%n: index) {
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<64xf32> loc("model":5:1)
    func.call @use(%a) : (memref<64xf32>) -> () loc("model":7:1)
  } loc("model":4:1)
  return
}
