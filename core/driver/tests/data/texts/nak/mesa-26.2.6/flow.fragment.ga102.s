block.u 0 L2 [] -> {
      r1              = ipa.pass a[0x7c] rZ                         // delay=1 wr:0
      r2              = ipa.pass a[0x80] rZ                         // delay=1 wr:1
      r3              = ipa.pass a[0x84] rZ                         // delay=1 wr:2
      r0              = ipa.constant a[0x90] rZ                     // delay=1 wr:3
      r1              = mufu.rcp.f32 r1                             // delay=2 wt=000001 wr:0
      r2              = fmul.rz.ftz r2 r1                           // delay=1 wt=000011
      r1              = fmul.rz.ftz r3 r1                           // delay=1 wt=000100
      b0              = bclear                                      // delay=1
      b0              = bssy b0 pT L0                               // delay=1
      r3              = mov rZ                                      // delay=1
      r4              = mov rZ                                      // delay=1
      r5              = mov rZ                                      // delay=1
      r6              = mov rZ                                      // delay=1
      r7              = mov rZ                                      // delay=1
} -> [1]
block 1 L1 [0, 10] -> {
      b1              = bclear                                      // delay=1
      b1              = bssy b1 pT L3                               // delay=1
      p0              = isetp.ge.i32 r3 r0                          // delay=13 wt=001000
@!p0                    bra pT L7                                   // delay=1
} -> [2, 3]
block 2 L6 [1] -> {
      r8              = mov 0x1                                     // delay=1
      r12             = mov r7                                      // delay=1
      r10             = mov r5                                      // delay=1
      r11             = mov r6                                      // delay=1
      r21             = mov r8                                      // delay=1
      r9              = mov r4                                      // delay=1
      r8              = mov r10                                     // delay=1
      r10             = mov r11                                     // delay=1
      r11             = mov r21                                     // delay=1
                        bra pT L5                                   // delay=1
} -> [7]
block 3 L7 [1] -> {
      p0              = fsetp.lt.ftz r1 r4                          // delay=11
      b2              = bclear                                      // delay=1
      b2              = bssy b2 pT L8                               // delay=1
@!p0                    bra pT L9                                   // delay=1
} -> [4, 5]
block 4 L11 [3] -> {
      r8              = i2f.f32.i32.re r3                           // delay=2 wr:0
      r9              = fmul.ftz r2 r8                              // delay=1 wt=000001
      r8              = fmul.ftz r1 r8                              // delay=4
      r12..14 r10..12 = tex.2d.scr.rgba c[0x1][0x0] r9 r8           // delay=2 wr:0
      r8              = fadd.ftz r5 r13                             // delay=1 wt=000001
      r10             = fadd.ftz r6 r10                             // delay=1
      r9              = fadd.ftz r4 r12                             // delay=1
      r12             = fadd.ftz r7 r11                             // delay=2
                        bra pT L10                                  // delay=1
} -> [6]
block 5 L9 [3] -> {
      r8              = shf.l.w.i32 r3 rZ 0x4                       // delay=4
      r8 p0           = iadd3 r8 c[0x1][0x10] rZ                    // delay=4
      r9              = iadd3.x rZ c[0x1][0x14] rZ p0 pF            // delay=5
      r12..16         = ld.global.a64.constant.b128 [r8..10+rZ], pT // delay=2 wr:0
      r8              = fadd.ftz r5 -r13                            // delay=1 wt=000001
      r10             = fadd.ftz r6 -r14                            // delay=1
      r9              = fadd.ftz r4 -r12                            // delay=1
      r12             = fadd.ftz r7 -r15                            // delay=3
} -> [6]
block 6 L10 [4, 5] -> {
                        bsync b2 pT                                 // delay=1 yld
                        nop L8                                      // delay=1
      p0              = fsetp.lt.ftz r12 0xc0400000                 // delay=13
@p0                     kill                                        // delay=1
      r3              = iadd3 r3 0x1 rZ                             // delay=1
      r11             = mov 0xffffffff                              // delay=2
} -> [7]
block 7 L5 [2, 6] -> {
                        bsync b1 pT                                 // delay=1 yld
                        nop L3                                      // delay=1
      p0              = isetp.lt.u32 r11 0x2                        // delay=13
@!p0                    bra pT L12                                  // delay=1
} -> [8, 10]
block.u 8 L14 [7] -> {
} -> [9]
block.u 9 L13 [8] -> {
                        bsync b0 pT                                 // delay=1 yld
                        nop L0                                      // delay=1
      r3              = mov r7                                      // delay=1
      r2              = mov r6                                      // delay=1
      r1              = mov r5                                      // delay=1
      r0              = mov r4                                      // delay=1
                        exit                                        // delay=1
} -> []
block 10 L12 [7] -> {
      r7              = mov r12                                     // delay=1
      r6              = mov r10                                     // delay=1
      r5              = mov r8                                      // delay=1
      r4              = mov r9                                      // delay=1
                        bra pT L1                                   // delay=1
} -> [1]
