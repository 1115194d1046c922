//! A report for people.

mod source;

use std::fmt;
use std::time::Duration;

use super::{BeginSeen, ComponentSeen, FileSeen, Level, Outcome, Report, WouldRead};

/// One line a finding, its remedy below it, or below the last of those that have the same; then what would be read; then one line that sums up.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.findings.iter().skip(1).map(Some).chain([None]);
        for (finding, next) in self.findings.iter().zip(next) {
            let level = match finding.level {
                Level::Ok => "ok",
                Level::Warning => "warning",
                Level::Failure => "FAILURE",
            };
            let topic = finding.topic.name();
            writeln!(f, "{level:<8} {topic:<12} {}", finding.seen)?;
            let is_last = next.is_none_or(|next| next.remedy != finding.remedy);
            if let Some(remedy) = finding.remedy.as_ref().filter(|_| is_last) {
                writeln!(f, "{:<21} -> {remedy}", "")?;
            }
        }
        writeln!(f)?;
        would_read(f, &self.would_read)?;
        let name = self.connector.as_deref().unwrap_or("the connector");
        match self.outcome {
            Outcome::Ok => write!(f, "{name} would start"),
            Outcome::Warning => write!(f, "{name} would start; see the warnings"),
            Outcome::Failure => write!(f, "{name} would not start"),
        }
    }
}

fn would_read(f: &mut fmt::Formatter<'_>, seen: &WouldRead) -> fmt::Result {
    let mut line = |name: &str, value: String| writeln!(f, "{name:<12} {value}");
    if let Some(source) = &seen.source {
        source::of_source(source, &mut line)?;
    }
    match &seen.begin {
        None => {}
        Some(BeginSeen::Start { at, .. }) => line("begins", format!("at {at}"))?,
        Some(BeginSeen::Saved { saved, position }) => {
            let from = position.map_or_else(String::new, |at| format!(", oldest position {at}"));
            line(
                "begins",
                format!(
                    "at the saved checkpoint: generation {}, watermark {}{from}",
                    saved.generation, saved.watermark
                ),
            )?;
        }
    }
    if let Some(retention) = &seen.retention {
        let kept = duration(Duration::from_secs(retention.seconds));
        let headroom = match retention.headroom_seconds {
            Some(left) if left < 0 => ", expired".to_owned(),
            Some(left) => format!(
                ", headroom {}",
                duration(Duration::from_secs(left.unsigned_abs()))
            ),
            None => String::new(),
        };
        line("retention", format!("{kept}{headroom}"))?;
    }
    for table in &seen.tables {
        line("table", source::of_watched(table))?;
    }
    for family in &seen.families {
        line("family", source::of_family(family))?;
    }
    for component in &seen.components {
        of_component(component, &mut line)?;
    }
    if let Some(sink) = &seen.sink {
        line("sink", sink.kind.to_owned())?;
        for file in &sink.files {
            line("file", of_file(file))?;
        }
    }
    if let Some(checkpoint) = &seen.checkpoint {
        let directory = checkpoint.directory.as_ref();
        let directory = directory.map_or("none".to_owned(), |path| path.display().to_string());
        line("checkpoint", directory)?;
    }
    writeln!(f)
}

fn of_component(
    component: &ComponentSeen,
    line: &mut impl FnMut(&str, String) -> fmt::Result,
) -> fmt::Result {
    let kind = if component.pure { "pure" } else { "WASI" };
    line(
        "component",
        format!(
            "{} {} {}, world {}, {kind}, sha256 {}",
            component.role, component.name, component.version, component.world, component.sha256
        ),
    )?;
    let names = component.parameters.iter();
    let names: Vec<_> = names.map(|parameter| parameter.name.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    line("", format!("parameters {}", names.join(", ")))
}

fn of_file(file: &FileSeen) -> String {
    let path = file.path.display();
    match (file.length_bytes, file.would_cut_bytes) {
        (None, _) => format!("{path}, would be created"),
        (Some(length), 0) => format!("{path}, {length} bytes"),
        (Some(length), cut) => format!("{path}, {length} bytes, of which {cut} would be cut off"),
    }
}

/// A duration in its two largest units, such as `6d 23h`. Less than a second is `0s`.
pub(super) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3_600 % 24, "h"),
        (seconds / 60 % 60, "m"),
        (seconds % 60, "s"),
    ];
    let shown = parts.iter().skip_while(|(amount, _)| *amount == 0).take(2);
    let shown: Vec<_> = shown
        .filter(|(amount, _)| *amount > 0)
        .map(|(amount, unit)| format!("{amount}{unit}"))
        .collect();
    if shown.is_empty() {
        "0s".to_owned()
    } else {
        shown.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn a_duration_has_its_two_largest_units() {
        for (seconds, text) in [
            (0, "0s"),
            (59, "59s"),
            (3600, "1h"),
            (5_400, "1h 30m"),
            (604_799, "6d 23h"),
            (604_800, "7d"),
            (86_460, "1d"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), text);
        }
    }
}
