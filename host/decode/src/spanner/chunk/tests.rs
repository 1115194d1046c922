//! The examples of `PartialResultSet.values`, merged and read by the generated types.

use std::collections::BTreeMap;

use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use serde_json::{Value as Json, json};

use super::*;

fn proto(json: &Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(flag) => Kind::BoolValue(*flag),
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap()),
        Json::String(text) => Kind::StringValue(text.clone()),
        Json::Array(elements) => {
            let values = elements.iter().map(proto).collect();
            Kind::ListValue(ListValue { values })
        }
        Json::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), proto(value)));
            let fields: BTreeMap<_, _> = members.collect();
            Kind::StructValue(Struct { fields })
        }
    };
    Value { kind: Some(kind) }
}

/// The parts merged one after the other.
fn merged(parts: &[Json]) -> Result<Value, Malformed> {
    let mut parts = parts.iter().map(|part| proto(part).encode_to_vec());
    let mut chunk = Chunk::begin(&parts.next().unwrap())?;
    for part in parts {
        // One that was put aside as a value goes on as one that was not.
        let mut aside = Chunk::begin(&chunk.encode())?;
        let merged = chunk.merge(&part);
        assert_eq!(aside.merge(&part), merged);
        merged?;
        assert_eq!(aside.encode(), chunk.encode());
    }
    let encoded = chunk.encode();
    assert_eq!(encoded.len(), chunk.len());
    Ok(Value::decode(encoded.as_slice()).unwrap())
}

#[test]
fn the_examples_of_the_proto_merge_as_it_says() {
    for (parts, expected) in [
        (vec![json!("foo"), json!("bar")], json!("foobar")),
        (vec![json!([2, 3]), json!([4])], json!([2, 3, 4])),
        (
            vec![json!(["a", "b"]), json!(["c", "d"])],
            json!(["a", "bc", "d"]),
        ),
        (
            vec![json!(["a", ["b", "c"]]), json!([["d"], "e"])],
            json!(["a", ["b", "cd"], "e"]),
        ),
        (
            vec![json!({"a": "1"}), json!({"b": "2"})],
            json!({"a": "1", "b": "2"}),
        ),
        (
            vec![json!({"a": "1"}), json!({"a": "2"})],
            json!({"a": "12"}),
        ),
        (
            vec![json!({"a": ["1"]}), json!({"a": ["2"]})],
            json!({"a": ["12"]}),
        ),
        (vec![json!("orl"), json!(""), json!("d")], json!("orld")),
        (vec![json!([[]]), json!([[], []])], json!([[], []])),
        (
            vec![json!([]), json!([null]), json!(["a"])],
            json!([null, "a"]),
        ),
        (vec![json!(["a"]), json!([["b"]])], json!(["a", ["b"]])),
        (
            vec![json!(["a", {"b": ["c"]}]), json!([{"b": ["d", true]}, {}])],
            json!(["a", {"b": ["cd", true]}, {}]),
        ),
    ] {
        assert_eq!(merged(&parts), Ok(proto(&expected)), "{parts:?}");
    }
}

#[test]
fn a_string_may_be_cut_inside_a_character() {
    let text = |bytes: &[u8]| {
        let mut value = Vec::new();
        put_bytes(&mut value, TEXT, bytes);
        value
    };
    let mut chunk = Chunk::begin(&text(&[b'a', 0xc3])).unwrap();
    chunk.merge(&text(&[0xa9])).unwrap();
    assert_eq!(chunk.encode(), text("a\u{e9}".as_bytes()));
}

#[test]
fn members_of_different_kinds_do_not_merge() {
    assert!(merged(&[json!({"a": "1"}), json!({"a": ["2"]})]).is_err());
    assert!(merged(&[json!({"a": 1}), json!({"a": 2})]).is_err());
}
