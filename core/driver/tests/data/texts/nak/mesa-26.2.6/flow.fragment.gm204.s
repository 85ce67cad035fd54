block.u 0 L2 [] -> {
      r1      = ipa.pass a[0x7c] rZ                         // delay=6 wr:0
      r1      = mufu.rcp.f32 r1                             // delay=6 wt=000001 wr:0
      r2      = ipa.pass_mul_w a[0x80] r1                   // delay=3 wt=000001 rd:0 wr:1
      r0      = ipa.constant a[0x90] rZ                     // delay=1 wr:2
      r1      = ipa.pass_mul_w a[0x84] r1                   // delay=1 wt=000001 wr:0
                pbk L0                                      // delay=13
                nop                                         // delay=2
      r3      = mov rZ                                      // delay=1
      r4      = mov rZ                                      // delay=1
      r5      = mov rZ                                      // delay=1
      r6      = mov rZ                                      // delay=1
      r7      = mov rZ                                      // delay=1
                bra pT L1                                   // delay=13 wt=000111
                nop                                         // delay=2
} -> [1]
block 1 L1 [0, 8] -> {
                pcnt L1                                     // delay=13
                nop                                         // delay=2
      p0      = isetp.ge.i32 r3 r0                          // delay=1
                ssy L3                                      // delay=13
                nop                                         // delay=2
@!p0            bra pT L4                                   // delay=13
                nop                                         // delay=2
} -> [2, 4]
block 2 L5 [1] -> {
                brk L0                                      // delay=13
                nop                                         // delay=2
} -> [3]
block.u 3 L0 [2] -> {
      r3      = mov r7                                      // delay=1
      r2      = mov r6                                      // delay=1
      r1      = mov r5                                      // delay=1
      r0      = mov r4                                      // delay=1
                exit                                        // delay=13
                nop                                         // delay=2
} -> []
block 4 L4 [1] -> {
                sync L3                                     // delay=13
                nop                                         // delay=2
} -> [5]
block 5 L3 [4] -> {
      p0      = fsetp.lt.ftz r1 r4                          // delay=1
                ssy L6                                      // delay=13
                nop                                         // delay=2
@!p0            bra pT L7                                   // delay=13
                nop                                         // delay=2
} -> [6, 7]
block 6 L8 [5] -> {
      r9      = i2f.f32.i32.re r3                           // delay=5 wr:0
      r8      = mov c[0x1][0x0]                             // delay=1
      r10     = fmul.ftz r2 r9                              // delay=1 wt=000001
      r11     = fmul.ftz r1 r9                              // delay=6
      r12..16 = tex.2d.rgba bindless r10..12 r8             // delay=6 wr:0
      r4      = fadd.ftz r4 r12                             // delay=1 wt=000001
      r5      = fadd.ftz r5 r13                             // delay=1
      r6      = fadd.ftz r6 r14                             // delay=1
      r7      = fadd.ftz r7 r15                             // delay=1
                sync L6                                     // delay=13
                nop                                         // delay=2
} -> [8]
block 7 L7 [5] -> {
      r8      = shl.w r3 0x4                                // delay=6
      r8 c0   = iadd2 r8 c[0x1][0x10]                       // delay=6
      r9      = iadd2.x rZ c[0x1][0x14] c0                  // delay=6
      r12..16 = ld.global.a64.constant.b128 [r8..10+rZ], pT // delay=6 wr:0
      r4      = fadd.ftz r4 -r12                            // delay=1 wt=000001
      r5      = fadd.ftz r5 -r13                            // delay=1
      r6      = fadd.ftz r6 -r14                            // delay=1
      r7      = fadd.ftz r7 -r15                            // delay=1
                sync L6                                     // delay=13
                nop                                         // delay=2
} -> [8]
block 8 L6 [6, 7] -> {
      p0      = fsetp.lt.ftz r7 0xc0400000                  // delay=13
@p0             kill                                        // delay=13
                nop                                         // delay=2
      r3      = iadd2 r3 0x1                                // delay=1
                cont L1                                     // delay=13
                nop                                         // delay=2
} -> [1]
