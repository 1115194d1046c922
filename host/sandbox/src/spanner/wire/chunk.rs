//! Cuts a value into chunks that merge to it again.
//!
//! Source: `google/spanner/v1/result_set.proto`, `PartialResultSet.chunked_value`: strings are
//! concatenated; lists too, and when the last element of one and the first of the next are both
//! strings or lists, those are merged in the same way. Null, booleans and numbers are never cut.

use std::collections::VecDeque;

use prost_types::{Value, value::Kind};

use super::build::{list, text};

/// The chunks of `value`, each of about `budget` bytes of text; one chunk when it cannot be cut.
pub(crate) fn cut(value: Value, budget: usize) -> Vec<Value> {
    let budget = budget.max(1);
    match value.kind {
        Some(Kind::StringValue(string)) => strings(&string, budget).map(text).collect(),
        Some(Kind::ListValue(values)) => {
            let mut cutter = Cutter {
                budget,
                chunks: Vec::new(),
                open: Vec::new(),
                used: 0,
            };
            values
                .values
                .into_iter()
                .for_each(|element| cutter.push(element));
            cutter.finish()
        }
        kind => vec![Value { kind }],
    }
}

/// The bytes of text in a value, with one for every element.
pub(crate) fn weight(value: &Value) -> usize {
    match &value.kind {
        Some(Kind::StringValue(string)) => string.len() + 1,
        Some(Kind::ListValue(values)) => values.values.iter().map(weight).sum::<usize>() + 1,
        _ => 1,
    }
}

/// What is left of `value` after so many of its chunks: merged with those, it is the value again.
pub(crate) fn rest(value: Value, budget: usize, chunks: usize) -> Value {
    let rest = cut(value, budget).into_iter().skip(chunks);
    rest.reduce(merge).unwrap_or_else(|| list([]))
}

/// Two chunks of a value as one.
fn merge(left: Value, right: Value) -> Value {
    match (left.kind, right.kind) {
        (Some(Kind::StringValue(left)), Some(Kind::StringValue(right))) => text(left + &right),
        (Some(Kind::ListValue(left)), Some(Kind::ListValue(right))) => {
            let (mut left, mut right) = (left.values, VecDeque::from(right.values));
            if are_cut(left.last(), right.front())
                && let (Some(last), Some(first)) = (left.pop(), right.pop_front())
            {
                left.push(merge(last, first));
            }
            list(left.into_iter().chain(right))
        }
        // Nothing else is ever cut.
        (kind, _) => Value { kind },
    }
}

fn are_cut(last: Option<&Value>, first: Option<&Value>) -> bool {
    let kind = |value: Option<&Value>| match value.and_then(|value| value.kind.as_ref()) {
        Some(Kind::StringValue(_)) => Some("string"),
        Some(Kind::ListValue(_)) => Some("list"),
        _ => None,
    };
    kind(last).is_some() && kind(last) == kind(first)
}

struct Cutter {
    budget: usize,
    chunks: Vec<Value>,
    open: Vec<Value>,
    used: usize,
}

impl Cutter {
    fn push(&mut self, element: Value) {
        let weight = weight(&element);
        if self.used + weight <= self.budget {
            return self.place(element, weight);
        }
        if weight <= self.budget {
            self.close();
            return self.place(element, weight);
        }
        let mut pieces = cut(element, self.budget).into_iter();
        if let Some(first) = pieces.next() {
            let weight = self::weight(&first);
            self.place(first, weight);
        }
        for piece in pieces {
            self.close_within();
            let weight = self::weight(&piece);
            self.place(piece, weight);
        }
    }

    fn place(&mut self, element: Value, weight: usize) {
        self.used += weight;
        self.open.push(element);
    }

    /// Ends a chunk inside an element: the next chunk begins with the rest of it.
    fn close_within(&mut self) {
        self.chunks.push(list(std::mem::take(&mut self.open)));
        self.used = 0;
    }

    /// Ends a chunk between two elements. What would be merged with its last element must then be
    /// empty, or the next element would be taken for the rest of it.
    fn close(&mut self) {
        let continuation = match self.open.last().and_then(|last| last.kind.as_ref()) {
            Some(Kind::StringValue(_)) => Some(text("")),
            Some(Kind::ListValue(_)) => Some(list([])),
            Some(
                Kind::NullValue(_)
                | Kind::NumberValue(_)
                | Kind::BoolValue(_)
                | Kind::StructValue(_),
            )
            | None => None,
        };
        if self.open.is_empty() {
            return;
        }
        self.close_within();
        self.open.extend(continuation);
    }

    fn finish(mut self) -> Vec<Value> {
        if !self.open.is_empty() || self.chunks.is_empty() {
            self.close_within();
        }
        self.chunks
    }
}

/// Pieces of at most `budget` bytes, but at least one character.
fn strings(string: &str, budget: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(string);
    std::iter::from_fn(move || {
        let whole = rest.take()?;
        let mut end = budget.min(whole.len());
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        if end == 0 {
            end = whole.chars().next().map_or(0, char::len_utf8);
        }
        let (piece, left) = whole.split_at(end);
        rest = (!left.is_empty()).then_some(left);
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use prost_types::{Value, value::Kind};

    use super::{
        super::build::{list, null, text, truth},
        cut, rest,
    };

    /// The merge as `result_set.proto` describes it.
    fn merge(left: Value, right: Value) -> Value {
        match (left.kind.unwrap(), right.kind.unwrap()) {
            (Kind::StringValue(left), Kind::StringValue(right)) => text(left + &right),
            (Kind::ListValue(mut left), Kind::ListValue(mut right)) => {
                let both = match (left.values.last(), right.values.first()) {
                    (Some(last), Some(first)) => matches!(
                        (&last.kind, &first.kind),
                        (Some(Kind::StringValue(_)), Some(Kind::StringValue(_)))
                            | (Some(Kind::ListValue(_)), Some(Kind::ListValue(_)))
                    ),
                    _ => false,
                };
                if both {
                    let merged = merge(left.values.pop().unwrap(), right.values.remove(0));
                    left.values.push(merged);
                }
                list(left.values.into_iter().chain(right.values))
            }
            (left, right) => panic!("{left:?} and {right:?} are never cut"),
        }
    }

    fn deep() -> Value {
        list([
            text("hello w\u{f6}rld"),
            list([]),
            list([
                list([text(""), text("a"), null(), text("bc")]),
                list([text("d")]),
            ]),
            truth(true),
            text("x"),
            text("y"),
            list([list([list([list([list([text("deep down")])])])])]),
        ])
    }

    #[test]
    fn what_is_left_after_any_chunk_can_be_cut_anew() {
        for (budget, other) in [(1, 7), (5, 1), (9, 4), (20, 3)] {
            let chunks = cut(deep(), budget);
            for seen in 1..chunks.len() {
                let left = cut(rest(deep(), budget, seen), other);
                let all = chunks.iter().take(seen).cloned().chain(left);
                let whole = all.reduce(merge).unwrap();
                assert_eq!(whole, deep(), "{seen} of {budget} bytes, then {other}");
            }
        }
    }

    #[test]
    fn chunks_of_every_size_merge_to_the_value() {
        let value = deep();
        for budget in 1..60 {
            let chunks = cut(value.clone(), budget);
            assert!(budget > 40 || chunks.len() > 1, "a budget of {budget} cuts");
            assert_eq!(
                chunks.into_iter().reduce(merge).unwrap(),
                value,
                "budget {budget}"
            );
        }
    }
}
