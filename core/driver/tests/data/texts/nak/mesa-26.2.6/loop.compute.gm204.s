block.u 0 L2 [] -> {
      r0      = s2r sr[0x25]                                                        // delay=5 wr:0
      r1      = s2r sr[0x21]                                                        // delay=1 wr:1
      r0      = iadd2 r0 c[0x0][0x0]                                                // delay=6 wt=000001
      r0      = shl.w r0 0x6                                                        // delay=6
      r0      = iadd2 r0 r1                                                         // delay=6 wt=000010
      r2      = shl.w r0 0x6                                                        // delay=1
      r3      = mov c[0x1][0x0]                                                     // delay=1
      r4      = mov c[0x1][0x4]                                                     // delay=1
                pbk L0                                                              // delay=13
                nop                                                                 // delay=2
      r5      = mov rZ                                                              // delay=1
      r6      = mov rZ                                                              // delay=1
                bra pT L1                                                           // delay=13
                nop                                                                 // delay=2
} -> [1]
block 1 L1 [0, 23] -> {
                pcnt L1                                                             // delay=13
                nop                                                                 // delay=2
      r9      = mov r4                                                              // delay=1
      r8      = mov r3                                                              // delay=6
      r3      = ld.global.a64.strong.gpu.b32 [r8..10+rZ], pT                        // delay=6 wr:0
      p0      = isetp.ge.u32 r5 r3                                                  // delay=1 wt=000001
                ssy L3                                                              // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L4                                                           // delay=13
                nop                                                                 // delay=2
} -> [2, 3]
block 2 L5 [1] -> {
                brk L0                                                              // delay=13
                nop                                                                 // delay=2
} -> [7]
block 3 L4 [1] -> {
                sync L3                                                             // delay=13
                nop                                                                 // delay=2
} -> [4]
block 4 L3 [3] -> {
      r3      = iadd2 r2 r5                                                         // delay=6
      r3      = shl.w r3 0x2                                                        // delay=6
      r3      = iadd2 r3 0x4                                                        // delay=6
      r10 c0  = iadd2 r3 c[0x1][0x0]                                                // delay=6
      r11     = iadd2.x rZ c[0x1][0x4] c0                                           // delay=6
      r3      = ld.global.a64.strong.gpu.b32 [r10..12+rZ], pT                       // delay=6 wr:0
      p0      = fsetp.geu.ftz r3 rZ                                                 // delay=1 wt=000001
                ssy L6                                                              // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L7                                                           // delay=13
                nop                                                                 // delay=2
} -> [5, 22]
block 5 L10 [4] -> {
      p0      = fsetp.gt.ftz r3 0x447a0000                                          // delay=1
                ssy L8                                                              // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L9                                                           // delay=13
                nop                                                                 // delay=2
} -> [6, 11]
block 6 L11 [5] -> {
                brk L0                                                              // delay=13
                nop                                                                 // delay=2
} -> [7]
block.u 7 L0 [2, 6] -> {
      r2      = shl.w r1 0x2                                                        // delay=6
                st.shared.strong.cta.b32 [r2+rZ] r6                                 // delay=1 rd:0
                bar.sync                                                            // delay=13 yld
                nop                                                                 // delay=2
      r1      = iadd2 r1 0x1                                                        // delay=6
      r1      = lop2.and r1 0x3f                                                    // delay=6
      r1      = shl.w r1 0x2                                                        // delay=1
                membar.sc..cta                                                      // delay=13
                nop                                                                 // delay=2
      r1      = ld.shared.strong.cta.b32 [r1+rZ], pT                                // delay=1 wr:1
      r2      = vote.any pT                                                         // delay=5 wt=000001
      r1      = fadd.ftz r6 r1                                                      // delay=1 wt=000010
      p0      = isetp.eq.i32 r2 0xffffffff                                          // delay=1
                ssy L21                                                             // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L22                                                          // delay=13
                nop                                                                 // delay=2
} -> [8, 9]
block.u 8 L23 [7] -> {
      r2      = shfl.bfly r1 0x1 0x1f                                               // delay=6 wr:0
      r2      = fadd.ftz r1 r2                                                      // delay=6 wt=000001
      r3      = shfl.bfly r2 0x2 0x1f                                               // delay=6 wr:0
      r2      = fadd.ftz r2 r3                                                      // delay=6 wt=000001
      r3      = shfl.bfly r2 0x4 0x1f                                               // delay=6 wr:0
      r2      = fadd.ftz r2 r3                                                      // delay=6 wt=000001
      r3      = shfl.bfly r2 0x8 0x1f                                               // delay=6 wr:0
      r2      = fadd.ftz r2 r3                                                      // delay=6 wt=000001
      r3      = shfl.bfly r2 0x10 0x1f                                              // delay=6 wr:0
      r2      = fadd.ftz r2 r3                                                      // delay=1 wt=000001
                sync L21                                                            // delay=13
                nop                                                                 // delay=2
} -> [10]
block.u 9 L22 [7] -> {
      r3      = s2r sr[0x39]                                                        // delay=6 wr:0
      r3      = lop2.and r2 r3                                                      // delay=6 wt=000001
      r4      = flo r3                                                              // delay=1 wr:0
      p0      = isetp.ne.i32 r3 rZ                                                  // delay=7
      r3      = shfl.idx r3 r4 0x1f                                                 // delay=5 wt=000001 wr:0
      r5      = shfl.idx r1 r4 0x1f                                                 // delay=1 rd:1 wr:2
      r3      = sel p0 r3 rZ                                                        // delay=6 wt=000001
      r4      = flo r3                                                              // delay=1 wt=000010 wr:0
      r5      = fadd.ftz r1 r5                                                      // delay=6 wt=000100
      r5      = sel p0 r5 r1                                                        // delay=4
      p0      = isetp.ne.i32 r3 rZ                                                  // delay=7
      r3      = shfl.idx r3 r4 0x1f                                                 // delay=5 wt=000001 wr:0
      r6      = shfl.idx r5 r4 0x1f                                                 // delay=1 rd:1 wr:2
      r3      = sel p0 r3 rZ                                                        // delay=6 wt=000001
      r4      = flo r3                                                              // delay=1 wt=000010 wr:0
      r6      = fadd.ftz r5 r6                                                      // delay=6 wt=000100
      r5      = sel p0 r6 r5                                                        // delay=4
      p0      = isetp.ne.i32 r3 rZ                                                  // delay=7
      r3      = shfl.idx r3 r4 0x1f                                                 // delay=5 wt=000001 wr:0
      r6      = shfl.idx r5 r4 0x1f                                                 // delay=1 rd:1 wr:2
      r3      = sel p0 r3 rZ                                                        // delay=6 wt=000001
      r4      = flo r3                                                              // delay=1 wt=000010 wr:0
      r6      = fadd.ftz r5 r6                                                      // delay=6 wt=000100
      r5      = sel p0 r6 r5                                                        // delay=4
      p0      = isetp.ne.i32 r3 rZ                                                  // delay=7
      r3      = shfl.idx r3 r4 0x1f                                                 // delay=5 wt=000001 wr:0
      r6      = shfl.idx r5 r4 0x1f                                                 // delay=1 rd:1 wr:2
      r3      = sel p0 r3 rZ                                                        // delay=6 wt=000001
      r4      = flo r3                                                              // delay=1 wt=000010 wr:0
      r6      = fadd.ftz r5 r6                                                      // delay=6 wt=000100
      r5      = sel p0 r6 r5                                                        // delay=6
      r4      = shfl.idx r5 r4 0x1f                                                 // delay=1 wt=000001 wr:0
      p0      = isetp.ne.i32 r3 rZ                                                  // delay=6
      r2      = flo r2                                                              // delay=1 wr:1
      r4      = fadd.ftz r5 r4                                                      // delay=6 wt=000001
      r3      = sel p0 r4 r5                                                        // delay=6
      r2      = shfl.idx r3 r2 0x1f                                                 // delay=2 wt=000010 wr:0
                sync L21                                                            // delay=13 wt=000001
                nop                                                                 // delay=2
} -> [10]
block.u 10 L21 [8, 9] -> {
      r6      = mov c[0x0][0x700]                                                   // delay=6
      r6      = shfl.idx r1 r6 0x1f                                                 // delay=6 wr:0
      r2      = fadd.ftz r2 r6                                                      // delay=4 wt=000001
      r6      = shfl.bfly r1 0x1 0x1f                                               // delay=5 rd:0 wr:1
      r1      = shfl.bfly r1 0x1 0x1c03                                             // delay=1 wt=000001 wr:0
      r2      = fadd.ftz r2 r6                                                      // delay=6 wt=000010
      r1      = fadd.ftz r2 r1                                                      // delay=6 wt=000001
      p0      = fsetp.gt.ftz r1 0x3f800000                                          // delay=13
      r2      = vote.any p0                                                         // delay=6
      r2      = lop2.and r2 0xf                                                     // delay=6
      r2      = shl.w r2 0x2                                                        // delay=6
      r12 c0  = iadd2 r2 c[0x1][0x10]                                               // delay=5
      r8      = mov 0x1                                                             // delay=1
      r13     = iadd2.x rZ c[0x1][0x14] c0                                          // delay=6
      null    = atom.add.u32.global.a64.strong.gpu [r12..14] r8                     // delay=4 rd:0
      r12     = mov 0x3                                                             // delay=3 wt=000001
      r10     = mov c[0x1][0x10]                                                    // delay=1
      r11     = mov c[0x1][0x14]                                                    // delay=1
      r15     = mov r0                                                              // delay=1
      r14     = mov r12                                                             // delay=6
      r0      = atom.cmpexch.packed.u32.global.a64.strong.gpu [r10..12+0x4] r14..16 // delay=1 rd:0 wr:1
      r7      = mov rZ                                                              // delay=5
      r4      = mov c[0x1][0x20]                                                    // delay=1
      r11     = mov r7                                                              // delay=1 wt=000001
      r10     = mov r15                                                             // delay=6
      r2      = suatom.p.2d.max.u32.strong.gpu [r10..12] r0 r4                      // delay=1 wt=000010 wr:0
      r5      = mov 0x2                                                             // delay=4
      r3      = mov c[0x1][0x24]                                                    // delay=1
      r18     = mov r10                                                             // delay=1
      r17     = mov r5                                                              // delay=1
      r16     = mov r8                                                              // delay=6
      r12..16 = suld.p.rgba.3d.strong.gpu [r16..19] r3                              // delay=1 wr:1
      r0      = iadd2 r0 r2                                                         // delay=6 wt=000001
      r2      = i2f.f32.u32.re r0                                                   // delay=1 wr:0
      r4      = fmul.ftz r12 r1                                                     // delay=1 wt=000010
      r5      = fmul.ftz r13 r1                                                     // delay=1
      r6      = fmul.ftz r14 r1                                                     // delay=1
      r7      = fmul.ftz r15 r1                                                     // delay=4
      r1      = fadd.ftz r1 r2                                                      // delay=4 wt=000001
      r2      = i2i.i32.i32 c[0x0][0x704].abs                                       // delay=1 wr:0
      r10     = mov r17                                                             // delay=1
      r9      = mov r16                                                             // delay=1
      r8      = mov r18                                                             // delay=6
                sust.p.rgba.3d.strong.gpu [r8..11] r4..8 r3                         // delay=4 rd:1
      r3      = i2f.f32.u32.re r2                                                   // delay=6 wt=000011 wr:0
      r3      = mufu.rcp.f32 r3                                                     // delay=6 wt=000001 wr:0
      r3      = fmul.ftz r3 0x4f7ffffe                                              // delay=6 wt=000001
      r3      = f2i.u32.f32.rz.ftz r3                                               // delay=6 wr:0
      r4      = imul.u32.u32 r2 r3                                                  // delay=6 wt=000001 wr:0
      r4      = iadd2 rZ -r4                                                        // delay=6 wt=000001
      r4      = imul.hi.u32.u32 r3 r4                                               // delay=6 wr:0
      r3      = iadd2 r3 r4                                                         // delay=4 wt=000001
      r4      = i2i.i32.i32 r8.abs                                                  // delay=6 wr:0
      r3      = imul.hi.u32.u32 r4 r3                                               // delay=6 wt=000001 wr:0
      r5      = imul.u32.u32 r3 r2                                                  // delay=6 wt=000001 wr:0
      r4      = iadd2 r4 -r5                                                        // delay=6 wt=000001
      p0      = isetp.ge.u32 r4 r2                                                  // delay=13
      r5      = sel !p0 rZ 0x1                                                      // delay=6
      r3      = iadd2 r3 r5                                                         // delay=4
      r5      = iadd2 r4 -r2                                                        // delay=6
      r4      = sel p0 r5 r4                                                        // delay=6
      p0      = isetp.ge.u32 r4 r2                                                  // delay=12
      r4      = lop2.xor r8 c[0x0][0x704]                                           // delay=1
      r2      = sel !p0 rZ 0x1                                                      // delay=5
      p0      = isetp.lt.i32 r4 rZ                                                  // delay=1
      r2      = iadd2 r3 r2                                                         // delay=6
      r3      = iadd2 rZ -r2                                                        // delay=6
      r2      = sel p0 r3 r2                                                        // delay=6
      r2      = i2f.f32.i32.re r2                                                   // delay=6 wr:0
      r1      = fadd.ftz r1 r2                                                      // delay=4 wt=000001
      r2      = i2f.f32.u32.re c[0x0][0x700]                                        // delay=6 wr:0
      r2      = mufu.rcp.f32 r2                                                     // delay=6 wt=000001 wr:0
      r2      = fmul.ftz r2 0x4f7ffffe                                              // delay=6 wt=000001
      r2      = f2i.u32.f32.rz.ftz r2                                               // delay=6 wr:0
      r3      = imul.u32.u32 r2 c[0x0][0x700]                                       // delay=6 wt=000001 wr:0
      r3      = iadd2 rZ -r3                                                        // delay=6 wt=000001
      r3      = imul.hi.u32.u32 r2 r3                                               // delay=6 wr:0
      r2      = iadd2 r2 r3                                                         // delay=6 wt=000001
      r2      = imul.hi.u32.u32 r8 r2                                               // delay=6 wr:0
      r2      = imul.u32.u32 r2 c[0x0][0x700]                                       // delay=6 wt=000001 wr:0
      r2      = iadd2 r8 -r2                                                        // delay=6 wt=000001
      p0      = isetp.ge.u32 r2 c[0x0][0x700]                                       // delay=7
      r3      = iadd2 r2 -c[0x0][0x700]                                             // delay=6
      r2      = sel p0 r3 r2                                                        // delay=6
      p0      = isetp.ge.u32 r2 c[0x0][0x700]                                       // delay=7
      r3      = iadd2 r2 -c[0x0][0x700]                                             // delay=6
      r2      = sel p0 r3 r2                                                        // delay=6
      r2      = i2f.f32.u32.re r2                                                   // delay=6 wr:0
      r1      = fadd.ftz r1 r2                                                      // delay=4 wt=000001
      r2      = popc r0                                                             // delay=5 rd:0 wr:1
      r0      = flo r0                                                              // delay=1 wt=000001 wr:0
      r2      = i2f.f32.i32.re r2                                                   // delay=5 wt=000010 wr:1
      r0      = i2f.f32.i32.re r0                                                   // delay=1 wt=000001 wr:0
      r1      = fadd.ftz r1 r2                                                      // delay=6 wt=000010
      r0      = fadd.ftz r1 r0                                                      // delay=4 wt=000001
      r1      = bfe.rev r8 0x2000                                                   // delay=6
      r1      = i2f.f32.u32.re r1                                                   // delay=6 wr:0
      r0      = fadd.ftz r0 r1                                                      // delay=4 wt=000001
      r1      = shl.w r8 0x2                                                        // delay=6
      r1      = iadd2 r1 0x4                                                        // delay=6
      r2 c0   = iadd2 r1 c[0x1][0x0]                                                // delay=6
      r3      = iadd2.x rZ c[0x1][0x4] c0                                           // delay=1
                membar.sc..gpu                                                      // delay=13
                nop                                                                 // delay=2
                st.global.a64.strong.gpu.b32 [r2..4+rZ] r0                          // delay=2 rd:0
                exit                                                                // delay=13 wt=000001
                nop                                                                 // delay=2
} -> []
block 11 L9 [5] -> {
                sync L8                                                             // delay=13
                nop                                                                 // delay=2
} -> [12]
block 12 L8 [11] -> {
      r4      = rro.sincos r3                                                       // delay=1 wr:0
      r7      = rro.exp2 r3                                                         // delay=3 wr:1
      r10     = mufu.sqrt.f32 r3                                                    // delay=2 rd:2 wr:3
      r4      = mufu.sin.f32 r4                                                     // delay=1 wt=000001 wr:0
      r7      = mufu.exp2.f32 r7                                                    // delay=1 wt=000010 wr:1
      r3      = fadd.ftz r3 0x3f800000                                              // delay=6 wt=000100
      r3      = mufu.log2.f32 r3                                                    // delay=1 wr:2
      r4      = ffma.ftz r4 r7 r10                                                  // delay=6 wt=001011
      r3      = fadd.ftz r4 r3                                                      // delay=4 wt=000100
      r4      = mov c[0x0][0x700]                                                   // delay=6
      r4      = lop2.and r4 0x3                                                     // delay=5
      r3      = fadd.ftz r6 r3                                                      // delay=1
      p0      = isetp.eq.i32 r4 rZ                                                  // delay=1
                ssy L12                                                             // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L13                                                          // delay=13
                nop                                                                 // delay=2
} -> [13, 14]
block 13 L14 [12] -> {
      r3      = fmul.ftz r3 0x40000000                                              // delay=1
                sync L12                                                            // delay=13
                nop                                                                 // delay=2
} -> [15]
block 14 L13 [12] -> {
                sync L12                                                            // delay=13
                nop                                                                 // delay=2
} -> [15]
block 15 L12 [13, 14] -> {
      p0      = isetp.eq.i32 r4 0x1                                                 // delay=1
                ssy L15                                                             // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L16                                                          // delay=13
                nop                                                                 // delay=2
} -> [16, 17]
block 16 L17 [15] -> {
      r6      = f2f.ftz.int.f32.f32.rm r3                                           // delay=6 wr:0
      r3      = fadd.ftz r3 -r6                                                     // delay=1 wt=000001
                sync L15                                                            // delay=13
                nop                                                                 // delay=2
} -> [18]
block 17 L16 [15] -> {
                sync L15                                                            // delay=13
                nop                                                                 // delay=2
} -> [18]
block 18 L15 [16, 17] -> {
      p0      = isetp.eq.i32 r4 0x2                                                 // delay=1
                ssy L18                                                             // delay=13
                nop                                                                 // delay=2
@!p0            bra pT L19                                                          // delay=13
                nop                                                                 // delay=2
} -> [19, 20]
block 19 L20 [18] -> {
      r3      = f2f.ftz.int.f32.f32.rm r3                                           // delay=2 wr:0
                sync L18                                                            // delay=13 wt=000001
                nop                                                                 // delay=2
} -> [21]
block 20 L19 [18] -> {
                sync L18                                                            // delay=13
                nop                                                                 // delay=2
} -> [21]
block 21 L18 [19, 20] -> {
      p1      = isetp.gt.u32 r4 0x2                                                 // delay=13
      p0      = psetp.or.and p1 p0 pT                                               // delay=7
      r6      = fadd.ftz -rZ -r3                                                    // delay=6
      r6      = sel p0 r6 r3                                                        // delay=1
                sync L6                                                             // delay=13
                nop                                                                 // delay=2
} -> [23]
block 22 L7 [4] -> {
                sync L6                                                             // delay=13
                nop                                                                 // delay=2
} -> [23]
block 23 L6 [21, 22] -> {
      r5      = iadd2 r5 0x1                                                        // delay=1
      r4      = mov r9                                                              // delay=1
      r3      = mov r8                                                              // delay=1
                cont L1                                                             // delay=13
                nop                                                                 // delay=2
} -> [1]
