block.u 0 L2 [] -> {
      r0      = ipa.pass a[0x7c] rZ                            // delay=6 wr:0
      r0      = mufu.rcp.f32 r0                                // delay=6 wt=000001 wr:0
      r2      = ipa.pass_mul_w a[0x80] r0                      // delay=1 wt=000001 wr:0
      r3      = ipa.pass_mul_w a[0x84] r0                      // delay=1 wr:1
      r7      = ipa.pass_mul_w a[0x88] r0                      // delay=1 wr:2
      r6      = mov c[0x1][0x10]                               // delay=6
      r8..12  = tex.2d.nodep.rgba bindless r2..4 r6            // delay=1 wt=000011 wr:0
      r12..16 = tex.2d.ll.nodep.rgba bindless r2..4 r6..8      // delay=6 wt=000100 wr:1
      r5      = fadd.ftz r8 r12                                // delay=4 wt=000011
      r8      = fadd.ftz r9 r13                                // delay=4
      r13     = ipa.pass a[0xd4] rZ                            // delay=1 wr:0
      r9      = fadd.ftz r10 r14                               // delay=4
      r10     = fadd.ftz r11 r15                               // delay=3
      r12     = ipa.pass a[0xd0] rZ                            // delay=1 wr:1
      r15     = ipa.pass a[0xd8] rZ                            // delay=1 wr:2
      r14     = mov r13                                        // delay=1 wt=000001
      r22     = mov r3                                         // delay=1
      r21     = mov r2                                         // delay=1
      r20     = mov r6                                         // delay=6
      r16..20 = txd.2d.nodep.rgba bindless r20..23 r12..16     // delay=6 wt=000110 wr:0
      r3      = fadd.ftz r8 r17                                // delay=4 wt=000001
      r8      = fmnmx.ftz |r12| |r13| pF                       // delay=6
      r8      = fmnmx.ftz r8 |r15| pF                          // delay=6
      r8      = mufu.rcp.f32 r8                                // delay=1 wr:0
      r2      = fadd.ftz r5 r16                                // delay=4
      r5      = fadd.ftz r9 r18                                // delay=1
      r1      = mov rZ                                         // delay=1
      r16     = fmul.ftz r12 r8                                // delay=1 wt=000001
      r17     = fmul.ftz r13 r8                                // delay=1
      r18     = fmul.ftz r15 r8                                // delay=1
      r6      = fadd.ftz r10 r19                               // delay=1
      r14     = mov r3                                         // delay=1
      r11     = mov r2                                         // delay=1
      r8      = mov c[0x1][0x14]                               // delay=1
      r10     = mov r1                                         // delay=1
      r9      = mov r0                                         // delay=4
      r0..4   = tex.cube.nodep.rgba bindless r16..19 r8        // delay=4 rd:0 wr:1
      r16     = ipa.constant a[0xa0] rZ                        // delay=1 wt=000001 wr:0
      r17     = ipa.constant a[0xa4] rZ                        // delay=1 wr:2
      r0      = fadd.ftz r11 r0                                // delay=1 wt=000010
      r3      = fadd.ftz r6 r3                                 // delay=1
      r2      = fadd.ftz r5 r2                                 // delay=1
      r1      = fadd.ftz r14 r1                                // delay=4
      r11     = mov r3                                         // delay=1
      r8      = mov r2                                         // delay=1
      r6      = mov r1                                         // delay=1
      r5      = mov r0                                         // delay=4
      r0..4   = tld.2d.lz.nodep.rgba bindless r16..18 r20      // delay=6 wt=000101 wr:0
      r0      = fadd.ftz r5 r0                                 // delay=2 wt=000001
      r2      = fadd.ftz r8 r2                                 // delay=1
      r1      = fadd.ftz r6 r1                                 // delay=2
      r3      = fadd.ftz r11 r3                                // delay=1
      r8      = mov r0                                         // delay=1
      r4      = mov 0x1                                        // delay=1
      r19     = mov 0xe1                                       // delay=1
      r11     = mov r1                                         // delay=1
      r0      = mov r21                                        // delay=3
      r1      = mov r22                                        // delay=1
      r21     = mov r19                                        // delay=1
      r18     = mov r7                                         // delay=1
      r14     = mov r4                                         // delay=4
      r4..8   = tex.2d.aoffi.nodep.rgba bindless r0..2 r20..22 // delay=6 wr:0
      r5      = fadd.ftz r11 r5                                // delay=1 wt=000001
      r4      = fadd.ftz r8 r4                                 // delay=3
      r2      = fadd.ftz r2 r6                                 // delay=1
      r3      = fadd.ftz r3 r7                                 // delay=1
      r11     = mov r5                                         // delay=1
      r8      = mov r4                                         // delay=4
      r4..8   = tld4.g.2d.nodep.rgba bindless r0..2 r20        // delay=6 wr:0
      r3      = fadd.ftz r3 r7                                 // delay=4 wt=000001
      r7      = pixld.my_index                                 // delay=1 wr:0
      r2      = fadd.ftz r2 r6                                 // delay=3
      r21     = mov r3                                         // delay=1
      r5      = fadd.ftz r11 r5                                // delay=1
      r4      = fadd.ftz r8 r4                                 // delay=1
      r19     = mov r2                                         // delay=1
      r6      = mov c[0x1][0x20]                               // delay=1
      r11     = mov r1                                         // delay=1
      r8      = mov r0                                         // delay=4
      r0..4   = tld.2d.lz.ms.nodep.rgba bindless r16..18 r6..8 // delay=6 wt=000001 wr:0
      r3      = fadd.ftz r21 r3                                // delay=1 wt=000001
      r2      = fadd.ftz r19 r2                                // delay=2
      r1      = fadd.ftz r5 r1                                 // delay=1
      r0      = fadd.ftz r4 r0                                 // delay=2
      r21     = mov r3                                         // delay=1
      r19     = mov r2                                         // delay=1
      r4      = mov c[0x1][0x24]                               // delay=1
      r6      = mov r1                                         // delay=1
      r5      = mov r0                                         // delay=4
      r0..4   = tld.1d.lz.nodep.rgba bindless r16 r4           // delay=6 wr:0
      r1      = fadd.ftz r6 r1                                 // delay=6 wt=000001
      r23     = mov r1                                         // delay=3
      r0      = fadd.ftz r5 r0                                 // delay=1
      r1      = mov r8                                         // delay=2
      r2      = fadd.ftz r19 r2                                // delay=2
      r8      = mov r23                                        // delay=2
      r6      = mov r0                                         // delay=2
      r23     = mov r2                                         // delay=1
      r4      = mov c[0x1][0x18]                               // delay=1
      r0      = mov r14                                        // delay=1
      r5      = mov r18                                        // delay=1
      r2      = mov r11                                        // delay=6
      r0      = tex.a2d.dc.nodep.r bindless r0..3 r4..6        // delay=2 wr:0
      r3      = fadd.ftz r21 r3                                // delay=4
      r0      = fadd.ftz r6 r0                                 // delay=2 wt=000001
      r19     = mov r3                                         // delay=1
      r14     = mov r15                                        // delay=1
      r18     = mov r2                                         // delay=1
      r4      = mov c[0x1][0x1c]                               // delay=1
      r6      = mov r0                                         // delay=1
      r15     = mov r1                                         // delay=2
      r21     = mov r10                                        // delay=2
      r0..4   = tex.3d.nodep.rgba bindless r12..15 r4          // delay=4 rd:0 wr:1
      r12..15 = txq.rga bindless r20..22 dimension             // delay=1 wt=000001 wr:0
      r11     = mov r23                                        // delay=4
      r23     = mov r0                                         // delay=3 wt=000010
      p0      = isetp.eq.i32 r14 rZ                            // delay=1 wt=000001
      r0      = mov r15                                        // delay=4
      r15     = mov r23                                        // delay=4
      r23     = mov r1                                         // delay=4
      r1      = mov r18                                        // delay=1
      r4      = sel p0 rZ r12                                  // delay=1
      r10     = sel p0 rZ r13                                  // delay=4
      r12..14 = tmml.lod.2d.nodep.rg bindless r0..2 r20        // delay=4 rd:0 wr:1
      r20     = imul.hi.s32.s32 r16 0x55555556                 // delay=6 wt=000001 wr:0
      r21     = shr.w.u32 r20 0x1f                             // delay=5 wt=000001
      r12     = prmt r12 [0x9910] rZ                           // delay=1 wt=000010
      r20     = iadd2 r20 r21                                  // delay=5
      r12     = i2f.f32.i32.re r12                             // delay=1 wr:0
      r20     = imul.u32.u32 r20 0x3                           // delay=1 wr:1
      r13     = prmt r13 [0x4410] rZ                           // delay=5
      r10     = i2f.f32.i32.re r10                             // delay=1 wr:2
      r13     = i2f.f32.u32.re r13                             // delay=1 wr:3
      r12     = fmul.ftz r12 0x3b800000                        // delay=6 wt=000001
      r12     = sel p0 rZ r12                                  // delay=5
      r4      = i2f.f32.i32.re r4                              // delay=1 wr:0
      r10     = fadd.ftz r10 r12                               // delay=1 wt=000100
      r13     = fmul.ftz r13 0x3b800000                        // delay=5 wt=001000
      r12     = i2f.f32.i32.re r14                             // delay=1 wr:2
      r13     = sel p0 rZ r13                                  // delay=6
      r4      = fadd.ftz r4 r13                                // delay=6 wt=000001
      r4      = fadd.ftz r4 r12                                // delay=4 wt=000100
      r10     = fadd.ftz r10 r12                               // delay=2
      r4      = fadd.ftz r6 r4                                 // delay=4
      r6      = fadd.ftz r8 r10                                // delay=4
      r8      = ipa.pass.centroid a[0x7c] rZ                   // delay=2 wr:0
      r20     = iadd2 r16 -r20                                 // delay=4 wt=000010
      r8      = mufu.rcp.f32 r8                                // delay=1 wt=000001 wr:0
      p0      = isetp.ge.i32 r16 rZ                            // delay=1
      p1      = isetp.eq.i32 r20 rZ                            // delay=10
      r10     = ipa.pass_mul_w.centroid a[0xf0] r8             // delay=1 wt=000001 wr:0
      r12     = ipa.pass_mul_w.centroid a[0xf4] r8             // delay=1 wr:1
      r13     = ipa.pass_mul_w.centroid a[0xf8] r8             // delay=1 wr:2
      p0      = psetp.or.and p1 p0 pT                          // delay=6
      r14     = ipa.pass_mul_w.centroid a[0xfc] r8             // delay=1 wr:3
      r21     = iadd2 r20 0x3                                  // delay=6
      r16     = sel p0 r20 r21                                 // delay=5
      r18     = mov r23                                        // delay=1
      p0      = isetp.lt.i32 r16 0x1                           // delay=1
                ssy L0                                         // delay=13
                nop                                            // delay=2
@!p0            bra pT L1                                      // delay=13 wt=001111
                nop                                            // delay=2
} -> [1, 2]
block 1 L3 [0] -> {
      r16     = ipa.pass_mul_w a[0x130] r9                     // delay=1 rd:0 wr:1
      r20     = ipa.pass_mul_w a[0x134] r9                     // delay=1 rd:2 wr:3
      r21     = ipa.pass_mul_w a[0x138] r9                     // delay=4 rd:4 wr:5
      r9      = ipa.pass_mul_w a[0x13c] r9                     // delay=2 wt=010101 wr:0
                sync L0                                        // delay=13 wt=101011
                nop                                            // delay=2
} -> [6]
block 2 L1 [0] -> {
      p0      = isetp.lt.i32 r16 0x2                           // delay=1
                ssy L4                                         // delay=13
                nop                                            // delay=2
@!p0            bra pT L5                                      // delay=13
                nop                                            // delay=2
} -> [3, 4]
block 3 L6 [2] -> {
      r16     = ipa.pass_mul_w a[0x140] r9                     // delay=1 rd:0 wr:1
      r20     = ipa.pass_mul_w a[0x144] r9                     // delay=1 rd:2 wr:3
      r21     = ipa.pass_mul_w a[0x148] r9                     // delay=4 rd:4 wr:5
      r9      = ipa.pass_mul_w a[0x14c] r9                     // delay=2 wt=010101 wr:0
                sync L4                                        // delay=13 wt=101011
                nop                                            // delay=2
} -> [5]
block 4 L5 [2] -> {
      r16     = ipa.pass_mul_w a[0x150] r9                     // delay=1 rd:0 wr:1
      r20     = ipa.pass_mul_w a[0x154] r9                     // delay=1 rd:2 wr:3
      r21     = ipa.pass_mul_w a[0x158] r9                     // delay=4 rd:4 wr:5
      r9      = ipa.pass_mul_w a[0x15c] r9                     // delay=2 wt=010101 wr:0
                sync L4                                        // delay=13 wt=101011
                nop                                            // delay=2
} -> [5]
block 5 L4 [3, 4] -> {
                sync L0                                        // delay=13
                nop                                            // delay=2
} -> [6]
block.u 6 L0 [1, 5] -> {
      r12     = fadd.ftz r12 r20                               // delay=4
      r20     = ipa.pass_mul_w.centroid a[0x114] r8            // delay=6 wr:0
      r12     = fadd.ftz r12 r20                               // delay=4 wt=000001
      r20     = shfl.bfly r1 0x2 0x1c03                        // delay=4 wr:0
      r22     = shfl.bfly r1 0x1 0x1c03                        // delay=2 wr:1
      r20     = fswzadd.ftz r20 r1 [sub, sub, subr, subr]      // delay=4 wt=000001
      r1      = fswzadd.ftz r22 r1 [sub, subr, sub, subr]      // delay=6 wt=000010
      r1      = fadd.ftz |r1| |r20|                            // delay=6
      r1      = fadd.ftz r12 r1                                // delay=5
      r12     = shfl.bfly r5 0x1 0x1c03                        // delay=1 wr:0
      r1      = fadd.ftz r6 r1                                 // delay=4
      r6      = fadd.ftz r13 r21                               // delay=1
      r12     = fswzadd.ftz r12 r5 [sub, subr, sub, subr]      // delay=6 wt=000001
      r6      = fadd.ftz r6 r12                                // delay=4
      r12     = mov 0x4000400                                  // delay=6
      r13     = ipa.pass.offset a[0x7c] rZ r12                 // delay=6 wr:0
      r13     = mufu.rcp.f32 r13                               // delay=6 wt=000001 wr:0
      r20     = ipa.pass_mul_w.offset a[0x80] r13 r12          // delay=6 wt=000001 wr:0
      r6      = fadd.ftz r6 r20                                // delay=6 wt=000001
      r6      = fadd.ftz r11 r6                                // delay=4
      r11     = shfl.bfly r5 0x2 0x1c03                        // delay=5 wr:0
      r9      = fadd.ftz r14 r9                                // delay=1
      r5      = fswzadd.ftz r11 r5 [sub, sub, subr, subr]      // delay=6 wt=000001
      r5      = fadd.ftz r9 r5                                 // delay=4
      r9      = ipa.pass_mul_w.offset a[0x84] r13 r12          // delay=5 wr:0
      r8      = ipa.pass_mul_w.centroid a[0x110] r8            // delay=1 wr:1
      r5      = fadd.ftz r5 r9                                 // delay=4 wt=000001
      r9      = fadd.ftz r10 r16                               // delay=6
      r8      = fadd.ftz r9 r8                                 // delay=4 wt=000010
      r9      = shfl.bfly r0 0x2 0x1c03                        // delay=4 wr:0
      r10     = shfl.bfly r0 0x1 0x1c03                        // delay=2 wr:1
      r9      = fswzadd.ftz r9 r0 [sub, sub, subr, subr]       // delay=4 wt=000001
      r0      = fswzadd.ftz r10 r0 [sub, subr, sub, subr]      // delay=6 wt=000010
      r0      = fadd.ftz |r0| |r9|                             // delay=6
      r0      = fadd.ftz r8 r0                                 // delay=6
      r0      = fadd.ftz r4 r0                                 // delay=6
      p0      = fsetp.lt.ftz r0 rZ                             // delay=12
      r5      = fadd.ftz r19 r5                                // delay=1
@p0             kill                                           // delay=13
                nop                                            // delay=2
      r8      = ipa.constant a[0x3fc] rZ                       // delay=6 wr:0
      p0      = isetp.ne.i32 r8 rZ                             // delay=7 wt=000001
      r4      = fadd.ftz -rZ -r6                               // delay=6
      r4      = sel p0 r4 r6                                   // delay=4
      r6      = fadd.ftz -rZ -r5                               // delay=6
      r5      = sel p0 r6 r5                                   // delay=4
      r6      = fadd.ftz -rZ -r0                               // delay=6
      r0      = sel p0 r6 r0                                   // delay=4
      r6      = ipa.pass.centroid a[0x2e0] rZ                  // delay=1 wr:0
      r8      = ipa.pass.centroid a[0x70] rZ                   // delay=6 wr:1
      r6      = fadd.ftz r6 r8                                 // delay=6 wt=000011
      r0      = fadd.ftz r0 r6                                 // delay=4
      r6      = fadd.ftz -rZ -r1                               // delay=6
      r1      = sel p0 r6 r1                                   // delay=4
      r6      = ipa.pass.centroid a[0x2e4] rZ                  // delay=1 wr:0
      r8      = ipa.pass.centroid a[0x74] rZ                   // delay=6 wr:1
      r6      = fadd.ftz r6 r8                                 // delay=6 wt=000011
      r1      = fadd.ftz r1 r6                                 // delay=4
      r6      = mov 0x1                                        // delay=6
      r6      = shl.w r6 r7                                    // delay=4
      r7      = pixld.covmask                                  // delay=6 wr:0
      r6      = lop2.and r7 r6                                 // delay=6 wt=000001
      r8      = lop2.and r6 r17                                // delay=3
      r7      = mov r3                                         // delay=1
      r6      = mov r2                                         // delay=2
      r9      = mov r5                                         // delay=1
      r3      = mov r5                                         // delay=1
      r2      = mov r4                                         // delay=3
      r5      = mov r18                                        // delay=1
      r4      = mov r15                                        // delay=1
                exit                                           // delay=13
                nop                                            // delay=2
} -> []
