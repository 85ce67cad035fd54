//! Pipelines whose shaders take their descriptors from heaps (`VK_EXT_descriptor_heap`): their creation says so, and has no
//! layout.

use ash::vk;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Capability, Op};

/// `VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT`.
const DESCRIPTOR_HEAP: u64 = 1 << 36;

/// How the creation of such a pipeline differs from others.
pub(crate) struct Heaps {
    /// Replaces the flags of 32 bits.
    pub flags: vk::PipelineCreateFlags2CreateInfoKHR<'static>,
    /// Replaces the layout.
    pub layout: vk::PipelineLayout,
}

impl Heaps {
    /// The difference, where one of the modules is of this kind.
    pub fn of<'m>(modules: impl IntoIterator<Item = &'m Module>, flags: vk::PipelineCreateFlags) -> Option<Heaps> {
        modules.into_iter().any(takes_heaps).then(|| {
            let flags = u64::from(flags.as_raw()) | DESCRIPTOR_HEAP;
            let flags = vk::PipelineCreateFlags2KHR::from_raw(flags);
            Heaps {
                flags: vk::PipelineCreateFlags2CreateInfoKHR::default().flags(flags),
                layout: vk::PipelineLayout::null(),
            }
        })
    }
}

fn takes_heaps(module: &Module) -> bool {
    let declares = |word: u32| word == Capability::DescriptorHeapEXT as u32;
    let mut capabilities = module.globals().filter(|inst| inst.op() == Some(Op::Capability));
    capabilities.any(|inst| declares(inst.word_at(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_modules_of_heaps_are_created_otherwise() {
        let module = |capability: u32| {
            Module::parse(vec![0x0723_0203, 0x0001_0600, 0, 1, 0, 2 << 16 | 17, capability]).expect("a module")
        };
        let (plain, heaps) = (module(Capability::Shader as u32), module(Capability::DescriptorHeapEXT as u32));
        let flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
        assert!(Heaps::of([&plain], flags).is_none());
        let made = Heaps::of([&plain, &heaps], flags).expect("one of them takes heaps");
        assert_eq!(made.flags.flags.as_raw(), DESCRIPTOR_HEAP | u64::from(flags.as_raw()));
    }
}
