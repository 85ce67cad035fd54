shr(8)          g12<1>UD        g1<8,8,1>UD     0x0000001bUD    { align1 1Q compacted };
mov(8)          g13<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g14<1>UD        0x00000001UD                    { align1 1Q compacted };
mov(8)          g16<1>UD        g3<0,1,0>UD                     { align1 1Q compacted };
mov(8)          g18<1>UD        g3<0,1,0>UD                     { align1 1Q compacted };
mov(8)          g20<1>UD        g3<0,1,0>UD                     { align1 1Q compacted };
mov(8)          g57<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g58<1>F         0x0VF           /* [0F, 0F, 0F, 0F]VF */ { align1 1Q compacted };
mov(8)          g59<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g60<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g65<1>UD        g1<8,8,1>UD                     { align1 WE_all 1Q compacted };
mul(8)          g66<1>UD        g13<8,8,1>UD    0x0008UW        { align1 1Q };
send(8)         g61<1>UW        g16<0,1,0>UD    0x02480018
                            urb MsgDesc: offset 1 SIMD8 read mlen 1 rlen 4  { align1 1Q };
send(8)         g8<1>UW         g18<0,1,0>UD    0x02480048
                            urb MsgDesc: offset 4 SIMD8 read mlen 1 rlen 4  { align1 1Q };
send(8)         g19<1>UW        g20<0,1,0>UD    0x02480058
                            urb MsgDesc: offset 5 SIMD8 read mlen 1 rlen 4  { align1 1Q };
add(8)          g67<1>D         g19<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g68<1>D         g20<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g69<1>D         g21<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g70<1>D         g22<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
sends(8)        nullUD          g65UD           g57UD           0x040a0027                0x00000200
                            urb MsgDesc: offset 2 SIMD8 write per-slot mlen 2 ex_mlen 8 rlen 0 { align1 1Q };
mov(8)          g4<1>F          g2<8,8,1>F                      { align1 1Q compacted };
sends(8)        nullUD          g65UD           g4UD            0x040a0067                0x00000200
                            urb MsgDesc: offset 6 SIMD8 write per-slot mlen 2 ex_mlen 8 rlen 0 { align1 1Q };
sends(8)        nullUD          g65UD           g67UD           0x040a0087                0x00000100
                            urb MsgDesc: offset 8 SIMD8 write per-slot mlen 2 ex_mlen 4 rlen 0 { align1 1Q };
mov(8)          g28<1>UD        g3.1<0,1,0>UD                   { align1 1Q compacted };
mov(8)          g30<1>UD        g3.1<0,1,0>UD                   { align1 1Q compacted };
mov(8)          g32<1>UD        g3.1<0,1,0>UD                   { align1 1Q compacted };
mul(8)          g85<1>UD        g14<8,8,1>UD    0x0008UW        { align1 1Q };
mov(8)          g68<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g69<1>F         0x1F             /* 1.4013e-45F */ { align1 1Q };
mov(8)          g70<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g71<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g84<1>UD        g1<8,8,1>UD                     { align1 WE_all 1Q compacted };
send(8)         g72<1>UW        g28<0,1,0>UD    0x02480018
                            urb MsgDesc: offset 1 SIMD8 read mlen 1 rlen 4  { align1 1Q };
send(8)         g80<1>UW        g30<0,1,0>UD    0x02480048
                            urb MsgDesc: offset 4 SIMD8 read mlen 1 rlen 4  { align1 1Q };
send(8)         g31<1>UW        g32<0,1,0>UD    0x02480058
                            urb MsgDesc: offset 5 SIMD8 read mlen 1 rlen 4  { align1 1Q };
add(8)          g86<1>D         g31<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g87<1>D         g32<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g88<1>D         g33<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g89<1>D         g34<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
sends(8)        nullUD          g84UD           g68UD           0x040a0027                0x00000200
                            urb MsgDesc: offset 2 SIMD8 write per-slot mlen 2 ex_mlen 8 rlen 0 { align1 1Q };
mov(8)          g76<1>F         g2<8,8,1>F                      { align1 1Q compacted };
mov(8)          g77<1>F         g5<8,8,1>F                      { align1 1Q compacted };
mov(8)          g78<1>F         g6<8,8,1>F                      { align1 1Q compacted };
mov(8)          g79<1>F         g7<8,8,1>F                      { align1 1Q compacted };
sends(8)        nullUD          g84UD           g76UD           0x040a0067                0x00000200
                            urb MsgDesc: offset 6 SIMD8 write per-slot mlen 2 ex_mlen 8 rlen 0 { align1 1Q };
sends(8)        nullUD          g84UD           g86UD           0x040a0087                0x00000100
                            urb MsgDesc: offset 8 SIMD8 write per-slot mlen 2 ex_mlen 4 rlen 0 { align1 1Q };
mov(8)          g39<1>UD        0x00000002UD                    { align1 1Q compacted };
mov(8)          g41<1>UD        g3.2<0,1,0>UD                   { align1 1Q compacted };
mov(8)          g43<1>UD        g3.2<0,1,0>UD                   { align1 1Q compacted };
mov(8)          g45<1>UD        g3.2<0,1,0>UD                   { align1 1Q compacted };
mov(8)          g87<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g88<1>F         0x2F             /* 2.8026e-45F */ { align1 1Q };
mov(8)          g89<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g90<1>UD        0x00000000UD                    { align1 1Q compacted };
mov(8)          g103<1>UD       g1<8,8,1>UD                     { align1 WE_all 1Q compacted };
mul(8)          g104<1>UD       g39<8,8,1>UD    0x0008UW        { align1 1Q };
send(8)         g91<1>UW        g41<0,1,0>UD    0x02480018
                            urb MsgDesc: offset 1 SIMD8 read mlen 1 rlen 4  { align1 1Q };
send(8)         g99<1>UW        g43<0,1,0>UD    0x02480048
                            urb MsgDesc: offset 4 SIMD8 read mlen 1 rlen 4  { align1 1Q };
send(8)         g44<1>UW        g45<0,1,0>UD    0x02480058
                            urb MsgDesc: offset 5 SIMD8 read mlen 1 rlen 4  { align1 1Q };
add(8)          g105<1>D        g44<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g106<1>D        g45<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g107<1>D        g46<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
add(8)          g108<1>D        g47<8,8,1>D     g12<8,8,1>D     { align1 1Q compacted };
sends(8)        nullUD          g103UD          g87UD           0x040a0027                0x00000200
                            urb MsgDesc: offset 2 SIMD8 write per-slot mlen 2 ex_mlen 8 rlen 0 { align1 1Q };
mov(8)          g95<1>F         g2<8,8,1>F                      { align1 1Q compacted };
mov(8)          g96<1>F         g5<8,8,1>F                      { align1 1Q compacted };
mov(8)          g97<1>F         g6<8,8,1>F                      { align1 1Q compacted };
mov(8)          g98<1>F         g7<8,8,1>F                      { align1 1Q compacted };
sends(8)        nullUD          g103UD          g95UD           0x040a0067                0x00000200
                            urb MsgDesc: offset 6 SIMD8 write per-slot mlen 2 ex_mlen 8 rlen 0 { align1 1Q };
sends(8)        nullUD          g103UD          g105UD          0x040a0087                0x00000100
                            urb MsgDesc: offset 8 SIMD8 write per-slot mlen 2 ex_mlen 4 rlen 0 { align1 1Q };
mov(8)          g52<1>UD        0x00000003UD                    { align1 1Q compacted };
mov(8)          g54<1>UD        0x00000001UD                    { align1 1Q compacted };
mov(8)          g126<1>UD       g1<8,8,1>UD                     { align1 WE_all 1Q compacted };
add(8)          g53<1>UD        g52<8,8,1>UD    0xffffffffUD    { align1 1Q compacted };
shl(8)          g125<1>UD       g54<8,8,1>UD    g53<8,8,1>UD    { align1 1Q compacted };
sends(8)        nullUD          g126UD          g125UD          0x02080007                0x00000040
                            urb MsgDesc: offset 0 SIMD8 write mlen 1 ex_mlen 1 rlen 0 { align1 1Q EOT };
