use crate::Dxil;
use crate::testing::file;

/// The codes of a container's findings.
fn codes(dxil: &Dxil) -> Vec<String> {
    dxil.findings("a.dxil", 0).into_iter().map(|finding| finding.code).collect()
}

/// Where a mesh shader's semantic is at the parameter, released compilers write an index for each vertex into the
/// metadata, though there is one row; ISG1 and PSV0 have that row alone, and the container is signed.
#[test]
fn accepts_an_index_per_mesh_vertex() {
    let mut dxil = file("brick_wall.ms.dxil");
    let before = codes(&dxil);
    assert!(!before.iter().any(|code| code == "D001" || code == "D002"), "{before:?}");
    let entry = &mut dxil.program.as_mut().expect("has a program").dx.entries[0];
    let element = entry.signatures.output.iter_mut().find(|element| element.rows == 1).expect("has one row");
    let first = element.indices[0];
    element.indices = (first..first + 64).collect();
    assert_eq!(codes(&dxil), before);
    // An index that the parts do not have, and one in another stage, still do.
    dxil.program.as_mut().expect("is there").dx.entries[0].signatures.output[0].indices[0] = 7;
    assert!(codes(&dxil).iter().any(|code| code == "D002"));
    let mut vertex = file("lit_surface.vs.dxil");
    let entry = &mut vertex.program.as_mut().expect("has a program").dx.entries[0];
    entry.signatures.output[0].indices.push(1);
    let codes = codes(&vertex);
    assert!(codes.iter().any(|code| code == "D001") && codes.iter().any(|code| code == "D002"), "{codes:?}");
}

/// The flag promises data that the part does not have.
#[test]
fn linear_algebra_without_its_data_is_reported() {
    let mut dxil = file("preview_debugging.cs.dxil");
    let before = codes(&dxil);
    dxil.psv.as_mut().expect("is there").flags = Some(vec!["linalg".into()]);
    assert_eq!(codes(&dxil).iter().filter(|code| *code == "D002").count(), 1);
    dxil.psv.as_mut().expect("is there").unread_bytes = 8;
    assert_eq!(codes(&dxil), before);
}

/// Parts have no number for normalised types, and all bits for a register that is not assigned or not the last.
#[test]
fn numbers_that_parts_cannot_have_are_no_difference() {
    let mut dxil = file("lit_surface.ps.dxil");
    let before = codes(&dxil);
    let entry = &mut dxil.program.as_mut().expect("has a program").dx.entries[0];
    entry.signatures.input[1].component_type = "snorm32".into();
    dxil.input.as_mut().expect("is there")[1].component_type = "unknown".into();
    dxil.psv.as_mut().expect("is there").inputs[1].component_type = "unknown".into();
    assert_eq!(codes(&dxil), before);
    dxil.psv.as_mut().expect("is there").inputs[1].component_type = "int32".into();
    assert_eq!(codes(&dxil).iter().filter(|code| *code == "D002").count(), 1);
    let mut library = file("lantern_rays.lib.dxil");
    let before = codes(&library);
    for (count, upper) in [(Some(1), None), (Some(3), Some(1)), (None, None)] {
        let resource = &mut library.program.as_mut().expect("has a program").dx.resources.0[0];
        (resource.lower, resource.count) = (u32::MAX, count);
        let (class, id) = (resource.class.clone(), resource.id);
        let rows = &mut library.rdat.as_mut().expect("is there").resources;
        let row = rows.iter_mut().find(|row| row.class == class && row.id == id).expect("is listed");
        (row.lower, row.upper) = (u32::MAX, upper);
        assert_eq!(codes(&library), before, "{count:?}");
    }
}
