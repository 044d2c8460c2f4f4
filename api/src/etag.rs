//! Versions as entity tags (RFC 9110, sections 8.8.3 and 13.1): version 7 is `"7"`.

use actix_web::http::header::{ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};

use crate::problem::Problem;

/// The `ETag` header of an answer about a game at `version`.
pub fn etag(version: u64) -> (HeaderName, HeaderValue) {
    let tag = HeaderValue::from_str(&format!("\"{version}\"")).expect("digits are visible ASCII");
    (ETAG, tag)
}

/// What `If-Match` asks of the version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing: there was no header, or it was `*` and the game exists.
    Unconditional,
    /// The version is one of these.
    OneOf(Vec<u64>),
}

impl Precondition {
    /// What these headers ask. Tags that are weak or no version match nothing; what is no list of
    /// tags is refused.
    pub fn from_headers(headers: &HeaderMap) -> Result<Self, Problem> {
        let malformed =
            || Problem::invalid_request("If-Match is neither * nor a list of entity tags");
        match condition(headers, &IF_MATCH) {
            None => Ok(Self::Unconditional),
            Some(None) => Err(malformed()),
            Some(Some(Condition::Any)) => Ok(Self::Unconditional),
            Some(Some(Condition::Tags(tags))) => Ok(Self::OneOf(
                tags.iter()
                    .filter(|tag| !tag.weak)
                    .filter_map(|tag| tag.version())
                    .collect(),
            )),
        }
    }

    /// Refuses a command that was made for another version than `current`.
    pub fn check(&self, current: u64) -> Result<(), Problem> {
        match self {
            Self::OneOf(versions) if !versions.contains(&current) => {
                Err(Problem::version_mismatch(current))
            }
            Self::Unconditional | Self::OneOf(_) => Ok(()),
        }
    }
}

/// Whether the client already holds `version` (`If-None-Match`, compared weakly), so that a read
/// is answered with 304. A malformed header asks for nothing.
pub fn is_held(headers: &HeaderMap, version: u64) -> bool {
    match condition(headers, &IF_NONE_MATCH).flatten() {
        None => false,
        Some(Condition::Any) => true,
        Some(Condition::Tags(tags)) => tags.iter().any(|tag| tag.version() == Some(version)),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Condition<'a> {
    Any,
    Tags(Vec<Tag<'a>>),
}

#[derive(Debug, PartialEq, Eq)]
struct Tag<'a> {
    weak: bool,
    opaque: &'a str,
}

impl Tag<'_> {
    /// The version that it names, written as we write it: `"07"` is not `"7"`.
    fn version(&self) -> Option<u64> {
        let version = self.opaque.parse::<u64>().ok()?;
        (version.to_string() == self.opaque).then_some(version)
    }
}

/// None without the header; Some(None) when it is malformed.
fn condition<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Option<Condition<'a>>> {
    let mut fields = headers.get_all(name).peekable();
    fields.peek()?;
    let mut tags = Vec::new();
    for field in fields {
        // Only ASCII can be a version or `*`; other bytes are allowed in a tag, but by nobody used.
        let Ok(field) = field.to_str() else {
            return Some(None);
        };
        if field.trim() == "*" {
            return Some((headers.get_all(name).count() == 1).then_some(Condition::Any));
        }
        match entity_tags(field) {
            Some(list) => tags.extend(list),
            None => return Some(None),
        }
    }
    Some((!tags.is_empty()).then_some(Condition::Tags(tags)))
}

/// `#entity-tag`: a comma may stand inside the quotes, and list elements may be empty.
fn entity_tags(field: &str) -> Option<Vec<Tag<'_>>> {
    let mut tags = Vec::new();
    let mut rest = field.trim_start();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(',') {
            rest = after.trim_start();
            continue;
        }
        let (weak, quoted) = match rest.strip_prefix("W/") {
            Some(quoted) => (true, quoted),
            None => (false, rest),
        };
        let (opaque, after) = quoted.strip_prefix('"')?.split_once('"')?;
        if opaque.contains(|c: char| c.is_ascii_whitespace()) {
            return None;
        }
        tags.push(Tag { weak, opaque });
        rest = after.trim_start();
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
    }
    Some(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, fields: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for field in fields {
            headers.append(name.clone(), HeaderValue::from_str(field).unwrap());
        }
        headers
    }

    fn if_match(fields: &[&str]) -> Result<Precondition, u16> {
        Precondition::from_headers(&headers(IF_MATCH, fields))
            .map_err(|problem| problem.details().status)
    }

    #[test]
    fn a_version_is_asked_for_by_its_tag() {
        assert_eq!(if_match(&["\"7\""]), Ok(Precondition::OneOf(vec![7])));
        assert_eq!(
            if_match(&["\"7\", ,\"9\"", "\"11\""]),
            Ok(Precondition::OneOf(vec![7, 9, 11]))
        );
        assert_eq!(if_match(&["*"]), Ok(Precondition::Unconditional));
        assert_eq!(if_match(&[]), Ok(Precondition::Unconditional));
    }

    #[test]
    fn a_tag_that_is_no_version_or_weak_matches_nothing() {
        for tag in [
            "W/\"7\"",
            "\"07\"",
            "\"+7\"",
            "\"seven\"",
            "\"7,8\"",
            "\"\"",
        ] {
            assert_eq!(if_match(&[tag]), Ok(Precondition::OneOf(vec![])), "{tag}");
        }
    }

    #[test]
    fn what_is_no_list_of_tags_is_refused() {
        for field in [
            "7",
            "\"7",
            "'7'",
            "\"7\" \"8\"",
            "w/\"7\"",
            "\"7\", *",
            "\"a b\"",
            "",
            ",",
        ] {
            assert_eq!(if_match(&[field]), Err(400), "{field}");
        }
        assert_eq!(if_match(&["*", "\"7\""]), Err(400));
    }

    #[test]
    fn the_precondition_holds_at_its_version_alone() {
        let seven = Precondition::OneOf(vec![7]);
        assert!(seven.check(7).is_ok());
        let problem = seven.check(8).unwrap_err();
        assert_eq!(
            (problem.details().status, problem.details().version),
            (412, Some(8))
        );
        assert!(Precondition::Unconditional.check(8).is_ok());
        assert!(Precondition::OneOf(vec![]).check(8).is_err());
    }

    #[test]
    fn a_held_version_is_known_by_weak_comparison() {
        let held = |field| is_held(&headers(IF_NONE_MATCH, &[field]), 7);
        assert!(held("\"6\", W/\"7\""));
        assert!(held("*"));
        assert!(!held("\"8\""));
        assert!(!held("7"));
    }

    #[test]
    fn the_tag_given_is_the_tag_taken() {
        let (_, tag) = etag(7);
        assert_eq!(
            if_match(&[tag.to_str().unwrap()]),
            Ok(Precondition::OneOf(vec![7]))
        );
    }
}
