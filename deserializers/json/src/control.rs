//! Control records.

use acequia_guest::{Control, ControlOutput, Gap, json};

/// A control record as a JSON text without a key. Consumers tell it by its member `control`.
#[must_use]
pub fn output(event: &Control) -> ControlOutput {
    let value = match event {
        Control::Gap(gap) => gap_value(gap),
    };
    ControlOutput {
        key: String::new(),
        value,
        topic: String::new(),
    }
}

fn gap_value(gap: &Gap) -> String {
    let mut out = Vec::new();
    out.extend_from_slice(b"{\"id\":");
    json::string(&mut out, &gap.id);
    out.extend_from_slice(b",\"control\":\"gap\",\"lost_from\":");
    json::string(&mut out, &gap.lost_from);
    out.extend_from_slice(b",\"resumed_at\":");
    json::string(&mut out, &gap.resumed_at);
    out.extend_from_slice(b",\"reason\":");
    json::string(&mut out, &gap.reason);
    out.push(b'}');
    // Only texts went in, so it is one.
    String::from_utf8(out).unwrap_or_default()
}
