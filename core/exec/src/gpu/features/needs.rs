//! What modules require of a device.

use std::collections::BTreeSet;
use std::ffi::CStr;

use super::registry::enabling;
use super::uses::Use;
use super::{Need, modes, need, uses};
use lanescope_model::program::StageKind;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Capability, Op};

/// Extensions of SPIR-V that come without a capability, and the device's of the same content.
const SPIRV_EXTENSIONS: &[(&str, &[&CStr])] = &[
    ("SPV_AMD_shader_explicit_vertex_parameter", &[c"VK_AMD_shader_explicit_vertex_parameter"]),
    ("SPV_AMD_gcn_shader", &[c"VK_AMD_gcn_shader"]),
    ("SPV_AMD_shader_trinary_minmax", &[c"VK_AMD_shader_trinary_minmax"]),
];

/// What is required of a device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    pub(super) capabilities: BTreeSet<Capability>,
    pub(super) uses: BTreeSet<Use>,
    /// Numbers of execution modes.
    pub(super) modes: BTreeSet<u32>,
    pub(super) unknown: BTreeSet<u32>,
    /// Extensions, each with what it is needed by.
    pub(crate) extensions: BTreeSet<(&'static str, &'static [&'static CStr])>,
    pub(super) tasks: bool,
    pub(super) graphics: bool,
    pub(super) vertex_stores: bool,
    pub(super) fragment_stores: bool,
    pub(super) dual_source: bool,
    pub(super) compiling: bool,
    /// State that a description may need is enabled where available.
    pub(in crate::gpu) described: bool,
    /// Stages are compiled into libraries and linked.
    pub(in crate::gpu) libraries: bool,
    /// Other forms of compiled code are enabled where available: shader objects, pipeline binaries.
    pub(super) alternatives: bool,
}

impl Needs {
    /// What modules need.
    pub fn of<'m>(modules: impl IntoIterator<Item = &'m Module>) -> Needs {
        let mut needs = Needs::default();
        for module in modules {
            // Capabilities come first in a module, extensions next.
            for inst in module.insts().take_while(|i| matches!(i.op(), Some(Op::Capability | Op::Extension))) {
                if inst.op() == Some(Op::Extension) {
                    let (name, _) = inst.string_at(1);
                    needs.extensions.extend(SPIRV_EXTENSIONS.iter().find(|row| row.0 == name));
                    continue;
                }
                match Capability::from_u32(inst.word_at(1)) {
                    Some(capability) if matches!(need(capability), Some(Need::Nothing)) => {}
                    Some(capability) => _ = needs.capabilities.insert(capability),
                    None => _ = needs.unknown.insert(inst.word_at(1)),
                }
            }
            needs.uses.extend(uses::of(module));
            let modes = module.entry_points().iter().flat_map(|entry| &entry.modes).map(|(mode, _)| mode);
            needs.modes.extend(modes.filter(|mode| !matches!(modes::need(**mode), Ok((Need::Nothing, _)))));
            needs.tasks |= module.entry_points().iter().any(|entry| entry.stage == Some(StageKind::Task));
        }
        needs
    }

    /// The capabilities that need something of a device.
    pub(crate) fn capabilities(&self) -> impl Iterator<Item = &Capability> {
        self.capabilities.iter()
    }

    /// Whether a stage has subgroup operations.
    pub(crate) fn has_subgroups_in(&self, stage: StageKind) -> bool {
        [Use::Subgroup(stage), Use::Quads(stage)].iter().any(|one| self.uses.contains(one))
    }

    /// Whether stages before the rasterizer write to descriptors, and whether fragment shaders do.
    pub(crate) fn stores(&self) -> [bool; 2] {
        [self.vertex_stores, self.fragment_stores]
    }

    /// Extends the needs for drawing; `vertex_stores` and `fragment_stores` say which stages write to descriptors.
    pub fn drawing(mut self, vertex_stores: bool, fragment_stores: bool) -> Needs {
        self.graphics = true;
        self.vertex_stores |= vertex_stores;
        self.fragment_stores |= fragment_stores;
        self
    }

    /// Reduces the needs to compiling only: without bounds checks that were not requested, with the compiler's
    /// statistics and texts, and with stages apart, where the device has these.
    pub(crate) fn compiling(mut self, dual_source: bool) -> Needs {
        self.compiling = true;
        self.dual_source = dual_source;
        self
    }

    /// These needs, and other forms of compiled code where available.
    pub(crate) fn with_alternatives(mut self) -> Needs {
        self.alternatives = true;
        self
    }

    /// These needs, and more that most pipelines have, so that one device serves many of them.
    pub(in crate::gpu) fn widened(&self) -> Needs {
        match self.compiling {
            true => self.clone().drawing(true, true).compiling(true),
            false => self.clone(),
        }
    }

    /// Whether a device that was opened for these needs serves others.
    pub(in crate::gpu) fn covers(&self, other: &Needs) -> bool {
        self.and(other) == *self
    }

    /// What both need.
    pub(in crate::gpu) fn and(&self, other: &Needs) -> Needs {
        Needs {
            capabilities: &self.capabilities | &other.capabilities,
            uses: &self.uses | &other.uses,
            modes: &self.modes | &other.modes,
            unknown: &self.unknown | &other.unknown,
            extensions: &self.extensions | &other.extensions,
            tasks: self.tasks || other.tasks,
            graphics: self.graphics || other.graphics,
            vertex_stores: self.vertex_stores || other.vertex_stores,
            fragment_stores: self.fragment_stores || other.fragment_stores,
            dual_source: self.dual_source || other.dual_source,
            compiling: self.compiling || other.compiling,
            described: self.described || other.described,
            libraries: self.libraries || other.libraries,
            alternatives: self.alternatives || other.alternatives,
        }
    }

    /// Capabilities and execution modes of which is not known what enables them: nothing is checked or enabled for them
    /// where they are compiled.
    pub(crate) fn handed_on(&self) -> Vec<String> {
        let is_known = |capability: Capability| need(capability).is_some() || enabling(capability).is_some();
        let capabilities = self.capabilities.iter().filter(|capability| !is_known(**capability));
        let unknown = self.unknown.iter().map(|number| format!("capability {number}"));
        let modes = self.modes.iter().filter(|mode| modes::need(**mode).is_err()).map(|mode| modes::name(*mode));
        capabilities.map(|capability| format!("capability {capability:?}")).chain(unknown).chain(modes).collect()
    }

    /// Whether it is for drawing.
    pub(in crate::gpu) fn draws(&self) -> bool {
        self.graphics
    }
}
