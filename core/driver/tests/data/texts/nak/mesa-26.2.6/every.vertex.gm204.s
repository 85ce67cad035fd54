block.u 0 L0 [] -> {
 r0      = ald a[0x2f8]                                    // delay=1 wr:0
 r2      = mov c[0x0][0x38]                                // delay=1
 r3      = mov c[0x0][0x3c]                                // delay=6
 r2..4   = ld.global.a64.constant.b64 [r2..4+rZ], pT       // delay=1 wr:1
 r0      = iadd2 r0 c[0x0][0x4]                            // delay=6 wt=000001
 r0      = lop2.and r0 0x3                                 // delay=6
 r0      = shl.w r0 0x6                                    // delay=6
 r4 c0   = iadd2 r2 r0                                     // delay=6 wt=000010
 r5      = iadd2.x r3 rZ c0                                // delay=4
 r1      = iadd2 r0 0x10                                   // delay=2
 r8..12  = ld.global.a64.constant.b128 [r4..6+rZ], pT      // delay=4 rd:0 wr:1
 r4 c0   = iadd2 r2 r1                                     // delay=6 wt=000001
 r5      = iadd2.x r3 rZ c0                                // delay=4
 r1      = iadd2 r0 0x20                                   // delay=2
 r12..16 = ld.global.a64.constant.b128 [r4..6+rZ], pT      // delay=4 rd:0 wr:2
 r4 c0   = iadd2 r2 r1                                     // delay=4 wt=000001
 r0      = iadd2 r0 0x30                                   // delay=2
 r5      = iadd2.x r3 rZ c0                                // delay=4
 r0 c0   = iadd2 r2 r0                                     // delay=6
 r1      = iadd2.x r3 rZ c0                                // delay=2
 r16..20 = ld.global.a64.constant.b128 [r4..6+rZ], pT      // delay=4 rd:0 wr:3
 r4..8   = ld.global.a64.constant.b128 [r0..2+rZ], pT      // delay=1 wt=000001 wr:0
 r20..24 = ald a[0x80]                                     // delay=6 wr:4
 r0      = fmul.ftz r4 r23                                 // delay=1 wt=010001
 r1      = fmul.ftz r5 r23                                 // delay=3
 r4      = fmul.ftz r6 r23                                 // delay=1
 r5      = fmul.ftz r7 r23                                 // delay=5
 r4      = ffma.ftz r18 r22 r4                             // delay=1 wt=001000
 r5      = ffma.ftz r19 r22 r5                             // delay=1
 r0      = ffma.ftz r16 r22 r0                             // delay=1
 r1      = ffma.ftz r17 r22 r1                             // delay=3
 r4      = ffma.ftz r14 r21 r4                             // delay=1 wt=000100
 r5      = ffma.ftz r15 r21 r5                             // delay=1
 r0      = ffma.ftz r12 r21 r0                             // delay=1
 r1      = ffma.ftz r13 r21 r1                             // delay=3
 r14     = ffma.ftz r10 r20 r4                             // delay=1 wt=000010
 r15     = ffma.ftz r11 r20 r5                             // delay=1
 r12     = ffma.ftz r8 r20 r0                              // delay=1
 r13     = ffma.ftz r9 r20 r1                              // delay=2
 r4..7   = ald a[0x90]                                     // delay=1 wr:0
 r0      = ld.global.a64.constant.b32 [r2..4+rZ+0x100], pT // delay=1 rd:1 wr:2
 r8..10  = ald a[0xa0]                                     // delay=1 wr:3
 r7      = ald a[0x2fc]                                    // delay=1 wr:4
 r28..32 = ld.global.a64.constant.b128 [r2..4+rZ], pT      // delay=1 wr:5
 r32..36 = ld.global.a64.constant.b128 [r2..4+rZ+0x10], pT // delay=1 wt=000001 wr:0
 r36..40 = ld.global.a64.constant.b128 [r2..4+rZ+0x20], pT // delay=1 wt=000010 wr:1
 r40..44 = ld.global.a64.constant.b128 [r2..4+rZ+0x30], pT // delay=1 wt=000100 wr:2
 r1      = fmul.ftz r22 r4                                 // delay=1
 r10     = iadd2 r8 r7                                     // delay=1 wt=011000
 r11     = iadd2 r9 r7                                     // delay=1
 r26     = fmul.ftz r22 r5                                 // delay=1
 r27     = fmul.ftz r23 r6                                 // delay=1
 r8      = fadd.ftz r4 r22                                 // delay=1
 r9      = fadd.ftz r5 r23                                 // delay=1
 r7      = ffma.ftz r36 r6 r40                             // delay=1 wt=000110
 r19     = ffma.ftz r37 r6 r41                             // delay=1
 r22     = ffma.ftz r38 r6 r42                             // delay=1
 r23     = ffma.ftz r39 r6 r43                             // delay=3
 r7      = ffma.ftz r32 r5 r7                              // delay=1 wt=000001
 r19     = ffma.ftz r33 r5 r19                             // delay=1
 r22     = ffma.ftz r34 r5 r22                             // delay=1
 r23     = ffma.ftz r35 r5 r23                             // delay=3
 r32     = ffma.ftz r28 r4 r7                              // delay=1 wt=100000
 r33     = ffma.ftz r29 r4 r19                             // delay=1
 r34     = ffma.ftz r30 r4 r22                             // delay=1
 r35     = ffma.ftz r31 r4 r23                             // delay=4
 r28..32 = ld.global.a64.constant.b128 [r2..4+rZ+0x40], pT // delay=1 wr:0
 r36..40 = ld.global.a64.constant.b128 [r2..4+rZ+0x50], pT // delay=1 wr:1
 r40..44 = ld.global.a64.constant.b128 [r2..4+rZ+0x60], pT // delay=1 wr:2
 r44..48 = ld.global.a64.constant.b128 [r2..4+rZ+0x70], pT // delay=6 wr:3
 r7      = ffma.ftz r40 r6 r44                             // delay=1 wt=001100
 r19     = ffma.ftz r41 r6 r45                             // delay=1
 r22     = ffma.ftz r42 r6 r46                             // delay=1
 r23     = ffma.ftz r43 r6 r47                             // delay=3
 r7      = ffma.ftz r36 r5 r7                              // delay=1 wt=000010
 r19     = ffma.ftz r37 r5 r19                             // delay=1
 r22     = ffma.ftz r38 r5 r22                             // delay=1
 r23     = ffma.ftz r39 r5 r23                             // delay=3
 r36     = ffma.ftz r28 r4 r7                              // delay=1 wt=000001
 r37     = ffma.ftz r29 r4 r19                             // delay=1
 r38     = ffma.ftz r30 r4 r22                             // delay=1
 r39     = ffma.ftz r31 r4 r23                             // delay=4
 r28..32 = ld.global.a64.constant.b128 [r2..4+rZ+0x80], pT // delay=1 rd:0 wr:1
 r40..44 = ld.global.a64.constant.b128 [r2..4+rZ+0x90], pT // delay=1 rd:2 wr:3
 r44..48 = ld.global.a64.constant.b128 [r2..4+rZ+0xa0], pT // delay=1 wr:4
 r48..52 = ld.global.a64.constant.b128 [r2..4+rZ+0xb0], pT // delay=5 wr:5
           ast a[0x80] r20..22                             // delay=1 wt=000001 rd:0
 r2      = ffma.ftz r44 r6 r48                             // delay=1 wt=110100
 r18     = fmul.ftz r6 0x40000000                          // delay=1
 r3      = ffma.ftz r45 r6 r49                             // delay=1
 r7      = ffma.ftz r46 r6 r50                             // delay=1
 r16     = fmul.ftz r4 0x40000000                          // delay=1
 r17     = fmul.ftz r5 0x40000000                          // delay=1
 r2      = ffma.ftz r40 r5 r2                              // delay=1 wt=001000
 r6      = ffma.ftz r47 r6 r51                             // delay=1
 r3      = ffma.ftz r41 r5 r3                              // delay=1
 r7      = ffma.ftz r42 r5 r7                              // delay=1
           ast a[0x88] r1                                  // delay=1 rd:2
           ast a[0xa0] r10..12                             // delay=1 rd:3
 r24     = fmul.ftz r20 r4                                 // delay=1
 r5      = ffma.ftz r43 r5 r6                              // delay=1
 r25     = fmul.ftz r21 r4                                 // delay=1
           ast a[0xd0] r16..19                             // delay=1 rd:4
 r40     = ffma.ftz r28 r4 r2                              // delay=1 wt=000010
 r41     = ffma.ftz r29 r4 r3                              // delay=1
 r42     = ffma.ftz r30 r4 r7                              // delay=1
 r43     = ffma.ftz r31 r4 r5                              // delay=1
           ast a[0xf0] r24..28                             // delay=1 rd:1
           ast a[0x110] r8..10                             // delay=1 rd:5
 r0      = fadd.ftz r20 -r0                                // delay=1
           ast a[0x130] r32..36                            // delay=1 wt=000001 rd:0
           ast a[0x140] r36..40                            // delay=1 wt=000100 rd:2
           ast a[0x150] r40..44                            // delay=1 wt=001000 rd:3
           ast a[0x70] r12..16                             // delay=1 wt=010000 rd:4
           ast a[0x6c] r4                                  // delay=1 wt=000010 rd:1
           ast a[0x2c0] r0                                 // delay=1 wt=100000 rd:5
           ast a[0x2c4] r21                                // delay=2 wt=000001 rd:0
           exit                                            // delay=13 wt=111111
           nop                                             // delay=2
} -> []
