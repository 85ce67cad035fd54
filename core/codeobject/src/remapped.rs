//! What a remap from a guessed layout to the application's changes in the metadata of the guessed code, value by value and byte
//! by byte. The object itself is not needed: its mapping follows from the guess.

use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::guessed_layout::{Against, Holds, MovedSgpr, Remap, UserData as Passed};
use lanescope_passes::table::{Cell, Column, Meaning, Table};

use crate::metadata::HardwareStage;
use crate::repack::Refused;
use crate::user_data::entries_rise;

/// A value of PAL metadata that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetadataChange {
    /// Its key: `.user_data_reg_map[1]`.
    pub key: String,
    /// The value before and after.
    pub values: [u64; 2],
    /// Its MessagePack before and after, in the shortest form, as LLVM writes it.
    pub bytes: [Vec<u8>; 2],
}

impl MetadataChange {
    fn of(key: String, before: u64, after: u64) -> Option<MetadataChange> {
        (before != after).then(|| MetadataChange { key, values: [before, after], bytes: [before, after].map(packed) })
    }
}

/// A number as MessagePack.
fn packed(number: u64) -> Vec<u8> {
    let mut out = Vec::new();
    // A vector takes all that is written.
    let _ = rmpv::encode::write_value(&mut out, &number.into());
    out
}

/// The values that change. Empty where the application has the guessed dwords where they were guessed.
///
/// # Errors
/// [`Refused::NotInLayout`] and [`Refused::Spilled`]: the code would have to change.
pub fn metadata_changes(
    stage: StageKind,
    guess: (&Passed, u64),
    against: &Against,
) -> Result<Vec<MetadataChange>, Refused> {
    let (data, root_dwords) = guess;
    // User data are known of these stages alone.
    let hardware = if stage == StageKind::Fragment { HardwareStage::Ps } else { HardwareStage::Cs };
    spilled(data, &against.remap)?;
    let mut out = Vec::new();
    for MovedSgpr { sgpr, guessed, moved, .. } in &against.sgprs {
        let (Holds::Entry { entry: before }, after) = (guessed, moved) else { continue };
        let Some(Holds::Entry { entry: after }) = after else {
            let (stage, sgpr) = (hardware, *sgpr as usize);
            return Err(Refused::NotInLayout { stage, sgpr, entry: u64::from(*before) });
        };
        let key = format!(".user_data_reg_map[{sgpr}]");
        out.extend(MetadataChange::of(key, u64::from(*before), u64::from(*after)));
    }
    let entry = |moved: &MovedSgpr| match moved.moved {
        Some(Holds::Entry { entry }) => Some(u64::from(entry) + 1),
        _ => None,
    };
    let (before, highest) = (data.limit(root_dwords), against.sgprs.iter().filter_map(entry).max().unwrap_or(1));
    // Where something is spilled, the limit is the end of the whole root.
    let after = if data.spills() { highest.max(against.application.layout.root_dwords) } else { highest };
    out.extend(MetadataChange::of(".user_data_limit".to_owned(), before, after.max(1)));
    Ok(out)
}

/// An entry that the code reads from the spill table, and that moves.
fn spilled(data: &Passed, rows: &[Remap]) -> Result<(), Refused> {
    let Some(threshold) = data.spilled_from.map(u64::from) else { return Ok(()) };
    let reaches = |row: &&Remap| row.moves() && row.automatic[0].saturating_add(row.automatic[1]) > threshold;
    match rows.iter().find(reaches) {
        Some(row) => Err(Refused::Spilled { entry: row.automatic[0].max(threshold), threshold }),
        None => Ok(()),
    }
}

/// The changes as rows: key, values, bytes.
pub fn metadata_table(changes: &[MetadataChange]) -> Table {
    let mut out = Table::new([
        Column::left("metadata"),
        Column::right("before"),
        Column::right("after"),
        Column::left("bytes before"),
        Column::left("after"),
    ]);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    for change in changes {
        let [before, after] = change.values.map(|value| value.to_string());
        let [from, to] = &change.bytes;
        out.row([
            Cell::code(&change.key),
            Cell::code(before),
            Cell::code(after).meaning(Meaning::Changed),
            Cell::code(hex(from)),
            Cell::code(hex(to)),
        ]);
    }
    out
}

/// How many bytes the metadata grows by; negative where it shrinks.
pub fn growth(changes: &[MetadataChange]) -> i64 {
    changes.iter().map(|change| change.bytes[1].len() as i64 - change.bytes[0].len() as i64).sum()
}

/// Neighbours of which the second one holds a lower entry after the remap. From gfx9 to gfx11, PAL's generator of indirect
/// commands expects that entries rise with the SGPRs.
pub fn falls(target: Target, sgprs: &[MovedSgpr]) -> Option<String> {
    let entries: Vec<(u32, u32)> = sgprs
        .iter()
        .filter_map(|moved| match moved.moved {
            Some(Holds::Entry { entry }) => Some((moved.sgpr, entry)),
            _ => None,
        })
        .collect();
    let pair = entries.windows(2).find(|pair| pair[0].1 >= pair[1].1).filter(|_| entries_rise(target.name()))?;
    let [(first, before), (second, after)] = [pair[0], pair[1]];
    Some(format!(
        "s{first} holds entry {before}, and s{second} entry {after}: PAL's indirect commands expect rising entries"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_shortest_form() {
        let change = |before, after| MetadataChange::of("k".to_owned(), before, after).expect("changes").bytes;
        assert_eq!(change(0, 5), [vec![0], vec![5]]);
        // The worked example of a longer note: table 0 to 5, push constant 1 to 200, limit 3 to 201.
        assert_eq!(change(1, 200), [vec![1], vec![0xcc, 200]]);
        assert_eq!(change(3, 201), [vec![3], vec![0xcc, 0xc9]]);
        let changes: Vec<_> = [(0, 5), (1, 200), (3, 201)]
            .iter()
            .filter_map(|&(before, after)| MetadataChange::of(String::new(), before, after))
            .collect();
        assert_eq!(growth(&changes), 2);
        assert_eq!(MetadataChange::of(String::new(), 3, 3), None);
    }
}
