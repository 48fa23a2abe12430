//! Plans as JSON, text and SVG
