//! Tokens into one of the statements that the sandbox knows.

use super::{
    Unread,
    lexer::{Token, tokens},
};
use crate::spanner::script::Dialect;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A query of a change stream's function.
    ChangeStream(Call),
    /// A query of INFORMATION_SCHEMA.
    Catalog(Select),
    /// `SELECT columns FROM table`.
    Table(FromTable),
    /// `SELECT 1`.
    One,
}

/// Some columns of all rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FromTable {
    /// The table; of a schema other than the dialect's own with that before it.
    pub(crate) table: String,
    /// Columns as written; none for `*`.
    pub(crate) columns: Vec<String>,
}

/// A change stream's function and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The schema, if one is named.
    pub(crate) schema: Option<String>,
    /// The function's name; in PostgreSQL folded to lower case unless it was quoted.
    pub(crate) function: String,
    pub(crate) arguments: Vec<Argument>,
    /// Whether anything but `SELECT ChangeRecord` or `SELECT *` and the function is there.
    pub(crate) combined: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) value: Operand,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Parameter(String),
    Text(String),
    Number(String),
    Null,
}

/// A query of one view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Select {
    /// The view, in upper case.
    pub(crate) view: String,
    /// Columns as written; none for `*`.
    pub(crate) columns: Vec<String>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) order_by: Vec<String>,
}

/// `column = a` or `column IN (a, b)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) column: String,
    pub(crate) any_of: Vec<Operand>,
}

/// Reads one statement.
pub(crate) fn parse(sql: &str, dialect: Dialect) -> Result<Statement, Unread> {
    let unread = |reason: String| Unread {
        reason,
        sql: sql.to_owned(),
    };
    let tokens = tokens(sql, dialect).map_err(unread)?;
    let mut parser = Parser {
        tokens: tokens.into(),
        dialect,
    };
    parser.statement().map_err(unread)
}

struct Parser {
    tokens: std::collections::VecDeque<Token>,
    dialect: Dialect,
}

impl Parser {
    fn statement(&mut self) -> Result<Statement, String> {
        self.keyword("SELECT")?;
        let columns = self.columns()?;
        if self.ended() {
            let one = columns == ["1"];
            return if one {
                Ok(Statement::One)
            } else {
                Err("FROM is missing".to_owned())
            };
        }
        self.keyword("FROM")?;
        let first = self.name()?;
        let second = if self.symbol(".") {
            Some(self.name()?)
        } else {
            None
        };
        if self.symbol("(") {
            let arguments = self.arguments()?;
            let plain = columns.is_empty()
                || matches!(columns.as_slice(), [one] if one.eq_ignore_ascii_case("ChangeRecord"));
            let combined = !plain || !self.ended();
            let (schema, function) = match second {
                Some(function) => (Some(first), function),
                None => (None, first),
            };
            return Ok(Statement::ChangeStream(Call {
                schema,
                function,
                arguments,
                combined,
            }));
        }
        match second {
            Some(view) if first.eq_ignore_ascii_case("information_schema") => {
                self.select(&view, columns).map(Statement::Catalog)
            }
            second => self.table(first, second, columns).map(Statement::Table),
        }
    }

    fn table(
        &self,
        first: String,
        second: Option<String>,
        columns: Vec<String>,
    ) -> Result<FromTable, String> {
        if !self.ended() {
            let next = self.tokens.front();
            return Err(format!(
                "of a table only columns are read, unexpected {next:?}"
            ));
        }
        let table = match second {
            Some(table) if self.dialect == Dialect::Postgres && first == "public" => table,
            Some(table) => format!("{first}.{table}"),
            None => first,
        };
        Ok(FromTable { table, columns })
    }

    fn select(&mut self, view: &str, columns: Vec<String>) -> Result<Select, String> {
        let mut filters = Vec::new();
        if self.take_keyword("WHERE") {
            filters.push(self.filter()?);
            while self.take_keyword("AND") {
                filters.push(self.filter()?);
            }
        }
        let mut order_by = Vec::new();
        if self.take_keyword("ORDER") {
            self.keyword("BY")?;
            order_by.push(self.column()?);
            while self.symbol(",") {
                order_by.push(self.column()?);
            }
        }
        if !self.ended() {
            return Err(format!("unexpected {:?}", self.tokens.front()));
        }
        Ok(Select {
            view: view.to_ascii_uppercase(),
            columns,
            filters,
            order_by,
        })
    }

    fn columns(&mut self) -> Result<Vec<String>, String> {
        if self.symbol("*") {
            return Ok(Vec::new());
        }
        if let Some(Token::Number(number)) = self.tokens.front().cloned() {
            self.tokens.pop_front();
            return Ok(vec![number]);
        }
        let mut columns = vec![self.column()?];
        while self.symbol(",") {
            columns.push(self.column()?);
        }
        Ok(columns)
    }

    fn column(&mut self) -> Result<String, String> {
        let mut name = self.name()?;
        while self.symbol(".") {
            name = self.name()?;
        }
        Ok(name)
    }

    fn filter(&mut self) -> Result<Filter, String> {
        let column = self.column()?;
        if self.symbol("=") {
            return Ok(Filter {
                column,
                any_of: vec![self.operand()?],
            });
        }
        self.keyword("IN")?;
        if !self.symbol("(") {
            return Err("IN wants a list".to_owned());
        }
        let mut any_of = vec![self.operand()?];
        while self.symbol(",") {
            any_of.push(self.operand()?);
        }
        if self.symbol(")") {
            Ok(Filter { column, any_of })
        } else {
            Err("a list is not closed".to_owned())
        }
    }

    fn arguments(&mut self) -> Result<Vec<Argument>, String> {
        let mut arguments = Vec::new();
        while !self.symbol(")") {
            if !arguments.is_empty() && !self.symbol(",") {
                return Err("arguments want a comma between them".to_owned());
            }
            let named = matches!(self.tokens.get(1), Some(Token::Symbol("=>")));
            let name = if named { Some(self.name()?) } else { None };
            if named {
                self.tokens.pop_front();
            }
            arguments.push(Argument {
                name,
                value: self.operand()?,
            });
        }
        Ok(arguments)
    }

    fn operand(&mut self) -> Result<Operand, String> {
        match self.tokens.pop_front() {
            Some(Token::Parameter(name)) => Ok(Operand::Parameter(name)),
            Some(Token::Text(text)) => Ok(Operand::Text(text)),
            Some(Token::Number(number)) => Ok(Operand::Number(number)),
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NULL") => Ok(Operand::Null),
            other => Err(format!(
                "a parameter, literal or NULL was expected, not {other:?}"
            )),
        }
    }

    /// A name; PostgreSQL folds those without quotes to lower case.
    fn name(&mut self) -> Result<String, String> {
        match (self.tokens.pop_front(), self.dialect) {
            (Some(Token::Quoted(name)), _) | (Some(Token::Word(name)), Dialect::GoogleSql) => {
                Ok(name)
            }
            (Some(Token::Word(name)), Dialect::Postgres) => Ok(name.to_lowercase()),
            (other, _) => Err(format!("a name was expected, not {other:?}")),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), String> {
        if self.take_keyword(keyword) {
            Ok(())
        } else {
            Err(format!("{keyword} was expected"))
        }
    }

    fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.tokens.front(),
            Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword));
        if found {
            self.tokens.pop_front();
        }
        found
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.tokens.front(), Some(Token::Symbol(s)) if *s == symbol);
        if found {
            self.tokens.pop_front();
        }
        found
    }

    fn ended(&self) -> bool {
        self.tokens.iter().all(|token| *token == Token::Symbol(";"))
    }
}
