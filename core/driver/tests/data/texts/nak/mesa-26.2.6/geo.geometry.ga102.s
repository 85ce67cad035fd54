block.u 0 L0 [] -> {
 r0      = s2r sr[0x1d]              // delay=2 wr:0
 r1      = prmt r0 [0x4440] rZ       // delay=1 wt=000001
 r0      = prmt r0 [0x4442] rZ       // delay=5
 r0      = imad r1 r0 rZ             // delay=5
 r1      = isberd.map.u8 r1 [r0]     // delay=2 wr:0
 r4..8   = ald a[r1][0x80]           // delay=1 wt=000001 rd:0 wr:1
 r2      = ald a[r1][0x90]           // delay=1 wr:2
 r8..12  = ald a[r1][0x70]           // delay=1 rd:3 wr:4
 r12     = mov r2                    // delay=1 wt=000100
 r13     = mov rZ                    // delay=1
 r1      = mov rZ                    // delay=3 wt=001001
           ast a[0x80] r4..8         // delay=1 wt=000010 rd:0
           ast a[0x90] r12..14       // delay=1 rd:1
           ast a[0xa0] r1            // delay=2 rd:2
 r1      = mov rZ                    // delay=5 wt=000100
           ast a[0x64] r1            // delay=2 rd:2
 r1      = mov rZ                    // delay=4 wt=000100
           ast a[0x70] r8..12        // delay=1 wt=010000 rd:2
 r1      = out.emit r1 rZ            // delay=1 wr:3
 r3      = isberd.map.u8 r3 [r0+0x1] // delay=2 wr:4
 r12..16 = ald a[r3][0x80]           // delay=1 wt=010010 rd:1 wr:4
 r16     = ald a[r3][0x90]           // delay=1 wr:5
 r20..24 = ald a[r3][0x70]           // delay=1 wt=000101 rd:0 wr:2
 r18     = mov r16                   // delay=1 wt=100000
 r19     = mov rZ                    // delay=1
 r3      = mov rZ                    // delay=3 wt=000011
           ast a[r1][0x80] r12..16   // delay=1 wt=011000 rd:0
           ast a[r1][0x90] r18..20   // delay=1 rd:1
           ast a[r1][0xa0] r3        // delay=2 rd:3
 r3      = mov rZ                    // delay=5 wt=001000
           ast a[r1][0x64] r3        // delay=1 rd:3
           ast a[r1][0x70] r20..24   // delay=2 wt=000100 rd:2
 r1      = out.emit r1 rZ            // delay=1 wt=001111 wr:0
 r0      = isberd.map.u8 r0 [r0+0x2] // delay=2 wr:1
 r24..28 = ald a[r0][0x80]           // delay=1 wt=000010 rd:1 wr:2
 r3      = ald a[r0][0x90]           // delay=1 wr:3
 r28..32 = ald a[r0][0x70]           // delay=1 rd:4 wr:5
 r18     = mov r3                    // delay=1 wt=001000
 r19     = mov rZ                    // delay=1
 r0      = mov rZ                    // delay=3 wt=010010
           ast a[r1][0x80] r24..28   // delay=1 wt=000101 rd:0
           ast a[r1][0x90] r18..20   // delay=1 rd:1
           ast a[r1][0xa0] r0        // delay=2 rd:2
 r0      = mov rZ                    // delay=5 wt=000100
           ast a[r1][0x64] r0        // delay=1 rd:2
           ast a[r1][0x70] r28..32   // delay=1 wt=100000 rd:3
 r0      = out.emit_then_cut r1 rZ   // delay=2 wt=000100 wr:2
           ast a[r0][0x80] r4..8     // delay=2 wt=000100 rd:2
 r5      = mov 0x3f800000            // delay=4 wt=000100
 r7      = mov r5                    // delay=1
 r6      = mov r2                    // delay=1
 r1      = mov 0x1                   // delay=4 wt=001011
           ast a[r0][0x90] r6..8     // delay=1 rd:0
           ast a[r0][0xa0] r1        // delay=2 rd:1
 r1      = mov 0x1                   // delay=1 wt=000010
 r4      = fadd.ftz r8 0x3f800000    // delay=1
 r5      = fadd.ftz r9 0x3f800000    // delay=1
 r6      = fadd.ftz r10 0x3f800000   // delay=1 wt=000001
 r7      = fadd.ftz r11 0x3f800000   // delay=4
           ast a[r0][0x64] r1        // delay=1 rd:0
           ast a[r0][0x70] r4..8     // delay=2 rd:1
 r0      = out.emit r0 rZ            // delay=1 wt=000011 wr:0
 r17     = mov 0x3f800000            // delay=1
 r1      = mov 0x1                   // delay=3
           ast a[r0][0x80] r12..16   // delay=1 wt=000001 rd:0
           ast a[r0][0x90] r16..18   // delay=1 rd:1
           ast a[r0][0xa0] r1        // delay=2 rd:2
 r1      = mov 0x1                   // delay=1 wt=000100
 r4      = fadd.ftz r20 0x3f800000   // delay=1
 r5      = fadd.ftz r21 0x3f800000   // delay=1
 r6      = fadd.ftz r22 0x3f800000   // delay=1
 r7      = fadd.ftz r23 0x3f800000   // delay=4
           ast a[r0][0x64] r1        // delay=1 rd:2
           ast a[r0][0x70] r4..8     // delay=2 rd:3
 r0      = out.emit r0 rZ            // delay=1 wt=001111 wr:0
 r5      = mov 0x3f800000            // delay=4
 r7      = mov r5                    // delay=1
 r6      = mov r3                    // delay=1
 r1      = mov 0x1                   // delay=3
           ast a[r0][0x80] r24..28   // delay=1 wt=000001 rd:0
           ast a[r0][0x90] r6..8     // delay=1 rd:1
           ast a[r0][0xa0] r1        // delay=2 rd:2
 r1      = mov 0x1                   // delay=1 wt=000100
 r4      = fadd.ftz r28 0x3f800000   // delay=1
 r5      = fadd.ftz r29 0x3f800000   // delay=1
 r6      = fadd.ftz r30 0x3f800000   // delay=1 wt=000010
 r7      = fadd.ftz r31 0x3f800000   // delay=4
           ast a[r0][0x64] r1        // delay=1 rd:1
           ast a[r0][0x70] r4..8     // delay=2 rd:2
 r0      = out.emit_then_cut r0 rZ   // delay=2 wt=000111 wr:0
           out.final { r0 }          // delay=2 wt=000001 rd:0
           exit                      // delay=1 wt=000001
} -> []
