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
