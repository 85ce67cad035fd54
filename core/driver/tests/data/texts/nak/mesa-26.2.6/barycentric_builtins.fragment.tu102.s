block.u 0 L0 [] -> {
 r0    = ipa.pass a[0x7c] rZ  // delay=1 wr:0
 r1    = ipa.pass a[0x3bc] rZ // delay=1 wr:1
 r2    = ipa.pass a[0x3b4] rZ // delay=1 wr:2
 r3    = ipa.pass a[0x3b8] rZ // delay=1 wr:3
 r4..6 = ldtram.ab a[0x80]    // delay=1 wr:4
 r0    = mufu.rcp.f32 r0      // delay=2 wt=000001 wr:0
 r1    = fmul.rz.ftz r1 r0    // delay=1 wt=000011
 r2    = fmul.rz.ftz r2 r0    // delay=1 wt=000100
 r0    = fmul.rz.ftz r3 r0    // delay=4 wt=001000
 r3    = fmul.ftz r5 r0       // delay=4 wt=010000
 r3    = ffma.ftz r4 r2 r3    // delay=2
 r4..6 = ldtram.ab a[0x84]    // delay=2 wr:0
 r0    = fmul.ftz r5 r0       // delay=3 wt=000001
 r6..8 = ldtram.c a[0x80]     // delay=1 wr:0
 r0    = ffma.ftz r4 r2 r0    // delay=2
 r4..6 = ldtram.c a[0x84]     // delay=1 wr:1
 r3    = ffma.ftz r6 r1 r3    // delay=2 wt=000001
 r2    = mov rZ               // delay=1
 r1    = ffma.ftz r4 r1 r0    // delay=1 wt=000010
 ur3   = mov 0x3f800000       // delay=1
 r0    = mov r3               // delay=1
 r3    = mov ur3              // delay=1
         exit                 // delay=1
} -> []
