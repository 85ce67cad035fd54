//! LLPC's descriptions of pipelines.

use super::{Input, Random};

const SHADER: &str = "#version 450\nvoid main() {}\n";

/// The same shader in one description, again and again.
pub fn modules(random: &mut Random, count: usize) -> Input {
    let stage = random.one_of(&["Vs", "Fs", "Cs"]);
    let section = format!("[{stage}Glsl]\n{SHADER}\n[{stage}Info]\nentryPoint = main\n\n");
    Input::one("modules.pipe", format!("[Version]\nversion = 75\n\n{}", section.repeat(count)))
}

/// Many sections, or many entries of one.
pub fn sections(random: &mut Random, count: usize) -> Input {
    let mut text = format!("[Version]\nversion = 75\n\n[CsGlsl]\n{SHADER}\n[CsInfo]\nentryPoint = main\n\n");
    match random.below(4) {
        0 => text.extend((0..count).map(|at| format!("[Unknown{at}]\nx = 1\n"))),
        1 => text.extend((0..count).map(|_| "[CsInfo]\nentryPoint = main\n")),
        2 => {
            text += "[ResourceMapping]\n";
            text.extend((0..count).map(|at| {
                format!(
                    "userDataNode[{at}].type = DescriptorBuffer\nuserDataNode[{at}].offsetInDwords = {}\n\
                     userDataNode[{at}].sizeInDwords = 4\nuserDataNode[{at}].set = {at}\nuserDataNode[{at}].binding = 0\n",
                    4 * at
                )
            }));
        }
        _ => {
            text += "[ComputePipelineState]\n";
            text.extend((0..count).map(|at| format!("option{at} = {at}\n")));
        }
    }
    Input::one("sections.pipe", text)
}
