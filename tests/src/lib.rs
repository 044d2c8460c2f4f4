//! The referee from outside: a real server, a real file, HTTP. See `tests/api`; the load generator
//! is [`load`].

pub mod load;
