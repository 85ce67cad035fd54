block.u 0 L0 [] -> {
 r0      = s2r sr[0x0]               // delay=2 wr:0
 r2..4   = ald.o a[r0][0x2f0]        // delay=2 wt=000001 wr:0
 r0      = fadd.ftz -r3 0x3f800000   // delay=4 wt=000001
 r0      = fadd.ftz r0 -r2           // delay=1
 r1      = s2r sr[0x1d]              // delay=2 wr:0
 r4      = prmt r1 [0x4440] rZ       // delay=1 wt=000001
 r1      = prmt r1 [0x4442] rZ       // delay=5
 r1      = imad r4 r1 rZ             // delay=5
 r4      = isberd.map.u8 r4 [r1]     // delay=2 wr:0
 r8..11  = ald a[r4][0x80]           // delay=1 wt=000001 wr:0
 r5      = isberd.map.u8 r5 [r1+0x1] // delay=2 wr:1
 r12..15 = ald a[r5][0x80]           // delay=2 wt=000010 wr:1
 r6      = fmul.ftz r12 r3           // delay=3 wt=000010
 r7      = fmul.ftz r13 r3           // delay=1
 r6      = ffma.ftz r8 r2 r6         // delay=1 wt=000001
 r8      = fmul.ftz r14 r3           // delay=3
 r7      = ffma.ftz r9 r2 r7         // delay=1
 r8      = ffma.ftz r10 r2 r8        // delay=1
 r1      = isberd.map.u8 r1 [r1+0x2] // delay=2 wr:0
 r12..15 = ald a[r1][0x80]           // delay=2 wt=000001 wr:0
 r16     = ffma.ftz r12 r0 r6        // delay=1 wt=000001
 r17     = ffma.ftz r13 r0 r7        // delay=1
 r18     = ffma.ftz r14 r0 r8        // delay=1
 r6..8   = ald a[r4][0x90]           // delay=1 wr:0
 r8..10  = ald a[r5][0x90]           // delay=1 wr:1
 r10..12 = ald a[r1][0x90]           // delay=1 rd:2 wr:3
 r12..16 = ald.p a[0x40]             // delay=1 wr:4
 r19     = ald a[0x60]               // delay=1 wr:5
 r20..24 = ald a[r4][0x70]           // delay=1 wt=000011 rd:0 wr:1
 r24..28 = ald a[r5][0x70]           // delay=1 wt=001100 rd:2 wr:3
 r28..32 = ald a[r1][0x70]           // delay=2 wt=110000 rd:4 wr:5
 r1      = fmul.ftz r8 r3            // delay=4 wt=010000
 r1      = ffma.ftz r6 r2 r1         // delay=4
 r4      = ffma.ftz r10 r0 r1        // delay=1 wt=000001
 r1      = fmul.ftz r9 r3            // delay=4
 r1      = ffma.ftz r7 r2 r1         // delay=4
 r5      = ffma.ftz r11 r0 r1        // delay=1 wt=000100
 r1      = fmul.ftz r24 r3           // delay=4 wt=001000
 r1      = ffma.ftz r20 r2 r1        // delay=1 wt=000010
           ast a[0x80] r16..19       // delay=1 rd:0
           ast a[0x90] r4..6         // delay=2 rd:1
 r4      = ffma.ftz r28 r0 r1        // delay=1 wt=100010
 r1      = fmul.ftz r25 r3           // delay=4
 r1      = ffma.ftz r21 r2 r1        // delay=4
 r5      = ffma.ftz r29 r0 r1        // delay=1
 r1      = fmul.ftz r26 r3           // delay=4
 r1      = ffma.ftz r22 r2 r1        // delay=4
 r6      = ffma.ftz r30 r0 r1        // delay=1
 r1      = fmul.ftz r27 r3           // delay=4
 r1      = ffma.ftz r23 r2 r1        // delay=4
 r7      = ffma.ftz r31 r0 r1        // delay=3
           ast a[0xb0] r12..16       // delay=1 rd:1
           ast a[0xc0] r19           // delay=1 rd:2
           ast a[0x70] r4..8         // delay=2 rd:3
           exit                      // delay=1 wt=001111
} -> []
