//! Colours, lines and letters.

/// Shades that a buffer may have; classes `c0` to `c3`, and `p0` to `p3` for those at the peak.
pub const SHADES: usize = 4;

/// Roughly the width of a letter in a box, in pixels.
pub const LETTER: f64 = 6.1;

/// The style sheet, for light and for dark. Every rule starts from the class of the root, so that pictures put into one
/// page with others stay apart.
pub const SHEET: &str = "
.memplan text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#52606d}
.memplan .page{fill:#fff}
.memplan .title{font-size:17px;font-weight:600;fill:#1f2933}
.memplan .strong{font-weight:600;fill:#1f2933}
.memplan .end{text-anchor:end}
.memplan .mid{text-anchor:middle}
.memplan .plot{fill:#f7f9fb}
.memplan .grid{stroke:#e4e9ee;stroke-width:1}
.memplan .frame{stroke:#9aa5b1;stroke-width:1}
.memplan .planned{stroke:#1f2933;stroke-width:1.5}
.memplan .bound{stroke:#1f2933;stroke-width:1;stroke-dasharray:6 4}
.memplan .peak{stroke:#b44d12;stroke-opacity:.7;stroke-width:1;stroke-dasharray:3 3}
.memplan .peakband{fill:#b44d12;fill-opacity:.1}
.memplan .peaktext{font-weight:600;fill:#b44d12}
.memplan .load{fill:#7b8fa8;fill-opacity:.35;stroke:#56697f;stroke-width:1}
.memplan .bar{fill:#9fb3c8}
.memplan .bar2{fill:#334e68}
.memplan .b{stroke:#fff;stroke-width:.8}
.memplan .t{stroke:none}
.memplan .join{stroke:#334e68;stroke-width:1;stroke-dasharray:3 2}
.memplan .gap{fill:none;stroke:#1f2933;stroke-opacity:.75;stroke-width:1;stroke-dasharray:2 3;pointer-events:none}
.memplan .strips{fill:#bfe3d6;stroke:#14705a;stroke-width:1}
.memplan .stripedge{stroke:#14705a;stroke-opacity:.55;stroke-width:1;stroke-dasharray:4 3;pointer-events:none}
.memplan .lines{fill:none;stroke:#14705a;stroke-width:1.5;pointer-events:none}
.memplan .bank{stroke:#7a3e9d;stroke-width:1.2;stroke-dasharray:8 3;pointer-events:none}
.memplan .bankname{font-size:11px;font-weight:600;fill:#7a3e9d;pointer-events:none;paint-order:stroke;stroke:#fff;stroke-opacity:.7;stroke-width:2.5px}
.memplan .excluded{fill:#9aa5b1;fill-opacity:.45}
.memplan .c0{fill:#b9cbe0}
.memplan .c1{fill:#a6bdd7}
.memplan .c2{fill:#c9d8e8}
.memplan .c3{fill:#94afcd}
.memplan .p0{fill:#f3c18f}
.memplan .p1{fill:#edae72}
.memplan .p2{fill:#f7d2ab}
.memplan .p3{fill:#e69d5c}
.memplan .curve{fill:none;stroke:#334e68;stroke-width:1.5}
.memplan .mark{fill:#334e68}
.memplan .chosen{fill:none;stroke:#b44d12;stroke-width:2}
.memplan .in2{font-size:11px}
.memplan .in{font-size:11px;fill:#1f2933;text-anchor:middle;pointer-events:none;paint-order:stroke;stroke:#fff;stroke-opacity:.45;stroke-width:2.5px}
@media (prefers-color-scheme:dark){
.memplan text{fill:#a0a6b0}
.memplan .page{fill:#16181c}
.memplan .title,.memplan .strong,.memplan .in{fill:#e8eaed}
.memplan .in,.memplan .b{stroke:#16181c}
.memplan .plot{fill:#1f2228}
.memplan .grid{stroke:#2e323a}
.memplan .frame{stroke:#6b7380}
.memplan .planned,.memplan .bound{stroke:#e8eaed}
.memplan .peak,.memplan .chosen{stroke:#f0955a}
.memplan .peakband,.memplan .peaktext{fill:#f0955a}
.memplan .load{stroke:#9fb3c8}
.memplan .bar{fill:#47586c}
.memplan .bar2,.memplan .mark{fill:#9fb3c8}
.memplan .join,.memplan .curve{stroke:#9fb3c8}
.memplan .bank{stroke:#c9a0e8}
.memplan .bankname{fill:#c9a0e8;stroke:#16181c}
.memplan .gap{stroke:#e8eaed}
.memplan .strips{fill:#1d4f42}
.memplan .strips,.memplan .stripedge,.memplan .lines{stroke:#5fd0ae}
.memplan .c0{fill:#34495f}
.memplan .c1{fill:#3d566f}
.memplan .c2{fill:#2e4156}
.memplan .c3{fill:#466380}
.memplan .p0{fill:#8a5a2b}
.memplan .p1{fill:#9a6632}
.memplan .p2{fill:#7a4f26}
.memplan .p3{fill:#a87139}
}
";
