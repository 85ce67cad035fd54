block.u 0 L2 [] -> {
      r0              = ipa.pass a[0x7c] rZ                              // delay=1 wr:0
      r1              = ipa.pass a[0x80] rZ                              // delay=1 wr:1
      r0              = mufu.rcp.f32 r0                                  // delay=2 wt=000001 wr:0
      r2              = fmul.rz.ftz r1 r0                                // delay=2 wt=000011
      r1              = ipa.pass a[0x84] rZ                              // delay=2 wr:0
      r3              = fmul.rz.ftz r1 r0                                // delay=2 wt=000001
      r1              = ipa.pass a[0x88] rZ                              // delay=2 wr:0
      r1              = fmul.rz.ftz r1 r0                                // delay=3 wt=000001
      r6..8 r4..6     = tex.2d.scr.nodep.rgba c[0x1][0x10] r2 r3         // delay=1 wr:0
      r10..12 r8..10  = tex.2d.ll.nodep.rgba c[0x1][0x10] r2..4 r1       // delay=2 wr:1
      r5              = fadd.ftz r5 r9                                   // delay=2 wt=000011
      r9              = ipa.pass a[0xd4] rZ                              // delay=1 wr:0
      r4              = fadd.ftz r4 r8                                   // delay=1
      r7              = fadd.ftz r7 r11                                  // delay=1
      r8              = ipa.pass a[0xd0] rZ                              // delay=1 wr:1
      r11             = ipa.pass a[0xd8] rZ                              // delay=1 wr:2
      r6              = fadd.ftz r6 r10                                  // delay=1
      r10             = mov r9                                           // delay=4 wt=000001
      r14..16 r12..14 = txd.2d.nodep.rgba c[0x1][0x10] r2..4 r8..12      // delay=2 wt=000110 rd:0 wr:1
      r10             = fmnmx.ftz |r8| |r9| pF                           // delay=4 wt=000001
      r10             = fmnmx.ftz r10 |r11| pF                           // delay=5
      r10             = mufu.rcp.f32 r10                                 // delay=1 wr:0
      r4              = fadd.ftz r4 r12                                  // delay=1 wt=000010
      r12             = fmul.ftz r8 r10                                  // delay=1 wt=000001
      r5              = fadd.ftz r5 r13                                  // delay=1
      r13             = fmul.ftz r9 r10                                  // delay=1
      r10             = fmul.ftz r11 r10                                 // delay=1
      r6              = fadd.ftz r6 r14                                  // delay=1
      r7              = fadd.ftz r7 r15                                  // delay=2
      r16..18 r14..16 = tex.cube.scr.nodep.rgba c[0x1][0x14] r12..14 r10 // delay=2 rd:0 wr:1
      r12             = ipa.constant a[0xa0] rZ                          // delay=1 wt=000001 wr:0
      r13             = ipa.constant a[0xa4] rZ                          // delay=1 wr:2
      r6              = fadd.ftz r6 r16                                  // delay=1 wt=000010
      r7              = fadd.ftz r7 r17                                  // delay=1
      r4              = fadd.ftz r4 r14                                  // delay=1
      r5              = fadd.ftz r5 r15                                  // delay=2
      r16..18 r14..16 = tld.2d.lz.scr.nodep.rgba c[0x1][0x10] r12 r13    // delay=2 wt=000101 wr:0
      r6              = fadd.ftz r6 r16                                  // delay=1 wt=000001
      r7              = fadd.ftz r7 r17                                  // delay=1
      r10             = mov 0xe1                                         // delay=1
      r4              = fadd.ftz r4 r14                                  // delay=1
      r5              = fadd.ftz r5 r15                                  // delay=2
      r16..18 r14..16 = tex.2d.aoffi.nodep.rgba c[0x1][0x10] r2..4 r10   // delay=2 wr:0
      r6              = fadd.ftz r6 r16                                  // delay=1 wt=000001
      r7              = fadd.ftz r7 r17                                  // delay=1
      r4              = fadd.ftz r4 r14                                  // delay=1
      r5              = fadd.ftz r5 r15                                  // delay=2
      r16..18 r14..16 = tld4.g.2d.scr.nodep.rgba c[0x1][0x10] r2 r3      // delay=1 wr:0
      r10             = pixld.my_index                                   // delay=1 wr:1
      r6              = fadd.ftz r6 r16                                  // delay=1 wt=000001
      r7              = fadd.ftz r7 r17                                  // delay=1
      r4              = fadd.ftz r4 r14                                  // delay=1
      r5              = fadd.ftz r5 r15                                  // delay=2
      r16..18 r14..16 = tld.2d.lz.ms.nodep.rgba c[0x1][0x20] r12..14 r10 // delay=2 wt=000010 wr:0
      r6              = fadd.ftz r6 r16                                  // delay=1 wt=000001
      r7              = fadd.ftz r7 r17                                  // delay=1
      r4              = fadd.ftz r4 r14                                  // delay=1
      r5              = fadd.ftz r5 r15                                  // delay=2
      r16..18 r14..16 = tld.1d.lz.scr.nodep.rgba c[0x1][0x24] r12 rZ     // delay=2 wr:0
      r6              = fadd.ftz r6 r16                                  // delay=1 wt=000001
      r16             = mov 0x1                                          // delay=1
      r7              = fadd.ftz r7 r17                                  // delay=1
      r17             = mov r2                                           // delay=1
      r18             = mov r3                                           // delay=2
      r4              = fadd.ftz r4 r14                                  // delay=2
      r14             = tex.a2d.dc.nodep.r c[0x1][0x18] r16..19 r1       // delay=1 wr:0
      r5              = fadd.ftz r5 r15                                  // delay=1
      r6              = fadd.ftz r6 r14                                  // delay=2 wt=000001
      r16..18 r14..16 = tex.3d.scr.nodep.rgba c[0x1][0x1c] r8..10 r11    // delay=2 rd:0 wr:1
      r8              = mov rZ                                           // delay=5 wt=000001
      r18..20 r8      = txq.rga c[0x1][0x10] r8 dimension                // delay=2 wr:0
      r9              = i2f.f32.i32.re r18                               // delay=1 wt=000001 rd:0 wr:2
      r11             = i2f.f32.i32.re r19                               // delay=2 rd:3 wr:4
      r18..20         = tmml.lod.2d.nodep.rg c[0x1][0x10] r2..4 rZ       // delay=2 wt=001001 wr:0
      r19             = prmt r19 [0x4410] rZ                             // delay=1 wt=000001
      r18             = prmt r18 [0x9910] rZ                             // delay=4
      r19             = i2f.f32.u32.re r19                               // delay=1 wr:0
      r18             = i2f.f32.i32.re r18                               // delay=1 wr:3
      r8              = i2f.f32.i32.re r8                                // delay=1 wr:5
      r9              = ffma.ftz r19 0x3b800000 r9                       // delay=1 wt=000101
      r11             = ffma.ftz r18 0x3b800000 r11                      // delay=3 wt=011000
      r9              = fadd.ftz r9 r8                                   // delay=1 wt=100000
      r8              = fadd.ftz r11 r8                                  // delay=4
      r7              = fadd.ftz r7 r8                                   // delay=2
      r8              = ipa.pass.centroid a[0x7c] rZ                     // delay=1 wr:0
      r20..22         = imad64 r12 0x55555556 rZ                         // delay=4
      r6              = fadd.ftz r6 r9                                   // delay=1
      r20             = shf.r.w.u32.hi rZ r21 0x1f                       // delay=2
      r9              = ipa.pass.centroid a[0xf0] rZ                     // delay=1 wr:2
      r11             = ipa.pass.centroid a[0xf4] rZ                     // delay=1 wr:3
      r20             = iadd3 r21 r20 rZ                                 // delay=3
      r18             = ipa.pass.centroid a[0xf8] rZ                     // delay=1 wr:4
      r19             = ipa.pass.centroid a[0xfc] rZ                     // delay=1 wr:5
      r20             = imad r20 0x3 rZ                                  // delay=5
      r20             = iadd3 r12 -r20 rZ                                // delay=3
      p0              = isetp.ge.i32 r12 rZ                              // delay=1
      p1              = isetp.eq.i32 r20 rZ                              // delay=2
      r8              = mufu.rcp.f32 r8                                  // delay=1 wt=000001 wr:0
      r21             = iadd3 r20 0x3 rZ                                 // delay=1
      p0 null         = plop3 p1 p0 pT LUT[0xfc] LUT[0x0]                // delay=4
      r12             = sel p0 r20 r21                                   // delay=4
      p0              = isetp.lt.i32 r12 0x1                             // delay=7
      r9              = fmul.rz.ftz r9 r8                                // delay=1 wt=000101
      r11             = fmul.rz.ftz r11 r8                               // delay=1 wt=001000
      r18             = fmul.rz.ftz r18 r8                               // delay=1 wt=010000
      r19             = fmul.rz.ftz r19 r8                               // delay=1 wt=100000
      b0              = bclear                                           // delay=1
      b0              = bssy b0 pT L0                                    // delay=1
@!p0                    bra pT L1                                        // delay=1 wt=000010
} -> [1, 2]
block 1 L4 [0] -> {
      r12             = ipa.pass a[0x130] rZ                             // delay=1 wr:0
      r20             = ipa.pass a[0x134] rZ                             // delay=1 wr:1
      r21             = ipa.pass a[0x138] rZ                             // delay=1 wr:2
      r22             = ipa.pass a[0x13c] rZ                             // delay=1 wr:3
      r12             = fmul.rz.ftz r12 r0                               // delay=1 wt=000001
      r20             = fmul.rz.ftz r20 r0                               // delay=1 wt=000010
      r21             = fmul.rz.ftz r21 r0                               // delay=1 wt=000100
      r0              = fmul.rz.ftz r22 r0                               // delay=1 wt=001000
                        bra pT L3                                        // delay=1
} -> [5]
block 2 L1 [0] -> {
      p0              = isetp.lt.i32 r12 0x2                             // delay=13
@!p0                    bra pT L5                                        // delay=1
} -> [3, 4]
block 3 L7 [2] -> {
      r12             = ipa.pass a[0x140] rZ                             // delay=1 wr:0
      r20             = ipa.pass a[0x144] rZ                             // delay=1 wr:1
      r21             = ipa.pass a[0x148] rZ                             // delay=1 wr:2
      r22             = ipa.pass a[0x14c] rZ                             // delay=1 wr:3
      r12             = fmul.rz.ftz r12 r0                               // delay=1 wt=000001
      r20             = fmul.rz.ftz r20 r0                               // delay=1 wt=000010
      r21             = fmul.rz.ftz r21 r0                               // delay=1 wt=000100
      r0              = fmul.rz.ftz r22 r0                               // delay=1 wt=001000
                        bra pT L3                                        // delay=1
} -> [5]
block 4 L5 [2] -> {
      r12             = ipa.pass a[0x150] rZ                             // delay=1 wr:0
      r20             = ipa.pass a[0x154] rZ                             // delay=1 wr:1
      r21             = ipa.pass a[0x158] rZ                             // delay=1 wr:2
      r22             = ipa.pass a[0x15c] rZ                             // delay=1 wr:3
      r12             = fmul.rz.ftz r12 r0                               // delay=1 wt=000001
      r20             = fmul.rz.ftz r20 r0                               // delay=1 wt=000010
      r21             = fmul.rz.ftz r21 r0                               // delay=1 wt=000100
      r0              = fmul.rz.ftz r22 r0                               // delay=1 wt=001000
} -> [5]
block.u 5 L3 [1, 3, 4] -> {
                        bsync b0 pT                                      // delay=1 yld
                        nop L0                                           // delay=1
      r11             = fadd.ftz r11 r20                                 // delay=2
      r20             = ipa.pass.centroid a[0x114] rZ                    // delay=2 wr:0
      r20             = fmul.rz.ftz r20 r8                               // delay=4 wt=000001
      r11             = fadd.ftz r11 r20                                 // delay=2
      r20             = shfl.bfly r3 0x2 0x1c03                          // delay=1 wr:0
      r22             = shfl.bfly r3 0x1 0x1c03                          // delay=1 wr:1
      r20             = fswzadd.ftz r20 r3 [sub, sub, subr, subr]        // delay=1 wt=000001
      r3              = fswzadd.ftz r22 r3 [sub, subr, sub, subr]        // delay=4 wt=000010
      r3              = fadd.ftz |r3| |r20|                              // delay=4
      r3              = fadd.ftz r11 r3                                  // delay=3
      r11             = shfl.bfly r1 0x1 0x1c03                          // delay=1 wr:0
      r3              = fadd.ftz r7 r3                                   // delay=1
      r7              = fadd.ftz r18 r21                                 // delay=1
      r11             = fswzadd.ftz r11 r1 [sub, subr, sub, subr]        // delay=4 wt=000001
      r7              = fadd.ftz r7 r11                                  // delay=1
      r11             = mov 0x4000400                                    // delay=5
      r11             = ipa.pass.offset a[0x7c] rZ r11                   // delay=1 wr:0
      r18             = mov 0x4000400                                    // delay=5
      r18             = ipa.pass.offset a[0x80] rZ r18                   // delay=1 wr:1
      r11             = mufu.rcp.f32 r11                                 // delay=2 wt=000001 wr:0
      r18             = fmul.rz.ftz r18 r11                              // delay=4 wt=000011
      r7              = fadd.ftz r7 r18                                  // delay=4
      r4              = fadd.ftz r4 r7                                   // delay=2
      r7              = shfl.bfly r1 0x2 0x1c03                          // delay=1 wr:0
      r0              = fadd.ftz r19 r0                                  // delay=1
      r1              = fswzadd.ftz r7 r1 [sub, sub, subr, subr]         // delay=4 wt=000001
      r0              = fadd.ftz r0 r1                                   // delay=1
      r1              = mov 0x4000400                                    // delay=5
      r1              = ipa.pass.offset a[0x84] rZ r1                    // delay=2 wr:0
      r1              = fmul.rz.ftz r1 r11                               // delay=4 wt=000001
      r0              = fadd.ftz r0 r1                                   // delay=4
      r0              = fadd.ftz r5 r0                                   // delay=2
      r5              = ipa.pass.centroid a[0x110] rZ                    // delay=1 wr:0
      r1              = fadd.ftz r9 r12                                  // delay=1
      r5              = fmul.rz.ftz r5 r8                                // delay=4 wt=000001
      r1              = fadd.ftz r1 r5                                   // delay=2
      r5              = shfl.bfly r2 0x2 0x1c03                          // delay=1 wr:0
      r7              = shfl.bfly r2 0x1 0x1c03                          // delay=1 wr:1
      r5              = fswzadd.ftz r5 r2 [sub, sub, subr, subr]         // delay=1 wt=000001
      r2              = fswzadd.ftz r7 r2 [sub, subr, sub, subr]         // delay=4 wt=000010
      r2              = fadd.ftz |r2| |r5|                               // delay=4
      r1              = fadd.ftz r1 r2                                   // delay=4
      r1              = fadd.ftz r6 r1                                   // delay=5
      p0              = fsetp.lt.ftz r1 rZ                               // delay=13
@p0                     kill                                             // delay=1
      r5              = ipa.constant a[0x3fc] rZ                         // delay=1 wr:0
      r2              = fadd.ftz -rZ -r4                                 // delay=1
      p0              = isetp.ne.i32 r5 rZ                               // delay=4 wt=000001
      r2              = sel p0 r2 r4                                     // delay=1
      r4              = fadd.ftz -rZ -r0                                 // delay=5
      r0              = sel p0 r4 r0                                     // delay=2
      r4              = ipa.pass.centroid a[0x2e0] rZ                    // delay=1 wr:0
      r5              = ipa.pass.centroid a[0x70] rZ                     // delay=2 wr:1
      r4              = fadd.ftz r4 r5                                   // delay=1 wt=000011
      r5              = fadd.ftz -rZ -r1                                 // delay=5
      r1              = sel p0 r5 r1                                     // delay=5
      r1              = fadd.ftz r1 r4                                   // delay=2
      r4              = ipa.pass.centroid a[0x2e4] rZ                    // delay=1 wr:0
      r5              = ipa.pass.centroid a[0x74] rZ                     // delay=2 wr:1
      r4              = fadd.ftz r4 r5                                   // delay=1 wt=000011
      r5              = fadd.ftz -rZ -r3                                 // delay=5
      r3              = sel p0 r5 r3                                     // delay=4
      r5              = pixld.covmask                                    // delay=1 wr:0
      r3              = fadd.ftz r3 r4                                   // delay=1
      r4              = mov 0x1                                          // delay=4
      r4              = shf.l.w.i32 r4 rZ r10                            // delay=2
      r7              = mov r15                                          // delay=1
      r6              = mov r14                                          // delay=1
      r8              = lop3.LUT[0x80] r5 r13 r4                         // delay=1 wt=000001
      r5              = mov r17                                          // delay=1
      r4              = mov r16                                          // delay=1
      r29             = mov r0                                           // delay=1
      r9              = mov r0                                           // delay=1
      r0              = mov r1                                           // delay=1
      r1              = mov r3                                           // delay=1
      r3              = mov r29                                          // delay=1
                        exit                                             // delay=1
} -> []
