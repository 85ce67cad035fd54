//! Malformed modules that no compiler emits: each broken rule is named.

use super::*;
use crate::bitstream::writer::Writer;
use crate::findings::Finding;
use crate::metadata;

/// A record: code, operands.
type Record<'r> = (u64, &'r [u64]);

/// Bitcode of one module whose block is written by `inside`.
fn bitcode(inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer) -> Vec<u8> {
    let mut writer = Writer::bitcode();
    writer.block(2, 8, 4, |w| inside(w).fixed(0, 4));
    writer.bytes()
}

/// Types 0 void, 1 i32, 2 float, 3 function void(), 4 function void(i32), 5 [2 x i32], 6 metadata.
fn types(w: &mut Writer) -> &mut Writer {
    w.record(1, &[1]).inner(17, |w| {
        w.record(1, &[7]).record(2, &[]).record(7, &[32]).record(3, &[]).record(21, &[0, 0]);
        w.record(21, &[0, 0, 1]).record(11, &[2, 1]).record(16, &[])
    })
}

/// A module with those types, and a function `void()` whose body is written by `inside`; value 1 is `void(i32)`.
fn body(inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer) -> Vec<u8> {
    bitcode(|w| types(w).record(8, &[3, 0, 0]).record(8, &[4, 0, 1]).inner(12, inside))
}

fn rule(bitcode: &[u8]) -> String {
    match Module::parse(bitcode, 0) {
        Ok(module) => format!("read, {} unknown blocks", module.unknown_blocks.len()),
        Err(fault) => {
            assert!(fault.to_string().contains("(bit "), "{fault}");
            fault.rule.code.to_owned()
        }
    }
}

#[test]
fn names_rule_broken_by_a_module() {
    let good = body(|w| w.record(1, &[1]).record(10, &[]));
    assert_eq!(rule(&good), "read, 0 unknown blocks");
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("read, 1 unknown blocks", bitcode(|w| w.inner(23, |w| w))),
        ("C38", bitcode(|w| w.record(1, &[2]))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(7, &[0])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(7, &[65])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(12, &[0, 0])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(7, &[32]).record(12, &[(1 << 20) + 1, 0])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(8, &[5])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(18, &[0, 0])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(18, &[0, 1]).record(11, &[2, 0])))),
        ("C39", bitcode(|w| w.inner(17, |w| w.record(99, &[])))),
        ("C39", bitcode(|w| w.record(8, &[0, 0, 1]))),
        ("C40", bitcode(|w| w.inner(17, |w| w.record(1, &[900]).record(2, &[])))),
        ("C45", bitcode(|w| w.inner(12, |w| w.record(1, &[1]).record(10, &[])))),
        ("C45", bitcode(|w| types(w).record(8, &[3, 0, 0]))),
        ("C46", bitcode(|w| w.inner(15, |w| w.record(3, &[99])))),
        ("C46", bitcode(|w| w.inner(15, |w| w.record(4, &[97]).record(3, &[])))),
        ("C46", bitcode(|w| w.inner(15, |w| w.record(10, &[])))),
        ("C46", bitcode(|w| types(w).inner(15, |w| w.record(2, &[1, 77])))),
    ];
    for (index, (expected, bitcode)) in cases.iter().enumerate() {
        assert_eq!(rule(bitcode), *expected, "case {index}");
    }
}

#[test]
fn names_rule_broken_by_a_constant() {
    let with = |records: &[Record<'_>]| {
        rule(&bitcode(|w| {
            types(w).inner(11, |w| {
                for (code, operands) in records {
                    w.record(*code, operands);
                }
                w
            })
        }))
    };
    assert_eq!(with(&[(1, &[1]), (4, &[0x1_0000_0001]), (2, &[])]), "read, 0 unknown blocks");
    // Value 0 is an i32, value 1 a float.
    let array = |values: &[u64]| with(&[(1, &[1]), (4, &[4]), (1, &[2]), (6, &[0]), (1, &[5]), (7, values)]);
    assert_eq!([array(&[0, 0]), array(&[0, 1])], ["read, 0 unknown blocks", "C41"]);
    for (index, records) in [
        &[(1, &[2][..]), (4, &[4][..])][..],
        &[(1, &[1]), (6, &[4])],
        &[(1, &[1]), (4, &[1 << 40])],
        &[(1, &[5]), (7, &[1])],
        &[(1, &[5]), (7, &[0, 0])],
        &[(1, &[5]), (7, &[1, 1]), (7, &[0, 0])],
        &[(1, &[5]), (7, &[8, 8])],
        &[(1, &[5]), (22, &[1, 2, 3])],
        &[(1, &[0]), (2, &[])],
        &[(1, &[1]), (77, &[])],
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(with(records), "C41", "case {index}");
    }
    assert_eq!(with(&[(1, &[99])]), "C39");
}

#[test]
fn names_rule_broken_by_a_body() {
    let with = |records: &[Record<'_>]| {
        rule(&body(|w| {
            for (code, operands) in records {
                w.record(*code, operands);
            }
            w
        }))
    };
    let cases: &[(&str, &[Record<'_>])] = &[
        ("C44", &[(1, &[0])]),
        ("C44", &[(1, &[1 << 40])]),
        ("C44", &[(10, &[])]),
        ("C44", &[(1, &[2]), (10, &[])]),
        ("C44", &[(1, &[1]), (10, &[]), (10, &[])]),
        ("C44", &[(1, &[1]), (11, &[7])]),
        // Value 1 from block 9.
        ("C44", &[(1, &[1]), (16, &[1, 2, 9]), (10, &[])]),
        // Value 5 of a module of 2, given its type: never defined.
        ("C42", &[(1, &[1]), (10, &[u32::MAX as u64 - 2, 1])]),
        ("C42", &[(1, &[1]), (2, &[])]),
        ("C42", &[(1, &[1]), (77, &[])]),
        // Calls: value 1 takes an argument, value 0 takes none, value 9 is nothing yet.
        ("C43", &[(1, &[1]), (34, &[0, 0, 1]), (10, &[])]),
        ("C43", &[(1, &[1]), (34, &[0, 0, 2, 5]), (10, &[])]),
        ("C43", &[(1, &[1]), (34, &[0, 1 << 15, 4, 2]), (10, &[])]),
        ("C43", &[(1, &[1]), (34, &[0, 0, u32::MAX as u64, 1]), (10, &[])]),
        ("C39", &[(1, &[1]), (16, &[99])]),
    ];
    for (index, (expected, records)) in cases.iter().enumerate() {
        assert_eq!(with(records), *expected, "case {index}");
    }
}

/// Memory that grows out of a short stream: a type that is named a million times over.
#[test]
fn rejects_module_that_is_large_for_its_stream() {
    let long = bitcode(|w| {
        // Abbreviation 4: an array type of literals, five bits a record.
        w.inner(17, |w| {
            w.fixed(2, 4).vbr(2, 5).fixed(1, 1).vbr(18, 8).fixed(1, 1).vbr(0, 8);
            for _ in 0..200_000 {
                w.fixed(4, 4);
            }
            w
        })
    });
    assert_eq!(rule(&long), "C35");
}

/// Metadata: strings and numbers of the named nodes, as the module's constants have them.
fn named(nodes: &[(&str, &[&[u64]])]) -> Vec<u8> {
    bitcode(|w| {
        // Constants 0 to 9.
        types(w).inner(11, |w| {
            w.record(1, &[1]).record(2, &[]);
            for value in 1..10 {
                w.record(4, &[value * 2]);
            }
            w
        });
        w.inner(15, |w| {
            // 0 to 9 the constants as metadata, 10 the string `cs`, then the nodes.
            for value in 0..10 {
                w.record(2, &[1, value]);
            }
            w.record(1, &[99, 115]);
            let mut next = 11;
            for (name, lists) in nodes {
                for operands in *lists {
                    let ids: Vec<u64> = operands.iter().map(|id| id + 1).collect();
                    w.record(3, &ids);
                }
                let name: Vec<u64> = name.bytes().map(u64::from).collect();
                w.record(4, &name);
                let ids: Vec<u64> = (next..).take(lists.len()).collect();
                w.record(10, &ids);
                next += lists.len() as u64;
            }
            w
        })
    })
}

fn metadata_rules(nodes: &[(&str, &[&[u64]])]) -> Vec<String> {
    let module = Module::parse(&named(nodes), 0).unwrap_or_else(|fault| panic!("{fault}"));
    let mut faults = Vec::new();
    metadata::read(&module, &mut faults);
    let findings: Vec<Finding> = faults.iter().map(|fault| fault.finding()).collect();
    findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn names_rule_broken_by_metadata() {
    let model: (&str, &[&[u64]]) = ("dx.shaderModel", &[&[10, 6, 0]]);
    let version: (&str, &[&[u64]]) = ("dx.version", &[&[1, 0]]);
    let entry: (&str, &[&[u64]]) = ("dx.entryPoints", &[&[0, 10, 0, 0, 0]]);
    assert_eq!(metadata_rules(&[]), ["C48", "C48", "C48"]);
    assert_eq!(metadata_rules(&[model, version, ("dx.entryPoints", &[])]), ["C48"]);
    assert_eq!(metadata_rules(&[model, version, entry]), ["C47"]);
    assert_eq!(metadata_rules(&[model, version, ("dx.version", &[&[1, 0]]), entry]).len(), 1);
    assert_eq!(metadata_rules(&[version, ("dx.shaderModel", &[&[1, 6, 0]])])[0], "C47");
    assert_eq!(metadata_rules(&[version, ("dx.shaderModel", &[&[10, 6]])])[0], "C47");
    assert_eq!(metadata_rules(&[model, ("dx.version", &[&[10, 10]])])[0], "C47");
    assert_eq!(metadata_rules(&[model, version, ("dx.resources", &[&[0, 0, 0, 0]])]), ["C48", "C47"]);
    assert_eq!(metadata_rules(&[model, version, ("dx.viewIdState", &[&[10]])]), ["C48", "C47"]);
}

/// Codes of the findings of a container around this bitcode.
fn codes_of_container(bitcode: &[u8]) -> Vec<String> {
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    let words = |file: &mut Vec<u8>, words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let size = bitcode.len() as u32;
    words(&mut file, &[1, 36 + 8 + 24 + size, 1, 36]);
    file.extend(b"DXIL");
    words(&mut file, &[24 + size, 0x0005_0060, 6 + size / 4]);
    file.extend(b"DXIL");
    words(&mut file, &[0x0100, 16, size]);
    file.extend(bitcode);
    let read = crate::Dxil::read(file).unwrap_or_else(|fault| panic!("{fault}"));
    read.findings("a.dxil", 0).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn reports_oddities_of_a_readable_module() {
    let newer = codes_of_container(&bitcode(|w| w.inner(23, |w| w)));
    assert!(newer.contains(&"C37".to_owned()), "{newer:?}");
    let name =
        codes_of_container(&bitcode(|w| types(w).record(8, &[3, 0, 1]).inner(14, |w| w.record(1, &[0, 97, 27, 98]))));
    assert!(name.contains(&"C49".to_owned()), "{name:?}");
    let metadata = codes_of_container(&named(&[("dx.odd", &[&[1]])]));
    assert!(metadata.contains(&"D008".to_owned()), "{metadata:?}");
}
