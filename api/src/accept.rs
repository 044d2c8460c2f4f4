//! Content negotiation by `Accept` (RFC 9110, section 12.5.1).

use actix_web::http::header::{ACCEPT, HeaderMap, Quality, QualityItem};
use mime::Mime;

/// The one of `offers` that the client likes best; among equals the first. None when it excludes
/// them all. A client that sends no header, or none that can be read, takes anything.
pub fn preferred<'a>(headers: &HeaderMap, offers: &[&'a str]) -> Option<&'a str> {
    let ranges = ranges(headers);
    if ranges.is_empty() {
        return offers.first().copied();
    }
    let mut best = (Quality::ZERO, None);
    for offer in offers {
        let quality = quality(&ranges, offer);
        if quality > best.0 {
            best = (quality, Some(*offer));
        }
    }
    best.1
}

fn ranges(headers: &HeaderMap) -> Vec<QualityItem<Mime>> {
    headers
        .get_all(ACCEPT)
        .filter_map(|field| field.to_str().ok())
        .flat_map(|field| field.split(','))
        .filter_map(|range| range.trim().parse().ok())
        .collect()
}

/// What the most specific of the ranges gives to `offer`.
fn quality(ranges: &[QualityItem<Mime>], offer: &str) -> Quality {
    let kind = offer.split('/').next();
    let specificity = |range: &Mime| match (range.type_().as_str(), range.subtype().as_str()) {
        ("*", "*") => Some(0),
        (of_range, "*") if Some(of_range) == kind => Some(1),
        _ if range.essence_str() == offer => Some(2),
        _ => None,
    };
    ranges
        .iter()
        .filter_map(|range| Some((specificity(&range.item)?, range.quality)))
        .max()
        .map_or(Quality::ZERO, |(_, quality)| quality)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    const OFFERS: &[&str] = &["application/json", "text/event-stream"];

    #[track_caller]
    fn check(accept: &str, expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        headers.append(ACCEPT, HeaderValue::from_str(accept).unwrap());
        assert_eq!(preferred(&headers, OFFERS), expected, "{accept}");
    }

    #[test]
    fn the_best_liked_is_given() {
        check("text/event-stream", Some("text/event-stream"));
        check(
            "application/json;q=0.5, text/event-stream",
            Some("text/event-stream"),
        );
        check("text/*, application/json;q=0.9", Some("text/event-stream"));
        check("text/event-stream;q=0.1, */*", Some("application/json"));
        check("application/json;q=0, */*", Some("text/event-stream"));
    }

    #[test]
    fn without_a_wish_the_first_is_given() {
        assert_eq!(
            preferred(&HeaderMap::new(), OFFERS),
            Some("application/json")
        );
        check("*/*", Some("application/json"));
        check("", Some("application/json"));
        check("nonsense", Some("application/json"));
    }

    #[test]
    fn nothing_is_given_that_is_excluded() {
        check("text/html", None);
        check("application/problem+json", None);
        check("application/json;q=0, text/event-stream;q=0.0", None);
    }
}
