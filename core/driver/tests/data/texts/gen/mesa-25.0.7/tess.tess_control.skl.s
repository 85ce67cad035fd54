mov(8)          g5<1>UW         0x76543210UV                    { align1 1Q };
mov(8)          g6<1>UD         g5<8,8,1>UW                     { align1 1Q };
cmp.l.f0.0(8)   null<1>UD       g6<8,8,1>UD     0x00000004UD    { align1 1Q compacted };
(+f0.0) if(8)   JIP:  LABEL0          UIP:  LABEL0              { align1 1Q };
send(8)         g7<1>UW         g1<0,1,0>UD     0x02480048
                            urb MsgDesc: offset 4 SIMD8 read  mlen 1 rlen 4 { align1 1Q };
add(8)          g11<1>D         g6<8,8,1>D      1D              { align1 1Q compacted };
shl(8)          g30<1>D         g6<8,8,1>D      0x00000001UD    { align1 1Q };
mov(8)          g29<1>UD        g0<0,1,0>UD                     { align1 WE_all 1Q compacted };
and(8)          g12<1>UD        g11<8,8,1>UD    0x00000003UD    { align1 1Q compacted };
shl(8)          g15<1>UD        g12<8,8,1>UD    0x00000002UD    { align1 1Q compacted };
mov(8)          a0<1>UW         0x0020UW                        { align1 WE_all NoDDClr 1Q };
add(8)          a0<1>UW         g15<16,8,2>UW   0x0020UW        { align1 NoDDChk 1Q };
mov(8)          g14<1>UD        g[a0]<VxH,1,0>UD                { align1 1Q };
send(8)         g13<1>UW        g14<0,1,0>UD    0x02480048
                            urb MsgDesc: offset 4 SIMD8 read  mlen 1 rlen 4 { align1 1Q };
add(8)          g31<1>F         g7<8,8,1>F      g13<8,8,1>F     { align1 1Q compacted };
add(8)          g32<1>F         g8<8,8,1>F      g14<8,8,1>F     { align1 1Q compacted };
add(8)          g33<1>F         g9<8,8,1>F      g15<8,8,1>F     { align1 1Q compacted };
add(8)          g34<1>F         g10<8,8,1>F     g16<8,8,1>F     { align1 1Q compacted };
sends(8)        nullUD          g29UD           g31UD           0x040a0047                0x00000100
                            urb MsgDesc: offset 4 SIMD8 write per-slot  mlen 2 ex_mlen 4 rlen 0 { align1 1Q };
send(8)         g16<1>UW        g1<0,1,0>UD     0x02480018
                            urb MsgDesc: offset 1 SIMD8 read  mlen 1 rlen 4 { align1 1Q };
mov(8)          g32<1>UD        g0<0,1,0>UD                     { align1 WE_all 1Q compacted };
mov(8)          g33<1>UD        g30<8,8,1>UD                    { align1 WE_all 1Q compacted };
sends(8)        nullUD          g32UD           g16UD           0x040a0037                0x00000100
                            urb MsgDesc: offset 3 SIMD8 write per-slot  mlen 2 ex_mlen 4 rlen 0 { align1 1Q };
send(1)         g17<1>UW        g0<0,1,0>UD     0x0219e000
                            data MsgDesc: (DC mfence, bti 0, 32)  mlen 1 rlen 1 { align1 WE_all 1N };
cmp.z.f0.0(8)   null<1>D        g6<8,8,1>D      0D              { align1 1Q compacted };
(+f0.0) if(8)   JIP:  LABEL1          UIP:  LABEL1              { align1 1Q };
mov(8)          g22<1>UD        g0<0,1,0>UD                     { align1 1Q compacted };
mov(8)          g33<1>UD        g0<0,1,0>UD                     { align1 WE_all 1Q compacted };
send(8)         g18<1>UW        g22<0,1,0>UD    0x02480068
                            urb MsgDesc: offset 6 SIMD8 read  mlen 1 rlen 4 { align1 1Q };
sends(8)        nullUD          g33UD           g18UD           0x02080027                0x00000100
                            urb MsgDesc: offset 2 SIMD8 write  mlen 1 ex_mlen 4 rlen 0 { align1 1Q };
send(8)         g23<1>UW        g22<0,1,0>UD    0x02480088
                            urb MsgDesc: offset 8 SIMD8 read  mlen 1 rlen 4 { align1 1Q };
mov(8)          g27<1>F         g0.1<0,1,0>F                    { align1 1Q compacted };
mov(8)          g29<1>D         1077936128D                     { align1 1Q };
mov(8)          g30<1>D         1073741824D                     { align1 1Q };
mov(8)          g28<1>F         g27<8,8,1>D                     { align1 1Q compacted };
mov(8)          g31<1>D         g23<8,8,1>D                     { align1 1Q compacted };
sends(8)        nullUD          g33UD           g28UD           0x02080017                0x00000100
                            urb MsgDesc: offset 1 SIMD8 write  mlen 1 ex_mlen 4 rlen 0 { align1 1Q };
mov(8)          g38<1>UD        0x40000000UD                    { align1 1Q };
mov(8)          g39<1>UD        0x3f800000UD                    { align1 1Q };
mov(8)          g34<1>UD        g0<0,1,0>UD                     { align1 WE_all 1Q compacted };
mov(8)          g35<1>UD        0x000c0000UD                    { align1 WE_all 1Q };
sends(8)        nullUD          g34UD           g36UD           0x04088007                0x00000100
                            urb MsgDesc: offset 0 SIMD8 write masked  mlen 2 ex_mlen 4 rlen 0 { align1 1Q };

LABEL1:
endif(8)        JIP:  LABEL0                                    { align1 1Q };

LABEL0:
endif(8)        JIP:  LABEL2                                    { align1 1Q };

LABEL2:
mov(8)          g125<1>UD       g0<0,1,0>UD                     { align1 WE_all 1Q compacted };
mov(8)          g126<1>UD       0x00010000UD                    { align1 WE_all 1Q };
mov(8)          g124<1>UD       0x00000000UD                    { align1 1Q compacted };
sends(8)        nullUD          g125UD          g124UD          0x04088007                0x00000040
                            urb MsgDesc: offset 0 SIMD8 write masked  mlen 2 ex_mlen 1 rlen 0 { align1 1Q EOT };
