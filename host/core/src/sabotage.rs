//! Deliberate defects, for showing that the simulator finds them. Never compiled into a release.

/// One defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sabotage {
    /// A clean end finishes a partition that announced no children.
    FinishOnCleanEnd,
    /// A heartbeat moves the position although a record before it is not acknowledged.
    HeartbeatOvertakes,
    /// Children enter the checkpoint only in the save after their parent's finish.
    ChildrenSavedLate,
    /// A child waits for one of its parents only.
    OneParentSuffices,
    /// A second report of a child resets its position.
    ReportResets,
    /// A parent that is not known yet is not waited for.
    UnknownParentIgnored,
    /// The boundary is forgotten when a partition is opened again.
    BoundaryForgotten,
    /// A partition is opened again before its ledger is drained.
    ReopenUndrained,
    /// The watermark looks at open partitions only.
    WatermarkOfOpenOnly,
    /// The position follows what was read, not what was acknowledged.
    PositionPastPrefix,
    /// Readers are not held.
    HoldIgnored,
    /// Deliveries of closed readers are accepted.
    StaleReaderAccepted,
    /// A tombstone goes as soon as its partition is finished.
    TombstoneDropped,
    /// A move-in does not wait for its source.
    MoveInIgnored,
    /// A token is taken for all the keys that it names.
    TokenUncut,
    /// A merge starts with the first two tokens.
    MergeUntiled,
    /// Keys that a closed range left to nobody are forgotten.
    OrphanForgotten,
    /// A closed range hands its tokens on before what it delivered is acknowledged.
    ClosedUnacknowledged,
    /// The watermark does not look at tokens that wait.
    WatermarkForgetsTokens,
    /// A token that is read for itself goes on waiting, too.
    TokenKept,
    /// What was taken apart still takes tokens.
    TakenApartStays,
    /// A range that is read up to the bound is forgotten.
    ForgottenAtBound,
    /// A range at the bound is not asked for its token.
    NotAskedAtBound,
}

impl Sabotage {
    /// Those that streams from a timestamp show.
    pub const ALL: [Self; 14] = [
        Self::FinishOnCleanEnd,
        Self::HeartbeatOvertakes,
        Self::ChildrenSavedLate,
        Self::OneParentSuffices,
        Self::ReportResets,
        Self::UnknownParentIgnored,
        Self::BoundaryForgotten,
        Self::ReopenUndrained,
        Self::WatermarkOfOpenOnly,
        Self::PositionPastPrefix,
        Self::HoldIgnored,
        Self::StaleReaderAccepted,
        Self::TombstoneDropped,
        Self::MoveInIgnored,
    ];

    /// Those that streams of row ranges show, too, or alone.
    pub const OF_RANGES: [Self; 18] = [
        Self::FinishOnCleanEnd,
        Self::HeartbeatOvertakes,
        Self::ChildrenSavedLate,
        Self::BoundaryForgotten,
        Self::ReopenUndrained,
        Self::WatermarkOfOpenOnly,
        Self::PositionPastPrefix,
        Self::HoldIgnored,
        Self::StaleReaderAccepted,
        Self::TokenUncut,
        Self::MergeUntiled,
        Self::OrphanForgotten,
        Self::ClosedUnacknowledged,
        Self::WatermarkForgetsTokens,
        Self::TokenKept,
        Self::TakenApartStays,
        Self::ForgottenAtBound,
        Self::NotAskedAtBound,
    ];
}
