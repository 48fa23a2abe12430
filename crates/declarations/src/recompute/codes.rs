//! Diagnostics of the pass.

use super::refusal::Refusal;
use memplan_interface::{codes, codes::Reason};

codes! {
    RECOMPUTED = "memplan-R415" {
        summary: "The contents of a buffer are computed again before a late use",
        meaning: "With `remarks=true`, at the operation that computes the buffer. The message gives the operations and innermost \
                  iterations that are repeated, also in percent of those of the function. It gives the size of the buffer, which is \
                  not held in between any more. Then come the bytes of the plan after and before all that was recomputed together.",
        advice: "Nothing. `max-recompute` bounds what is repeated.",
        example: "memplan-recompute{remarks=true}" => "\
func.func @f(%x: memref<64xf32>, %zero: f32, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}",
    }
    HELD = "memplan-R416" {
        summary: "A buffer is held at the peak, between its uses",
        meaning: "With `remarks=true`: no operation uses the buffer where the most bytes are live at once, but one before and \
                  one after that do. The message gives the reason, with an id, why its contents are not computed again. Only the \
                  largest such buffers get a remark.",
        advice: "The message and the list below say what prevents it.",
        reasons: refusals,
    }
}

fn refusals() -> Vec<Reason> {
    let reasons = Refusal::ALL.iter().map(|reason| Reason {
        id: reason.id(),
        text: reason.text(),
        advice: None,
    });
    reasons.collect()
}
