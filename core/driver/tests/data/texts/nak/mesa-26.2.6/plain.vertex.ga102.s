block.u 0 L0 [] -> {
 r0..4 = ald a[0x80]            // delay=1 wr:0
 r4    = ald a[0x2fc]           // delay=1 wr:1
         ast a[0x80] r0..2      // delay=1 wt=000001 rd:0
         ast a[0xb0] r4         // delay=2 wt=000010 rd:1
 r4    = fmul.ftz r2 0x40400000 // delay=5 wt=000010
         ast a[0xd4] r4         // delay=2 rd:1
 r4    = fmul.ftz r3 0x40400000 // delay=5 wt=000010
         ast a[0xd8] r4         // delay=1 rd:1
         ast a[0xe0] r0..4      // delay=1 rd:2
         ast a[0x70] r0..4      // delay=2 rd:3
         exit                   // delay=1 wt=001111
} -> []
