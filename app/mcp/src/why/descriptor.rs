//! Where a guessed layout puts a descriptor.

use lanescope_core::report::Report;
use lanescope_pictures::guessed_layout;

use super::{Part, nearest};

/// A descriptor: `SET:BINDING`, or its variable's name.
pub(super) fn descriptor(report: &Report, name: &str) -> Result<Vec<Part>, String> {
    let place = name.split_once(':').and_then(|(set, binding)| Some((set.parse().ok()?, binding.parse().ok()?)));
    let mut parts = Vec::new();
    for stage in &report.partial {
        let is_it = |set: u32, binding: u32, variable: Option<&str>| match place {
            Some(place) => place == (set, binding),
            None => variable == Some(name),
        };
        let resources = stage.resources.iter().filter(|one| is_it(one.set, one.binding, one.name.as_deref()));
        for resource in resources {
            let called = resource.name.as_deref().unwrap_or("descriptor");
            let mut part = Part::new(format!("{called}: guessed layout of {} {}", stage.stage, stage.entry));
            part.notes = guessed_layout::describe(stage, resource.set, resource.binding);
            part.notes.push(match stage.layout.find(resource.set, resource.binding) {
                Some(_) => format!("rule: {}", stage.rule.words()),
                None => "not in the guessed layout".to_owned(),
            });
            parts.push(part);
        }
    }
    if parts.is_empty() {
        let all = report.partial.iter().flat_map(|stage| &stage.resources);
        let known = all.map(|one| match &one.name {
            Some(name) => format!("{name} ({}:{})", one.set, one.binding),
            None => format!("{}:{}", one.set, one.binding),
        });
        let known = nearest(name, known);
        return Err(format!("no descriptor `{name}`: expected SET:BINDING or a name; the descriptors are {known}"));
    }
    Ok(parts)
}
