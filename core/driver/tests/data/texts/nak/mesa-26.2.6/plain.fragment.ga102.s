block.u 0 L0 [] -> {
 r0  = ipa.pass a[0x7c] rZ     // delay=1 wr:0
 r2  = ipa.constant a[0xb0] rZ // delay=1 wr:1
 r1  = ipa.pass a[0x80] rZ     // delay=1 wr:2
 r3  = ipa.pass a[0xd4] rZ     // delay=1 wr:3
 r4  = ipa.pass a[0xd8] rZ     // delay=1 wr:4
 r0  = mufu.rcp.f32 r0         // delay=1 wt=000001 wr:0
 r2  = i2f.f32.i32.re r2       // delay=1 wt=000010 wr:1
 r1  = fmul.rz.ftz r1 r0       // delay=1 wt=000101
 r3  = fmul.rz.ftz r3 r0       // delay=1 wt=001000
 r0  = fmul.rz.ftz r4 r0       // delay=5 wt=010000
 r21 = mov r0                  // delay=1
 r0  = mov r1                  // delay=1
 r1  = mov r2                  // delay=1 wt=000010
 r2  = mov r3                  // delay=1
 r3  = mov r21                 // delay=1
       exit                    // delay=1
} -> []
