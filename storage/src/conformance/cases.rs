//! The cases, each named by what it shows.

/// Fails at the line of the case unless the write was refused in this way.
macro_rules! assert_refused {
    ($result:expr, $refusal:pat $(if $guard:expr)?) => {
        match $result {
            Err($refusal) $(if $guard)? => {}
            other => panic!("expected {}, got {other:?}", stringify!($refusal $(if $guard)?)),
        }
    };
}

mod answers;
mod commits;
mod events;
mod list;
mod service;
mod streams;
mod tokens;

pub(super) use answers::*;
pub(super) use commits::*;
pub(super) use events::*;
pub(super) use list::*;
pub(super) use service::*;
pub(super) use streams::*;
pub(super) use tokens::*;
