//! Statement text into tokens.

use crate::spanner::script::Dialect;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier without quotes, as written.
    Word(String),
    /// An identifier in quotes.
    Quoted(String),
    /// A string literal.
    Text(String),
    /// A whole number.
    Number(String),
    /// A parameter, by its name in the request.
    Parameter(String),
    /// `=>` and everything of one character.
    Symbol(&'static str),
}

const SYMBOLS: [&str; 15] = [
    "=>", "<>", "!=", "(", ")", ",", ".", "*", "=", ";", "<", ">", "+", "-", ":",
];

/// The tokens of `sql`, or the character that cannot begin one.
pub(super) fn tokens(sql: &str, dialect: Dialect) -> Result<Vec<Token>, String> {
    let mut rest = sql.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (token, left) = next(rest, first, dialect)?;
        tokens.push(token);
        rest = left.trim_start();
    }
    Ok(tokens)
}

fn next(rest: &str, first: char, dialect: Dialect) -> Result<(Token, &str), String> {
    let after = rest.get(first.len_utf8()..).unwrap_or_default();
    match (first, dialect) {
        ('\'', _) => quoted(after, first).map(|(text, left)| (Token::Text(text), left)),
        ('"', Dialect::GoogleSql) => {
            quoted(after, first).map(|(text, left)| (Token::Text(text), left))
        }
        ('"', Dialect::Postgres) | ('`', Dialect::GoogleSql) => {
            quoted(after, first).map(|(name, left)| (Token::Quoted(name), left))
        }
        ('@', Dialect::GoogleSql) => {
            let (name, left) = run(after);
            Ok((Token::Parameter(name.to_owned()), left))
        }
        // Source: `google/spanner/v1/spanner.proto`, ExecuteSqlRequest.params: PostgreSQL's `$1` is
        // bound by the name `p1`.
        ('$', Dialect::Postgres) => {
            let (name, left) = run(after);
            Ok((Token::Parameter(format!("p{name}")), left))
        }
        (digit, _) if digit.is_ascii_digit() => {
            let (number, left) = run(rest);
            Ok((Token::Number(number.to_owned()), left))
        }
        (letter, _) if letter.is_alphabetic() || letter == '_' => {
            let (word, left) = run(rest);
            Ok((Token::Word(word.to_owned()), left))
        }
        _ => {
            let symbol = SYMBOLS
                .iter()
                .find_map(|s| rest.strip_prefix(s).map(|left| (*s, left)));
            let (symbol, left) = symbol.ok_or_else(|| format!("unexpected character {first:?}"))?;
            Ok((Token::Symbol(symbol), left))
        }
    }
}

/// Text up to the closing quote; a doubled quote stands for itself.
fn quoted(after: &str, quote: char) -> Result<(String, &str), String> {
    let mut text = String::new();
    let mut characters = after.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character != quote {
            text.push(character);
        } else if characters.peek().is_some_and(|(_, next)| *next == quote) {
            text.push(quote);
            characters.next();
        } else {
            return Ok((text, after.get(at + quote.len_utf8()..).unwrap_or_default()));
        }
    }
    Err(format!("a quote {quote} is not closed"))
}

fn run(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    text.split_at(end)
}
