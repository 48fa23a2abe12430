//! Dynamic storage allocation: from buffers with live ranges to offsets
