//! Messages for the operator. They must not hold row values.
//!
//! ```no_run
//! acequia_guest::log::warn("the parameter `old` is ignored");
//! ```

use crate::bindings::plugin::acequia::connector::log::{Level, write};

/// Writes a message that is shown only when asked for.
pub fn debug(message: impl AsRef<str>) {
    write(Level::Debug, message.as_ref());
}

/// Writes a message that an operator may want to know.
pub fn info(message: impl AsRef<str>) {
    write(Level::Info, message.as_ref());
}

/// Writes a message that an operator should look at.
pub fn warn(message: impl AsRef<str>) {
    write(Level::Warn, message.as_ref());
}

/// Writes a message that an operator must look at. The run goes on.
pub fn error(message: impl AsRef<str>) {
    write(Level::Error, message.as_ref());
}
