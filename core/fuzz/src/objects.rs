//! AMD code objects.

use lanescope_core::codeobject::{
    CodeObject, Content, compare, comparison_table, pipeline_table, registers_table, sections_table, semantics_table,
    shaders_table, stages_table, symbols_table, user_data_table,
};

/// An object: its tables, its metadata as lines, its JSON, compared with itself.
pub fn code_object(data: &[u8]) {
    let Ok(object) = CodeObject::read("a.elf", data) else { return };
    let _ = (sections_table(&object), symbols_table(&object), registers_table(&object.registers));
    for pipeline in &object.pipelines {
        for table in [pipeline_table, shaders_table, stages_table, user_data_table, semantics_table] {
            let _ = table(pipeline);
        }
    }
    for note in &object.notes {
        if let Content::Metadata { tree } = &note.content {
            let _ = tree.lines(98);
        }
    }
    let _ = serde_json::to_vec(&object);
    let comparison = compare(&object, &object);
    assert!(comparison.equal, "an object differs from itself");
    comparison.sections.iter().for_each(|section| drop(comparison_table(section)));
}
