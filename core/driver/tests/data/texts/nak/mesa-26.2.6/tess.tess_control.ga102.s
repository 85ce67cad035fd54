block.u 0 L1 [] -> {
      r0    = s2r sr[0x11]          // delay=1 wr:0
      r1    = s2r sr[0x1d]          // delay=2 wr:1
      r2    = prmt r1 [0x4440] rZ   // delay=1 wt=000010
      r1    = prmt r1 [0x4442] rZ   // delay=5
      r1    = imad r2 r1 rZ         // delay=5
      r2    = iadd3 r1 r0 rZ        // delay=5 wt=000001
      r2    = isberd.map.u8 r2 [r2] // delay=2 wr:0
      r4..7 = ald a[r2][0x80]       // delay=2 wt=000001 wr:0
              ast a[r0][0x80] r4..7 // delay=2 wt=000001 rd:0
      r4..6 = ald a[r2][0x90]       // delay=2 wt=000001 wr:0
              ast a[r0][0x90] r4..6 // delay=2 wt=000001 rd:0
      r4..8 = ald a[r2][0x70]       // delay=2 wt=000001 wr:0
              ast a[r0][0x70] r4..8 // delay=1 wt=000001 rd:0
      p0    = isetp.eq.i32 r0 rZ    // delay=13
@!p0          exit                  // delay=1 wt=000001
} -> [1]
block 1 L3 [0] -> {
      r0    = mov 0x40400000        // delay=5
              ast.p a[0x0] r0       // delay=2 rd:0
      r0    = mov 0x40800000        // delay=5 wt=000001
              ast.p a[0x4] r0       // delay=2 rd:0
      r0    = mov 0x40a00000        // delay=5 wt=000001
              ast.p a[0x8] r0       // delay=2 rd:0
      r0    = mov 0x40000000        // delay=5 wt=000001
              ast.p a[0x10] r0      // delay=2 rd:0
      r0    = isberd.map.u8 r0 [r1] // delay=2 wt=000001 wr:0
      r4..7 = ald a[r0][0x80]       // delay=1 wt=000001 wr:0
      r7    = mov 0x3f800000        // delay=5
              ast.p a[0x40] r4..8   // delay=2 wt=000001 rd:0
              exit                  // delay=1 wt=000001
} -> []
