//! What is told of a record that was judged.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::game::desk::{Json, TurnJson};
use crate::game::judge::Irregular;
use crate::ruleset::Standing;
use crate::ruling::Citation;

/// What came of judging a record.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Judgement {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The last seq that the entries led to.
    pub version: u64,
    /// The table as the entries left it; before the entry that was refused, where one was.
    #[schema(value_type = crate::rulesets::AnyView)]
    pub view: Json,
    /// Whether the record leaves something out, so that it was judged like a table's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    /// A line for each entry, where refused ones were to be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// How often each rule was cited by an event of the record.
    pub rules_seen: BTreeMap<&'static str, u64>,
    /// The moves that stood although the rules forbid them. They do not make a record illegal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregular>,
    /// Where judging by the version asked for first differs from the record's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_differ: Option<RulesDiffer>,
}

/// Whether a record holds.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It does.
    Legal {
        /// How many entries were judged.
        entries: u64,
        /// Who must act.
        turn: TurnJson,
        /// How the game ended; null while it goes on.
        result: Option<Standing>,
    },
    /// A rule forbids an entry.
    Illegal {
        /// Which, from 0.
        at_entry: u64,
        /// The rule.
        #[schema(value_type = Object)]
        rule: &'static Citation,
        /// Why, in the game's terms.
        detail: String,
        /// Who must act.
        turn: TurnJson,
    },
    /// The events are not those that the entries lead to, or are not tied together as they say.
    Diverged {
        /// The seq where that shows.
        at_seq: u64,
        /// What belongs there; null where nothing does.
        #[schema(value_type = Option<Object>, required = true)]
        expected: Value,
        /// What stands there; null where nothing does.
        #[schema(value_type = Option<Object>, required = true)]
        found: Value,
    },
}

/// What came of one entry.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Line {
    /// It is legal.
    Accepted {
        /// Which, from 0.
        entry: u64,
    },
    /// It is refused and left out.
    Refused {
        /// Which, from 0.
        entry: u64,
        /// The rule.
        #[schema(value_type = Object)]
        rule: &'static Citation,
        /// Why, in the game's terms.
        detail: String,
    },
    /// It was left out unjudged: an outcome of what was refused before it.
    Skipped {
        /// Which, from 0.
        entry: u64,
    },
}

/// Where two versions of the rules first part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct RulesDiffer {
    /// The version that the record was made under.
    pub pinned: u16,
    /// The version that it was judged by.
    pub judged_by: u16,
    /// The first entry that they judge differently; null where they agree on all.
    pub at_entry: Option<u64>,
}
