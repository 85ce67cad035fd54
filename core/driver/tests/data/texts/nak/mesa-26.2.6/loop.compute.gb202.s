block.u 0 L3 [] -> {
      b0      = bclear                                                     // delay=1
      b0      = bssy b0 pT L0                                              // delay=1
                bsync b0 pT                                                // delay=1 yld
                nop L0                                                     // delay=1
      ur0     = s2r sr[0x25]                                               // delay=1 wr:0
      r2      = s2r sr[0x21]                                               // delay=1 wr:1
      ur1     = ldc.b32 c[0x0][+0x0]                                       // delay=2 wr:2
      ur0     = iadd3 ur0 ur1 rZ                                           // delay=7 wt=000101
      r3      = mov ur0                                                    // delay=5
      r3      = lea r3 6 r2                                                // delay=1 wt=000010
      ur0     = ldc.b32 c[0x1][+0x0]                                       // delay=1 wr:0
      ur1     = ldc.b32 c[0x1][+0x4]                                       // delay=1 wr:1
      b0      = bclear                                                     // delay=1
      b0      = bssy b0 pT L1                                              // delay=1
      r4      = mov rZ                                                     // delay=1
      r5      = mov rZ                                                     // delay=1
} -> [1]
block 1 L2 [0, 23] -> {
      b1      = bclear                                                     // delay=1
      b1      = bssy b1 pT L4                                              // delay=1
      r6      = ldc.b32 c[0x1][+0x0]                                       // delay=1 wr:2
      r7      = ldc.b32 c[0x1][+0x4]                                       // delay=2 wr:3
      r6      = ld.global.a64.strong.gpu.b32 [r6..8+rZ], pT                // delay=2 wt=001100 wr:2
      p0      = isetp.ge.u32 r4 r6                                         // delay=14 wt=000100
@!p0            bra pT L8                                                  // delay=1 wt=000011
} -> [2, 3]
block 2 L7 [1] -> {
      r21     = mov r0                                                     // delay=1
      r1      = mov 0x1                                                    // delay=2
      r6      = mov r5                                                     // delay=1
      r0      = mov r5                                                     // delay=1
      r5      = mov r21                                                    // delay=1
      r21     = mov r1                                                     // delay=4
      r1      = mov r6                                                     // delay=1
      r6      = mov r21                                                    // delay=2
                bra pT L6                                                  // delay=1
} -> [17]
block 3 L8 [1] -> {
      r6      = lea r3 6 r4                                                // delay=5
      r6      = lea r6 2 0x4                                               // delay=5
      r6 p0   = iadd3 r6 ur0 rZ                                            // delay=5
      r7      = iadd3.x rZ ur1 rZ p0 pF                                    // delay=6
      r6      = ld.global.a64.strong.gpu.b32 [r6..8+rZ], pT                // delay=2 wr:0
      p0      = fsetp.geu.ftz r6 rZ                                        // delay=12 wt=000001
      b2      = bclear                                                     // delay=1
      b2      = bssy b2 pT L9                                              // delay=1
@!p0            bra pT L10                                                 // delay=1
} -> [4, 13]
block 4 L12 [3] -> {
      p0      = fsetp.gt.ftz r6 0x447a0000                                 // delay=14
@!p0            bra pT L15                                                 // delay=1
} -> [5, 6]
block 5 L14 [4] -> {
      r1      = mov 0x1                                                    // delay=4
      r6      = mov r5                                                     // delay=1
      r21     = mov r1                                                     // delay=4
      r1      = mov r6                                                     // delay=1
      r6      = mov r21                                                    // delay=2
                bra pT L13                                                 // delay=1
} -> [14]
block 6 L15 [4] -> {
      r0      = fmul.ftz r6 0x3e22f983                                     // delay=3
      r7      = mufu.exp2.f32 r6                                           // delay=1 rd:0 wr:1
      r8      = mufu.sqrt.f32 r6                                           // delay=1 rd:2 wr:3
      r0      = mufu.sin.f32 r0                                            // delay=1 wr:4
      r6      = fadd.ftz r6 0x3f800000                                     // delay=5 wt=000101
      r6      = mufu.log2.f32 r6                                           // delay=1 wr:0
      r0      = ffma.ftz r0 r7 r8                                          // delay=5 wt=011010
      r0      = fadd.ftz r0 r6                                             // delay=2 wt=000001
      r6      = ldc.b32 c[0x0][+0x700]                                     // delay=2 wr:0
      r6      = lop3.LUT[0xc0] r6 0x3 rZ                                   // delay=5 wt=000001
      p0      = isetp.eq.i32 r6 rZ                                         // delay=10
      r0      = fadd.ftz r5 r0                                             // delay=4
@!p0            bra pT L17                                                 // delay=1
} -> [7, 8]
block 7 L18 [6] -> {
      r0      = fmul.ftz r0 0x40000000                                     // delay=1
} -> [8]
block 8 L17 [6, 7] -> {
      p0      = isetp.eq.i32 r6 0x1                                        // delay=14
@!p0            bra pT L20                                                 // delay=1
} -> [9, 10]
block 9 L21 [8] -> {
      r7      = frnd.f32.f32.rm.ftz r0                                     // delay=2 wr:0
      r0      = fadd.ftz r0 -r7                                            // delay=1 wt=000001
} -> [10]
block 10 L20 [8, 9] -> {
      p0      = isetp.eq.i32 r6 0x2                                        // delay=14
@!p0            bra pT L23                                                 // delay=1
} -> [11, 12]
block 11 L24 [10] -> {
      r0      = frnd.f32.f32.rm.ftz r0                                     // delay=2 wr:0
} -> [12]
block 12 L23 [10, 11] -> {
      p1      = isetp.gt.u32 r6 0x2                                        // delay=5
      p0 null = plop3 p1 p0 pT LUT[0xfc] LUT[0x0]                          // delay=1
      r6      = fadd.ftz -rZ -r0                                           // delay=6 wt=000001
      r0      = sel p0 r6 r0                                               // delay=1
      r6      = mov 0xffffffff                                             // delay=2
                bra pT L13                                                 // delay=1
} -> [14]
block 13 L10 [3] -> {
      r6      = mov 0xffffffff                                             // delay=2
      r0      = mov r5                                                     // delay=1
} -> [14]
block 14 L13 [5, 12, 13] -> {
                bsync b2 pT                                                // delay=1 yld
                nop L9                                                     // delay=1
      p0      = isetp.lt.u32 r6 0x3                                        // delay=14
@!p0            bra pT L25                                                 // delay=1
} -> [15, 16]
block.u 15 L26 [14] -> {
      r21     = mov r0                                                     // delay=4
      r0      = mov r5                                                     // delay=1
      r5      = mov r21                                                    // delay=1
                bra pT L6                                                  // delay=1
} -> [17]
block 16 L25 [14] -> {
      r4      = iadd3 r4 0x1 rZ                                            // delay=1
      r6      = mov 0xffffffff                                             // delay=2
      r5      = mov r0                                                     // delay=1
} -> [17]
block 17 L6 [2, 15, 16] -> {
                bsync b1 pT                                                // delay=1 yld
                nop L4                                                     // delay=1
      p0      = isetp.lt.u32 r6 0x2                                        // delay=14
@!p0            bra pT L27                                                 // delay=1
} -> [18, 23]
block.u 18 L29 [17] -> {
} -> [19]
block.u 19 L28 [18] -> {
                bsync b0 pT                                                // delay=1 yld
                nop L1                                                     // delay=1
                st.shared.strong.cta.b32 [r2.x4+rZ] r1                     // delay=1 rd:0
                bar.sync                                                   // delay=6 yld
                nop                                                        // delay=2
      r0      = iadd3 r2 0x1 rZ                                            // delay=5
      r0      = lop3.LUT[0xc0] r0 0x3f rZ                                  // delay=1
                membar.sc..cta                                             // delay=6
                nop                                                        // delay=2
      r0      = ld.shared.strong.cta.b32 [r0.x4+rZ], pT                    // delay=1 wr:1
      ur2     = vote.any pT                                                // delay=3
      up0     = isetp.eq.i32 ur2 0xffffffff                                // delay=5
      r0      = fadd.ftz r1 r0                                             // delay=5 wt=000010
                bra !up0 L30                                               // delay=1 wt=000001
} -> [20, 21]
block.u 20 L32 [19] -> {
      r1      = shfl.bfly r0 0x1 0x1f                                      // delay=2 wr:0
      r1      = fadd.ftz r0 r1                                             // delay=6 wt=000001
      r2      = shfl.bfly r1 0x2 0x1f                                      // delay=2 wr:0
      r1      = fadd.ftz r1 r2                                             // delay=6 wt=000001
      r2      = shfl.bfly r1 0x4 0x1f                                      // delay=2 wr:0
      r1      = fadd.ftz r1 r2                                             // delay=6 wt=000001
      r2      = shfl.bfly r1 0x8 0x1f                                      // delay=2 wr:0
      r1      = fadd.ftz r1 r2                                             // delay=6 wt=000001
      r2      = shfl.bfly r1 0x10 0x1f                                     // delay=2 wr:0
      r1      = fadd.ftz r1 r2                                             // delay=1 wt=000001
                bra pT L31                                                 // delay=1
} -> [22]
block.u 21 L30 [19] -> {
      r1      = s2r sr[0x39]                                               // delay=2 wr:0
      r1      = lop3.LUT[0xc0] r1 ur2 rZ                                   // delay=5 wt=000001
      r4      = flo r1                                                     // delay=1 wr:0
      p0      = isetp.ne.i32 r1 rZ                                         // delay=3
      r1      = shfl.idx r1 r4 0x1f                                        // delay=2 wt=000001 wr:0
      r1      = sel p0 r1 rZ                                               // delay=5 wt=000001
      r5      = flo r1                                                     // delay=1 wr:0
      p1      = isetp.ne.i32 r1 rZ                                         // delay=3
      r1      = shfl.idx r1 r5 0x1f                                        // delay=1 wt=000001 wr:0
      r4      = shfl.idx r0 r4 0x1f                                        // delay=1 wr:1
      r1      = sel p1 r1 rZ                                               // delay=1 wt=000001
      r4      = fadd.ftz r0 r4                                             // delay=5 wt=000010
      r6      = flo r1                                                     // delay=1 wr:0
      r4      = sel p0 r4 r0                                               // delay=6
      r5      = shfl.idx r4 r5 0x1f                                        // delay=1 wr:1
      p2      = isetp.ne.i32 r1 rZ                                         // delay=2
      r1      = shfl.idx r1 r6 0x1f                                        // delay=1 wt=000001 wr:0
      r5      = fadd.ftz r4 r5                                             // delay=6 wt=000010
      r4      = sel p1 r5 r4                                               // delay=2
      r1      = sel p2 r1 rZ                                               // delay=4 wt=000001
      r5      = shfl.idx r4 r6 0x1f                                        // delay=1 wr:0
      r7      = flo r1                                                     // delay=1 wr:1
      p3      = isetp.ne.i32 r1 rZ                                         // delay=1
      r5      = fadd.ftz r4 r5                                             // delay=5 wt=000001
      r1      = shfl.idx r1 r7 0x1f                                        // delay=1 wt=000010 wr:0
      r4      = sel p2 r5 r4                                               // delay=6
      r5      = shfl.idx r4 r7 0x1f                                        // delay=1 wr:1
      r1      = sel p3 r1 rZ                                               // delay=5 wt=000001
      p4      = isetp.ne.i32 r1 rZ                                         // delay=2
      r1      = flo r1                                                     // delay=1 wr:0
      r5      = fadd.ftz r4 r5                                             // delay=6 wt=000010
      r4      = sel p3 r5 r4                                               // delay=6
      r1      = shfl.idx r4 r1 0x1f                                        // delay=1 wt=000001 wr:0
      ur3     = flo ur2                                                    // delay=2 wr:1
      r1      = fadd.ftz r4 r1                                             // delay=5 wt=000001
      r2      = mov ur3                                                    // delay=1 wt=000010
      r1      = sel p4 r1 r4                                               // delay=6
      r1      = shfl.idx r1 r2 0x1f                                        // delay=2 wr:0
      ur2     = r2ur r1                                                    // delay=14 wt=000001 wr:0
      r1      = mov ur2                                                    // delay=2 wt=000001
} -> [22]
block.u 22 L31 [20, 21] -> {
      r15     = ldc.b32 c[0x0][+0x700]                                     // delay=2 wr:0
      r15     = shfl.idx r0 r15 0x1f                                       // delay=2 wt=000001 wr:0
      r1      = fadd.ftz r1 r15                                            // delay=2 wt=000001
      r15     = shfl.bfly r0 0x1 0x1f                                      // delay=2 rd:0 wr:1
      r0      = shfl.bfly r0 0x1 0x1c03                                    // delay=1 wt=000001 wr:0
      r1      = fadd.ftz r1 r15                                            // delay=5 wt=000010
      r0      = fadd.ftz r1 r0                                             // delay=6 wt=000001
      p0      = fsetp.gt.ftz r0 0x3f800000                                 // delay=14
      ur4     = vote.any p0                                                // delay=3
      ur4     = lop3.LUT[0xc0] ur4 0xf rZ                                  // delay=5
      ur4     = shf.l.w.i32 ur4 rZ 0x2                                     // delay=3
      ur3     = ldc.b32 c[0x1][+0x10]                                      // delay=2 wr:0
      ur4 up0 = iadd3 ur3 ur4 rZ                                           // delay=3 wt=000001
      ur2     = ldc.b32 c[0x1][+0x14]                                      // delay=2 wr:0
      ur5     = iadd3.x ur2 rZ rZ up0 pF                                   // delay=4 wt=000001
      r14     = mov 0x1                                                    // delay=6
      null    = atom.add.u32.global.a64.strong.gpu [ur4..6] r14            // delay=1 rd:0
      r1      = mov 0x3                                                    // delay=3
      r14     = ldc.b32 c[0x1][+0x10]                                      // delay=1 wt=000001 wr:0
      r15     = ldc.b32 c[0x1][+0x14]                                      // delay=2 wr:1
      r1      = atom.cmpexch.u32.global.a64.strong.gpu [r14..16+0x4] r1 r3 // delay=1 wt=000011 wr:0
      r8      = mov 0x1                                                    // delay=1
      r9      = mov 0x2                                                    // delay=1
      r12     = mov r3                                                     // delay=1
      r13     = mov rZ                                                     // delay=1
      r11     = ldc.b32 c[0x1][+0x20]                                      // delay=1 wr:1
      r10     = mov r3                                                     // delay=2
      r7      = ldc.b32 c[0x1][+0x24]                                      // delay=1 wr:2
      r11     = suatom.p.2d.max.u32.strong.gpu [r12..14] r1 r11            // delay=2 wt=000011 rd:0 wr:1
      r12..16 = suld.p.rgba.3d.strong.gpu [r8..11] r7                      // delay=1 wt=000101 wr:0
      r4      = mov r3                                                     // delay=1
      r5      = mov 0x1                                                    // delay=1
      r6      = mov 0x2                                                    // delay=1
      r16     = fmul.ftz r12 r0                                            // delay=1 wt=000001
      r17     = fmul.ftz r13 r0                                            // delay=1
      r18     = fmul.ftz r14 r0                                            // delay=1
      r19     = fmul.ftz r15 r0                                            // delay=3
      r2      = ldc.b32 c[0x1][+0x24]                                      // delay=1 wr:0
      ur2     = ldc.b32 c[0x0][+0x704]                                     // delay=1 wr:2
                sust.p.rgba.3d.strong.gpu [r4..7] r16..20 r2               // delay=2 wt=000001 rd:0
      r4      = iabs ur2                                                   // delay=5 wt=000101
      r5      = i2f.f32.u32.re r4                                          // delay=2 wr:0
      r5      = mufu.rcp.f32 r5                                            // delay=2 wt=000001 wr:0
      r5      = fmul.ftz r5 0x4f7ffffe                                     // delay=5 wt=000001
      r5      = f2i.u32.f32.rz.ftz r5                                      // delay=2 wr:0
      r6      = imad r4 r5 rZ                                              // delay=6 wt=000001
      ur3     = r2ur r6                                                    // delay=4 wr:0
      r1      = iadd3 r1 r11 rZ                                            // delay=1 wt=000010
      ur4     = r2ur r5                                                    // delay=8 wr:1
      r2      = i2f.f32.u32.re r1                                          // delay=1 wr:2
      ur3     = iadd3 rZ -ur3 rZ                                           // delay=5 wt=000001
      ur6..8  = imad64 ur4 ur3 rZ                                          // delay=4 wt=000010
      r0      = fadd.ftz r0 r2                                             // delay=1 wt=000100
      ur3     = iadd3 ur4 ur7 rZ                                           // delay=1
      r2      = iabs r3                                                    // delay=6
      r6..8   = imad64 r2 ur3 rZ                                           // delay=3
      ur3     = r2ur r4                                                    // delay=2 wr:0
      r5      = imad r7 r4 rZ                                              // delay=6
      r2      = iadd3 r2 -r5 rZ                                            // delay=5
      p0      = isetp.ge.u32 r2 r4                                         // delay=1
      r6      = iadd3 r2 -ur3 rZ                                           // delay=5 wt=000001
      r2      = sel p0 r6 r2                                               // delay=4
      r5      = sel !p0 rZ 0x1                                             // delay=1
      p0      = isetp.ge.u32 r2 r4                                         // delay=5
      r2      = sel !p0 rZ 0x1                                             // delay=5
      r2      = iadd3 r7 r5 r2                                             // delay=1
      r5      = lop3.LUT[0x3c] r3 ur2 rZ                                   // delay=4
      r4      = iadd3 rZ -r2 rZ                                            // delay=1
      p0      = isetp.lt.i32 r5 rZ                                         // delay=5
      r2      = sel p0 r4 r2                                               // delay=5
      r2      = i2f.f32.i32.re r2                                          // delay=1 wr:0
      ur2     = ldc.b32 c[0x0][+0x700]                                     // delay=1 wr:1
      r0      = fadd.ftz r0 r2                                             // delay=2 wt=000001
      r2      = i2f.f32.u32.re ur2                                         // delay=2 wt=000010 wr:0
      r2      = mufu.rcp.f32 r2                                            // delay=2 wt=000001 wr:0
      r2      = fmul.ftz r2 0x4f7ffffe                                     // delay=5 wt=000001
      r2      = f2i.u32.f32.rz.ftz r2                                      // delay=2 wr:0
      ur3     = r2ur r2                                                    // delay=14 wt=000001 wr:0
      ur4     = imad ur2 ur3 rZ                                            // delay=5 wt=000001
      ur4     = iadd3 rZ -ur4 rZ                                           // delay=5
      ur6..8  = imad64 ur3 ur4 rZ                                          // delay=5
      ur3     = iadd3 ur3 ur7 rZ                                           // delay=7
      r4..6   = imad64 r3 ur3 rZ                                           // delay=5
      r2      = imad r5 ur2 rZ                                             // delay=6
      r2      = iadd3 r3 -r2 rZ                                            // delay=5
      r4      = iadd3 r2 -ur2 rZ                                           // delay=1
      p0      = isetp.ge.u32 r2 ur2                                        // delay=5
      r2      = sel p0 r4 r2                                               // delay=5
      r4      = iadd3 r2 -ur2 rZ                                           // delay=1
      p0      = isetp.ge.u32 r2 ur2                                        // delay=5
      r2      = sel p0 r4 r2                                               // delay=5
      r2      = i2f.f32.u32.re r2                                          // delay=2 wr:0
      r0      = fadd.ftz r0 r2                                             // delay=2 wt=000001
      r2      = popc r1                                                    // delay=2 rd:0 wr:1
      r1      = flo r1                                                     // delay=1 wt=000001 wr:0
      r2      = i2f.f32.i32.re r2                                          // delay=1 wt=000010 wr:1
      r1      = i2f.f32.i32.re r1                                          // delay=1 wt=000001 wr:0
      r0      = fadd.ftz r0 r2                                             // delay=5 wt=000010
      r0      = fadd.ftz r0 r1                                             // delay=2 wt=000001
      r1      = brev r3                                                    // delay=2 wr:0
      r1      = i2f.f32.u32.re r1                                          // delay=2 wt=000001 wr:0
      r0      = fadd.ftz r0 r1                                             // delay=1 wt=000001
      r1      = lea r3 2 0x4                                               // delay=1
                membar.sc..gpu                                             // delay=6
                nop                                                        // delay=2
                st.global.a64.strong.gpu.b32 [r1+ur0..2] r0                // delay=2 rd:0
                exit                                                       // delay=1 wt=000001
} -> []
block 23 L27 [17] -> {
      r21     = mov r0                                                     // delay=4
      r0      = mov r5                                                     // delay=1
      r5      = mov r21                                                    // delay=1
                bra pT L2                                                  // delay=1
} -> [1]
