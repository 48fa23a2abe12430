// RUN: not mlir-opt %s %memplan-plugin --pass-pipeline='builtin.module(memplan{planner=none})' 2>&1 | FileCheck %s

// CHECK: option 'planner' takes one of auto
func.func @f() {
  return
}
