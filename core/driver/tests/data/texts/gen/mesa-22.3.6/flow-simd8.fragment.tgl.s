add(16)         g9<1>UW         g1.4<1,4,0>UW   0x11001010V     { align1 WE_all 1H };
math inv(8)     g10<1>F         g5<8,8,1>F      null<8,8,1>F    { align1 1Q $0 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N @1 };
mov(8)          g5<1>F          g9.4<8,4,1>UW                   { align1 1Q $0.src };
mov(8)          g37<1>F         g9<8,4,1>UW                     { align1 1Q };
mov(1)          f1<1>UW         g1.14<0,1,0>UW                  { align1 WE_all 1N };
mad(8)          g20<1>F         g6.3<0,1,0>F    g6.1<0,1,0>F    g3<1,1,1>F { align1 1Q };
mad(8)          g21<1>F         g20<8,8,1>F     g6.0<0,1,0>F    g2<1,1,1>F { align1 1Q @1 compacted };
(+f1.0) cmp.ge.f1.0(8) null<1>F g21<8,8,1>F     0x3e4ccccdF  /* 0.2F */ { align1 1Q @1 };
(-f1.0.any4h) halt(8) JIP:  LABEL1    UIP:  LABEL0              { align1 1Q };
mad(8)          g22<1>F         g6.7<0,1,0>F    g6.5<0,1,0>F    g3<1,1,1>F { align1 1Q };
mad(8)          g24<1>F         g7.3<0,1,0>F    g7.1<0,1,0>F    g3<1,1,1>F { align1 1Q };
mad(8)          g26<1>F         g7.7<0,1,0>F    g7.5<0,1,0>F    g3<1,1,1>F { align1 1Q };
mov(8)          g16<1>UD        0x00000000UD                    { align1 1Q };
mov(8)          g15<1>UD        0x00000000UD                    { align1 1Q };
mov(8)          g14<1>UD        0x00000000UD                    { align1 1Q };
mov(8)          g13<1>UD        0x00000000UD                    { align1 1Q };
mov(8)          g12<1>UD        0x00000000UD                    { align1 1Q };
mov(8)          g11<1>UD        0x00000000UD                    { align1 1Q };
mad(8)          g23<1>F         g22<8,8,1>F     g6.4<0,1,0>F    g2<1,1,1>F { align1 1Q @7 compacted };
mad(8)          g25<1>F         g24<8,8,1>F     g7.0<0,1,0>F    g2<1,1,1>F { align1 1Q @7 compacted };
mad(8)          g27<1>F         g26<8,8,1>F     g7.4<0,1,0>F    g2<1,1,1>F { align1 1Q @7 compacted };

LABEL11:
add(8)          g28<1>D         g15<8,8,1>D     1D              { align1 1Q @4 compacted };
cmp.nz.f0.0(8)  null<1>D        g16<8,8,1>D     0D              { align1 1Q @5 };
(+f0.0) sel(8)  g15<1>UD        g28<8,8,1>UD    g15<8,8,1>UD    { align1 1Q @2 };
cmp.ge.f0.0(8)  null<1>D        g15<8,8,1>D     g8.3<0,1,0>D    { align1 1Q @1 };
(+f0.0) if(8)   JIP:  LABEL2          UIP:  LABEL2              { align1 1Q };
mov(8)          g17<1>UD        0x00000000UD                    { align1 1Q @7 };
break(8)        JIP:  LABEL2          UIP:  LABEL3              { align1 1Q };

LABEL2:
endif(8)        JIP:  LABEL3                                    { align1 1Q };
shl(8)          g105<1>D        g15<8,8,1>D     0x00000002UD    { align1 1Q $1.src };
send(8)         g29UD           g105UD          nullUD          0x02106e04                0x00000000
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 0 rlen 1 { align1 1Q @1 $1 };
cmp.l.f0.0(8)   null<1>F        g23<8,8,1>F     g29<8,8,1>F     { align1 1Q @7 $1.dst compacted };
(+f0.0) if(8)   JIP:  LABEL4          UIP:  LABEL4              { align1 1Q };
mov(8)          g30<1>F         g15<8,8,1>D                     { align1 1Q compacted };
mov(8)          g16<1>UD        0xffffffffUD                    { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $2.src };
mul(8)          g106<1>F        g21<8,8,1>F     g30<8,8,1>F     { align1 1Q @2 compacted };
mul(8)          g107<1>F        g23<8,8,1>F     g30<8,8,1>F     { align1 1Q $2.src compacted };
send(8)         g31UD           g106UD          nullUD          0x04420003                0x00000000
                            sampler MsgDesc: sample SIMD8 Surface = 3 Sampler = 0 mlen 2 ex_mlen 0 rlen 4 { align1 1Q @1 $2 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
add(8)          g14<1>F         g14<8,8,1>F     g31<8,8,1>F     { align1 1Q $2.dst compacted };
add(8)          g13<1>F         g13<8,8,1>F     g32<8,8,1>F     { align1 1Q $2.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.src };
add(8)          g12<1>F         g12<8,8,1>F     g33<8,8,1>F     { align1 1Q $2.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $5.src };
add(8)          g11<1>F         g11<8,8,1>F     g34<8,8,1>F     { align1 1Q $2.dst compacted };
cont(8)         JIP:  LABEL4          UIP:  LABEL3              { align1 1Q };

LABEL4:
endif(8)        JIP:  LABEL3                                    { align1 1Q };
cmp.l.f0.0(8)   null<1>F        g29<8,8,1>F     g25<8,8,1>F     { align1 1Q compacted };
(+f0.0) if(8)   JIP:  LABEL5          UIP:  LABEL5              { align1 1Q };
mov(8)          g17<1>UD        0x00000000UD                    { align1 1Q @7 };
break(8)        JIP:  LABEL5          UIP:  LABEL3              { align1 1Q };

LABEL5:
endif(8)        JIP:  LABEL3                                    { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $2.src };
add(8)          g107<1>D        g105<8,8,1>D    4D              { align1 1Q $1.src compacted };
mov(8)          g18<1>UD        0x00000000UD                    { align1 1Q };

LABEL9:
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N @2 };
send(8)         g32UD           g107UD          nullUD          0x02106e04                0x00000000
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 0 rlen 1 { align1 1Q $2 };
mov(8)          g33<1>D         g32<8,8,1>F                     { align1 1Q $2.dst compacted };
cmp.ge.f0.0(8)  null<1>D        g18<8,8,1>D     g33<8,8,1>D     { align1 1Q @1 };
(+f0.0) if(8)   JIP:  LABEL6          UIP:  LABEL6              { align1 1Q };
mov(8)          g19<1>UD        0x00000000UD                    { align1 1Q @5 };
break(8)        JIP:  LABEL6          UIP:  LABEL7              { align1 1Q };

LABEL6:
endif(8)        JIP:  LABEL7                                    { align1 1Q };
shl(8)          g108<1>D        g18<8,8,1>D     0x00000002UD    { align1 1Q $6.src };
add(8)          g18<1>D         g18<8,8,1>D     3D              { align1 1Q compacted };
send(8)         g34UD           g108UD          nullUD          0x02106e04                0x00000000
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 0 rlen 1 { align1 1Q @2 $6 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
add(8)          g14<1>F         g14<8,8,1>F     g34<8,8,1>F     { align1 1Q @7 $6.dst compacted };
cmp.g.f0.0(8)   null<1>F        g14<8,8,1>F     0x42c80000F  /* 100F */ { align1 1Q @1 };
(+f0.0) if(8)   JIP:  LABEL8          UIP:  LABEL8              { align1 1Q };
mov(8)          g19<1>UD        0xffffffffUD                    { align1 1Q @7 };
break(8)        JIP:  LABEL8          UIP:  LABEL7              { align1 1Q };

LABEL8:
endif(8)        JIP:  LABEL7                                    { align1 1Q };

LABEL7:
while(8)        JIP:  LABEL9                                    { align1 1Q };
mov.nz.f0.0(8)  null<1>D        g19<8,8,1>D                     { align1 1Q @2 };
(+f0.0) if(8)   JIP:  LABEL10         UIP:  LABEL10             { align1 1Q };
mov(8)          g17<1>UD        0xffffffffUD                    { align1 1Q @7 };
break(8)        JIP:  LABEL10         UIP:  LABEL3              { align1 1Q };

LABEL10:
endif(8)        JIP:  LABEL3                                    { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N @7 };
math sin(8)     g35<1>F         g14<8,8,1>F     null<8,8,1>F    { align1 1Q $3 };
math exp(8)     g36<1>F         g12<8,8,1>F     null<8,8,1>F    { align1 1Q $4 };
math sqrt(8)    g4<1>F          g11<8,8,1>F     null<8,8,1>F    { align1 1Q $5 };
add(8)          g109<1>D        g105<8,8,1>D    28D             { align1 1Q $7.src compacted };
mov(8)          g16<1>UD        0xffffffffUD                    { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.dst };
mad(8)          g40<1>F         g13<8,8,1>F     g36<8,8,1>F     g35<1,1,1>F { align1 1Q $4.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $8.src };
send(8)         g38UD           g109UD          nullUD          0x02106e04                0x00000000
                            dp data 1 MsgDesc: (untyped surface read, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 0 rlen 1 { align1 1Q @3 $7 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $7.dst };
math inv(8)     g39<1>F         g38<8,8,1>F     null<8,8,1>F    { align1 1Q $8 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $5.dst };
mad(8)          g13<1>F         g40<8,8,1>F     g39<8,8,1>F     g4<1,1,1>F { align1 1Q @1 $8.dst compacted };

LABEL3:
while(8)        JIP:  LABEL11                                   { align1 1Q };
mov.nz.f0.0(8)  null<1>D        g17<8,8,1>D                     { align1 1Q @2 };
(-f0.0) if(8)   JIP:  LABEL12         UIP:  LABEL12             { align1 1Q };
cmp.z.f0.0(8)   g41<1>D         g8.3<0,1,0>D    1D              { align1 1Q compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.src };
add(8)          g45<1>F         g12<8,8,1>F     0x40400000F  /* 3F */ { align1 1Q @7 compacted };
math log(8)     g53<1>F         g21<8,8,1>F     null<8,8,1>F    { align1 1Q $9 };
add(8)          g57<1>F         g21.1<4,4,0>F   -g21<4,4,0>F    { align1 1Q $9.src compacted };
add(8)          g58<1>F         g23.1<4,4,0>F   -g23<4,4,0>F    { align1 1Q @7 compacted };
add(8)          g59<1>F         g25.1<4,4,0>F   -g25<4,4,0>F    { align1 1Q @7 compacted };
add(8)          g60<1>F         g27.1<4,4,0>F   -g27<4,4,0>F    { align1 1Q @7 compacted };
add(4)          g61<1>F         -g21<0,2,1>F    g21.2<0,2,1>F   { align1 1N };
add(4)          g61.4<1>F       -g21.4<0,2,1>F  g21.6<0,2,1>F   { align1 2N };
add(4)          g62<1>F         -g23<0,2,1>F    g23.2<0,2,1>F   { align1 1N };
add(4)          g62.4<1>F       -g23.4<0,2,1>F  g23.6<0,2,1>F   { align1 2N };
add(4)          g63<1>F         -g25<0,2,1>F    g25.2<0,2,1>F   { align1 1N };
add(4)          g63.4<1>F       -g25.4<0,2,1>F  g25.6<0,2,1>F   { align1 2N };
add(4)          g64<1>F         -g27<0,2,1>F    g27.2<0,2,1>F   { align1 1N };
add(4)          g64.4<1>F       -g27.4<0,2,1>F  g27.6<0,2,1>F   { align1 2N };
add(8)          g69<1>F         -g21<4,4,0>F    g21.2<4,4,0>F   { align1 1Q };
add(8)          g70<1>F         -g23<4,4,0>F    g23.2<4,4,0>F   { align1 1Q };
add(8)          g71<1>F         -g25<4,4,0>F    g25.2<4,4,0>F   { align1 1Q };
add(8)          g72<1>F         -g27<4,4,0>F    g27.2<4,4,0>F   { align1 1Q };
add(8)          g73<1>F         g21.1<4,4,0>F   -g21<4,4,0>F    { align1 1Q compacted };
add(8)          g74<1>F         g23.1<4,4,0>F   -g23<4,4,0>F    { align1 1Q compacted };
add(8)          g75<1>F         g25.1<4,4,0>F   -g25<4,4,0>F    { align1 1Q compacted };
add(8)          g76<1>F         g27.1<4,4,0>F   -g27<4,4,0>F    { align1 1Q compacted };
add(8)          g85<1>F         g23.1<2,2,0>F   -g23<2,2,0>F    { align1 1Q };
add(8)          g86<1>F         g21.1<2,2,0>F   -g21<2,2,0>F    { align1 1Q };
add(8)          g87<1>F         g25.1<2,2,0>F   -g25<2,2,0>F    { align1 1Q };
add(8)          g88<1>F         g27.1<2,2,0>F   -g27<2,2,0>F    { align1 1Q };
(-f0.0) sel(8)  g42<1>UD        g13<8,8,1>UD    0x40000000UD    { align1 1Q };
mul(8)          g54<1>F         g53<8,8,1>F     g23<8,8,1>F     { align1 1Q $9.dst compacted };
add(8)          g65<1>F         g57<8,8,1>F     g61<8,8,1>F     { align1 1Q compacted };
add(8)          g66<1>F         g58<8,8,1>F     g62<8,8,1>F     { align1 1Q compacted };
add(8)          g67<1>F         g59<8,8,1>F     g63<8,8,1>F     { align1 1Q compacted };
add(8)          g68<1>F         g60<8,8,1>F     g64<8,8,1>F     { align1 1Q compacted };
add(8)          g77<1>F         (abs)g73<8,8,1>F (abs)g69<8,8,1>F { align1 1Q compacted };
add(8)          g78<1>F         (abs)g74<8,8,1>F (abs)g70<8,8,1>F { align1 1Q compacted };
add(8)          g79<1>F         (abs)g75<8,8,1>F (abs)g71<8,8,1>F { align1 1Q compacted };
add(8)          g80<1>F         (abs)g76<8,8,1>F (abs)g72<8,8,1>F { align1 1Q compacted };
cmp.z.f0.0(8)   g43<1>D         g8.3<0,1,0>D    2D              { align1 1Q compacted };
math exp(8)     g55<1>F         g54<8,8,1>F     null<8,8,1>F    { align1 1Q @7 $10 };
add(8)          g81<1>F         g65<8,8,1>F     g77<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g82<1>F         g66<8,8,1>F     g78<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g83<1>F         g67<8,8,1>F     g79<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g84<1>F         g68<8,8,1>F     g80<8,8,1>F     { align1 1Q @5 compacted };
or.nz.f0.0(8)   g44<1>UD        g43<8,8,1>UD    g41<8,8,1>UD    { align1 1Q @5 };
add(8)          g89<1>F         g81<8,8,1>F     g85<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g90<1>F         g82<8,8,1>F     g86<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g91<1>F         g83<8,8,1>F     g87<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g92<1>F         g84<8,8,1>F     g88<8,8,1>F     { align1 1Q @5 compacted };
(-f0.0) sel(8)  g46<1>UD        g41<8,8,1>UD    0x00000000UD    { align1 1Q };
(+f0.0) sel(8)  g47<1>UD        g45<8,8,1>UD    g12<8,8,1>UD    { align1 1Q };
add(8)          g93<1>F         g42<8,8,1>F     g90<8,8,1>F     { align1 1Q @5 compacted };
add(8)          g94<1>F         g47<8,8,1>F     g91<8,8,1>F     { align1 1Q @2 compacted };
cmp.z.f0.0(8)   g48<1>D         g8.3<0,1,0>D    0D              { align1 1Q compacted };
or(8)           g49<1>UD        g48<8,8,1>UD    g46<8,8,1>UD    { align1 1Q @1 compacted };
or(8)           g52<1>UD        g44<8,8,1>UD    g48<8,8,1>UD    { align1 1Q compacted };
or.nz.f0.0(8)   null<1>UD       g49<8,8,1>UD    g44<8,8,1>UD    { align1 1Q @2 };
(-f0.0) sel(8)  g50<1>UD        g41<8,8,1>UD    0x00000000UD    { align1 1Q };
cmp.nz.f0.0(8)  null<1>D        g49<8,8,1>D     0D              { align1 1Q };
(-f0.0) sel(8)  g51<1>UD        g14<8,8,1>UD    0x3f800000UD    { align1 1Q $3.src };
add(8)          g111<1>F        g51<8,8,1>F     g89<8,8,1>F     { align1 1Q @1 compacted };
or.nz.f0.0(8)   null<1>UD       ~g52<8,8,1>D    g50<8,8,1>UD    { align1 1Q @4 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $5.src };
(+f0.0) sel(8)  g56<1>UD        g55<8,8,1>UD    g11<8,8,1>UD    { align1 1Q $10.dst };
add(8)          g95<1>F         g56<8,8,1>F     g92<8,8,1>F     { align1 1Q @1 compacted };
cmp.g.f0.0(8)   null<1>F        g111<8,8,1>F    0x40000000F  /* 2F */ { align1 1Q @4 };
(+f0.0) if(8)   JIP:  LABEL13         UIP:  LABEL13             { align1 1Q };
mov(8)          g110<1>D        12D                             { align1 1Q };
(+f1.0) send(8) nullUD          g110UD          g111UD          0x02026e04                0x00000040
                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 1 rlen 0 { align1 1Q @1 $11 };

LABEL13:
endif(8)        JIP:  LABEL12                                   { align1 1Q };
mul(8)          g97<1>F         g111<8,8,1>F    0x40000000F  /* 2F */ { align1 1Q $11.src compacted };
mul(8)          g98<1>F         g93<8,8,1>F     0x40000000F  /* 2F */ { align1 1Q compacted };
mul(8)          g99<1>F         g94<8,8,1>F     0x40000000F  /* 2F */ { align1 1Q compacted };
mul(8)          g100<1>F        g95<8,8,1>F     0x40000000F  /* 2F */ { align1 1Q @7 compacted };
add(8)          g103<1>F        g37<8,8,1>F     0x3f000000F  /* 0.5F */ { align1 1Q compacted };
add(8)          g104<1>F        g5<8,8,1>F      0x3f000000F  /* 0.5F */ { align1 1Q compacted };
asr(8)          g113<2>W        g1.2<0,1,0>W    15D             { align1 1Q };
mov(8)          g96<1>UW        g113<16,8,2>UW                  { align1 1Q @1 };
not.nz.f0.0(8)  null<1>D        g96<8,8,1>W                     { align1 1Q @1 };
(+f0.0) sel(8)  g101<1>UD       g97<8,8,1>UD    g111<8,8,1>UD   { align1 1Q @7 };
(+f0.0) sel(8)  g102<1>UD       g98<8,8,1>UD    g93<8,8,1>UD    { align1 1Q @7 };
(+f0.0) sel(8)  g114<1>UD       g99<8,8,1>UD    g94<8,8,1>UD    { align1 1Q @7 };
(+f0.0) sel(8)  g115<1>UD       g100<8,8,1>UD   g95<8,8,1>UD    { align1 1Q @7 };
mad(8)          g112<1>F        g101<8,8,1>F    g10<8,8,1>F     g103<1,1,1>F { align1 1Q @4 $0.dst compacted };
mad(8)          g113<1>F        g102<8,8,1>F    g10<8,8,1>F     g104<1,1,1>F { align1 1Q @4 compacted };
mov(8)          g123<1>UD       g112<8,8,1>F                    { align1 1Q @2 };
mov(8)          g124<1>UD       g113<8,8,1>F                    { align1 1Q @2 };

LABEL12:
endif(8)        JIP:  LABEL1                                    { align1 1Q };

LABEL1:
halt(8)         JIP:  LABEL0          UIP:  LABEL0              { align1 1Q };

LABEL0:
(+f1.0) sendc(8) nullUD         g112UD          nullUD          0x08030400                0x00000000
                            render MsgDesc: RT write SIMD8 Surface = 0 mlen 4 ex_mlen 0 rlen 0 { align1 1Q @6 $12 };
(+f1.0) sendc(8) nullUD         g123UD          nullUD          0x08031401                0x00001000
                            render MsgDesc: RT write SIMD8 LastRT Surface = 1 mlen 4 ex_mlen 0 rlen 0 { align1 1Q @1 EOT };
