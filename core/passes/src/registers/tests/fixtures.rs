//! What the tests of this module share: shaders from GLSL, small packing artifacts, and registers by name.

use super::super::{Attachment, Graphics, Known, PixelFacts, ProducerFacts, Register, attachments, collect};
pub(super) use lanescope_testing::glsl;

use crate::guessed_layout::{Entry, UserData};
use crate::liveness::Liveness;
use crate::packing::{
    At, AttributeBuiltIn, BuiltInSlot, InterfaceScalar, Interpolation, Mapping, Packing, Place, Saving, Slots,
};
use crate::registers::From;
use lanescope_base::ids::{Component, Id, Location};
use lanescope_model::options::{Options, PackingOrder};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use std::collections::{BTreeMap, BTreeSet};

/// Every target with registers.
pub(super) const ALL: [Target; 4] = [Target::Gfx1010, Target::Gfx1030, Target::Gfx1100, Target::Gfx1200];

/// The facts of a fragment shader in GLSL.
pub(super) fn pixel(source: &str) -> PixelFacts {
    let module = glsl(StageKind::Fragment, source);
    collect::pixel(&Liveness::of(&module, &module.entry_points()[0]))
}

/// The facts of a vertex shader in GLSL.
pub(super) fn vertex(source: &str) -> ProducerFacts {
    let module = glsl(StageKind::Vertex, source);
    collect::producer(&Liveness::of(&module, &module.entry_points()[0]), StageKind::Vertex)
}

/// One scalar of a packing artifact: `from` and `to` are location, component and half.
#[derive(Debug, Clone)]
pub(super) struct Scalar {
    pub from: (u32, u8),
    pub to: (u32, u8, bool),
    pub bits: u32,
    pub interpolation: Interpolation,
    pub at: At,
    pub per_primitive: bool,
    pub written: bool,
}

/// A smooth 32-bit scalar at the centre, written by the previous stage.
pub(super) fn smooth(from: (u32, u8), to: (u32, u8)) -> Scalar {
    let (interpolation, at) = (Interpolation::Smooth, At::Center);
    Scalar { from, to: (to.0, to.1, false), bits: 32, interpolation, at, per_primitive: false, written: true }
}

impl Scalar {
    pub fn narrow(self, high: bool) -> Scalar {
        Scalar { bits: 16, to: (self.to.0, self.to.1, high), ..self }
    }

    pub fn mode(self, interpolation: Interpolation) -> Scalar {
        Scalar { interpolation, ..self }
    }

    pub fn at(self, at: At) -> Scalar {
        Scalar { at, ..self }
    }

    pub fn per_primitive(self) -> Scalar {
        Scalar { per_primitive: true, ..self }
    }

    pub fn unwritten(self) -> Scalar {
        Scalar { written: false, ..self }
    }
}

/// `n` smooth scalars of one location, kept in place at another.
pub(super) fn vector(from: u32, to: u32, n: u8) -> Vec<Scalar> {
    (0..n).map(|c| smooth((from, c), (to, c))).collect()
}

/// A packing artifact.
pub(super) fn packing(scalars: Vec<Scalar>, builtins: &[(AttributeBuiltIn, u32)]) -> Packing {
    let place =
        |location, component, half| Place { location: Location(location), component: Component(component), half };
    let interface = scalars.iter().map(|s| InterfaceScalar {
        variable: format!("v{}", s.from.0).into(),
        input_id: None,
        output_id: None,
        location: Location(s.from.0),
        component: Component(s.from.1),
        part: None,
        bits: s.bits,
        interpolation: s.interpolation,
        used: true,
        written: s.written,
    });
    let interface = interface.collect();
    let map = scalars.iter().map(|s| Mapping {
        variable: format!("v{}", s.from.0).into(),
        variable_id: Id(100 + s.from.0),
        part: None,
        from: place(s.from.0, s.from.1, false),
        to: place(s.to.0, s.to.1, s.to.2),
        bits: s.bits,
        interpolation: s.interpolation,
        at: s.at.into(),
        per_primitive: s.per_primitive,
        written: s.written,
    });
    let places = |of_primitive: bool| {
        let of = scalars.iter().filter(|scalar| scalar.per_primitive == of_primitive);
        of.map(|scalar| scalar.to.0).collect::<BTreeSet<_>>().len() as u32
    };
    let slot = |&(built_in, location): &(AttributeBuiltIn, u32)| BuiltInSlot {
        built_in,
        location: Location(location),
        written: true,
    };
    Packing {
        producer: Some(StageKind::Vertex),
        consumer: StageKind::Fragment,
        order: PackingOrder::Llpc,
        map: map.collect(),
        spans: Vec::new(),
        dropped: Vec::new(),
        missing: Vec::new(),
        interface,
        semantics: Vec::new(),
        output_linkage: None,
        builtins: builtins.iter().map(slot).collect(),
        outputs: Vec::new(),
        raster_stream: 0,
        exports: Vec::new(),
        slots: Slots { before: 0, after: places(false) + places(true), per_primitive: places(true) },
        saving: Saving::NONE,
        stored: None,
        fallback: None,
        per_patch: false,
    }
}

/// User data of so many registers: special values, the internal table aside, and what is loaded.
pub(super) fn passed(special: u32, loaded: u32) -> UserData {
    let before = special.saturating_add(1);
    UserData {
        loaded,
        in_registers: loaded,
        spilled_from: None,
        dynamic: false,
        before,
        after: 0,
        special: Vec::new(),
        registers: before.saturating_add(loaded),
        available: 32,
        entries: (0..loaded.min(64)).map(|entry| Entry { entry, what: format!("table of set {entry}") }).collect(),
    }
}

/// A pipeline under test.
pub(super) struct Pipeline {
    pub pixel: PixelFacts,
    pub producer: Option<ProducerFacts>,
    pub packing: Packing,
    pub options: Options,
    pub known: Known,
}

impl Default for Pipeline {
    /// An empty fragment shader after a vertex shader that writes only the position.
    fn default() -> Self {
        Pipeline {
            pixel: PixelFacts::default(),
            producer: Some(ProducerFacts::of(StageKind::Vertex)),
            packing: packing(Vec::new(), &[]),
            options: Options::default(),
            known: Known::default(),
        }
    }
}

impl Pipeline {
    /// Calls `look` with the pipeline on a target.
    pub fn on<R>(&self, target: Target, look: impl FnOnce(&Graphics<'_>) -> R) -> R {
        let mut findings = Vec::new();
        let attachments: BTreeMap<u32, Attachment> = attachments(&self.pixel, &self.options, &mut findings);
        assert_eq!(findings, []);
        look(&Graphics {
            target,
            pixel: &self.pixel,
            producer: self.producer.as_ref(),
            attachments: &attachments,
            options: &self.options,
            known: &self.known,
        })
    }

    /// The registers on a target.
    pub fn registers(&self, target: Target) -> Vec<Register> {
        self.on(target, |graphics| graphics.registers(&self.packing, From::Packed))
    }

    /// Compares words, by name, on each of the targets.
    pub fn expect(&self, targets: &[Target], words: &[(&str, u32)]) {
        for &target in targets {
            let registers = self.registers(target);
            for &(name, expected) in words {
                let value = value(&registers, name);
                assert_eq!(value, Some(expected), "{target} {name}: {value:#x?}, expected {expected:#010x}");
            }
        }
    }
}

/// A register by its name.
pub(super) fn register<'r>(registers: &'r [Register], name: &str) -> &'r Register {
    registers.iter().find(|register| register.name == name).unwrap_or_else(|| panic!("no register {name}"))
}

/// A register's value by its name.
pub(super) fn value(registers: &[Register], name: &str) -> Option<u32> {
    register(registers, name).value.map(|value| value.0 as u32)
}

/// A register's driver value by its name.
pub(super) fn driver_value(registers: &[Register], name: &str) -> Option<u32> {
    register(registers, name).driver_value.map(|value| value.0 as u32)
}
