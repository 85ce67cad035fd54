//! The memory model: semantics of barriers and atomics, and how loads and stores take part.

use super::{Decoder, Operation, Ptr, Result};
use crate::race::{Class, Model, SUBGROUP, Semantics, WORKGROUP, Way, level};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Decoration, ImageOperands, MemoryAccess, MemoryModel, Op, StorageClass};

/// The memory model that a module declares.
pub(super) fn declared(module: &Module) -> Model {
    let found = module.globals().find(|inst| inst.op() == Some(Op::MemoryModel));
    let is_vulkan = found.is_some_and(|inst| inst.word_at(2) == MemoryModel::Vulkan as u32);
    Model { is_vulkan, ..Model::default() }
}

/// `MemoryAccess` of a load or store, with what its bits take.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MemoryOperands {
    pub align: u32,
    is_shared: bool,
    available: Option<Id>,
    visible: Option<Id>,
    /// Words that they take.
    pub words: usize,
}

impl MemoryOperands {
    pub fn of(words: &[u32]) -> MemoryOperands {
        let Some(&mask) = words.first() else { return MemoryOperands { align: 1, ..MemoryOperands::default() } };
        let flags = MemoryAccess::from_bits_truncate(mask);
        let mut next = 1;
        let mut take = |flag| {
            let word = flags.contains(flag).then(|| words.get(next).copied().unwrap_or(0));
            next += usize::from(word.is_some());
            word
        };
        let align = take(MemoryAccess::ALIGNED).unwrap_or(1).max(1);
        let available = take(MemoryAccess::MAKE_POINTER_AVAILABLE).map(Id);
        let visible = take(MemoryAccess::MAKE_POINTER_VISIBLE).map(Id);
        let is_shared = flags.contains(MemoryAccess::NON_PRIVATE_POINTER);
        MemoryOperands { align, is_shared, available, visible, words: next }
    }

    /// The same of `ImageOperands`.
    pub fn of_image(words: &[u32]) -> MemoryOperands {
        let flags = ImageOperands::from_bits_truncate(words.first().copied().unwrap_or(0));
        let before = [
            (ImageOperands::BIAS, 1),
            (ImageOperands::LOD, 1),
            (ImageOperands::GRAD, 2),
            (ImageOperands::CONST_OFFSET, 1),
            (ImageOperands::OFFSET, 1),
            (ImageOperands::CONST_OFFSETS, 1),
            (ImageOperands::SAMPLE, 1),
            (ImageOperands::MIN_LOD, 1),
        ];
        let mut next = 1 + before.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, n)| n).sum::<usize>();
        let mut take = |flag| {
            let word = flags.contains(flag).then(|| Id(words.get(next).copied().unwrap_or(0)));
            next += usize::from(word.is_some());
            word
        };
        let available = take(ImageOperands::MAKE_TEXEL_AVAILABLE);
        let visible = take(ImageOperands::MAKE_TEXEL_VISIBLE);
        let is_shared = flags.contains(ImageOperands::NON_PRIVATE_TEXEL);
        MemoryOperands { align: 1, is_shared, available, visible, words: next }
    }
}

impl Decoder<'_> {
    /// Semantics, of the classes of memory that the stage has.
    fn semantics(&self, op: &Operation<'_>, scope: usize, semantics: usize) -> Result<Semantics> {
        let mut semantics = Semantics::of(self.constant(op, scope)?, self.constant(op, semantics)?);
        if !self.shares_outputs() && self.stage != StageKind::Task {
            semantics.classes &= !(1 << Class::Output as u8);
        }
        Ok(semantics)
    }

    /// Scope and semantics of an atomic, operands `scope` and `semantics`.
    pub(super) fn atomic_semantics(&mut self, op: &Operation<'_>, scope: usize, semantics: usize) -> Result<Semantics> {
        let semantics = self.semantics(op, scope, semantics)?;
        self.model.atomics |= 1 << semantics.level;
        Ok(semantics)
    }

    /// Scope and semantics of a barrier.
    pub(super) fn barrier_semantics(
        &mut self,
        op: &Operation<'_>,
        scope: usize,
        semantics: usize,
    ) -> Result<Semantics> {
        let semantics = self.semantics(op, scope, semantics)?;
        if !semantics.is_empty() {
            self.model.barriers |= 1 << semantics.level;
        }
        Ok(semantics)
    }

    /// What a control barrier orders without naming it: the outputs of a patch, without the Vulkan memory model.
    pub(super) fn unnamed_semantics(&mut self) -> Option<Semantics> {
        let outputs = Semantics::of(2, 0x1008);
        let is_unnamed = self.stage == StageKind::TessControl && !self.model.is_vulkan;
        self.model.barriers |= if is_unnamed { 1 << outputs.level } else { 0 };
        is_unnamed.then_some(outputs)
    }

    /// How a load or store takes part in the memory model.
    pub(super) fn way(
        &mut self,
        op: &Operation<'_>,
        pointer: Ptr,
        operands: MemoryOperands,
        writes: bool,
    ) -> Result<Way> {
        let is_output = matches!(pointer.class, StorageClass::Output | StorageClass::TaskPayloadWorkgroupEXT);
        if self.model.is_vulkan {
            // `NonPrivatePointer` is not allowed for these: no access to them is private.
            return if is_output { Ok(implicit_way(false)) } else { self.explicit_way(op, operands, writes) };
        }
        let is_of_workgroup = is_output || pointer.class == StorageClass::Workgroup;
        let coherent = pointer.coherent.unwrap_or(self.has_coherent_memory);
        Ok(implicit_way(coherent && !is_of_workgroup))
    }

    /// How an image instruction takes part; `image` is the id of its image.
    pub(super) fn image_way(&mut self, op: &Operation<'_>, image: Id, operands: &[u32], writes: bool) -> Result<Way> {
        if self.model.is_vulkan {
            return self.explicit_way(op, MemoryOperands::of_image(operands), writes);
        }
        let known = self.coherent_images.get(&image).copied();
        Ok(implicit_way(known.unwrap_or(self.has_coherent_memory)))
    }

    fn explicit_way(&mut self, op: &Operation<'_>, operands: MemoryOperands, writes: bool) -> Result<Way> {
        if !operands.is_shared {
            return Ok(Way::private());
        }
        let Some(scope) = (if writes { operands.available } else { operands.visible }) else {
            return Ok(Way::shared(crate::race::INVOCATION));
        };
        let scope = self.module.constant(scope).and_then(|constant| constant.as_u32());
        let level = level(scope.ok_or_else(|| op.unsupported("a scope that is not a constant"))?);
        self.model.accesses |= if level >= SUBGROUP { 1 << level } else { 0 };
        Ok(Way::shared(level))
    }

    /// Whether an id, or a member of a structure, is coherent: writes are available and reads see them on the device.
    pub(super) fn is_coherent(&self, id: Id, member: Option<u32>) -> bool {
        let is = |decoration| self.module.is_decorated(id, member, decoration);
        is(Decoration::Coherent) || is(Decoration::Volatile)
    }
}

/// Whether any memory of a module is coherent: that of a pointer from an unknown place may be.
pub(super) fn has_coherent_memory(module: &Module) -> bool {
    let coherent = [Decoration::Coherent as u32, Decoration::Volatile as u32];
    module.globals().any(|inst| match inst.op() {
        Some(Op::Decorate) => coherent.contains(&inst.word_at(2)),
        Some(Op::MemberDecorate) => coherent.contains(&inst.word_at(3)),
        _ => false,
    })
}

/// Accesses that say nothing. All are non-private, and other invocations of the workgroup see them: SPIR-V from HLSL
/// relies on that. Others of the device see those of coherent memory.
fn implicit_way(coherent: bool) -> Way {
    Way::shared(if coherent { crate::race::DEVICE } else { WORKGROUP })
}
