//! Short ways to write protobuf values.

use prost_types::{ListValue, NullValue, Value, value::Kind};

pub(crate) fn text(text: impl Into<String>) -> Value {
    Value {
        kind: Some(Kind::StringValue(text.into())),
    }
}

pub(crate) fn truth(value: bool) -> Value {
    Value {
        kind: Some(Kind::BoolValue(value)),
    }
}

pub(crate) fn null() -> Value {
    Value {
        kind: Some(Kind::NullValue(NullValue::NullValue.into())),
    }
}

pub(crate) fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value {
        kind: Some(Kind::ListValue(ListValue {
            values: values.into_iter().collect(),
        })),
    }
}
