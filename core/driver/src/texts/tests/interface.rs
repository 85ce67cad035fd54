//! What the reader of Turnip's texts states of inputs, outputs, registers and memory, and what it leaves open.

use super::*;

/// Inputs as `varying 1.z`, those that are read by number.
fn read_by_number(facts: &IsaFacts) -> BTreeSet<String> {
    let read = facts.inputs.iter().filter(|input| input.instruction.is_some() || input.kind != InputKind::Loaded);
    read.map(|input| {
        format!("{}{}", input.slot, crate::isa::slot_components(input.slot.component, Some(input.components)))
    })
    .collect()
}

/// The remark says which components the hardware delivers; the reader finds each of them where it is read.
#[test]
fn every_component_that_ir3_names_is_read() {
    let mut count = 0;
    for listing in listings().into_iter().filter(|l| l.dialect == Dialect::Ir3 && l.stage == StageKind::Fragment) {
        let remark = listing.text.lines().find_map(|line| line.strip_prefix("; FRAG: inputs:")).expect("a remark");
        let mut named = BTreeSet::new();
        for (entry, _) in remark.split(')').filter_map(|entry| entry.split_once(",b=1").zip(Some(()))) {
            let (_, name) = entry.0.split_once("(VARYING_SLOT_").expect("a varying");
            let (name, rest) = name.split_once(' ').expect("a number");
            let mask = rest.split_once("cm=").and_then(|(_, mask)| mask.split(',').next()).expect("a mask");
            let mask = u8::from_str_radix(mask, 16).expect("hexadecimal");
            let name = name.strip_prefix("VAR").map_or(name.to_ascii_lowercase(), |at| format!("varying {at}"));
            let parts = (0u8..4).filter(|part| mask >> part & 1 == 1);
            named.extend(parts.map(|part| format!("{name}{}", crate::isa::slot_components(Some(part), Some(1)))));
        }
        assert_eq!(read_by_number(&listing.facts()), named, "{}", listing.name);
        count += named.len();
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_texture_that_is_fetched_before_the_code_reads_two_inputs() {
    let listing = named("lit_surface.fragment.adreno750.s");
    let facts = listing.facts();
    let fetched: Vec<_> = facts.inputs.iter().filter(|i| i.instruction.is_none() && i.register.is_none()).collect();
    let at = |input: &&Input| (input.slot.clone(), input.components, input.kind);
    let expected = [2, 3].map(|part| (Slot::at(SlotKind::Varying, 1, part), 1, InputKind::Interpolated));
    assert_eq!(fetched.iter().map(at).collect::<Vec<_>>(), expected);
    assert_eq!(facts.not_known, [Topic::Ids, Topic::Memory, Topic::LaneMoves]);
    // A form that is not known may read any input.
    for (known, other) in [
        ("opc=sam", "opc=isam"),
        ("src=6,", "src=6, more=1,"),
        ("wrmask=0x7", "wrmask=0x17"),
        ("src=6", "src=4294967295"),
        ("src=6", "src=70"),
        ("@tex(r0.z)", "@tex(c0.z)"),
        ("@tex(", "@texture("),
    ] {
        let text = listing.text.replacen(known, other, 1);
        assert_ne!(text, listing.text);
        let facts = listing.facts_of(&text);
        let why: Vec<_> = unread(&text, &facts).iter().map(|unread| unread.why.clone()).collect();
        assert_eq!(why, ["an unknown texture fetch"], "{other}");
        assert!(facts.not_known.contains(&Topic::Memory), "{other}");
    }
}

#[test]
fn what_stages_before_the_rasterizer_pass_through_memory_is_not_known() {
    let (ids, inputs, outputs, moves) = (Topic::Ids, Topic::Inputs, Topic::Outputs, Topic::LaneMoves);
    for (name, expected) in [
        ("tess.vertex.adreno750.s", vec![ids, outputs, moves]),
        ("tess.tess_control.adreno660.s", vec![ids, inputs, outputs, moves]),
        ("tess.tess_eval.adreno830.s", vec![ids, inputs, moves]),
        ("geo.geometry.adreno750.s", vec![ids, inputs, moves]),
        ("plain.vertex.adreno750.s", vec![ids, moves]),
        ("loop.compute.adreno730.s", vec![ids, moves]),
    ] {
        assert_eq!(named(name).facts().not_known, expected, "{name}");
    }
    let before = |text: &str| read(Dialect::Ir3, text, StageKind::TessEval).not_known;
    let outputs_at_end = "; TES: outputs: r1.x (VARYING_SLOT_VAR0)";
    assert_eq!(before(&format!("end\n{outputs_at_end}\n")), [ids, inputs, moves]);
    assert_eq!(before(&format!("chmask\nchsh\n{outputs_at_end}\n")), [ids, inputs, outputs, moves]);
    assert_eq!(before(&format!("end\n{outputs_at_end} r0.x (GS_HEADER)\n")), [ids, inputs, outputs, moves]);
}

#[test]
fn a_slot_of_a_patch_is_one_only_where_a_patch_is_passed() {
    let of = |stage, text: &str| {
        let facts = read(Dialect::Ir3, &format!("@in(r0.y)\tin0\nend\n{text}\n"), stage);
        let inputs = facts.inputs.into_iter().map(|input| input.slot);
        inputs.chain(facts.outputs.into_iter().map(|output| output.slot)).next().expect("one")
    };
    let (control, evaluation) = (StageKind::TessControl, StageKind::TessEval);
    let patch = Slot::at(SlotKind::Patch, 1, 0);
    let own = Slot::built_in("patch slot 1", None);
    assert_eq!(of(control, "; TCS: outputs: r0.y (VARYING_SLOT_PATCH1)"), patch);
    assert_eq!(of(evaluation, "; TES: outputs: r0.y (VARYING_SLOT_PATCH1)"), own);
    let input = "inputs: r0.y (VARYING_SLOT_PATCH1 slot=65 cm=1,il=0,b=0)";
    assert_eq!(of(evaluation, &format!("; TES: {input}")), patch);
    assert_eq!(of(control, &format!("; TCS: {input}")), own);
    let vertex = named("tess.vertex.adreno750.s").facts();
    let names: Vec<_> = vertex.outputs.iter().map(|output| output.slot.to_string()).collect();
    assert_eq!(names, ["primitive id", "patch slot 1", "tcs header"]);
}

#[test]
fn what_is_delivered_is_in_the_register_that_is_declared() {
    let inputs = |declared: &str, listed: &str| {
        let text = format!("{declared}\nend\n; FRAG: inputs: {listed}\n; FRAG: outputs: r0.x (FRAG_RESULT_DATA0)\n");
        let facts = read(Dialect::Ir3, &text, StageKind::Fragment);
        let known = !facts.not_known.contains(&Topic::Inputs);
        assert!(!facts.not_known.contains(&Topic::Outputs), "outputs have a list of their own");
        let row = |input: Input| (input.slot.to_string(), input.register.unwrap_or_default());
        (facts.inputs.into_iter().map(row).collect::<Vec<_>>(), known)
    };
    let entry = |register: &str, what: &str| format!("{register} (SYSTEM_VALUE_{what} slot=29 cm=1,il=0,b=0)");
    let id = |register: &str| vec![("sample id".to_owned(), register.to_owned())];
    let one = entry("r4.z", "SAMPLE_ID");
    assert_eq!(inputs("@in(r4.z)\tin0", &one), (id("r4.z"), true));
    assert_eq!(inputs("@in(hr4.z)\tin0", &one), (id("hr4.z"), true));
    // An input that nothing reads has an entry, with no register or with that of the first varying.
    assert_eq!(inputs("", &one), (vec![], true));
    assert_eq!(inputs("", &entry("r63.x", "SAMPLE_ID")), (vec![], true));
    assert_eq!(inputs("@in(r2.x)\tin0", &one), (vec![], false), "what is declared is not listed");
    let two = format!("{one} {}", entry("r4.z", "FRONT_FACE"));
    let both = [id(""), vec![("front face".to_owned(), String::new())]].concat();
    assert_eq!(inputs("@in(hr4.z)\tin0\n@in(r4.z)\tin1", &two), (both, true), "which is the half is not said");
    assert_eq!(inputs("@in(r4.z)\tin0", &two), (vec![], false), "which of them is read is not said");
    for other in ["cm=6,il=0,b=0", "cm=1,il=0,b=2", "cm=1,il=0", "cm=1,il=x,b=0", "cm=10,il=0,b=1"] {
        let listed = one.replace("cm=1,il=0,b=0", other);
        assert_eq!(inputs("@in(r4.z)\tin0", &listed), (vec![], false), "{other}");
    }
    assert_eq!(inputs("@in(r4.z)\tin0", &format!("{one} r5.x")), (id("r4.z"), false), "another form");
    assert_eq!(inputs("@in(R5.z)\tin1\n@in(r4.z)\tin0", &one), (id("r4.z"), false), "another declaration");
}

/// A texture that is fetched first may leave an input's register to another one: which of them is read is not said.
#[test]
fn each_list_is_cut_on_its_own() {
    let not_known = |inputs: &str, outputs: &str| {
        let text = format!(
            "@in(r0.x)\tin0 (wrmask=0x3)\n@tex(r0.z)\tsrc=0, bindless=1, samp=1, tex=0, wrmask=0x7, opc=sam\nend\n\
             ; FRAG: outputs: {outputs}\n; FRAG: inputs: {inputs}\n"
        );
        let of_lists = [Topic::Inputs, Topic::Outputs];
        let all = read(Dialect::Ir3, &text, StageKind::Fragment).not_known;
        all.into_iter().filter(|topic| of_lists.contains(topic)).collect::<Vec<_>>()
    };
    let weights = |register: &str| format!("{register} (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)");
    let one = format!("r0.x (VARYING_SLOT_VAR0 slot=32 cm=3,il=0,b=1) {}", weights("r0.x"));
    let two = format!("{one} r0.x (SYSTEM_VALUE_FRAG_COORD slot=23 cm=f,il=0,b=0)");
    let color = "r0.z (FRAG_RESULT_DATA0)";
    assert_eq!(not_known(&one, color), []);
    assert_eq!(not_known(&two, color), [Topic::Inputs]);
    assert_eq!(not_known(&one, &format!("{color} r1.z")), [Topic::Outputs]);
    assert_eq!(not_known(&two, &format!("{color} r1.z")), [Topic::Inputs, Topic::Outputs]);
    assert_eq!(not_known(&weights("r0.x").repeat(300), color), [Topic::Inputs]);
    assert_eq!(not_known(&one, &color.repeat(300)), [Topic::Outputs]);
}

#[test]
fn an_output_in_no_register_or_with_constants_names_no_component() {
    let outputs = |code: &str, remark: &str| {
        let facts = read(Dialect::Ir3, &format!("{code}end\n; FRAG: outputs: {remark}\n"), StageKind::Fragment);
        let row = |output: &Output| (output.slot.component, output.components, output.register.clone());
        facts.outputs.iter().map(row).collect::<Vec<_>>()
    };
    let color = |register: &str| format!("{register} (FRAG_RESULT_DATA0)");
    let in_register = Some("r1.x".to_owned());
    assert_eq!(outputs("", &color("r1.x")), [(Some(0), None, in_register.clone())]);
    assert_eq!(outputs("", &color("r63.x")), [], "it is in no register");
    let constant = "alias.rt.b32.0 rt0.x, (0x1)\n";
    assert_eq!(outputs(constant, &color("r1.x")), [(Some(0), Some(1), None), (None, None, in_register.clone())]);
    let other = "alias.rt.b32.0 rt1.x, (0x1)\n";
    assert_eq!(outputs(other, &color("r1.x")), [(Some(0), Some(1), None), (Some(0), None, in_register.clone())]);
    assert_eq!(outputs("", "r1.x (FRAG_RESULT_DEPTH)"), [(None, Some(1), in_register.clone())]);
    assert_eq!(outputs(constant, &color("hr63.x")), [(Some(0), Some(1), None)]);
    // Up to four, and the text does not say how many.
    assert_eq!(outputs("", "r1.x (VARYING_SLOT_CLIP_DIST0)"), [(None, None, in_register)]);
}

#[test]
fn weights_that_may_be_overwritten_are_not_known() {
    let kind = |before: &str| {
        let text = format!(
            "@in(r0.x)\tin0 (wrmask=0x3)\n{before}\nbary.f r1.x, 0, r0.x\nend\n; FRAG: outputs:\n\
             ; FRAG: inputs: r1.x (VARYING_SLOT_VAR0 slot=32 cm=1,il=0,b=1) \
             r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)\n"
        );
        read(Dialect::Ir3, &text, StageKind::Fragment).inputs.remove(0).kind
    };
    assert_eq!(kind("mov.u32u32 r0.z, 0"), InputKind::Perspective);
    assert_eq!(kind("mov.u32u32 r0.y, 0"), InputKind::Interpolated);
    assert_eq!(kind("mov.u16u16 hr0.w, 0"), InputKind::Interpolated);
    assert_eq!(kind("mov.u32u32 r<a0.x + 39>, r2.x"), InputKind::Interpolated, "any register");
    assert_eq!(kind("mov.u32u32 r2.x, r<a0.x + 39>"), InputKind::Perspective);
    assert_eq!(kind("mova1.u a1.x, 0\nldc.1.k.imm c[a1.x], 0, 1"), InputKind::Perspective, "constants");
}

#[test]
fn what_is_kept_of_remarks_is_bounded() {
    let line = "; FRAG: outputs: r0.x (FRAG_RESULT_DATA0) r0.y (FRAG_RESULT_DATA1)\n";
    let of = |times| {
        let text = format!("end\n; FRAG: inputs:\n{}", line.repeat(times));
        let facts = read(Dialect::Ir3, &text, StageKind::Fragment);
        (facts.outputs.len(), facts.not_known)
    };
    assert_eq!(of(200), (256, vec![Topic::Ids, Topic::Outputs, Topic::LaneMoves]), "some are left out");
    assert_eq!(of(128), (256, vec![Topic::Ids, Topic::LaneMoves]));
    assert_eq!(of(0), (0, vec![Topic::Ids, Topic::Outputs, Topic::LaneMoves]), "they are not listed");
    let none = read(Dialect::Ir3, "end\n; FRAG: outputs:\n; FRAG: inputs:\n", StageKind::Fragment);
    assert_eq!(
        (none.outputs, none.not_known),
        (vec![], vec![Topic::Ids, Topic::LaneMoves]),
        "it is said that there are none"
    );
}

#[test]
fn a_fetch_of_a_descriptor_is_not_one_of_what_it_describes() {
    let does = |line: &str| {
        let facts = read(Dialect::Ir3, &format!("{line}\nend\n"), StageKind::Fragment);
        facts.memory.iter().map(|memory| format!("{} {}", memory.space, memory.does)).collect::<Vec<_>>()
    };
    assert_eq!(does("sam.base0 (f32)(xyzw)r63.x, r48.x, s#1, t#0"), ["image other"]);
    assert_eq!(does("sam.base0 (f32)(xyzw)r1.x, r48.x, s#1, t#0"), ["image sample"]);
    assert_eq!(does("resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 9"), ["image or buffer other"]);
    assert_eq!(does("ldc.u.offset0.1.imm r63.x, 0, 1"), ["constant other"]);
    assert_eq!(does("ldc.1.k.imm c[a1.x], 0, 1"), ["constant load"]);
    assert_eq!(does("stl.u32 l[r0.x], r63.x, 1"), ["local store"]);
}

/// Of two storage buffers the first is read by `isam.v`; an image of one dimension and a texel buffer are accessed by the
/// same instructions.
#[test]
fn what_may_be_an_image_or_a_buffer_is_not_said_to_be_one() {
    let space = |name: &str| {
        let facts = read(Dialect::Ir3, &format!("{name} r0.x, r1.x, 0\nend\n"), StageKind::Compute);
        let [memory] = facts.memory.as_slice() else { panic!("{name}: {:?}", facts.memory) };
        memory.space.name()
    };
    let (image, buffer, either) = ("image", "buffer", "image or buffer");
    for (name, expected) in [
        ("isam.v.base0", buffer),
        ("isam.base0", either),
        ("isam.base0.1d", either),
        ("isaml.base0", image),
        ("isamm.base0", image),
        ("ldib.b.untyped.1d.u32.1.imm.base0", buffer),
        ("ldib.b.typed.1d.u32.4.imm.base0", either),
        ("ldib.b.typed.2d.f32.4.imm.base0", image),
        ("stib.b.untyped.1d.u32.4.imm.base0", buffer),
        ("stib.b.typed.1d.u32.1.imm.base0", either),
        ("stib.b.typed.3d.f32.4.imm.base0", image),
        ("atomic.b.add.untyped.1d.u32.1.imm.base0", buffer),
        ("atomic.b.add.typed.1d.u32.1.imm.base0", either),
        ("atomic.b.add.typed.2d.u32.1.imm.base0", image),
        ("resinfo.b.untyped.1d.u32.1.imm.base0", either),
        ("resinfo.b.untyped.2d.u32.1.imm.base0", image),
        ("getbuf.base0", either),
        ("getsize.base0", image),
    ] {
        assert_eq!(space(name), expected, "{name}");
    }
}

#[test]
fn a_name_that_alias_gives_is_no_register() {
    let text = "@in(r8.z)\tin0\nalias.tex.b32.2 r40.x, r8.z\n(ss)alias.tex.b32.0 r40.y, (0x1)\nnop\n\
        sam.base0 (f32)(xyzw)r40.x, r40.x, s#2, t#1\nadd.f r1.x, r40.x, r8.z\nend\n";
    let found = registers(text, Dialect::Ir3);
    assert_eq!(found, ["r8.z read", "r40.x-r40.w write", "r1.x write", "r40.x read", "r8.z read"]);
    let facts = read(Dialect::Ir3, text, StageKind::Fragment);
    assert_eq!(unread(text, &facts), []);
    let pressure: Vec<u16> = facts.pressure.iter().map(|row| row.vgprs).collect();
    assert_eq!(pressure, [1, 1, 1, 5, 2, 0]);
    let other = text.replace("r40.x, s#2", "r41.x, s#2");
    let facts = read(Dialect::Ir3, &other, StageKind::Fragment);
    assert!(facts.instructions[3].registers().any(|(registers, _)| registers.to_string() == "r41.x"));
    assert_eq!(unread(&other, &facts), []);
}

#[test]
fn shared_halves_are_of_shared_registers() {
    let facts = read(Dialect::Ir3, "mov.u16u16 hr48.y, 1\nmov.u16u16 hr55.w, hr48.y\nend\n", StageKind::Compute);
    let most = facts.peak.expect("it is followed").most;
    assert_eq!((most.vgprs, most.sgprs), (0, 1));
    assert_eq!(facts.ranges[0].register.to_string(), "hr48.y");
    let of = |name: &str| {
        let facts = read(Dialect::Ir3, &format!("mov.u32u32 {name}, 0\nend\n"), StageKind::Compute);
        facts.instructions[0].registers().next().expect("one").0
    };
    for (half, full, shares) in [
        ("hr48.x", "r48.x", true),
        ("hr48.y", "r48.x", true),
        ("hr48.z", "r48.x", false),
        ("hr48.z", "r48.y", true),
        ("hr50.x", "r49.x", true),
        ("hr55.w", "r51.w", true),
        ("hr48.y", "r24.x", false),
        ("hr47.w", "r23.w", true),
        ("hr47.w", "r48.x", false),
    ] {
        assert_eq!(of(half).overlaps(&of(full)), shares, "{half} {full}");
        assert_eq!(of(full).overlaps(&of(half)), shares, "{full} {half}");
    }
}

#[test]
fn branches_of_ir3_write_nothing() {
    let all = "br brao braa brac.3 brax ball bany bkt jump call getone getlast shps predt predf prede kill stomp setrm";
    for name in all.split(' ') {
        let found = registers(&format!("{name} p0.x, r1.x\nend\n"), Dialect::Ir3);
        assert_eq!(found, ["p0.x read", "r1.x read"], "{name}");
    }
}

/// `ballot` moves from a lane by `mov`, `movs` and `movmsk`.
#[test]
fn moves_between_lanes_are_not_all_known() {
    let facts = named("ballot.compute.adreno740.s").facts();
    let named = |index: u32| facts.instructions[index as usize].mnemonic.split('.').next().expect("a name").to_owned();
    let moves: BTreeSet<String> = facts.lane_moves.iter().map(|found| named(found.instruction)).collect();
    assert_eq!(moves, BTreeSet::from(["brcst".to_owned()]));
    let names: BTreeSet<String> = (0u32..).zip(&facts.instructions).map(|(index, _)| named(index)).collect();
    assert!(["mov", "movs", "movmsk", "getlast"].iter().all(|name| names.contains(*name)), "{names:?}");
    assert!(facts.not_known.contains(&Topic::LaneMoves));
    assert!(facts.summary().iter().any(|(about, what)| *about == "not known" && what == "ids, lane moves"));
}

/// Live registers of each line, and the most of them.
fn live(text: &str) -> Vec<(u16, u16)> {
    let facts = read(Dialect::Ir3, text, StageKind::Compute);
    assert_eq!(facts.peak.is_some(), !facts.pressure.is_empty());
    facts.pressure.iter().map(|row| (row.vgprs, row.sgprs)).collect()
}

#[test]
fn a_register_is_live_only_where_it_may_hold_a_value() {
    // A branch may leave out the write: before it the register holds nothing.
    let skips = |register: &str, before: &str| {
        let text = format!(
            "@in(r0.x)\tin0 (wrmask=0x1)\n{before}\nnop\nbr p0.x, #l4\nmov.u32u32 {register}, r0.x\nl4:\n\
             stib.b.untyped.1d.u32.1.imm.base0 {register}, r0.x, 0\nend\n"
        );
        live(&text)
    };
    assert_eq!(skips("r1.x", "nop"), [(1, 0), (1, 0), (1, 0), (2, 0), (2, 0), (0, 0)]);
    assert_eq!(skips("hr8.x", "nop"), [(1, 0), (1, 0), (1, 0), (2, 0), (2, 0), (0, 0)]);
    assert_eq!(skips("r48.x", "nop"), [(1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0, 0)]);
    assert_eq!(skips("hr48.x", "nop"), [(1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0, 0)]);
    // It holds one that may be needed.
    assert_eq!(skips("r1.x", "mov.u32u32 r1.x, 0"), [(2, 0), (2, 0), (2, 0), (2, 0), (2, 0), (0, 0)]);
    assert_eq!(skips("r1.x", "mov.u32u32 r<a0.x + 4>, 0"), [(2, 0), (2, 0), (2, 0), (2, 0), (2, 0), (0, 0)]);
    let by_address = "nop\nmov.u32u32 r<a0.x + 4>, 0\nnop\nadd.u r2.x, r1.x, r1.y\nend\n";
    assert_eq!(live(by_address), [(0, 0), (2, 0), (2, 0), (2, 0), (0, 0)], "any register");
    // What is written in a loop holds a value when the loop is entered again.
    let text = "l1:\nnop\nbr p0.x, #l3\nstib.b.untyped.1d.u32.1.imm.base0 r1.x, r1.y, 0\nl3:\nmov.u32u32 r1.x, 1\n\
                jump #l1\nend\n";
    assert_eq!(live(text), [(1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (0, 0)]);
}

#[test]
fn what_is_declared_holds_a_value_at_the_beginning() {
    let of = |declared: &str| live(&format!("{declared}\nnop\n(rpt3)mov.u32u32 r5.x, (r)r1.x\nend\n"));
    assert_eq!(of(""), [(0, 0), (4, 0), (0, 0)]);
    assert_eq!(of("@in(r1.x)\tin0"), [(1, 0), (4, 0), (0, 0)]);
    assert_eq!(of("@in(r1.x)\tin0 (wrmask=0x7)"), [(3, 0), (4, 0), (0, 0)]);
    assert_eq!(of("@in(hr2.x)\tin0 (wrmask=0x3)"), [(1, 0), (4, 0), (0, 0)], "two halves");
    assert_eq!(of("@in(r0.z)\tin0 (wrmask=0xf)"), [(2, 0), (4, 0), (0, 0)], "two of them are read");
    assert_eq!(of("@tex(r1.x)\tsrc=6, bindless=1, samp=1, tex=0, wrmask=0x5, opc=sam"), [(2, 0), (4, 0), (0, 0)]);
    assert_eq!(of("@tex(r1.x)\tsrc=6, bindless=1, samp=1, tex=0, wrmask=0x5, opc=isam"), [(0, 0), (4, 0), (0, 0)]);
    assert_eq!(of("@in(r1.x)\tin0 (wrmask=0xffffff)"), [(0, 0), (4, 0), (0, 0)], "a form that is not known");
}

/// As the compiler makes `subgroupClusteredMax`: of the lanes that come to `getlast`, one goes on to the move.
#[test]
fn a_shared_register_that_one_lane_writes_is_not_live_before() {
    let of = |branch: &str, register: &str| {
        let text = format!(
            "@in(r0.x)\tin0 (wrmask=0x1)\n@in({register})\tin1 (wrmask=0x1)\nmov.u32u32 r0.y, {register}\nnop\n\
             {branch} #l5\nnop\nmov.u32u32 {register}, r0.x\nl5:\nmov.u32u32 r1.w, {register}\nend\n"
        );
        live(&text)
    };
    let once = [(2, 1), (1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0, 0)];
    assert_eq!(of("getlast.w8", "r48.x"), once);
    assert_eq!(of("getone", "r48.x"), once);
    // All lanes may leave, and those that leave keep what they have.
    assert_eq!(of("br p0.x,", "r48.x"), [(2, 1), (1, 1), (1, 1), (1, 0), (1, 1), (1, 1), (0, 0)]);
    assert_eq!(of("getlast.w8", "r0.z"), [(3, 0), (2, 0), (2, 0), (1, 0), (1, 0), (1, 0), (0, 0)]);
    // A loop over the lanes, of which each time one writes.
    let text = "mov.u32u32 r48.x, 0\nl1:\nmov.u32u32 r1.x, r48.x\nnop\ngetlast.w8 #l6\nmov.u32u32 r48.x, r1.x\n\
                getone #l1\nl6:\nmov.u32u32 r1.y, r48.x\nend\n";
    assert_eq!(live(text), [(0, 1), (1, 1), (1, 0), (1, 0), (1, 1), (0, 1), (1, 1), (0, 0)]);
}
