block.u 0 L0 [] -> {
 r0      = s2r sr[0x21]                                   // delay=1 wr:0
 r1      = s2r sr[0x22]                                   // delay=2 wr:1
 r0      = lea r1 3 r0                                    // delay=3 wt=000011
 ur0     = ldc.b32 c[0x1][+0x0]                           // delay=1 wr:0
 r1      = shf.l.w.i32 r0 rZ 0x3                          // delay=3
 ur1     = ldc.b32 c[0x1][+0x4]                           // delay=2 wr:1
 r2..4   = ld.global.a64.strong.gpu.b64 [r1+ur0..2], pT   // delay=2 wt=000011 wr:0
 r4..6   = imad64 r2 r2 rZ                                // delay=5 wt=000001
 r0 p0   = iadd3 r4 r0 rZ                                 // delay=1
 r4      = iadd3 r2 r2 rZ                                 // delay=5
 r4      = imad r3 r4 r5                                  // delay=2
 r6      = shf.r.w.i64 r2 r3 0x3                          // delay=2
 r5      = shf.r.w.i64.hi rZ r3 0x3                       // delay=1
 r4      = iadd3.x r4 rZ rZ p0 pF                         // delay=1
 r0 p0   = iadd3 r0 r6 rZ                                 // delay=1
 r8..10  = imad64 r2 0x24924925 rZ                        // delay=3
 r4      = iadd3.x r4 r5 rZ p0 pF                         // delay=1
 r10..12 = imad64 r2 0x49249249 rZ                        // delay=1
 r5      = shf.r.w.u64 r8 r9 0x20                         // delay=4
 r5 p0   = iadd3 r10 r5 rZ                                // delay=1
 r8      = shf.r.w.u64.hi rZ r9 0x20                      // delay=1
 r6..8   = imad64 r3 0x24924925 rZ                        // delay=3
 r8      = iadd3.x r11 r8 rZ p0 pF                        // delay=2
 r6 p1   = iadd3 r6 r5 rZ                                 // delay=1
 r10..12 = imad64 r2 rZ rZ                                // delay=1
 r5      = shf.r.w.u64 r5 r8 0x20                         // delay=2
 r7      = iadd3.x r7 rZ rZ p1 pF                         // delay=1
 r12..14 = imad64 r3 0x49249249 rZ                        // delay=1
 r2 p0   = iadd3 r10 r5 rZ                                // delay=2
 r5      = shf.r.w.i32.hi rZ r3 0x1f                      // delay=1
 r6      = shf.r.w.u64 r6 r7 0x20                         // delay=1
 r2 p1   = iadd3 r12 r2 rZ                                // delay=3
 r14..16 = imad64 r5 0x24924925 rZ                        // delay=1
 r2 p2   = iadd3 r2 r6 rZ                                 // delay=1
 r8      = shf.r.w.u64.hi rZ r8 0x20                      // delay=1
 r7      = shf.r.w.u64.hi rZ r7 0x20                      // delay=1
 r9      = iadd3.x r13 rZ rZ p1 pF                        // delay=1
 r12..14 = imad64 r3 rZ rZ                                // delay=1
 r8      = iadd3.x r11 r8 rZ p0 pF                        // delay=2
 r2 p3   = iadd3 r14 r2 rZ                                // delay=1
 r7      = iadd3.x r9 r7 rZ p2 pF                         // delay=1
 r3      = iadd3 r10 r8 r12                               // delay=1
 r8..10  = imad64 r5 0x49249249 rZ                        // delay=4
 r6      = iadd3.x r15 rZ rZ p3 pF                        // delay=1
 r3      = iadd3 r3 r7 r8                                 // delay=4
 r3      = iadd3 r3 r6 r14                                // delay=4
 r5      = shf.r.w.i64.hi rZ r3 0x1                       // delay=1
 r2      = shf.r.w.i64 r2 r3 0x1                          // delay=4
 r3      = shf.r.w.u64 r2 r5 0x3f                         // delay=3
 r6      = shf.r.w.u64.hi rZ r5 0x3f                      // delay=1
 r2 p0   = iadd3 r2 r3 rZ                                 // delay=4
 r3      = iadd3.x r5 r6 rZ p0 pF                         // delay=1
 r6 p0   = iadd3 r0 r2 rZ                                 // delay=4
 r7      = iadd3.x r4 r3 rZ p0 pF                         // delay=5
           st.global.a64.strong.gpu.b64 [r1+ur0..2] r6..8 // delay=2 rd:0
           exit                                           // delay=1 wt=000001
} -> []
