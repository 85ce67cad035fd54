//! The user SGPRs of guessed code as a table.

use super::UserDataRegisters;
use crate::guessed_layout::{Against, Holds, UserData};
use crate::table::{Cell, Column, Meaning, Table};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// What each user SGPR of the guessed code holds, and after the remap to the application's layout, if there is one.
pub fn sgpr_table(data: &UserData, against: Option<&Against>, stage: StageKind, target: Target) -> Table {
    let mut columns = vec![Column::left("SGPR"), Column::left("register"), Column::left("guessed")];
    columns.extend(against.map(|_| Column::left("after the remap")));
    columns.push(Column::left("what"));
    let mut out = Table::new(columns);
    let registers = UserDataRegisters::of_stage(target, stage);
    for (sgpr, holds) in (0..).zip(data.sgprs()) {
        let register = registers.and_then(|range| Some(range.of_sgpr(sgpr)?.0)).unwrap_or_default();
        let dim = |holds: Holds| match holds {
            Holds::Entry { .. } => Meaning::Plain,
            _ => Meaning::Dimmed,
        };
        let mut cells = vec![
            Cell::code(format!("s{sgpr}")),
            Cell::code(register).meaning(Meaning::Dimmed),
            Cell::code(holds.text()).meaning(dim(holds)),
        ];
        if let Some(against) = against {
            let moved = against.sgprs.iter().find(|moved| moved.sgpr == sgpr);
            cells.push(match moved.map(|moved| (moved.moved, moved.moves())) {
                Some((Some(to), true)) => Cell::code(to.text()).meaning(Meaning::Changed),
                Some((Some(to), false)) => Cell::code(to.text()).meaning(dim(to)),
                Some((None, _)) | None => Cell::of(Meaning::Missing, "not in the layout"),
            });
        }
        cells.push(data.what(sgpr).unwrap_or_default().into());
        out.row(cells);
    }
    out
}
