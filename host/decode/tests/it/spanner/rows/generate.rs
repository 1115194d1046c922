//! Random rows: their columns, their values, and the JSON that these stand for.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, Type, TypeCode,
};
use prost_types::Value;
use serde_json::json;

use crate::random::Random;
use crate::spanner::chunker::cut_values;
use crate::spanner::frames::{array, flag, list, null, number, of, struct_type, text};
use crate::spanner::rows::frames::columns;

/// FLOAT64 values and how the emulator writes them in JSON.
const NUMBERS: [(f64, &str); 6] = [
    (0.0, "0.0"),
    (-1.5, "-1.5"),
    (1e300, "1e+300"),
    (123_456.0, "123456.0"),
    (0.0001, "0.0001"),
    (1.5e-7, "1.5e-07"),
];

/// Rows of some columns.
pub(crate) struct Rows {
    pub(crate) metadata: ResultSetMetadata,
    /// Row by row.
    pub(crate) values: Vec<Value>,
    /// Per value, the JSON that it stands for.
    pub(crate) cells: Vec<String>,
}

/// Rows of a table with the key `k`, or of a query whose columns are unnamed or named alike.
pub(crate) fn rows(random: &mut Random, rows: usize, is_table: bool) -> Rows {
    let types: Vec<Type> = (0..random.below(5)).map(|_| any_type(random, 3)).collect();
    let names = (0..).map(|index| match (is_table, index % 3) {
        (true, _) => format!("c{index}"),
        (false, 0) => String::new(),
        (false, _) => "twice".to_owned(),
    });
    let mut named: Vec<(String, Type)> = names.zip(types).collect();
    let key = random.below(named.len() + 1);
    named.insert(key, ("k".to_owned(), of(TypeCode::String)));
    let (mut values, mut cells) = (Vec::new(), Vec::new());
    for _ in 0..rows {
        for (_, of) in &named {
            let (value, json) = any_value(random, of);
            values.push(value);
            cells.push(json);
        }
    }
    let named = named.iter().map(|(name, of)| (name.as_str(), of.clone()));
    Rows {
        metadata: columns(named),
        values,
        cells,
    }
}

impl Rows {
    /// How many columns a row has.
    pub(crate) fn columns(&self) -> usize {
        self.metadata.row_type.as_ref().unwrap().fields.len()
    }

    /// The JSON of the key of each row.
    pub(crate) fn keys(&self) -> Vec<String> {
        let fields = &self.metadata.row_type.as_ref().unwrap().fields;
        let place = fields.iter().position(|field| field.name == "k").unwrap();
        let rows = self.cells.chunks(self.columns());
        rows.map(|row| format!("{{\"k\":{}}}", row[place]))
            .collect()
    }

    /// The rows in frames that end anywhere, with a token of its own on some of them.
    pub(crate) fn cut(&self, random: &mut Random) -> Vec<PartialResultSet> {
        let mut frames = cut_values(random, &self.metadata, &self.values);
        for (index, frame) in frames.iter_mut().enumerate() {
            frame.resume_token = match random.below(4) {
                0 => format!("token {index}").into(),
                1 => "again and again".into(),
                _ => Default::default(),
            };
        }
        frames
    }
}

/// A type that a column may have.
fn any_type(random: &mut Random, depth: usize) -> Type {
    let leaves = [
        TypeCode::Int64,
        TypeCode::String,
        TypeCode::Float64,
        TypeCode::Bool,
        TypeCode::Json,
    ];
    match random.below(if depth == 0 { 5 } else { 8 }) {
        leaf @ 0..5 => of(leaves[leaf]),
        5 => Type {
            struct_type: Some(any_struct(random, depth - 1)),
            ..of(TypeCode::Struct)
        },
        _ => array(any_type(random, depth - 1)),
    }
}

fn any_struct(
    random: &mut Random,
    depth: usize,
) -> googleapis_tonic_google_spanner_v1::google::spanner::v1::StructType {
    let fields = (0..random.below(4)).map(|_| {
        let name = random.pick(&["", "a", "a\"b", "\u{e9}"]);
        (name.to_owned(), any_type(random, depth))
    });
    let fields: Vec<_> = fields.collect();
    struct_type(fields.iter().map(|(name, of)| (name.as_str(), of.clone())))
}

/// A value of a type and its JSON.
fn any_value(random: &mut Random, of: &Type) -> (Value, String) {
    if random.once_in(7) {
        return (null(), "null".to_owned());
    }
    let string = |value: String| (text(&value), json!(value).to_string());
    match of.code() {
        TypeCode::Int64 => string(random.next().cast_signed().to_string()),
        TypeCode::Float64 if random.once_in(4) => string("NaN".to_owned()),
        TypeCode::Float64 => {
            let (value, json) = NUMBERS[random.below(NUMBERS.len())];
            (number(value), json.to_owned())
        }
        TypeCode::Bool => {
            let value = random.once_in(2);
            (flag(value), value.to_string())
        }
        TypeCode::Array => {
            let element = of.array_element_type.as_ref().unwrap();
            let elements = (0..random.below(4)).map(|_| any_value(random, element));
            let (values, cells): (Vec<_>, Vec<_>) = elements.unzip();
            (list(values), format!("[{}]", cells.join(",")))
        }
        TypeCode::Struct => {
            let fields = of.struct_type.as_ref().unwrap().fields.iter();
            let members = fields.map(|field| {
                let (value, json) = any_value(random, field.r#type.as_ref().unwrap());
                (value, format!("{}:{json}", json!(field.name)))
            });
            let (values, members): (Vec<_>, Vec<_>) = members.unzip();
            (list(values), format!("{{{}}}", members.join(",")))
        }
        _ => string(random.text(12)),
    }
}
