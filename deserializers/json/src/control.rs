//! Control records.

use acequia_guest::{Control, ControlOutput, json};

/// A control record as a JSON text without a key. Consumers tell it by its member `control`.
#[must_use]
pub fn output(event: &Control) -> ControlOutput {
    prefixed(event, "")
}

/// [`output`] with `prefix` before the name of each member, for values whose members have any names.
#[must_use]
pub fn prefixed(event: &Control, prefix: &str) -> ControlOutput {
    let value = match event {
        Control::Gap(gap) => object(
            prefix,
            [
                ("id", &gap.id),
                ("control", "gap"),
                ("lost_from", &gap.lost_from),
                ("resumed_at", &gap.resumed_at),
                ("reason", &gap.reason),
            ],
        ),
        Control::SnapshotRestart(restart) => object(
            prefix,
            [
                ("id", &restart.id),
                ("control", "snapshot-restart"),
                ("abandoned_at", &restart.abandoned_at),
                ("restarted_at", &restart.restarted_at),
                ("reason", &restart.reason),
            ],
        ),
    };
    ControlOutput {
        key: String::new(),
        value,
        topic: String::new(),
    }
}

fn object<const N: usize>(prefix: &str, members: [(&str, &str); N]) -> String {
    let mut out = Vec::new();
    for (name, value) in members {
        out.push(if out.is_empty() { b'{' } else { b',' });
        json::string(&mut out, &format!("{prefix}{name}"));
        out.push(b':');
        json::string(&mut out, value);
    }
    out.push(b'}');
    // Only texts went in, so it is one.
    String::from_utf8(out).unwrap_or_default()
}
