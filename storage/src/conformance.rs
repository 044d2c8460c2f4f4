//! What every backend promises, as tests.
//!
//! A backend implements [`Backend`] and writes one line into its tests:
//!
//! ```text
//! storage::conformance!(MyBackend::new());
//! ```
//!
//! That emits a test for each case. A case that is left out of the list below is dead code and
//! does not compile without a warning, and a backend cannot leave one out at all.
//!
//! The crate that uses the macro needs tokio with `macros` and `rt-multi-thread`.

#[expect(
    clippy::unwrap_used,
    reason = "these are tests, though the compiler cannot know"
)]
mod cases;
mod fixtures;

use std::sync::Arc;

use async_trait::async_trait;

use crate::EventStore;

/// Gives stores to the suite. A fresh value has an empty record of its own.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Opens the record of this value: the first time an empty one, and later, when the store
    /// before was closed, what that has left.
    async fn open(&self) -> Arc<dyn EventStore>;
}

/// Writes each case as a public function, for the tests that [`conformance!`] emits. `$` comes
/// in as a token, since a macro that writes a macro has no other way to write one.
macro_rules! list {
    ($d:tt $($case:ident)*) => {
        $(
            #[doc = concat!("Shows: ", stringify!($case), ".")]
            pub async fn $case(backend: &dyn Backend) {
                cases::$case(backend).await;
            }
        )*

        /// Emits one test for each case of the suite. Takes an expression that gives a fresh
        /// [`Backend`](crate::conformance::Backend).
        #[macro_export]
        macro_rules! conformance {
            ($d backend:expr) => {
                $(
                    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                    async fn $case() {
                        $crate::conformance::$case(&$d backend).await;
                    }
                )*
            };
        }
    };
}

list! { $
    a_stream_comes_back_as_it_was_created
    a_stream_is_created_once
    a_commit_moves_version_head_and_summary
    events_come_back_in_order_and_in_pages
    a_long_batch_comes_back_in_pages
    any_text_comes_back_byte_for_byte
    events_out_of_shape_are_refused
    a_conflict_names_both_versions
    of_racing_commits_exactly_one_is_recorded
    of_racing_creations_exactly_one_is_recorded
    an_answer_is_kept_without_events
    an_answer_is_given_once_in_its_scope
    tokens_open_their_stream_until_they_are_revoked
    a_token_is_known_once_for_ever
    only_tokens_of_the_stream_can_be_revoked
    a_refused_commit_leaves_nothing
    a_refused_creation_leaves_nothing
    public_streams_are_listed_newest_first
    the_list_is_filtered_by_kind_and_by_status_now
    children_are_named_oldest_first
    what_is_unknown_is_not_there
    concurrent_commits_to_many_streams_are_all_recorded
    a_store_in_order_is_ready
    a_closed_store_is_unavailable
    what_was_acknowledged_is_there_after_reopening
}
