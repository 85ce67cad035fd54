Push constant ranges:
    RANGE0 (544B): Vulkan push constants and API params

mov(8)          g15<1>UW        0x76543210V                     { align1 WE_all 1Q };
mov(16)         g18<1>UD        0x00000000UD                    { align1 1H compacted };
shl(16)         g20<1>D         g17.1<0,1,0>D   0x00000004UD    { align1 1H };
add(8)          g15.8<1>UW      g15<8,8,1>UW    0x0008UW        { align1 WE_all 1Q };
mov(16)         g22<1>D         g15<8,8,1>UW                    { align1 1H };
add(16)         g24<1>D         g22<8,8,1>D     g20<8,8,1>D     { align1 1H compacted };
and(16)         g26<1>UD        g24<8,8,1>UD    0x0000003fUD    { align1 1H compacted };
and(16)         g28<1>UD        g24<8,8,1>UD    0xffffffc0UD    { align1 1H compacted };
add(16)         g13<1>D         g26<8,8,1>D     g28<8,8,1>D     { align1 1H compacted };
shl(16)         g2<1>D          g13<8,8,1>D     0x00000002UD    { align1 1H };
send(16)        g4<1>UW         g2<8,8,1>UD     0x04205e06
                            dp data 1 MsgDesc: (untyped surface read, Surface = 6, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
send(16)        null<1>UW       g2<8,8,1>UD     0x08025efe
                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 254, SIMD16, Mask = 0xe) mlen 4 rlen 0 { align1 1H };
shl(16)         g31<1>D         g13<8,8,1>D     0x00000004UD    { align1 1H };
and(16)         g41<1>UD        g1<0,1,0>UD     0x0000003fUD    { align1 1H compacted };
add(16)         g95<1>D         g2<8,8,1>D      1024D           { align1 1H compacted };
send(16)        g33<1>UW        g31<8,8,1>UD    0x04805007
                            dp data 1 MsgDesc: (untyped surface read, Surface = 7, SIMD16, Mask = 0x0) mlen 2 rlen 8 { align1 1H };
shl(16)         g93<1>D         g41<8,8,1>D     0x00000004UD    { align1 1H };
send(16)        g42<1>UW        g93<8,8,1>UD    0x04847008
                            sampler MsgDesc: ld SIMD16 Surface = 8 Sampler = 0 mlen 2 rlen 8 { align1 1H };
add(16)         g97<1>F         g33<8,8,1>F     g44<8,8,1>F     { align1 1H compacted };
send(16)        null<1>UW       g95<8,8,1>UD    0x08025efe
                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 254, SIMD16, Mask = 0xe) mlen 4 rlen 0 { align1 1H };
send(1)         g45<1>UW        g0<0,1,0>UD     0x0209c000
                            data MsgDesc: (DC mfence, bti 0, 0) mlen 1 rlen 0 { align1 WE_all 1N };
mov(8)          g46<1>UD        0x00000000UD                    { align1 WE_all 1Q compacted };
and(1)          g46.2<1>UD      g0.2<0,1,0>UD   0x0f000000UD    { align1 WE_all 1N };
send(16)        null<1>UW       g46<8,8,1>UD    0x02000004
                            gateway MsgDesc: (barrier msg) mlen 1 rlen 0    { align1 WE_all 1H };
wait(1)         n0<1>UD                                         { align1 WE_all 1N };
mul(16)         g47<1>D         g13<8,8,1>D     3D              { align1 1H compacted };
mov(16)         g49<1>UD        g47<32,8,4>UB                   { align1 1H };
shl(16)         g96<1>D         g49<8,8,1>D     0x00000002UD    { align1 1H };
send(16)        null<1>UW       g96<8,8,1>UD    0x040085fe
                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 254, SIMD16, inc) mlen 2 rlen 0 { align1 1H };
add(16)         g97<1>D         g2<8,8,1>D      256D            { align1 1H compacted };
mov(16)         g99<1>UD        0x00000002UD                    { align1 1H compacted };
send(16)        g103<1>UW       g97<8,8,1>UD    0x0820a706
                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 6, SIMD16, add) mlen 4 rlen 2 { align1 1H };
mov(16)         g105<1>D        g1.1<0,1,0>D                    { align1 1H compacted };
mov(16)         g101<1>UD       0x00000014UD                    { align1 1H compacted };
send(16)        g52<1>UW        g101<8,8,1>UD   0x0c20ae06
                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 6, SIMD16, cmpwr) mlen 6 rlen 2 { align1 1H };
mov(8)          g54<1>UD        0D                              { align1 WE_all 1Q };
mov(8)          g55<1>D         g13<8,8,1>D                     { align1 1Q compacted };
mov(8)          g56<1>UD        0x00000001UD                    { align1 1Q compacted };
mov(8)          g57<1>UD        0x00000003UD                    { align1 1Q compacted };
mov(1)          g54.7<1>UD      0xffffffffUD                    { align1 WE_all 1N };
add(16)         g107<1>D        g103<8,8,1>D    g52<8,8,1>D     { align1 1H compacted };
send(8)         g109<1>UW       g54<8,8,1>UD    0x0819a703
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 3, SIMD16, add) mlen 4 rlen 1 { align1 1Q };
mov(8)          g56<1>UD        0D                              { align1 WE_all 2Q };
mov(8)          g57<1>D         g14<8,8,1>D                     { align1 2Q compacted };
mov(8)          g58<1>UD        0x00000001UD                    { align1 2Q compacted };
mov(8)          g59<1>UD        0x00000003UD                    { align1 2Q compacted };
mov(1)          g56.7<1>UD      0xffffffffUD                    { align1 WE_all 3N };
send(8)         g110<1>UW       g56<8,8,1>UD    0x0819b703
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 3, SIMD8, add) mlen 4 rlen 1 { align1 2Q };
mov(8)          g58<1>UD        0D                              { align1 WE_all 1Q };
mov(8)          g59<1>D         g13<8,8,1>D                     { align1 1Q compacted };
mov(8)          g60<1>D         g13<8,8,1>D                     { align1 1Q compacted };
mov(8)          g61<1>UD        0D                              { align1 WE_all 2Q };
mov(8)          g62<1>D         g14<8,8,1>D                     { align1 2Q compacted };
mov(8)          g63<1>D         g14<8,8,1>D                     { align1 2Q compacted };
mov(8)          g6<1>UD         0D                              { align1 WE_all 1Q };
mov(8)          g7<1>D          g13<8,8,1>D                     { align1 1Q compacted };
mov(8)          g8<1>UD         0x00000002UD                    { align1 1Q compacted };
mov(1)          g58.7<1>UD      65535D                          { align1 WE_all 1N };
mov(1)          g61.7<1>UD      65535D                          { align1 WE_all 3N };
mov(1)          g6.7<1>UD       0xffffffffUD                    { align1 WE_all 1N };
send(8)         g92<1>UW        g58<8,8,1>UD    0x06495004
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 4, SIMD16, Mask = 0x0) mlen 3 rlen 4 { align1 1Q };
send(8)         g88<1>UW        g61<8,8,1>UD    0x06496004
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 4, SIMD8, Mask = 0x0) mlen 3 rlen 4 { align1 2Q };
mov(8)          g21<1>F         g92<8,8,1>F                     { align1 1Q compacted };
mov(8)          g23<1>F         g93<8,8,1>F                     { align1 1Q compacted };
mov(8)          g25<1>F         g94<8,8,1>F                     { align1 1Q compacted };
mov(8)          g113<1>F        g95<8,8,1>F                     { align1 1Q compacted };
mov(8)          g22<1>F         g88<8,8,1>F                     { align1 2Q compacted };
mov(8)          g24<1>F         g89<8,8,1>F                     { align1 2Q compacted };
mov(8)          g26<1>F         g90<8,8,1>F                     { align1 2Q compacted };
mov(8)          g114<1>F        g91<8,8,1>F                     { align1 2Q compacted };
mov(16)         g115<1>F        g21<8,8,1>UD                    { align1 1H compacted };
mov(16)         g64<1>F         g23<8,8,1>UD                    { align1 1H compacted };
mov(16)         g66<1>F         g25<8,8,1>UD                    { align1 1H compacted };
mov(16)         g68<1>F         g113<8,8,1>UD                   { align1 1H compacted };
mul.sat(16)     g70<1>F         g115<8,8,1>F    0x3c008081F  /* 0.00784314F */ { align1 1H };
mul.sat(16)     g72<1>F         g64<8,8,1>F     0x3c008081F  /* 0.00784314F */ { align1 1H };
mul.sat(16)     g74<1>F         g66<8,8,1>F     0x3c008081F  /* 0.00784314F */ { align1 1H };
mul.sat(16)     g76<1>F         g68<8,8,1>F     0x3c008081F  /* 0.00784314F */ { align1 1H };
mul(16)         g78<1>F         g70<8,8,1>F     0x437f0000F  /* 255F */ { align1 1H };
mul(16)         g80<1>F         g72<8,8,1>F     0x437f0000F  /* 255F */ { align1 1H };
mul(16)         g82<1>F         g74<8,8,1>F     0x437f0000F  /* 255F */ { align1 1H };
mul(16)         g84<1>F         g76<8,8,1>F     0x437f0000F  /* 255F */ { align1 1H };
rnde(16)        g86<1>F         g78<8,8,1>F                     { align1 1H compacted };
rnde(16)        g88<1>F         g80<8,8,1>F                     { align1 1H compacted };
rnde(16)        g90<1>F         g82<8,8,1>F                     { align1 1H compacted };
rnde(16)        g92<1>F         g84<8,8,1>F                     { align1 1H compacted };
mov(16)         g26<1>UD        g86<8,8,1>F                     { align1 1H compacted };
mov(16)         g28<1>UD        g88<8,8,1>F                     { align1 1H compacted };
mov(16)         g30<1>UD        g90<8,8,1>F                     { align1 1H compacted };
mov(16)         g94<1>UD        g92<8,8,1>F                     { align1 1H compacted };
mov(8)          g9<1>D          g26<8,8,1>D                     { align1 1Q compacted };
mov(8)          g10<1>D         g28<8,8,1>D                     { align1 1Q compacted };
mov(8)          g11<1>D         g30<8,8,1>D                     { align1 1Q compacted };
mov(8)          g12<1>D         g94<8,8,1>D                     { align1 1Q compacted };
add(16)         g111<1>D        g107<8,8,1>D    g109<8,8,1>D    { align1 1H compacted };
send(8)         null<1>UW       g6<8,8,1>UD     0x0e0b5004
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 4, SIMD16, Mask = 0x0) mlen 7 rlen 0 { align1 1Q };
mov(8)          g117<1>UD       0D                              { align1 WE_all 2Q };
mov(8)          g118<1>D        g14<8,8,1>D                     { align1 2Q compacted };
mov(8)          g119<1>UD       0x00000002UD                    { align1 2Q compacted };
mov(8)          g120<1>D        g27<8,8,1>D                     { align1 2Q compacted };
mov(8)          g121<1>D        g29<8,8,1>D                     { align1 2Q compacted };
mov(8)          g122<1>D        g31<8,8,1>D                     { align1 2Q compacted };
mov(8)          g123<1>D        g95<8,8,1>D                     { align1 2Q compacted };
mov(1)          g117.7<1>UD     0xffffffffUD                    { align1 WE_all 3N };
send(8)         null<1>UW       g117<8,8,1>UD   0x0e0b6004
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 4, SIMD8, Mask = 0x0) mlen 7 rlen 0 { align1 2Q };
mov(8)          g119<1>UD       0D                              { align1 WE_all 1Q };
mov(8)          g120<1>D        g13<8,8,1>D                     { align1 1Q compacted };
mov(8)          g121<1>UD       0D                              { align1 WE_all 2Q };
mov(8)          g122<1>D        g14<8,8,1>D                     { align1 2Q compacted };
add(16)         g99<1>D         g13<8,8,1>D     1D              { align1 1H compacted };
mov(8)          g123<1>UD       0D                              { align1 WE_all 1Q };
mov(1)          g119.7<1>UD     65535D                          { align1 WE_all 1N };
mov(1)          g121.7<1>UD     65535D                          { align1 WE_all 3N };
mov(8)          g124<1>D        g99<8,8,1>D                     { align1 1Q compacted };
mov(1)          g123.7<1>UD     0xffffffffUD                    { align1 WE_all 1N };
send(8)         g95<1>UW        g119<8,8,1>UD   0x04195e05
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 5, SIMD16, Mask = 0xe) mlen 2 rlen 1 { align1 1Q };
send(8)         g96<1>UW        g121<8,8,1>UD   0x04196e05
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 5, SIMD8, Mask = 0xe) mlen 2 rlen 1 { align1 2Q };
add(16)         g97<1>D         g111<8,8,1>D    g95<8,8,1>D     { align1 1H compacted };
mov(8)          g125<1>D        g97<8,8,1>D                     { align1 1Q compacted };
send(8)         null<1>UW       g123<8,8,1>UD   0x060b5e05
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 5, SIMD16, Mask = 0xe) mlen 3 rlen 0 { align1 1Q };
mov(8)          g125<1>UD       0D                              { align1 WE_all 2Q };
mov(8)          g126<1>D        g100<8,8,1>D                    { align1 2Q compacted };
mov(8)          g127<1>D        g98<8,8,1>D                     { align1 2Q compacted };
mov(1)          g125.7<1>UD     0xffffffffUD                    { align1 WE_all 3N };
send(8)         null<1>UW       g125<8,8,1>UD   0x060b6e05
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 5, SIMD8, Mask = 0xe) mlen 3 rlen 0 { align1 2Q };
mov(8)          g35<1>UD        g0<8,8,1>UD                     { align1 WE_all 1Q compacted };
mov(1)          g35.2<1>UD      0x00000010UD                    { align1 WE_all 1N compacted };
send(16)        g100<1>UD       g35<8,8,1>UD    0x02280301
                            const MsgDesc: (bti 1, msg_ctrl 3, msg_type 0, write_commit 0) mlen 1 rlen 2 { align1 WE_all 1H };
sel.l(16)       g102<1>D        g101.4<0,1,0>D  g101.5<0,1,0>D  { align1 1H };
sel.l(16)       g104<1>D        g102<8,8,1>D    g101.6<0,1,0>D  { align1 1H compacted };
cmp.l.f0.0(16)  null<1>D        g13<8,8,1>D     g104<8,8,1>D    { align1 1H compacted };
(+f0.0) if(16)  JIP:  LABEL1          UIP:  LABEL0              { align1 1H };
mov(8)          g36<1>UD        g0<8,8,1>UD                     { align1 WE_all 1Q compacted };
mov(8)          g37<1>UD        g0<8,8,1>UD                     { align1 WE_all 1Q compacted };
mov(1)          g36.2<1>UD      0x00000010UD                    { align1 WE_all 1N compacted };
mov(1)          g37.2<1>UD      0x00000014UD                    { align1 WE_all 1N compacted };
send(16)        g105<1>UD       g36<8,8,1>UD    0x02280301
                            const MsgDesc: (bti 1, msg_ctrl 3, msg_type 0, write_commit 0) mlen 1 rlen 2 { align1 WE_all 1H };
send(16)        g87<1>UD        g37<8,8,1>UD    0x02280301
                            const MsgDesc: (bti 1, msg_ctrl 3, msg_type 0, write_commit 0) mlen 1 rlen 2 { align1 WE_all 1H };
add(16)         g54<1>D         g13<8,8,1>D     g106<0,1,0>D    { align1 1H compacted };
add(16)         g56<1>D         g13<8,8,1>D     g106.1<0,1,0>D  { align1 1H compacted };
bfe(16)         g58<1>UD        g87.6<0,1,0>UD  g18<4,4,1>UD    g13<4,4,1>UD { align16 1H };
shr(16)         g60<1>UD        g13<8,8,1>UD    g87.6<0,1,0>UD  { align1 1H compacted };
mul(16)         g62<1>D         g58<8,8,1>D     g87.2<0,1,0>D   { align1 1H compacted };
mul(16)         g117<1>D        g60<8,8,1>D     g87.3<0,1,0>D   { align1 1H compacted };
add(16)         g119<1>D        g54<8,8,1>D     g62<8,8,1>D     { align1 1H compacted };
add(16)         g121<1>D        g56<8,8,1>D     g117<8,8,1>D    { align1 1H compacted };
bfe(16)         g123<1>UD       g87.4<0,1,0>UD  g18<4,4,1>UD    g119<4,4,1>UD { align16 1H };
shr(16)         g6<1>UD         g119<8,8,1>UD   g87.4<0,1,0>UD  { align1 1H compacted };
bfe(16)         g125<1>UD       g87.5<0,1,0>UD  g18<4,4,1>UD    g121<4,4,1>UD { align16 1H };
shr(16)         g8<1>UD         g121<8,8,1>UD   g87.5<0,1,0>UD  { align1 1H compacted };
shl(16)         g10<1>D         g6<8,8,1>D      g87.5<0,1,0>UD  { align1 1H };
shl(16)         g21<1>D         g8<8,8,1>D      g87.5<0,1,0>UD  { align1 1H };
add(16)         g16<1>D         g10<8,8,1>D     g125<8,8,1>D    { align1 1H compacted };
mul(16)         g23<1>D         g21<8,8,1>D     g87.1<0,1,0>D   { align1 1H compacted };
shl(16)         g18<1>D         g16<8,8,1>D     g87.4<0,1,0>UD  { align1 1H };
add(16)         g20<1>D         g18<8,8,1>D     g123<8,8,1>D    { align1 1H compacted };
add(16)         g25<1>D         g23<8,8,1>D     g20<8,8,1>D     { align1 1H compacted };
mul(16)         g27<1>D         g25<8,8,1>D     g87<0,1,0>D     { align1 1H compacted };
send(16)        g29<1>UW        g27<8,8,1>UD    0x04805002
                            dp data 1 MsgDesc: (untyped surface read, Surface = 2, SIMD16, Mask = 0x0) mlen 2 rlen 8 { align1 1H };
mov(16)         g16<1>UD        g29<8,8,1>UD                    { align1 1H compacted };
else(16)        JIP:  LABEL0          UIP:  LABEL0              { align1 1H };

LABEL1:
mov(16)         g16<1>UD        0x00000000UD                    { align1 1H compacted };

LABEL0:
endif(16)       JIP:  LABEL2                                    { align1 1H };

LABEL2:
mov(1)          g34<1>D         998277249D                      { align1 WE_all 1N };
mov(16)         g32<1>UD        0x00000000UD                    { align1 WE_all 1H compacted };
mov(16)         g32<1>UD        g97<8,8,1>UD                    { align1 1H compacted };
add(16)         g36<1>W         g15<16,16,1>UW  -1W             { align1 WE_all 1H };
mov(1)          g41<1>UD        sr0.2<0,1,0>UD                  { align1 WE_all 1N compacted };
mad(16)         g30<1>F         g16<4,4,1>F     g34.0<0,1,0>F   g115<4,4,1>F { align16 1H };
mov(16)         a0<1>UW         0x0400UW                        { align1 WE_all NoDDClr 1H };
shl(16)         a0<1>UW         g36<8,8,1>W     0x0002UW        { align1 WE_all NoDDChk 1H };
add(16)         a0<1>UW         a0<8,8,1>UW     0x0400UW        { align1 WE_all 1H };
mov(16)         g34<1>UD        g[a0]<VxH,1,0>UD                { align1 WE_all 1H };
mov(1)          g34<1>UD        0x00000000UD                    { align1 WE_all 1N compacted };
sel.ge(8)       g34.1<2>UD      g34<8,4,2>UD    g34.1<8,4,2>UD  { align1 WE_all 1Q };
sel.ge(4)       g34.2<4>UD      g34.1<8,2,4>UD  g34.2<8,2,4>UD  { align1 WE_all 1N };
sel.ge(4)       g34.3<4>UD      g34.1<8,2,4>UD  g34.3<8,2,4>UD  { align1 WE_all 1N };
sel.ge(4)       g34.4<1>UD      g34.3<0,1,0>UD  g34.4<4,4,1>UD  { align1 WE_all 1N };
sel.ge(4)       g35.4<1>UD      g35.3<0,1,0>UD  g35.4<4,4,1>UD  { align1 WE_all 1N };
sel.ge(8)       g35<1>UD        g34.7<0,1,0>UD  g35<8,8,1>UD    { align1 WE_all 1Q };
and(1)          g41<1>UD        mask0<0,1,0>UD  g41<0,1,0>UD    { align1 WE_all 1N };
mov.z.f0.0(16)  null<1>D        g15<8,8,1>UW                    { align1 1H };
sel.ge(16)      g39<1>UD        g34<8,8,1>UD    g97<8,8,1>UD    { align1 1H compacted };
lzd(1)          g42<1>UD        g41<0,1,0>UD                    { align1 WE_all 1N compacted };
add(1)          g37<1>UD        -g42<0,1,0>UD   0x001fUW        { align1 WE_all 1N };
mov(16)         g43<1>D         g37<0,1,0>D                     { align1 WE_all 1H compacted };
shl(1)          a0<1>UD         g43<0,1,0>D     0x00000002UD    { align1 WE_all 1N };
add(1)          a0<1>UD         a0<0,1,0>UD     0x00000400UD    { align1 WE_all 1N };
mov(1)          g41<1>UD        g[a0 224]<0,1,0>UD              { align1 WE_all 1N };
(+f0.0) if(16)  JIP:  LABEL3          UIP:  LABEL3              { align1 1H };
mov(16)         g6<1>UD         0x0000000cUD                    { align1 1H compacted };
mov(16)         g8<1>D          g41<0,1,0>D                     { align1 1H compacted };
send(16)        g17<1>UW        g6<8,8,1>UD     0x0820acfe
                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 254, SIMD16, umax) mlen 4 rlen 2 { align1 1H };

LABEL3:
endif(16)       JIP:  LABEL4                                    { align1 1H };

LABEL4:
sel.ge(16)      g44<1>UD        g17<0,1,0>UD    g34<8,8,1>UD    { align1 1H compacted };
mov(16)         g7<1>UD         0x00000024UD                    { align1 1H compacted };
add(16)         g9<1>D          g97<8,8,1>D     g44<8,8,1>D     { align1 1H compacted };
send(16)        g46<1>UW        g7<8,8,1>UD     0x0820a406
                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 6, SIMD16, mov) mlen 4 rlen 2 { align1 1H };
mov(16)         g50<1>UD        0x00000001UD                    { align1 1H compacted };
mov(8)          g15<1>UD        0D                              { align1 WE_all 1Q };
mov(8)          g16<1>UD        0x00000003UD                    { align1 1Q compacted };
mov(8)          g17<1>UD        0x00000003UD                    { align1 1Q compacted };
mov(8)          g19<1>D         g50<8,8,1>D                     { align1 1Q compacted };
mov(1)          g15.7<1>UD      0xffffffffUD                    { align1 WE_all 1N };
add(16)         g32<1>D         g9<8,8,1>D      g46<8,8,1>D     { align1 1H compacted };
mov(8)          g18<1>D         g32<8,8,1>D                     { align1 1Q compacted };
send(8)         g48<1>UW        g15<8,8,1>UD    0x0a19ae03
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 3, SIMD16, cmpwr) mlen 5 rlen 1 { align1 1Q };
mov(8)          g17<1>UD        0D                              { align1 WE_all 2Q };
mov(8)          g18<1>UD        0x00000003UD                    { align1 2Q compacted };
mov(8)          g19<1>UD        0x00000003UD                    { align1 2Q compacted };
mov(8)          g20<1>D         g33<8,8,1>D                     { align1 2Q compacted };
mov(8)          g21<1>D         g51<8,8,1>D                     { align1 2Q compacted };
mov(1)          g17.7<1>UD      0xffffffffUD                    { align1 WE_all 3N };
send(8)         g49<1>UW        g17<8,8,1>UD    0x0a19be03
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 3, SIMD8, cmpwr) mlen 5 rlen 1 { align1 2Q };
add(16)         g51<1>D         g32<8,8,1>D     g48<8,8,1>D     { align1 1H compacted };
send(1)         g53<1>UW        g0<0,1,0>UD     0x0209c000
                            data MsgDesc: (DC mfence, bti 0, 0) mlen 1 rlen 0 { align1 WE_all 1N };
mov(8)          g107<1>UD       0x00000000UD                    { align1 WE_all 1Q compacted };
and(1)          g107.2<1>UD     g0.2<0,1,0>UD   0x0f000000UD    { align1 WE_all 1N };
send(16)        null<1>UW       g107<8,8,1>UD   0x02000004
                            gateway MsgDesc: (barrier msg) mlen 1 rlen 0    { align1 WE_all 1H };
wait(1)         n0<1>UD                                         { align1 WE_all 1N };
send(16)        g108<1>UW       g2<8,8,1>UD     0x04205efe
                            dp data 1 MsgDesc: (untyped surface read, Surface = 254, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
mov(16)         g112<1>UD       g30<8,8,1>F                     { align1 1H compacted };
shl(16)         g115<1>D        -g13<8,8,1>D    0x00000002UD    { align1 1H };
mov(8)          g18<1>F         0x0VF           /* [0F, 0F, 0F, 0F]VF */ { align1 WE_all 1Q compacted };
mov(8)          g77<1>UD        0D                              { align1 WE_all 1Q };
mov(16)         g19<1>D         g2<8,8,1>D                      { align1 1H compacted };
add(16)         g64<1>D         g115<8,8,1>D    1276D           { align1 1H compacted };
send(8)         g72<1>UW        g18<8,8,1>UD    0x0242a003
                            sampler MsgDesc: resinfo SIMD8 Surface = 3 Sampler = 0 mlen 1 rlen 4 { align1 WE_all 1Q };
send(8)         g78<1>UW        g77<8,8,1>UD    0x0242a006
                            sampler MsgDesc: resinfo SIMD8 Surface = 6 Sampler = 0 mlen 1 rlen 4 { align1 WE_all 1Q };
send(16)        g66<1>UW        g64<8,8,1>UD    0x04205efe
                            dp data 1 MsgDesc: (untyped surface read, Surface = 254, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
and(8)          g82<1>UD        g78<8,8,1>UD    0x00000003UD    { align1 WE_all 1Q compacted };
and(8)          g79<1>UD        g78<8,8,1>UD    0xfffffffcUD    { align1 WE_all 1Q compacted };
add(8)          g83<1>UD        g79<8,8,1>UD    -g82<8,8,1>UD   { align1 WE_all 1Q compacted };
shr(16)         g84<1>UD        g83<0,1,0>UD    0x00000002UD    { align1 1H compacted };
add(16)         g110<1>D        g108<8,8,1>D    g51<8,8,1>D     { align1 1H compacted };
add(16)         g114<1>D        g110<8,8,1>D    g112<8,8,1>D    { align1 1H compacted };
mov(16)         g68<1>UD        g66<8,8,1>F                     { align1 1H compacted };
add(16)         g70<1>D         g114<8,8,1>D    g68<8,8,1>D     { align1 1H compacted };
add(16)         g76<1>D         g70<8,8,1>D     g72<0,1,0>D     { align1 1H compacted };
add(16)         g21<1>D         g76<8,8,1>D     g84<8,8,1>D     { align1 1H compacted };
send(16)        null<1>UW       g19<8,8,1>UD    0x08025e06
                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 6, SIMD16, Mask = 0xe) mlen 4 rlen 0 { align1 1H };
mov(8)          g126<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q compacted };
send(16)        null<1>UW       g126<8,8,1>UW   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0           { align1 WE_all 1H EOT };
