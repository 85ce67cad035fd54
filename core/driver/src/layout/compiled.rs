//! The texts of one compilation: the fragment shader's form and assembly, and what the stage before writes.

use std::collections::BTreeSet;

use super::declared::{self, Declared};
use super::nir::Nir;
use super::other;
use super::reads::{Channel, Numbering, Reads};
use super::values::Written;
use super::{LayoutColumn, Reason};
use crate::isa::{ExportTarget, IsaFacts, not_understood};
use crate::texts::{self, Dialect, Topic};
use crate::verified::{self, Verified};
use crate::{DriverStage, Link, Version};
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_passes::packing::{InterfaceScalar, Packing};

/// The name of the last of the forms that drivers with several return.
const FINAL: &str = "Final NIR";

/// The texts of one compilation.
pub(super) struct Compiled<'r> {
    pub of: Version,
    pub link: Link,
    pub dialect: Dialect,
    /// The driver's form of the fragment shader.
    pub form: Nir<'r>,
    /// The variables that the form declares.
    pub inputs: Vec<Declared>,
    /// The attributes that the form loads.
    pub reads: Reads,
    /// The channels that the assembly reads; those of the form where the assembly names none (Intel).
    pub read: BTreeSet<Channel>,
    /// The form loads the channels that the assembly reads, whose lines are all understood.
    pub agrees: bool,
    /// Why a channel that the form does not load is not known to be unread.
    pub doubt: Reason,
    /// The driver's linker is one that is replayed.
    pub is_replayed: bool,
    /// Slots that the stage before writes, where its text says them all.
    slots: Option<u32>,
    /// What the stage before writes, where it is one that the driver's linker looks into.
    pub written: Option<Written<'r>>,
}

/// What a fragment shader's assembly reads.
struct Assembly {
    channels: BTreeSet<Channel>,
    /// Why there may be more.
    doubt: Option<Reason>,
}

impl<'r> Compiled<'r> {
    /// The compilation that a fragment shader's row is of; none where its texts are not read, and of the second and later
    /// executables of one fragment shader. `own` are the rows of its compiler.
    pub fn new(fragment: &'r DriverStage, own: &[&'r DriverStage], packing: &Packing) -> Option<Compiled<'r>> {
        let dialect = fragment.dialect().filter(|dialect| *dialect != Dialect::Nak)?;
        let nir = form(fragment)?;
        let reads = Reads::of(&nir);
        let widths: Vec<&DriverStage> = own.iter().copied().filter(|row| is_other_width(row, fragment)).collect();
        let is_first = widths.first().is_none_or(|first| std::ptr::eq(*first, fragment));
        (dialect != Dialect::Gen || is_first).then_some(())?;
        let assembly = match dialect {
            Dialect::Amd => of_amd(fragment)?,
            Dialect::Gen => of_gen(fragment, &widths, &reads)?,
            _ => of_inputs(fragment)?,
        };
        let before = before(fragment, own);
        let agrees = assembly.doubt.is_none() && reads.agrees(&assembly.channels);
        Some(Compiled {
            of: fragment.of,
            link: fragment.link,
            dialect,
            inputs: sized(declarations(fragment, declared::inputs)?, fragment.of, packing, |scalar| scalar.input_id),
            agrees,
            doubt: assembly.doubt.unwrap_or(Reason::TextsDiffer),
            reads,
            form: nir,
            is_replayed: verified::linker(&fragment.driver) == Verified::Yes,
            read: assembly.channels,
            slots: slots(dialect, fragment, before, own),
            written: before.and_then(|row| written(row, packing)),
        })
    }

    /// Whether a location's number is where its varyings are.
    pub fn keeps_numbers(&self) -> bool {
        self.form.numbering == Numbering::Locations
    }

    pub fn column(&self) -> LayoutColumn {
        let attributes = self.read.iter().map(|(attribute, _)| attribute).collect::<BTreeSet<_>>().len();
        LayoutColumn {
            of: self.of,
            link: self.link,
            attributes: u32::try_from(attributes).unwrap_or(u32::MAX),
            at_least: self.is_open(),
            slots: self.slots.filter(|slots| *slots > 0),
        }
    }

    /// Whether more may be read than is known.
    fn is_open(&self) -> bool {
        match self.dialect {
            Dialect::Gen => !self.agrees,
            _ => self.doubt == Reason::NotUnderstood,
        }
    }
}

/// What AMD's assembly reads.
fn of_amd(fragment: &DriverStage) -> Option<Assembly> {
    let facts = fragment.read_isa()?;
    let is_partial = not_understood(fragment.isa.as_deref()?, &facts).is_some() || facts.cut;
    let channels = facts.interpolations.iter().map(|read| (read.attribute, read.channel)).collect();
    Some(Assembly { channels, doubt: is_partial.then_some(Reason::NotUnderstood) })
}

/// What an assembly reads whose facts list inputs by location.
fn of_inputs(fragment: &DriverStage) -> Option<Assembly> {
    let facts = fragment.read_text()?;
    let read = other::channels(&facts);
    let is_partial = texts::not_understood(fragment.isa.as_deref()?, &facts).is_some()
        || facts.not_known.contains(&Topic::Inputs)
        || !read.complete;
    let channels = read.channels.into_keys().collect();
    Some(Assembly { channels, doubt: is_partial.then_some(Reason::NotUnderstood) })
}

/// What Intel's form reads: its assembly has the inputs in registers, and names none of them. The executables of all widths
/// are made from one form.
fn of_gen(fragment: &DriverStage, widths: &[&DriverStage], reads: &Reads) -> Option<Assembly> {
    fragment.read_text()?;
    let text = final_text(fragment);
    let is_one = widths.iter().all(|other| final_text(other) == text);
    let doubt = match () {
        () if reads.is_partial => Some(Reason::FormNotUnderstood),
        () if !is_one => Some(Reason::FormsDiffer),
        () => None,
    };
    Some(Assembly { channels: reads.channels(), doubt })
}

/// Whether a row is of the same fragment shader: Intel's compilers make an executable for each of several widths.
fn is_other_width(row: &DriverStage, fragment: &DriverStage) -> bool {
    row.stage == StageKind::Fragment && (row.of, row.link, &row.entry) == (fragment.of, fragment.link, &fragment.entry)
}

/// The stage before the fragment shader: of several executables of it, one with a form. Qualcomm's second one only places
/// primitives in bins.
fn before<'r>(fragment: &DriverStage, own: &[&'r DriverStage]) -> Option<&'r DriverStage> {
    let is = |row: &&&'r DriverStage| {
        row.stage.is_graphics()
            && row.stage != StageKind::Fragment
            && (row.of, row.link) == (fragment.of, fragment.link)
    };
    if fragment.dialect() == Some(Dialect::Amd) {
        return own.iter().rfind(is).copied();
    }
    // Kinds of stages are in the order in which they run.
    let last = own.iter().filter(is).map(|row| row.stage).max()?;
    own.iter().filter(is).find(|row| row.stage == last && form(row).is_some()).copied()
}

/// What the stage before writes, of those that linkers look into.
fn written<'r>(row: &'r DriverStage, packing: &Packing) -> Option<Written<'r>> {
    matches!(row.stage, StageKind::Vertex | StageKind::TessEval).then_some(())?;
    let nir = form(row)?;
    let declared = sized(declarations(row, declared::outputs)?, row.of, packing, |scalar| scalar.output_id);
    let mut locations = declared::locations(&declared);
    if locations.is_empty() {
        locations = packing.interface.iter().filter(|s| s.written).map(|scalar| scalar.location.0).collect();
    }
    Some(Written::of(nir, &locations))
}

/// The slots that the stage before writes; none where its text does not say.
fn slots(dialect: Dialect, fragment: &DriverStage, before: Option<&DriverStage>, own: &[&DriverStage]) -> Option<u32> {
    match dialect {
        Dialect::Amd => {
            let row = before?;
            let facts = row.read_isa()?;
            not_understood(row.isa.as_deref()?, &facts).is_none().then(|| exported(&facts))
        }
        Dialect::Gen => {
            let nir = form(before?)?;
            let written: BTreeSet<u32> = nir.locations_written().collect();
            u32::try_from(if written.is_empty() { nir.locations_stored()?.len() } else { written.len() }).ok()
        }
        _ => other::written_before(fragment, own),
    }
}

fn exported(facts: &IsaFacts) -> u32 {
    let parameters = facts.exports.iter().filter(|export| export.target == ExportTarget::Parameter);
    u32::try_from(parameters.map(|export| export.index).collect::<BTreeSet<_>>().len()).unwrap_or(u32::MAX)
}

/// The driver's form of a row's shader.
pub(super) fn form(row: &DriverStage) -> Option<Nir<'_>> {
    match row.dialect() {
        Some(Dialect::Gen | Dialect::Ir3) => Nir::numbered(final_text(row)?, Numbering::Locations),
        _ => row.texts.iter().find_map(|text| Nir::numbered(&text.text, Numbering::Attributes)),
    }
}

/// The last one of the forms that a driver with several returns.
fn final_text(row: &DriverStage) -> Option<&str> {
    row.text(FINAL)
}

/// The declarations of the first of a row's texts that has some, or of its last form; of a form that declares nothing, what
/// it loads, or the locations that its header says are written. None where no text is such a form.
pub(super) fn declarations(row: &DriverStage, of: fn(&str) -> Vec<Declared>) -> Option<Vec<Declared>> {
    let found = match row.dialect() {
        Some(Dialect::Gen | Dialect::Ir3) => Some(of(final_text(row)?)).filter(|all| !all.is_empty()),
        _ => row.texts.iter().map(|text| of(&text.text)).find(|all| !all.is_empty()),
    };
    found.or_else(|| {
        let nir = form(row)?;
        Some(match row.stage {
            StageKind::Fragment => Reads::of(&nir).loads.iter().filter_map(Declared::loaded).collect(),
            _ => nir.locations_written().map(Declared::written).collect(),
        })
    })
}

/// Declarations with the sizes of structures. The packed version has none; the packing describes those of the other.
fn sized(
    all: Vec<Declared>,
    of: Version,
    packing: &Packing,
    variable: fn(&InterfaceScalar) -> Option<Id>,
) -> Vec<Declared> {
    let interface = if of == Version::Packed { &[] } else { packing.interface.as_slice() };
    all.into_iter().map(|declared| size(declared, interface, variable)).collect()
}

/// A structure with the locations that its variable has in the interface; anything else unchanged. `of` is the variable
/// of its side.
fn size(declared: Declared, interface: &[InterfaceScalar], of: impl Fn(&InterfaceScalar) -> Option<Id>) -> Declared {
    if declared.locations > 0 {
        return declared;
    }
    let begins = |scalar: &&InterfaceScalar| scalar.location.0 == declared.location;
    let variable = interface.iter().filter(begins).find_map(&of);
    let own = interface.iter().filter(|scalar| variable.is_some() && of(scalar) == variable);
    let end = own.map(|scalar| scalar.location.0.saturating_add(1)).max();
    Declared { locations: end.map_or(0, |end| end.saturating_sub(declared.location)), ..declared }
}
