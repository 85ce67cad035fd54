//! A result as Parquet: the lines and columns of CSV, with their types.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use lanescope_core::corpus::{Columns, Field};
use lanescope_core::driver::Value;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::cli::CliError;
use lanescope_host::corpus::{Footer, Rows};

/// Lines of a group of rows: they are in memory at once.
const GROUP: usize = 1 << 16;

/// The type of a column: the smallest that has all of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Whole numbers. Hashes have their bits.
    Whole,
    /// Numbers with a fraction.
    Real,
    Text,
}

impl Kind {
    fn of(field: Field<'_>) -> Option<Kind> {
        match field {
            Field::Empty => None,
            Field::Text(_) => Some(Kind::Text),
            Field::Number(Value::Float(_)) => Some(Kind::Real),
            Field::Number(_) => Some(Kind::Whole),
        }
    }

    fn physical(self) -> Physical {
        match self {
            Kind::Whole => Physical::INT64,
            Kind::Real => Physical::DOUBLE,
            Kind::Text => Physical::BYTE_ARRAY,
        }
    }
}

/// A column of the group in hand.
#[derive(Debug)]
struct Column {
    kind: Kind,
    /// 1 for each line with a value, else 0.
    levels: Vec<i16>,
    whole: Vec<i64>,
    real: Vec<f64>,
    text: Vec<ByteArray>,
}

/// Writes a result, in two passes over its rows.
///
/// # Errors
/// A file that is not a whole result; an output that cannot be written.
pub fn write(rows: &Path, out: impl Write + Send) -> Result<Footer, CliError> {
    let mut columns = Columns::default();
    Rows::open(rows)?.each(|row| {
        columns.add(&row);
        Ok(())
    })?;
    let mut kinds: Vec<Option<Kind>> = columns.titles().iter().map(|_| None).collect();
    Rows::open(rows)?.each(|row| {
        for fields in columns.fields(&row) {
            kinds.iter_mut().zip(fields).for_each(|(kind, field)| *kind = (*kind).max(Kind::of(field)));
        }
        Ok(())
    })?;
    // A column without a value has a type too.
    let kinds: Vec<Kind> = kinds.into_iter().map(|kind| kind.unwrap_or(Kind::Whole)).collect();
    let schema = schema(&columns.titles(), &kinds).map_err(failed)?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    let mut group: Vec<Column> = kinds.iter().copied().map(Column::new).collect();
    let mut lines = 0;
    let footer = Rows::open(rows)?.each(|row| {
        for fields in columns.fields(&row) {
            group.iter_mut().zip(fields).for_each(|(column, field)| column.push(field));
            lines += 1;
        }
        if lines >= GROUP {
            lines = 0;
            flush(&mut writer, &mut group).map_err(io::Error::other)?;
        }
        Ok(())
    })?;
    if lines > 0 {
        flush(&mut writer, &mut group).map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    Ok(footer)
}

fn failed(error: ParquetError) -> CliError {
    CliError::Output(io::Error::other(error))
}

/// The schema: every column is optional. Of titles that differ in case only the later ones are numbered, since readers
/// do not distinguish them.
fn schema(titles: &[&str], kinds: &[Kind]) -> Result<Type, ParquetError> {
    let mut known = std::collections::BTreeSet::new();
    let mut fields = Vec::new();
    for (title, kind) in titles.iter().zip(kinds) {
        let names = std::iter::once((*title).to_owned()).chain((2..).map(|number| format!("{title} ({number})")));
        let name = names.into_iter().find(|name| known.insert(name.to_lowercase())).unwrap_or_default();
        let logical = (*kind == Kind::Text).then_some(LogicalType::String);
        let field = Type::primitive_type_builder(&name, kind.physical()).with_repetition(Repetition::OPTIONAL);
        fields.push(Arc::new(field.with_logical_type(logical).build()?));
    }
    Type::group_type_builder("result").with_fields(fields).build()
}

/// Writes the group in hand, and begins another one.
fn flush<W: Write + Send>(writer: &mut SerializedFileWriter<W>, group: &mut [Column]) -> Result<(), ParquetError> {
    let mut rows = writer.next_row_group()?;
    for own in group {
        let Some(mut column) = rows.next_column()? else { break };
        let levels = Some(own.levels.as_slice());
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(to) => _ = to.write_batch(&own.whole, levels, None)?,
            ColumnWriter::DoubleColumnWriter(to) => _ = to.write_batch(&own.real, levels, None)?,
            ColumnWriter::ByteArrayColumnWriter(to) => _ = to.write_batch(&own.text, levels, None)?,
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        }
        column.close()?;
        *own = Column::new(own.kind);
    }
    rows.close()?;
    Ok(())
}

impl Column {
    fn new(kind: Kind) -> Column {
        Column { kind, levels: Vec::new(), whole: Vec::new(), real: Vec::new(), text: Vec::new() }
    }

    fn push(&mut self, field: Field<'_>) {
        self.levels.push(i16::from(field != Field::Empty));
        match (self.kind, field) {
            (_, Field::Empty) => {}
            (Kind::Text, Field::Text(text)) => self.text.push(text.into()),
            (Kind::Text, Field::Number(value)) => self.text.push(value.to_string().as_str().into()),
            (Kind::Real, Field::Number(value)) => self.real.push(value.number()),
            (Kind::Whole, Field::Number(value)) => self.whole.push(match value {
                Value::Bool(value) => value.into(),
                Value::Int(value) => value,
                // What is larger than 63 bits is a hash.
                Value::Uint(value) => value.cast_signed(),
                Value::Hash(value) => value.0.cast_signed(),
                Value::Float(value) => value as i64,
            }),
            (Kind::Whole | Kind::Real, Field::Text(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field as Stored;

    use super::*;
    use lanescope_host::corpus::testing::result;

    #[test]
    fn reads_back_with_types_and_in_groups() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = result(&folder.path().join("a.jsonl"), 40_000, 4);
        let path = folder.path().join("a.parquet");
        let footer = write(&rows, File::create(&path).expect("writable")).expect("writes");
        assert_eq!((footer.rows, footer.failed), (40_000, 0));
        let reader = SerializedFileReader::new(File::open(&path).expect("opens")).expect("reads");
        assert_eq!((reader.num_row_groups(), reader.metadata().file_metadata().num_rows()), (2, 80_000));
        let row = reader.get_row_iter(None).expect("rows").nth(79_999).expect("a row").expect("reads");
        let field = |name: &str| row.get_column_iter().find(|(own, _)| *own == name).map(|(_, field)| field.clone());
        assert_eq!(field("Executable name"), Some(Stored::Str("Fragment Shader".to_owned())));
        assert_eq!((field("VGPRs"), field("Code size")), (Some(Stored::Long(99)), Some(Stored::Long(3960))));
        assert_eq!(field("PSO duration (ns)"), Some(Stored::Null));
    }

    #[test]
    fn titles_are_distinct_in_any_case() {
        let all = schema(&["Database", "database", "VGPRs"], &[Kind::Text, Kind::Real, Kind::Whole]).expect("a schema");
        let names: Vec<&str> = all.get_fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, ["Database", "database (2)", "VGPRs"]);
    }
}
