//! Events as earlier versions of this service wrote them, brought into the present form.
//!
//! What is stored stays as it was written, since its hash is of that text; it is brought into the
//! present form whenever it is read. To change how events are written, raise [`SCHEMA_VERSION`] and
//! add the step that leads there from the version before. Nothing else knows of older forms.

use serde_json::Value;

/// The schema version that events are written in now.
pub const SCHEMA_VERSION: u8 = 1;

/// Makes an event of one version one of the next, its `v` left aside.
type Step = fn(&mut Value);

/// The first makes an event of version 1 one of version 2, and so on.
const STEPS: [Step; SCHEMA_VERSION as usize - 1] = [];

/// The present form of an event that was written in version `v`; none where that version is not
/// known.
pub(crate) fn upcast(event: Value, v: u8) -> Option<Value> {
    through(&STEPS, event, v)
}

fn through(steps: &[Step], mut event: Value, v: u8) -> Option<Value> {
    let before = usize::from(v.checked_sub(1)?);
    for step in steps.get(before..)? {
        step(&mut event);
    }
    *event.get_mut("v")? = (steps.len() + 1).into();
    Some(event)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_takes_every_step_from_its_own_version_on() {
        let steps: [Step; 2] = [
            |event| event["data"] = json!([event["data"]]),
            |event| event["data"] = json!({"seats": event["data"]}),
        ];
        let upcast = |data, v: u8| through(&steps, json!({"v": v, "data": data}), v);
        let present = json!({"v": 3, "data": {"seats": [1]}});
        assert_eq!(upcast(json!(1), 1), Some(present.clone()));
        assert_eq!(upcast(json!([1]), 2), Some(present.clone()));
        assert_eq!(upcast(json!({"seats": [1]}), 3), Some(present));
        assert_eq!(upcast(json!(1), 0), None);
        assert_eq!(upcast(json!(1), 4), None);
    }
}
