//! A look at the page: how wide, what a user does there, and what is then seen.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::browser::{self, Time};
use super::site::{Answer, Site};

/// The page around the page: it holds it in a frame, acts, and reports.
const AROUND: &str = include_str!("around.html");

/// What stands before the report in the document, and after it.
const REPORT: (&str, &str) = ("<pre id=\"report\">", "</pre>");

/// A visit that is planned.
pub(crate) struct Visit {
    program: PathBuf,
    width: u32,
    scheme: &'static str,
    hash: &'static str,
    lasts: Duration,
    act: &'static str,
    time: Option<Time>,
}

impl Visit {
    /// A visit at a desk, in the light, for seven seconds. `None` where there is no browser.
    pub(crate) fn at_desk(asked_by: &str) -> Option<Self> {
        Some(Self {
            program: browser::installed(asked_by)?,
            width: 1280,
            scheme: "light",
            hash: "",
            lasts: Duration::from_secs(7),
            act: "",
            time: None,
        })
    }

    /// As wide as this, in CSS pixels.
    pub(crate) fn width(mut self, width: u32) -> Self {
        self.width = width;
        self
    }

    /// In the dark.
    pub(crate) fn dark(mut self) -> Self {
        self.scheme = "dark";
        self
    }

    /// With another window of the tree: `window=5m` or `window=all`.
    pub(crate) fn hash(mut self, hash: &'static str) -> Self {
        self.hash = hash;
        self
    }

    /// For so long by the page's clock.
    pub(crate) fn lasts(mut self, lasts: Duration) -> Self {
        self.lasts = lasts;
        self
    }

    /// Acts before it looks: JavaScript that finds the page in `page` and its elements by `by(id)`.
    pub(crate) fn act(mut self, act: &'static str) -> Self {
        self.act = act;
        self
    }

    /// By the real clock, and over once the page says that nobody answers.
    pub(crate) fn until_silence(mut self) -> Self {
        self.time = Some(Time::Real);
        self
    }

    /// Goes there, and gives what is seen and how often the site was asked.
    pub(crate) fn go(
        self,
        script: impl Fn(usize) -> Answer + Send + Sync + 'static,
    ) -> (Seen, usize) {
        let real = self.time.is_some();
        let around = AROUND
            .replace("{{width}}", &self.width.to_string())
            .replace("{{scheme}}", self.scheme)
            .replace("{{hash}}", self.hash)
            .replace("{{lasts}}", &self.lasts.as_millis().to_string())
            .replace(
                "{{late}}",
                if real {
                    "<img src=\"/late\" alt=\"\">"
                } else {
                    ""
                },
            )
            .replace("{{act}}", self.act);
        let site = Site::start(Box::new(script), around);
        let budget = Time::Virtual(self.lasts + Duration::from_secs(1));
        let document = browser::dump(&self.program, &site.url(), self.time.unwrap_or(budget));
        let report = document
            .split_once(REPORT.0)
            .and_then(|(_, rest)| rest.split_once(REPORT.1))
            .map(|(report, _)| report)
            .filter(|report| !report.is_empty());
        let report = report.unwrap_or_else(|| panic!("no report in {document}"));
        (Seen(serde_json::from_str(report).unwrap()), site.asked())
    }

    /// Goes there while every answer is the same.
    pub(crate) fn see(self, status: Value) -> Seen {
        self.go(move |_| Answer::Status(status.clone())).0
    }
}

/// What a visit saw.
pub(crate) struct Seen(Value);

impl Seen {
    /// The text of an element; empty where it is hidden.
    pub(crate) fn text(&self, id: &str) -> &str {
        let text = self.0["texts"][id].as_str();
        text.unwrap_or_else(|| panic!("the page has no {id}"))
    }

    /// The texts of a list's items, or of what else the report lists.
    pub(crate) fn texts(&self, list: &str) -> Vec<&str> {
        let texts = self.0[list].as_array().unwrap();
        texts.iter().map(|text| text.as_str().unwrap()).collect()
    }

    /// The cells of a table's rows.
    pub(crate) fn rows(&self, table: &str) -> Vec<Vec<&str>> {
        let rows = self.0[table].as_array().unwrap();
        rows.iter()
            .map(|row| {
                let cells = row.as_array().unwrap();
                cells.iter().map(|cell| cell.as_str().unwrap()).collect()
            })
            .collect()
    }

    /// One of the terms in a list of facts.
    pub(crate) fn fact(&self, list: &str, term: &str) -> &str {
        let fact = self.0["facts"][list][term].as_str();
        fact.unwrap_or_else(|| panic!("{list} has no {term}"))
    }

    /// What has the focus: its id, or else its title.
    pub(crate) fn focus(&self) -> &str {
        self.0["focus"].as_str().unwrap()
    }

    /// A number of the report.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.0[name].as_u64().unwrap()
    }
}
