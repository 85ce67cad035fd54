block.u 0 L0 [] -> {
 r0      = ald a[0x2f8]                 // delay=1 wr:0
 r4..8   = ald a[0x80]                  // delay=1 wr:1
 r8..11  = ald a[0x90]                  // delay=1 wr:2
 r2..4   = ald a[0xa0]                  // delay=1 wr:3
 r1      = ald a[0x2fc]                 // delay=1 wr:4
 r11     = fmul.ftz r6 r8               // delay=1 wt=000110
 r12     = iadd3 r2 r1 rZ               // delay=1 wt=011000
 r13     = iadd3 r3 r1 rZ               // delay=3
           ast a[0x80] r4..6            // delay=1 rd:1
           ast a[0x88] r11              // delay=1 rd:2
           ast a[0xa0] r12..14          // delay=2 rd:3
 r12     = fmul.ftz r8 0x40000000       // delay=1 wt=001000
 r13     = fmul.ftz r9 0x40000000       // delay=1
 r14     = fmul.ftz r10 0x40000000      // delay=5
           ast a[0xd0] r12..15          // delay=1 rd:3
 r1      = mov c[0x1][0x30]             // delay=2
 r12     = fmul.ftz r4 r8               // delay=1 wt=001000
 r13     = fmul.ftz r5 r8               // delay=1
 r14     = fmul.ftz r6 r9               // delay=1
 r1      = ffma.ftz r10 c[0x1][0x20] r1 // delay=1
 r15     = fmul.ftz r7 r10              // delay=3
 r1      = ffma.ftz r9 c[0x1][0x10] r1  // delay=2
           ast a[0xf0] r12..16          // delay=2 rd:3
 r12     = ffma.ftz r8 c[0x1][0x0] r1   // delay=1 wt=001000
 r1      = mov c[0x1][0x34]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0x24] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x14] r1  // delay=4
 r13     = ffma.ftz r8 c[0x1][0x4] r1   // delay=1
 r1      = mov c[0x1][0x38]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0x28] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x18] r1  // delay=4
 r14     = ffma.ftz r8 c[0x1][0x8] r1   // delay=1
 r1      = mov c[0x1][0x3c]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0x2c] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x1c] r1  // delay=4
 r15     = ffma.ftz r8 c[0x1][0xc] r1   // delay=1
 r1      = mov c[0x1][0x70]             // delay=3
 r2      = fadd.ftz r8 r6               // delay=1
 r3      = fadd.ftz r9 r7               // delay=1
 r1      = ffma.ftz r10 c[0x1][0x60] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x50] r1  // delay=1
           ast a[0x110] r2..4           // delay=1 rd:3
           ast a[0x130] r12..16         // delay=2 rd:4
 r12     = ffma.ftz r8 c[0x1][0x40] r1  // delay=1 wt=010000
 r1      = mov c[0x1][0x74]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0x64] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x54] r1  // delay=4
 r13     = ffma.ftz r8 c[0x1][0x44] r1  // delay=1
 r1      = mov c[0x1][0x78]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0x68] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x58] r1  // delay=4
 r14     = ffma.ftz r8 c[0x1][0x48] r1  // delay=1
 r1      = mov c[0x1][0x7c]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0x6c] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x5c] r1  // delay=4
 r15     = ffma.ftz r8 c[0x1][0x4c] r1  // delay=1
 r1      = mov c[0x1][0xb0]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0xa0] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x90] r1  // delay=2
           ast a[0x140] r12..16         // delay=2 rd:4
 r12     = ffma.ftz r8 c[0x1][0x80] r1  // delay=1 wt=010000
 r1      = mov c[0x1][0xb4]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0xa4] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x94] r1  // delay=4
 r13     = ffma.ftz r8 c[0x1][0x84] r1  // delay=1
 r1      = mov c[0x1][0xb8]             // delay=5
 r1      = ffma.ftz r10 c[0x1][0xa8] r1 // delay=4
 r1      = ffma.ftz r9 c[0x1][0x98] r1  // delay=3
 r0      = iadd3 r0 c[0x18][0x4] rZ     // delay=1 wt=000001
 r14     = ffma.ftz r8 c[0x1][0x88] r1  // delay=1
 r1      = mov c[0x1][0xbc]             // delay=4
 r0      = lop3.LUT[0xc0] r0 0x3 rZ     // delay=1
 r1      = ffma.ftz r10 c[0x1][0xac] r1 // delay=3
 r0      = shf.l.w.i32 r0 rZ 0x6        // delay=1
 r1      = ffma.ftz r9 c[0x1][0x9c] r1  // delay=3
 r2..4   = ldc.b64 c[0x1][r0+0x30]      // delay=1 wt=001000 wr:0
 r15     = ffma.ftz r8 c[0x1][0x8c] r1  // delay=2
 r1      = fmul.ftz r2 r7               // delay=2 wt=000001
 r10..12 = ldc.b64 c[0x1][r0+0x20]      // delay=1 wt=000100 wr:0
           ast a[0x150] r12..16         // delay=1 rd:2
 r1      = ffma.ftz r10 r6 r1           // delay=2 wt=000001
 r12..14 = ldc.b64 c[0x1][r0+0x10]      // delay=2 wt=000100 wr:0
 r1      = ffma.ftz r12 r5 r1           // delay=2 wt=000001
 r14..16 = ldc.b64 c[0x1][r0]           // delay=2 wr:0
 r16     = ffma.ftz r14 r4 r1           // delay=1 wt=000001
 r1      = fmul.ftz r3 r7               // delay=4
 r1      = ffma.ftz r11 r6 r1           // delay=4
 r1      = ffma.ftz r13 r5 r1           // delay=2
 r10..12 = ldc.b64 c[0x1][r0+0x28]      // delay=1 rd:0 wr:2
 r2..4   = ldc.b64 c[0x1][r0+0x38]      // delay=1 wr:3
 r17     = ffma.ftz r15 r4 r1           // delay=1
 r12..14 = ldc.b64 c[0x1][r0+0x18]      // delay=1 rd:4 wr:5
 r14..16 = ldc.b64 c[0x1][r0+0x8]       // delay=1 wt=000011 rd:1 wr:0
 r1      = fmul.ftz r2 r7               // delay=1 wt=001000
 r0      = fmul.ftz r3 r7               // delay=3 wt=010010
 r1      = ffma.ftz r10 r6 r1           // delay=1 wt=000100
 r0      = ffma.ftz r11 r6 r0           // delay=3
 r1      = ffma.ftz r12 r5 r1           // delay=1 wt=100000
 r0      = ffma.ftz r13 r5 r0           // delay=3
 r18     = ffma.ftz r14 r4 r1           // delay=1 wt=000001
 r19     = ffma.ftz r15 r4 r0           // delay=2
 r0      = fadd.ftz r4 -c[0x1][0x100]   // delay=3
           ast a[0x70] r16..20          // delay=1 rd:0
           ast a[0x6c] r8               // delay=1 rd:1
           ast a[0x2c0] r0              // delay=1 rd:2
           ast a[0x2c4] r5              // delay=2 rd:3
           exit                         // delay=1 wt=001111
} -> []
