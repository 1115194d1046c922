//! The status page in a real browser.
//!
//! ```text
//! scripted answers -> site on loopback -> page in a frame, in headless Chromium -> what the page holds
//! ```
//!
//! [`site`] serves the page, under the policy it must work under, beside a script of answers to
//! `status`. [`visit`] opens it in [`browser`] inside a frame as wide as a desk or a phone; the page
//! around the frame acts as a user would and reports what is seen, so that nothing in the status
//! page is there for tests. [`answers`] are the statuses that the tests vary.
//!
//! Where Chromium is not installed, each test says that it is skipped, and passes.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do the functions that tests share"
)]

mod answers;
mod browser;
mod figures;
mod hostile;
mod reading;
mod silence;
mod site;
mod tree;
mod visit;
