//! From outside.
