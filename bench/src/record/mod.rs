//! What everything is measured with: one order, as each service tells of it.

pub mod bigtable;
pub mod spanner;

use serde_json::{Map, Value, json};

/// The member of a [`row`] that is its key.
const KEY: &str = "OrderId";

/// An order that was placed.
fn row() -> Map<String, Value> {
    let row = json!({
        "OrderId": "4503599627370496",
        "CustomerId": "7a1f2c9e-51d4-4a43-9c1e-0b6f2f3a8d10",
        "Status": "CONFIRMED",
        "Total": "1249.50",
        "Currency": "EUR",
        "Note": "please leave it with the neighbour on the ground floor: the bell is broken",
        "Rating": 4.5,
        "IsGift": false,
        "UpdatedAt": "2026-11-30T20:41:00.123456Z",
        "Address": "12 Rue de l'Aqueduc, Bâtiment C, 34000 Montpellier",
    });
    if let Value::Object(members) = row {
        members
    } else {
        Map::new()
    }
}
