//! What the reader of Intel's texts states, in both forms, and what it leaves open.

use super::super::super::isa::{BarrierPart, Does, Space};
use super::*;

/// The end of a thread, in each form.
const END: [&str; 2] = [
    "send(8)         nullUD          g127UD          nullUD          0x02000000                0x00000000\n                \
     thread_spawner MsgDesc: mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1Q EOT };\n",
    "(W)     send.ts (8)               null    r127   null    0x00000000  0x02000000   {EOT}  // wr:1+0, rd:0; ? (8)\n",
];

/// The facts of lines, without the end of the thread.
fn facts_of(lines: &str, stage: StageKind) -> IsaFacts {
    let end = END[usize::from(!lines.trim_end().ends_with(';'))];
    let text = format!("{lines}\n{end}");
    let facts = read(Dialect::Gen, &text, stage);
    assert_eq!(unread(&text, &facts), [], "{text}");
    facts
}

/// The lines of a send of Mesa 22.3 to 26.1.
fn send(first: &str, message: &str) -> String {
    format!("{first}\n                            {message} {{ align1 1Q $0 }};")
}

#[test]
fn registers_follow_from_regions_and_types() {
    let of = |line: &str| {
        let facts = facts_of(line, StageKind::Compute);
        let of = |(registers, access): (Registers, super::super::super::isa::Access)| format!("{registers} {access}");
        facts.instructions[0].registers().map(of).collect::<Vec<_>>()
    };
    // The end of the thread, by a unit that Xe2 has no more, shows registers of 32 bytes; `sends` does in the newer form.
    let small = |line: &str| of(&format!("{line}\npln(8) g90<1>F g4.4<0,1,0>F g2<8,8,1>F {{ align1 1Q }};"));
    assert_eq!(
        small("mad(16) g22<1>F g5.4<0,1,0>F g8<8,8,1>F g5.0<1,1,1>F { align1 1H compacted };"),
        ["g22..24 write", "g5 read", "g8..10 read", "g5..7 read"]
    );
    assert_eq!(
        small("pln(16) g10<1>F g4.4<0,1,0>F g2<8,8,1>F { align1 1H };"),
        ["g10..12 write", "g4 read", "g2..6 read"]
    );
    assert_eq!(small("mov(8) g3<1>UW 0x76543210V { align1 WE_all 1Q };"), ["g3 both"], "half of a register");
    assert_eq!(small("mov(8) g3<2>UW g4<16,8,2>UW { align1 1Q };"), ["g3 both", "g4 read"]);
    assert_eq!(small("mov(4) g4.1<2>UD g3<8,4,2>DF { align1 1N };"), ["g4 both", "g3..5 read"]);
    assert_eq!(small("(+f0.1) mov(8) g4<1>UD g3<8,8,1>D { align1 1Q };"), ["f0 read", "g4 both", "g3 read"]);
    assert_eq!(
        small("cmp.l.f1.0(8) null<1>F -(abs)g3<8,8,1>F g4<8,8,1>F { align1 1Q };"),
        ["f1 both", "g3 read", "g4 read"]
    );
    assert_eq!(small("mov(8) g4<1>UD g[a0.2 32]<VxH,1,0>UD { align1 1Q };"), ["g4 write", "a0 read"]);
    let large = |line: &str| of(&format!("{line}\n        mov (16) r90:f r3.12<0>:f"));
    assert_eq!(large("        add (16) r5:f -r3<0>:f (abs)r4:f {F@1}"), ["r5 write", "r3 read", "r4 read"]);
    assert_eq!(large("(W)     add (32) r5<2>:uw r3.20<2;8,0>:uw 4:uw"), ["r5..7 both", "r3 read"]);
    assert_eq!(large("(~f0.0) sel (32) r5 r3 r4"), ["f0 read", "r5..7 both", "r3..5 read", "r4..6 read"]);
    assert_eq!(
        large("        sel (16) (ge)f0.0 r5:f r3:f 0x0:f"),
        ["r5 write", "r3 read"],
        "it compares without a flag"
    );
    assert_eq!(large("        bfn.(a & b | ~a & c) (16) r5 1:uw r3 r4<1>"), ["r5 write", "r3 read", "r4 read"]);
    // Without a size in the text an operand is its first register, and its result may be a part.
    assert_eq!(of("        add (16) r5:f r3:f r4:f"), ["r5 both", "r3 read", "r4 read"]);
    let sent =
        "        send.smpl (16) r44 r2 r7:1 0x00000040 0x02420001 {$0}  // wr:2+1, rd:8; sample:u,v,r,ai (16) bti(1)";
    assert_eq!(of(sent), ["r44..52 write", "r2..4 read", "r7 read"]);
    let split = send(
        "send(8) g47UD g1UD g10UD 0x02320002 0x00000040",
        "sampler MsgDesc: sample SIMD8 Surface = 2 Sampler = 0 mlen 1 ex_mlen 2 rlen 3",
    );
    assert_eq!(of(&split), ["g47..50 write", "g1 read", "g10..12 read"]);
}

#[test]
fn a_message_says_which_memory_is_accessed() {
    let of = |line: &str| {
        let facts = facts_of(line, StageKind::Compute);
        facts.memory.iter().map(|memory| format!("{} {}", memory.space, memory.does)).collect::<Vec<_>>().join(", ")
    };
    let older =
        |message: &str| of(&send("sends(8) g4UD g2UD g3UD 0x1 0x40", &format!("{message} mlen 1 ex_mlen 1 rlen 1")));
    for (message, expected) in [
        ("sampler MsgDesc: gather4_c SIMD8 Surface = 2 Sampler = 0", "image sample"),
        ("sampler MsgDesc: ld_lz SIMD8 Surface = 2 Sampler = 0", "image or buffer load"),
        ("sampler MsgDesc: ld2dms_w SIMD8 Surface = 2 Sampler = 0", "image load"),
        ("sampler MsgDesc: resinfo SIMD8 Surface = 2 Sampler = 0", "image or buffer other"),
        ("sampler MsgDesc: indirect", "image or buffer unknown"),
        ("dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD8, Mask = 0xe)", "buffer load"),
        ("dp data 1 MsgDesc: (DC untyped surface write, Surface = 254, SIMD16, Mask = 0x0)", "local store"),
        ("dp data 1 MsgDesc: (DC typed surface write, Surface = 3, SIMD8, Mask = 0x0)", "image or buffer store"),
        ("dp data 1 MsgDesc: (DC A64 untyped atomic op, Surface = 253,  add)", "global atomic"),
        ("data MsgDesc: (DC DWORD scatterd write, bti 253, 3)", "scratch store"),
        ("data MsgDesc: (DC byte scattered read, bti 5, 9)", "buffer load"),
        ("data MsgDesc: indirect", "unknown unknown"),
        ("const MsgDesc: (bti 2, msg_ctrl 2, msg_type 1)", "constant load"),
        ("urb MsgDesc: offset 4 SIMD8 read", "URB load"),
        ("render MsgDesc: RT read SIMD8 Surface = 0", "image load"),
        ("ugm MsgDesc: ( load_cmask, a32, d32, x, L1STATE_L3MOCS bti ) BTI 2 base_offset 0", "buffer load"),
        ("ugm MsgDesc: ( store, a64, d32, V4, L1STATE_L3MOCS flat ) base_offset 0", "global store"),
        (
            "ugm MsgDesc: ( load, a32, d32, V1, transpose, L1STATE_L3MOCS ss ) surface_state_index 0",
            "buffer or scratch load",
        ),
        ("slm MsgDesc: ( atomic_inc, a32, d32, V1, L1UC_L3WB flat ) base_offset 0", "local atomic"),
        (
            "tgm MsgDesc: ( store_cmask, a32, d32, xyzw, L1STATE_L3MOCS bti ) BTI 1 base_offset 0",
            "image or buffer store",
        ),
        ("rt accel MsgDesc: SIMD16,", "global other"),
        ("gateway MsgDesc: (barrier msg)", ""),
    ] {
        assert_eq!(older(message), expected, "{message}");
    }
    let newer = |unit: &str, message: &str| {
        of(&format!("        send.{unit} (8) r4 r2 r3 0x00000040 0x02118002 {{$0}}  // wr:1+1, rd:1; {message}"))
    };
    for (unit, message, expected) in [
        ("smpl", "sample_d:u,dudx (8) bti(2) using sampler index 0", "image sample"),
        ("smpl", "lod:u,v,r,ai (8) bti(2) using sampler index 0", "image other"),
        ("hdc1", "untyped_read:x simd8 (8) bti(4)", "buffer load"),
        ("hdc1", "untyped_atomic_add simd8 (8) bti(254)", "local atomic"),
        ("hdc1", "a64_untyped_write:x simd8 (8) flat+0x0", "global store"),
        ("hdc0", "byte_scattered_read:d32 simd16 (16) bti(253)", "scratch load"),
        ("hdc_ro", "oword_unaligned_block_read:owords1_low (8) bti(0)", "constant load"),
        ("ugm", "load.ugm.d32x4.a32.bti[3]", "buffer load"),
        ("ugm", "store.ugm.d32.a32.bti[3][A+0xc]", "buffer store"),
        ("ugm", "load.ugm.d32x4t.a64", "global load"),
        ("ugm", "store.ugm.d32x4.a64.flat[A+0x10]", "global store"),
        ("ugm", "atomic_add.ugm.d32.a64.uc.wb", "global atomic"),
        ("ugm", "load.ugm.d32.a32.ss[a0.2]", "buffer or scratch load"),
        ("slm", "store.slm.d32.a32.?", "local store"),
        ("tgm", "load_cmask.tgm.d32.xyzw.a32.bti[1]", "image or buffer load"),
        ("urb", "store.urb.d32x8.a32.uc.uc.flat[A+0x20]", "URB store"),
        ("gtwy", "barrier_msg (8)", ""),
    ] {
        assert_eq!(newer(unit, message), expected, "{message}");
    }
    // On Gen8 an image may be accessed as a buffer, and its sends have one source.
    let gen8 = send(
        "send(8) g4<1>UW g2<8,8,1>UD 0x02106e07",
        "dp data 1 MsgDesc: (untyped surface read, Surface = 7, SIMD8, Mask = 0xe) mlen 1 rlen 1",
    );
    assert_eq!(of(&gen8.replace(" $0", "")), "image or buffer load");
}

#[test]
fn barriers_waits_and_fences_are_found() {
    let fence = send(
        "send(1) g34UD g0UD nullUD 0x0219e0fe 0x0",
        "data MsgDesc: (DC mfence, bti 254, 32) mlen 1 ex_mlen 0 rlen 1",
    );
    let barrier =
        send("send(16) nullUD g35UD nullUD 0x02000004 0x0", "gateway MsgDesc: (barrier msg) mlen 1 ex_mlen 0 rlen 0");
    let lines = format!(
        "sync allwr(1)                   null<0,1,0>UB                   {{ align1 WE_all 1N }};\n{fence}\n\
         add(8)          g4<1>F          g5<8,8,1>F      g6<8,8,1>F      {{ align1 1Q F@2 $3.dst compacted }};\n{barrier}\n\
         sync bar(16)                    null<0,1,0>UB                   {{ align1 WE_all 1H }};"
    );
    let facts = facts_of(&lines, StageKind::Compute);
    let waits: Vec<_> = facts.waits.iter().map(|wait| (wait.instruction, wait.until.as_str())).collect();
    assert_eq!(waits, [(0, "sync allwr"), (1, "memory fence"), (2, "F@2 $3.dst")]);
    let barriers: Vec<_> = facts.barriers.iter().map(|barrier| (barrier.instruction, barrier.part)).collect();
    assert_eq!(barriers, [(3, BarrierPart::Signal), (4, BarrierPart::Wait)]);
    assert!(!facts.not_known.contains(&Topic::Waits));
    // Up to Gen11 the hardware waits by itself.
    let older = facts_of(
        "wait(1)         n0<1>UD                                         { align1 WE_all 1N };",
        StageKind::Compute,
    );
    assert_eq!((older.barriers.len(), older.waits.len()), (1, 0));
    assert!(older.not_known.contains(&Topic::Waits));
}

#[test]
fn a_branch_names_where_lanes_go_on_and_jumps_where_others_wait() {
    let lines = "L0:\n        cmp (8) (ge)f0.0 null:d r9:d r8.3<0>:d {@2}\n(f0.0)  if (8) jip:L1 uip:L2\n        \
                 break (8) jip:L1 uip:L3\n\nL1:\n        else (8) jip:L2 uip:L2\n\nL2:\n        endif (8) L3\n\nL3:\n        while (8) L0";
    let facts = facts_of(lines, StageKind::Compute);
    let all: Vec<_> =
        facts.branches.iter().map(|b| (b.instruction, b.target.as_str(), b.block, b.conditional)).collect();
    let expected = [
        (1, "L2", Some(3), true),
        (1, "L1", Some(2), true),
        (2, "L3", Some(4), true),
        (2, "L1", Some(2), true),
        (3, "L2", Some(3), true),
        (4, "L3", Some(4), true),
        (5, "L0", Some(0), true),
    ];
    assert_eq!(all, expected);
    let successors: Vec<_> = facts.blocks.iter().map(|block| block.successors.as_slice()).collect();
    assert_eq!(successors, [&[1, 2][..], &[2], &[3], &[4], &[5, 0], &[]]);
    // A label that is not there.
    let text = format!("(+f0.0) if(8)   JIP:  LABEL4          UIP:  LABEL4              {{ align1 1Q }};\n{}", END[0]);
    let facts = read(Dialect::Gen, &text, StageKind::Compute);
    let why: Vec<_> = unread(&text, &facts).into_iter().map(|unread| (unread.line, unread.why)).collect();
    assert_eq!(why, [(0, "a branch to an unknown target".to_owned())]);
}

#[test]
fn outputs_are_rows_of_the_urb_and_entries_of_the_binding_table() {
    let of = |line: &str, stage| {
        let facts = facts_of(line, stage);
        let text = |output: &Output| {
            format!("{}{}", output.slot, crate::isa::slot_components(output.slot.component, output.components))
        };
        (facts.outputs.iter().map(text).collect::<Vec<_>>().join(", "), facts.words().get(&0).cloned())
    };
    let urb = |message: &str| {
        let line = send("send(8) nullUD g1UD g64UD 0x02080017 0x00000100", &format!("urb MsgDesc: {message}"));
        of(&line, StageKind::Vertex).0
    };
    assert_eq!(urb("offset 1 SIMD8 write mlen 1 ex_mlen 4 rlen 0"), "URB row 1.xyzw");
    assert_eq!(urb("offset 4 SIMD8 write mlen 1 ex_mlen 6 rlen 0"), "URB row 4.xyzw, URB row 5.xy");
    assert_eq!(urb("offset 0 SIMD8 write masked mlen 2 ex_mlen 4 rlen 0"), "URB row 0");
    assert_eq!(urb("offset 2 SIMD8 write per-slot mlen 2 ex_mlen 4 rlen 0"), "URB row of unknown location");
    assert_eq!(urb("offset 2 SIMD8 write mlen 5 rlen 0"), "URB row 2.xyzw", "one source");
    let newer = |message: &str, unit: &str| {
        let line =
            format!("        send.{unit} (8) null r1 r22 0x00000200 0x08031401 {{$0}}  // wr:1h+8, rd:0; {message}");
        of(&line, StageKind::Fragment)
    };
    let rows = newer("simd8_write off=2 (8)", "urb");
    assert_eq!(rows.1.as_deref(), Some("writes URB row 2.xyzw, URB row 3.xyzw"));
    assert_eq!(newer("simd8_write (8)", "urb").0, "URB row 0.xyzw, URB row 1.xyzw");
    assert_eq!(newer("store.urb.d32x8.a32.uc.uc.flat[A+0x20]", "urb").0, "URB row of unknown location");
    assert_eq!(newer("simd8 rt_write last_rt (8) bti(3)", "render").0, "render target 3");
    // The disassembler does not know it; the number that describes the message does.
    assert_eq!(newer("?", "render").0, "render target 1");
    let facts = named("lit_surface.vertex.tgl.s").facts();
    assert_eq!(
        facts.interface_summary()[1].1,
        "URB row 1.xyzw, URB row 4.xyzw, URB row 5.xyzw, URB row 7.xyzw, URB row 9.xyzw"
    );
    assert!(facts.not_known.contains(&Topic::Outputs), "a row is not a location");
}

#[test]
fn a_derivative_is_a_subtraction_within_a_quad() {
    let of = |line: &str| {
        let facts = facts_of(line, StageKind::Fragment);
        facts.derivatives.first().map(|found| found.axis)
    };
    assert_eq!(of("add(8) g57<1>F g21.1<4,4,0>F -g21<4,4,0>F { align1 1Q };"), Some(Axis::X));
    assert_eq!(of("add(8) g57<1>F g21.1<2,2,0>F -g21<2,2,0>F { align1 1Q };"), Some(Axis::X));
    assert_eq!(of("add(8) g69<1>F -g21<4,4,0>F g21.2<4,4,0>F { align1 1Q };"), Some(Axis::Y));
    assert_eq!(of("add(4) g61.4<1>F -g21.4<0,2,1>F g21.6<0,2,1>F { align1 2N };"), Some(Axis::Y));
    assert_eq!(of("        add (16) r91:f -r43<4;0,0>.xyxy:f r43<4;0,0>.zwzw:f {Align16}"), Some(Axis::Y));
    // Another register, a sum, and values of other lanes.
    assert_eq!(of("add(8) g57<1>F g21.1<4,4,0>F -g22<4,4,0>F { align1 1Q };"), None);
    let facts = read(Dialect::Gen, "add(8) g57<1>F g21<8,8,1>F -g21<8,8,1>F { align1 1Q };\n", StageKind::Fragment);
    assert_eq!(facts.derivatives, []);
}

/// Mesa 25.0 prints a register of another file as the result of three sources, for Gen11.
#[test]
fn a_result_that_is_printed_wrong_is_not_read() {
    for result in ["null<1>F", "a6<1>F", "acc4<1>F", "f3<1>F", "sr0<1>F", "mask0<1>F"] {
        let line =
            format!("mad(8)          {result}          g8.7<0,1,0>F    g8.5<0,1,0>F    g3<1,1,1>F {{ align1 1Q }};");
        let text = format!("{line}\n{}", END[0]);
        let facts = read(Dialect::Gen, &text, StageKind::Fragment);
        assert!(facts.instructions[0].registers().all(|(_, access)| !access.writes()), "{result}");
        let why: Vec<_> = unread(&text, &facts).into_iter().map(|unread| (unread.line, unread.why)).collect();
        assert_eq!(why, [(0, "an unknown result".to_owned())], "{result}");
    }
    // From Xe2 on an accumulator can be one.
    let facts = facts_of(
        "mad(16)         acc0<1>F        g77<8,8,1>F     g76<8,8,1>F     g71<1,1,1>F { align1 1H F@6 };",
        StageKind::Fragment,
    );
    assert_eq!(
        facts.instructions[0].registers().next().map(|(registers, _)| registers.to_string()),
        Some("acc0".to_owned())
    );
}

#[test]
fn a_text_that_ends_early_is_named() {
    for listing in listings().into_iter().filter(|listing| listing.dialect == Dialect::Gen) {
        let lines: Vec<&str> = listing.text.trim_end().lines().collect();
        for keep in [lines.len() / 3, lines.len() / 2, lines.len() - 1] {
            let text = lines[..keep].join("\n");
            let facts = listing.facts_of(&text);
            assert!(!unread(&text, &facts).is_empty() || facts.instructions.is_empty(), "{} {keep}", listing.name);
        }
    }
}

/// A kind of access is gone where its messages are taken out of the text.
#[test]
fn accesses_follow_the_text() {
    let listing = named("tile_16x16.compute.tgl.s");
    let count = |text: &str, space, does| {
        let facts = listing.facts_of(text);
        facts.memory.iter().filter(|memory| (memory.space, memory.does) == (space, does)).count()
    };
    assert_eq!(count(&listing.text, Space::Local, Does::Load), 3);
    assert_eq!(count(&listing.text, Space::Local, Does::Store), 1);
    assert_eq!(count(&listing.text, Space::ImageOrBuffer, Does::Load), 2);
    let lines: Vec<&str> = listing.text.lines().collect();
    let without: Vec<&str> = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| {
            let message = |line: Option<&&str>| line.is_some_and(|line| line.contains("(untyped surface read"));
            !message(Some(*line)) && !message(lines.get(at + 1))
        })
        .map(|(_, line)| *line)
        .collect();
    let text = without.join("\n") + "\n";
    assert_eq!(unread(&text, &listing.facts_of(&text)), []);
    assert_eq!(count(&text, Space::Local, Does::Load), 0);
    assert_eq!(count(&text, Space::Local, Does::Store), 1);
}

#[test]
fn a_register_is_live_where_one_of_its_bytes_is() {
    let of = |lines: &str| {
        let facts = facts_of(lines, StageKind::Compute);
        let pressure: Vec<u16> = facts.pressure.iter().map(|row| row.vgprs).collect();
        let ranges: Vec<_> = facts.ranges.iter().map(|r| format!("{} {}..={}", r.register, r.from, r.to)).collect();
        assert!(facts.peak.is_some_and(|peak| peak.at_least), "what is delivered is not said");
        (pressure, ranges.join(", "))
    };
    // The end of the thread takes g127, which is delivered.
    let parts = "mov(8) g3<1>UW 0x76543210V { align1 WE_all 1Q };\n\
                 add(8) g3.8<1>UW g3<8,8,1>UW 0x0008UW { align1 WE_all 1Q @4 };\n\
                 mov(16) g10<1>D g3<8,8,1>UW { align1 1H };\n\
                 mov(8) g127<1>D g11<8,8,1>D { align1 1Q };";
    let (pressure, ranges) = of(parts);
    assert_eq!(pressure, [1, 1, 2, 1, 1]);
    assert_eq!(ranges, "g3 0..=2, g11 2..=3, g127 3..=4", "neither half of g3 is live before it is written");
    // Where some lanes leave a loop, others still need what it reads, and what those that left before them have.
    let lines = "        mov (8) r5:d 0:d {@1}\n        mov (8) r6:d r2:d {@1}\n\nL0:\n        add (8) r5:d r5:d r6:d {@1}\n\
                 \x20       cmp (8) (ge)f0.0 null:d r5:d 9:d {@1}\n(f0.0)  if (8) jip:L1 uip:L1\n\
                 \x20       mov (8) r7:d 1:d\n        break (8) jip:L1 uip:L2\n\nL1:\n        endif (8) L2\n\nL2:\n\
                 \x20       while (8) L0\n        mov (8) r127:d r7:d";
    let (pressure, ranges) = of(lines);
    assert_eq!(pressure, [2, 2, 3, 3, 3, 3, 3, 3, 3, 1, 1]);
    assert_eq!(ranges, "r2 0..=1, r5 0..=2, r5 2..=8, r6 1..=8, r7 2..=4, r7 5..=9, r127 9..=10");
}

#[test]
fn what_is_live_is_not_stated_without_the_size_of_a_register() {
    let text = "        mov (16) r5:f r3:f {F@1,$0.dst}\n        send.gtwy (16) null r5 null:0 0x0 0x2000000 {EOT,A@1}  // wr:1+0, rd:0; open (16)\n";
    let facts = read(Dialect::Gen, text, StageKind::Compute);
    assert_eq!((unread(text, &facts), facts.instructions.len()), (Vec::new(), 2));
    assert!(facts.pressure.is_empty() && facts.peak.is_none() && facts.ranges.is_empty());
}

#[test]
fn a_message_to_the_gateway_that_names_nothing_may_be_a_barrier() {
    let first = "send(8) nullUD g9UD nullUD 0x02000000 0x00000000";
    let why = |message: &str| {
        let text =
            format!("{}\n{}", send(first, &format!("gateway MsgDesc: {message} mlen 1 ex_mlen 0 rlen 0")), END[0]);
        let facts = read(Dialect::Gen, &text, StageKind::Compute);
        let why: Vec<_> = unread(&text, &facts).into_iter().map(|unread| unread.why).collect();
        (facts.barriers.len(), why)
    };
    assert_eq!(why("(barrier msg)"), (1, Vec::new()));
    assert_eq!(why("(open)"), (0, Vec::new()));
    assert_eq!(why(""), (0, vec!["an unknown barrier".to_owned()]));
}
