//! From IR to facts: buffers, aliases, escapes, live ranges
