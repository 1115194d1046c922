/// What is durable in a sink, as JSON text that only the sink itself reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkState(String);

impl SinkState {
    /// Wraps the text that a sink wrote earlier.
    #[must_use]
    pub fn new(json: impl Into<String>) -> Self {
        Self(json.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
