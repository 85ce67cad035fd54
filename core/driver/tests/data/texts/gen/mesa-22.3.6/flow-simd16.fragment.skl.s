add(32)         g23<1>UW        g1.4<1,4,0>UW   0x11001010V     { align1 WE_all };
math inv(16)    g26<1>F         g8<8,8,1>F      null<8,8,1>F    { align1 1H compacted };
mov(16)         g19<1>F         g23<8,4,1>UW                    { align1 1H };
mov(16)         g21<1>F         g23.4<8,4,1>UW                  { align1 1H };
mov(1)          f1<1>UW         g1.14<0,1,0>UW                  { align1 WE_all 1N };
pln(16)         g58<1>F         g10<0,1,0>F     g2<8,8,1>F      { align1 1H compacted };
(+f1.0) cmp.ge.f1.0(16) null<1>F g58<8,8,1>F    0x3e4ccccdF  /* 0.2F */ { align1 1H };
(-f1.0.any4h) halt(16) JIP:  LABEL1   UIP:  LABEL0              { align1 1H };
pln(16)         g15<1>F         g10.4<0,1,0>F   g2<8,8,1>F      { align1 1H compacted };
pln(16)         g17<1>F         g11<0,1,0>F     g2<8,8,1>F      { align1 1H compacted };
pln(16)         g46<1>F         g11.4<0,1,0>F   g2<8,8,1>F      { align1 1H compacted };
mov(16)         g38<1>UD        0x00000000UD                    { align1 1H compacted };
mov(16)         g36<1>UD        0x00000000UD                    { align1 1H compacted };
mov(16)         g34<1>UD        0x00000000UD                    { align1 1H compacted };
mov(16)         g32<1>UD        0x00000000UD                    { align1 1H compacted };
mov(16)         g30<1>UD        0x00000000UD                    { align1 1H compacted };
mov(16)         g28<1>UD        0x00000000UD                    { align1 1H compacted };

LABEL11:
add(16)         g48<1>D         g36<8,8,1>D     1D              { align1 1H compacted };
cmp.nz.f0.0(16) null<1>D        g38<8,8,1>D     0D              { align1 1H compacted };
(+f0.0) sel(16) g36<1>UD        g48<8,8,1>UD    g36<8,8,1>UD    { align1 1H compacted };
cmp.ge.f0.0(16) null<1>D        g36<8,8,1>D     g12.3<0,1,0>D   { align1 1H compacted };
(+f0.0) if(16)  JIP:  LABEL2          UIP:  LABEL2              { align1 1H };
mov(16)         g40<1>UD        0x00000000UD                    { align1 1H compacted };
break(16)       JIP:  LABEL2          UIP:  LABEL3              { align1 1H };

LABEL2:
endif(16)       JIP:  LABEL3                                    { align1 1H };
shl(16)         g88<1>D         g36<8,8,1>D     0x00000002UD    { align1 1H };
send(16)        g49<1>UW        g88<0,1,0>UD    0x04205e04
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
cmp.l.f0.0(16)  null<1>F        g15<8,8,1>F     g49<8,8,1>F     { align1 1H compacted };
(+f0.0) if(16)  JIP:  LABEL4          UIP:  LABEL4              { align1 1H };
mov(16)         g51<1>F         g36<8,8,1>D                     { align1 1H compacted };
mov(16)         g38<1>UD        0xffffffffUD                    { align1 1H compacted };
mul(16)         g90<1>F         g58<8,8,1>F     g51<8,8,1>F     { align1 1H compacted };
mul(16)         g92<1>F         g15<8,8,1>F     g51<8,8,1>F     { align1 1H compacted };
send(16)        g2<1>UW         g90<0,1,0>UD    0x08840003
                            sampler MsgDesc: sample SIMD16 Surface = 3 Sampler = 0 mlen 4 rlen 8 { align1 1H };
add(16)         g34<1>F         g34<8,8,1>F     g2<8,8,1>F      { align1 1H compacted };
add(16)         g32<1>F         g32<8,8,1>F     g4<8,8,1>F      { align1 1H compacted };
add(16)         g30<1>F         g30<8,8,1>F     g6<8,8,1>F      { align1 1H compacted };
add(16)         g28<1>F         g28<8,8,1>F     g8<8,8,1>F      { align1 1H compacted };
cont(16)        JIP:  LABEL4          UIP:  LABEL3              { align1 1H };

LABEL4:
endif(16)       JIP:  LABEL3                                    { align1 1H };
cmp.l.f0.0(16)  null<1>F        g49<8,8,1>F     g17<8,8,1>F     { align1 1H compacted };
(+f0.0) if(16)  JIP:  LABEL5          UIP:  LABEL5              { align1 1H };
mov(16)         g40<1>UD        0x00000000UD                    { align1 1H compacted };
break(16)       JIP:  LABEL5          UIP:  LABEL3              { align1 1H };

LABEL5:
endif(16)       JIP:  LABEL3                                    { align1 1H };
add(16)         g91<1>D         g88<8,8,1>D     4D              { align1 1H compacted };
mov(16)         g42<1>UD        0x00000000UD                    { align1 1H compacted };

LABEL9:
send(16)        g52<1>UW        g91<0,1,0>UD    0x04205e04
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
mov(16)         g54<1>D         g52<8,8,1>F                     { align1 1H compacted };
cmp.ge.f0.0(16) null<1>D        g42<8,8,1>D     g54<8,8,1>D     { align1 1H compacted };
(+f0.0) if(16)  JIP:  LABEL6          UIP:  LABEL6              { align1 1H };
mov(16)         g44<1>UD        0x00000000UD                    { align1 1H compacted };
break(16)       JIP:  LABEL6          UIP:  LABEL7              { align1 1H };

LABEL6:
endif(16)       JIP:  LABEL7                                    { align1 1H };
shl(16)         g93<1>D         g42<8,8,1>D     0x00000002UD    { align1 1H };
add(16)         g42<1>D         g42<8,8,1>D     3D              { align1 1H compacted };
send(16)        g55<1>UW        g93<0,1,0>UD    0x04205e04
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
add(16)         g34<1>F         g34<8,8,1>F     g55<8,8,1>F     { align1 1H compacted };
cmp.g.f0.0(16)  null<1>F        g34<8,8,1>F     0x42c80000F  /* 100F */ { align1 1H };
(+f0.0) if(16)  JIP:  LABEL8          UIP:  LABEL8              { align1 1H };
mov(16)         g44<1>UD        0xffffffffUD                    { align1 1H compacted };
break(16)       JIP:  LABEL8          UIP:  LABEL7              { align1 1H };

LABEL8:
endif(16)       JIP:  LABEL7                                    { align1 1H };

LABEL7:
while(16)       JIP:  LABEL9                                    { align1 1H };
mov.nz.f0.0(16) null<1>D        g44<8,8,1>D                     { align1 1H };
(+f0.0) if(16)  JIP:  LABEL10         UIP:  LABEL10             { align1 1H };
mov(16)         g40<1>UD        0xffffffffUD                    { align1 1H compacted };
break(16)       JIP:  LABEL10         UIP:  LABEL3              { align1 1H };

LABEL10:
endif(16)       JIP:  LABEL3                                    { align1 1H };
math sin(16)    g56<1>F         g34<8,8,1>F     null<8,8,1>F    { align1 1H compacted };
math exp(16)    g13<1>F         g30<8,8,1>F     null<8,8,1>F    { align1 1H compacted };
math sqrt(16)   g60<1>F         g28<8,8,1>F     null<8,8,1>F    { align1 1H compacted };
add(16)         g94<1>D         g88<8,8,1>D     28D             { align1 1H compacted };
mov(16)         g38<1>UD        0xffffffffUD                    { align1 1H compacted };
mad(16)         g66<1>F         g32<4,4,1>F     g13<4,4,1>F     g56<4,4,1>F { align16 1H compacted };
send(16)        g62<1>UW        g94<0,1,0>UD    0x04205e04
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD16, Mask = 0xe) mlen 2 rlen 2 { align1 1H };
math inv(16)    g64<1>F         g62<8,8,1>F     null<8,8,1>F    { align1 1H compacted };
mad(16)         g32<1>F         g66<4,4,1>F     g64<4,4,1>F     g60<4,4,1>F { align16 1H compacted };

LABEL3:
while(16)       JIP:  LABEL11                                   { align1 1H };
mov.nz.f0.0(16) null<1>D        g40<8,8,1>D                     { align1 1H };
(-f0.0) if(16)  JIP:  LABEL12         UIP:  LABEL12             { align1 1H };
cmp.z.f0.0(16)  g67<1>D         g12.3<0,1,0>D   1D              { align1 1H compacted };
add(16)         g75<1>F         g30<8,8,1>F     0x40400000F  /* 3F */ { align1 1H };
math pow(16)    g90<1>F         g58<8,8,1>F     g15<8,8,1>F     { align1 1H compacted };
nop                                                             ;
add(16)         g93<1>F         g58.1<4,4,0>F   -g58<4,4,0>F    { align1 1H compacted };
add(16)         g95<1>F         g15.1<4,4,0>F   -g15<4,4,0>F    { align1 1H compacted };
add(16)         g97<1>F         g17.1<4,4,0>F   -g17<4,4,0>F    { align1 1H compacted };
add(16)         g99<1>F         g46.1<4,4,0>F   -g46<4,4,0>F    { align1 1H compacted };
add(16)         g101<1>F        -g58<4>.xyxyF   g58<4>.zwzwF    { align16 1H };
add(16)         g103<1>F        -g15<4>.xyxyF   g15<4>.zwzwF    { align16 1H };
add(16)         g105<1>F        -g17<4>.xyxyF   g17<4>.zwzwF    { align16 1H };
add(16)         g107<1>F        -g46<4>.xyxyF   g46<4>.zwzwF    { align16 1H };
add(16)         g117<1>F        -g58<4,4,0>F    g58.2<4,4,0>F   { align1 1H compacted };
add(16)         g119<1>F        -g15<4,4,0>F    g15.2<4,4,0>F   { align1 1H compacted };
add(16)         g121<1>F        -g17<4,4,0>F    g17.2<4,4,0>F   { align1 1H compacted };
add(16)         g123<1>F        -g46<4,4,0>F    g46.2<4,4,0>F   { align1 1H compacted };
add(16)         g125<1>F        g58.1<4,4,0>F   -g58<4,4,0>F    { align1 1H compacted };
add(16)         g23<1>F         g15.1<4,4,0>F   -g15<4,4,0>F    { align1 1H compacted };
add(16)         g36<1>F         g17.1<4,4,0>F   -g17<4,4,0>F    { align1 1H compacted };
add(16)         g38<1>F         g46.1<4,4,0>F   -g46<4,4,0>F    { align1 1H compacted };
add(16)         g3<1>F          g15.1<2,2,0>F   -g15<2,2,0>F    { align1 1H };
add(16)         g5<1>F          g58.1<2,2,0>F   -g58<2,2,0>F    { align1 1H };
add(16)         g7<1>F          g17.1<2,2,0>F   -g17<2,2,0>F    { align1 1H };
add(16)         g9<1>F          g46.1<2,2,0>F   -g46<2,2,0>F    { align1 1H };
(-f0.0) sel(16) g69<1>UD        g32<8,8,1>UD    0x40000000UD    { align1 1H };
add(16)         g109<1>F        g93<8,8,1>F     g101<8,8,1>F    { align1 1H compacted };
add(16)         g111<1>F        g95<8,8,1>F     g103<8,8,1>F    { align1 1H compacted };
add(16)         g113<1>F        g97<8,8,1>F     g105<8,8,1>F    { align1 1H compacted };
add(16)         g115<1>F        g99<8,8,1>F     g107<8,8,1>F    { align1 1H compacted };
add(16)         g40<1>F         (abs)g125<8,8,1>F (abs)g117<8,8,1>F { align1 1H compacted };
add(16)         g42<1>F         (abs)g23<8,8,1>F (abs)g119<8,8,1>F { align1 1H compacted };
add(16)         g44<1>F         (abs)g36<8,8,1>F (abs)g121<8,8,1>F { align1 1H compacted };
add(16)         g46<1>F         (abs)g38<8,8,1>F (abs)g123<8,8,1>F { align1 1H compacted };
cmp.z.f0.0(16)  g71<1>D         g12.3<0,1,0>D   2D              { align1 1H compacted };
add(16)         g48<1>F         g109<8,8,1>F    g40<8,8,1>F     { align1 1H compacted };
add(16)         g50<1>F         g111<8,8,1>F    g42<8,8,1>F     { align1 1H compacted };
add(16)         g52<1>F         g113<8,8,1>F    g44<8,8,1>F     { align1 1H compacted };
add(16)         g54<1>F         g115<8,8,1>F    g46<8,8,1>F     { align1 1H compacted };
or.nz.f0.0(16)  g73<1>UD        g71<8,8,1>UD    g67<8,8,1>UD    { align1 1H compacted };
add(16)         g56<1>F         g48<8,8,1>F     g3<8,8,1>F      { align1 1H compacted };
add(16)         g13<1>F         g50<8,8,1>F     g5<8,8,1>F      { align1 1H compacted };
add(16)         g60<1>F         g52<8,8,1>F     g7<8,8,1>F      { align1 1H compacted };
add(16)         g62<1>F         g54<8,8,1>F     g9<8,8,1>F      { align1 1H compacted };
(-f0.0) sel(16) g77<1>UD        g67<8,8,1>UD    0x00000000UD    { align1 1H };
(+f0.0) sel(16) g79<1>UD        g75<8,8,1>UD    g30<8,8,1>UD    { align1 1H compacted };
add(16)         g64<1>F         g69<8,8,1>F     g13<8,8,1>F     { align1 1H compacted };
add(16)         g69<1>F         g79<8,8,1>F     g60<8,8,1>F     { align1 1H compacted };
cmp.z.f0.0(16)  g80<1>D         g12.3<0,1,0>D   0D              { align1 1H compacted };
or(16)          g82<1>UD        g80<8,8,1>UD    g77<8,8,1>UD    { align1 1H compacted };
or(16)          g88<1>UD        g73<8,8,1>UD    g80<8,8,1>UD    { align1 1H compacted };
or.nz.f0.0(16)  null<1>UD       g82<8,8,1>UD    g73<8,8,1>UD    { align1 1H compacted };
(-f0.0) sel(16) g84<1>UD        g67<8,8,1>UD    0x00000000UD    { align1 1H };
cmp.nz.f0.0(16) null<1>D        g82<8,8,1>D     0D              { align1 1H compacted };
(-f0.0) sel(16) g86<1>UD        g34<8,8,1>UD    0x3f800000UD    { align1 1H };
add(16)         g97<1>F         g86<8,8,1>F     g56<8,8,1>F     { align1 1H compacted };
or.nz.f0.0(16)  null<1>UD       ~g88<8,8,1>D    g84<8,8,1>UD    { align1 1H };
(+f0.0) sel(16) g92<1>UD        g90<8,8,1>UD    g28<8,8,1>UD    { align1 1H compacted };
add(16)         g71<1>F         g92<8,8,1>F     g62<8,8,1>F     { align1 1H compacted };
cmp.g.f0.0(16)  null<1>F        g97<8,8,1>F     0x40000000F  /* 2F */ { align1 1H };
(+f0.0) if(16)  JIP:  LABEL13         UIP:  LABEL13             { align1 1H };
mov(16)         g95<1>UD        0x0000000cUD                    { align1 1H compacted };
(+f1.0) sends(16) nullUD        g95UD           g97UD           0x04025e04                0x00000080
                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 4, SIMD16, Mask = 0xe) mlen 2 ex_mlen 2 rlen 0 { align1 1H };

LABEL13:
endif(16)       JIP:  LABEL12                                   { align1 1H };
asr.nz.f0.0(16) null<1>D        -g0<0,1,0>W     15D             { align1 1H };
mul(16)         g73<1>F         g97<8,8,1>F     0x40000000F  /* 2F */ { align1 1H };
mul(16)         g75<1>F         g64<8,8,1>F     0x40000000F  /* 2F */ { align1 1H };
mul(16)         g77<1>F         g69<8,8,1>F     0x40000000F  /* 2F */ { align1 1H };
mul(16)         g79<1>F         g71<8,8,1>F     0x40000000F  /* 2F */ { align1 1H };
add(16)         g85<1>F         g19<8,8,1>F     0x3f000000F  /* 0.5F */ { align1 1H };
add(16)         g87<1>F         g21<8,8,1>F     0x3f000000F  /* 0.5F */ { align1 1H };
(+f0.0) sel(16) g81<1>UD        g73<8,8,1>UD    g97<8,8,1>UD    { align1 1H compacted };
(+f0.0) sel(16) g83<1>UD        g75<8,8,1>UD    g64<8,8,1>UD    { align1 1H compacted };
(+f0.0) sel(16) g22<1>UD        g77<8,8,1>UD    g69<8,8,1>UD    { align1 1H compacted };
(+f0.0) sel(16) g24<1>UD        g79<8,8,1>UD    g71<8,8,1>UD    { align1 1H compacted };
mad(16)         g18<1>F         g81<4,4,1>F     g26<4,4,1>F     g85<4,4,1>F { align16 1H compacted };
mad(16)         g20<1>F         g83<4,4,1>F     g26<4,4,1>F     g87<4,4,1>F { align16 1H compacted };
mov(16)         g117<1>UD       g18<8,8,1>F                     { align1 1H compacted };
mov(16)         g119<1>UD       g20<8,8,1>F                     { align1 1H compacted };

LABEL12:
endif(16)       JIP:  LABEL1                                    { align1 1H };

LABEL1:
halt(16)        JIP:  LABEL0          UIP:  LABEL0              { align1 1H };

LABEL0:
mov(16)         g100<1>UD       g0<8,8,1>UD                     { align1 WE_all 1H compacted };
mov(1)          g101.14<1>UW    f1<0,1,0>UW                     { align1 WE_all 1N };
(+f1.0) sendsc(16) nullUD       g100UD          g18UD           0x040b0000                0x00000200
                            render MsgDesc: RT write SIMD16 Surface = 0 mlen 2 ex_mlen 8 rlen 0 { align1 1H };
mov(16)         g125<1>UD       g0<8,8,1>UD                     { align1 WE_all 1H compacted };
mov(1)          g125.2<1>UD     0x00000001UD                    { align1 WE_all 1N compacted };
mov(1)          g126.14<1>UW    f1<0,1,0>UW                     { align1 WE_all 1N };
(+f1.0) sendsc(16) nullUD       g125UD          g117UD          0x040b1001                0x00000200
                            render MsgDesc: RT write SIMD16 LastRT Surface = 1 mlen 2 ex_mlen 8 rlen 0 { align1 1H EOT };
