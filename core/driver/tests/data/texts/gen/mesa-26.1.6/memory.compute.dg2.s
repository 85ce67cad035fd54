mov(16)         g87<1>UD        g1<8,8,1>UW                     { align1 1H };
mov(16)         g89<1>UD        0x0000UW                        { align1 1H };
add(16)         g4<1>D          g89<1,1,0>D     g89<1,1,0>D     { align1 1H I@1 compacted };
shl(16)         g6<1>D          g4<8,8,1>D      0x00000006UD    { align1 1H I@1 };
add(16)         g3<1>D          g6<1,1,0>D      g87<1,1,0>D     { align1 1H I@1 compacted };
shl(16)         g7<1>D          g3<8,8,1>D      0x00000002UD    { align1 1H I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g9UD            g7UD            nullUD          0x64200500                0x03000000
                ugm MsgDesc: ( load, a32, d32, V1, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 bti )  BTI 3  base_offset 0  { align1 1H $0 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.dst };
send(16)        nullUD          g7UD            g9UD            0x04000504                0x00000080
                slm MsgDesc: ( store, a32, d32, V1, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 2 flat )  base_offset 0  { align1 1H $1 };
and(8)          g10<1>UD        g2<0,1,0>UD     0x0000003fUD    { align1 WE_all 1Q $1.src compacted };
shl(16)         g72<1>D         g3<8,8,1>D      0x00000004UD    { align1 1H };
add(16)         g25<1>D         g7<1,1,0>D      1024D           { align1 1H compacted };
shl(8)          g11<1>D         g10<0,1,0>D     0x00000004UD    { align1 WE_all 1Q I@3 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@3 };
send(16)        g15UD           g72UD           nullUD          0x64803500                0x04000000
                ugm MsgDesc: ( load, a32, d32, V4, L1STATE_L3MOCS dst_len = 8, src0_len = 2, src1_len = 0 bti )  BTI 4  base_offset 0  { align1 1H $2 };
mov(8)          g110<1>D        g11<0,1,0>D                     { align1 WE_all 1Q I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(1)         g86UD           g110UD          nullUD          0x6210c500                0x05000000
                ugm MsgDesc: ( load, a32, d32, V8, transpose, L1STATE_L3MOCS dst_len = 1, src0_len = 1, src1_len = 0 bti )  BTI 5  base_offset 0  { align1 WE_all 1N $3 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.dst };
add(16)         g23<1>F         g15<1,1,0>F     g86.1<0,1,0>F   { align1 1H $2.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N A@1 };
send(16)        nullUD          g25UD           g23UD           0x04000504                0x00000080
                slm MsgDesc: ( store, a32, d32, V1, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 2 flat )  base_offset 0  { align1 1H $4 };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.src };
send(1)         g26UD           g0UD            nullUD          0x0210011f                0x00000000
                slm MsgDesc: ( fence, a32, threadgroup, none, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat )  base_offset 0  { align1 WE_all 1N $5 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $5.dst };
mov(8)          g27<1>UD        0x00000000UD                    { align1 WE_all 1Q };
mov(2)          g27.10<1>UB     g0.11<0,1,0>UB                  { align1 WE_all 1N I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g27UD           nullUD          0x02000004                0x00000000
                gateway MsgDesc: (barrier msg)  mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H $6 };
sync bar(16)                    null<0,1,0>UB                   { align1 WE_all 1H };
mul(16)         g28<1>D         g3<1,1,0>D      3W              { align1 1H compacted };
mov(16)         g30<1>UD        g28<32,8,4>UB                   { align1 1H I@1 };
shl(16)         g32<1>D         g30<8,8,1>D     0x00000002UD    { align1 1H I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g32UD           nullUD          0x04040508                0x00000000
                slm MsgDesc: ( atomic_inc, a32, d32, V1, L1UC_L3WB dst_len = 0, src0_len = 2, src1_len = 0 flat )  base_offset 0  { align1 1H $7 };
add(16)         g33<1>D         g7<1,1,0>D      256D            { align1 1H $7.src compacted };
mov(16)         g111<1>UD       0x00000002UD                    { align1 1H };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g114UD          g33UD           g111UD          0x6424050c                0x03000080
                ugm MsgDesc: ( atomic_add, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 2 bti )  BTI 3  base_offset 0  { align1 1H $8 };
mov(16)         g112<1>D        20D                             { align1 1H $8.src };
mov(16)         g116<1>UD       g2.1<0,1,0>UD                   { align1 1H };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $8.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g34UD           g112UD          g114UD          0x64240512                0x03000100
                ugm MsgDesc: ( atomic_cmpxchg, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 4 bti )  BTI 3  base_offset 0  { align1 1H $9 };
mov(8)          g10<1>D         g4<8,8,1>D                      { align1 2Q };
mov(8)          g11<1>D         1D                              { align1 2Q };
mov(8)          g5<1>D          g3<8,8,1>D                      { align1 1Q };
mov(8)          g6<1>D          1D                              { align1 1Q };
mov(8)          g9<1>UD         0x00000003UD                    { align1 1Q };
add(16)         g36<1>D         g114<1,1,0>D    g34<1,1,0>D     { align1 1H $9.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(8)         g38UD           g5UD            g9UD            0x0411a700                0x00000040
                hdc1 MsgDesc: (DC typed atomic, Surface = 0, SIMD16, add)  mlen 2 ex_mlen 1 rlen 1 { align1 1Q $10 };
mov(8)          g86<1>UD        0x00000003UD                    { align1 2Q F@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         g39UD           g10UD           g86UD           0x0411b700                0x00000040
                hdc1 MsgDesc: (DC typed atomic, Surface = 0, SIMD8, add)  mlen 2 ex_mlen 1 rlen 1 { align1 2Q $11 };
mov(8)          g117<1>D        g4<8,8,1>D                      { align1 2Q };
mov(8)          g118<1>D        g4<8,8,1>D                      { align1 2Q };
mov(8)          g115<1>D        g3<8,8,1>D                      { align1 1Q };
mov(8)          g116<1>D        g3<8,8,1>D                      { align1 1Q };
mov(8)          g19<1>D         g4<8,8,1>D                      { align1 2Q };
mov(8)          g20<1>D         2D                              { align1 2Q };
mov(8)          g72<1>D         g3<8,8,1>D                      { align1 1Q };
mov(8)          g73<1>D         2D                              { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@7 };
send(8)         g100UD          g117UD          nullUD          0x04416001                0x00000000
                hdc1 MsgDesc: (DC typed surface read, Surface = 1, SIMD8, Mask = 0x0)  mlen 2 ex_mlen 0 rlen 4 { align1 2Q $12 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@5 };
send(8)         g104UD          g115UD          nullUD          0x04415001                0x00000000
                hdc1 MsgDesc: (DC typed surface read, Surface = 1, SIMD16, Mask = 0x0)  mlen 2 ex_mlen 0 rlen 4 { align1 1Q $13 };
mov(8)          g35<1>UD        g100<8,8,1>UD                   { align1 2Q $12.dst };
mov(8)          g43<1>UD        g101<8,8,1>UD                   { align1 2Q };
mov(8)          g45<1>UD        g102<8,8,1>UD                   { align1 2Q };
mov(8)          g41<1>UD        g103<8,8,1>UD                   { align1 2Q };
mov(8)          g34<1>UD        g104<8,8,1>UD                   { align1 1Q $13.dst };
mov(8)          g42<1>UD        g105<8,8,1>UD                   { align1 1Q };
mov(8)          g44<1>UD        g106<8,8,1>UD                   { align1 1Q };
mov(8)          g40<1>UD        g107<8,8,1>UD                   { align1 1Q };
mul(16)         g46<1>F         g34<1,1,0>F     0x40000000F  /* 2F */ { align1 1H I@4 compacted };
mul(16)         g48<1>F         g42<1,1,0>F     0x40000000F  /* 2F */ { align1 1H I@3 compacted };
mul(16)         g50<1>F         g44<1,1,0>F     0x40000000F  /* 2F */ { align1 1H I@2 compacted };
mul(16)         g42<1>F         g40<1,1,0>F     0x40000000F  /* 2F */ { align1 1H I@1 compacted };
mov(8)          g21<1>UD        g47<8,8,1>UD                    { align1 2Q F@4 };
mov(8)          g15<1>UD        g46<8,8,1>UD                    { align1 1Q F@4 };
mov(8)          g22<1>UD        g49<8,8,1>UD                    { align1 2Q F@3 };
mov(8)          g16<1>UD        g48<8,8,1>UD                    { align1 1Q F@3 };
mov(8)          g23<1>UD        g51<8,8,1>UD                    { align1 2Q F@2 };
mov(8)          g17<1>UD        g50<8,8,1>UD                    { align1 1Q F@2 };
mov(8)          g24<1>UD        g43<8,8,1>UD                    { align1 2Q F@1 };
mov(8)          g18<1>UD        g42<8,8,1>UD                    { align1 1Q F@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         nullUD          g72UD           g15UD           0x04035001                0x00000100
                hdc1 MsgDesc: (DC typed surface write, Surface = 1, SIMD16, Mask = 0x0)  mlen 2 ex_mlen 4 rlen 0 { align1 1Q $14 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(8)         nullUD          g19UD           g21UD           0x04036001                0x00000100
                hdc1 MsgDesc: (DC typed surface write, Surface = 1, SIMD8, Mask = 0x0)  mlen 2 ex_mlen 4 rlen 0 { align1 2Q $15 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(8)         g43UD           g3UD            nullUD          0x02115e02                0x00000000
                hdc1 MsgDesc: (DC typed surface read, Surface = 2, SIMD16, Mask = 0xe)  mlen 1 ex_mlen 0 rlen 1 { align1 1Q $0 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N F@2 };
send(8)         g44UD           g4UD            nullUD          0x02116e02                0x00000000
                hdc1 MsgDesc: (DC typed surface read, Surface = 2, SIMD8, Mask = 0xe)  mlen 1 ex_mlen 0 rlen 1 { align1 2Q $1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $1.src };
add(16)         g45<1>D         g3<1,1,0>D      1D              { align1 1H F@2 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $11.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $1.dst };
add3(16)        g47<1>D         g36<8,8,1>D     g38<8,8,1>D     g43<1,1,1>D { align1 1H $10.dst };
mov(8)          g26<1>UD        g48<8,8,1>UD                    { align1 2Q I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $6.src };
mov(8)          g27<1>UD        g48<8,8,1>UD                    { align1 2Q };
mov(8)          g28<1>UD        g48<8,8,1>UD                    { align1 2Q };
mov(8)          g29<1>UD        g48<8,8,1>UD                    { align1 2Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $15.src };
mov(8)          g22<1>UD        g47<8,8,1>UD                    { align1 1Q I@5 };
mov(8)          g23<1>UD        g47<8,8,1>UD                    { align1 1Q };
mov(8)          g24<1>UD        g47<8,8,1>UD                    { align1 1Q };
mov(8)          g25<1>UD        g47<8,8,1>UD                    { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         nullUD          g45UD           g22UD           0x02035002                0x00000100
                hdc1 MsgDesc: (DC typed surface write, Surface = 2, SIMD16, Mask = 0x0)  mlen 1 ex_mlen 4 rlen 0 { align1 1Q $2 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@5 };
send(8)         nullUD          g46UD           g26UD           0x02036002                0x00000100
                hdc1 MsgDesc: (DC typed surface write, Surface = 2, SIMD8, Mask = 0x0)  mlen 1 ex_mlen 4 rlen 0 { align1 2Q $3 };
mov(8)          g121<1>D        g4<8,8,1>D                      { align1 2Q };
mov(8)          g122<1>D        g4<8,8,1>D                      { align1 2Q };
mov(8)          g123<1>D        g4<8,8,1>D                      { align1 2Q };
mov(8)          g118<1>D        g3<8,8,1>D                      { align1 1Q };
mov(8)          g119<1>D        g3<8,8,1>D                      { align1 1Q };
mov(8)          g120<1>D        g3<8,8,1>D                      { align1 1Q };
mov(16)         g92<1>UD        0x00000000UD                    { align1 WE_all 1H };
mov(16)         g92<1>UD        g47<8,8,1>UD                    { align1 1H };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@5 };
send(8)         g105UD          g121UD          nullUD          0x06416006                0x00000000
                hdc1 MsgDesc: (DC typed surface read, Surface = 6, SIMD8, Mask = 0x0)  mlen 3 ex_mlen 0 rlen 4 { align1 2Q $4 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(8)         g109UD          g118UD          nullUD          0x06415006                0x00000000
                hdc1 MsgDesc: (DC typed surface read, Surface = 6, SIMD16, Mask = 0x0)  mlen 3 ex_mlen 0 rlen 4 { align1 1Q $5 };
mov(8)          g95<1>UW        0x76543210V                     { align1 WE_all 1Q };
add(8)          g95.8<1>UW      g95<1,1,0>UW    0x0008UW        { align1 WE_all 1Q I@1 compacted };
add.sat(16)     g94<1>UW        g95<16,16,1>UW  -1W             { align1 WE_all 1H I@1 };
mov(8)          g52<1>UD        g105<8,8,1>UD                   { align1 2Q $4.dst };
mov(8)          g51<1>UD        g109<8,8,1>UD                   { align1 1Q $5.dst };
add(16)         g49<1>F         g34<1,1,0>F     g51<1,1,0>F     { align1 1H I@1 compacted };
mov(16)         a0<1>UW         0x0b80UW                        { align1 WE_all 1H A@1 };
shl(16)         a0<1>UW         g94<8,8,1>UW    0x0002UW        { align1 WE_all 1H };
add(16)         a0<1>UW         a0<8,8,1>UW     0x0b80UW        { align1 WE_all 1H A@1 };
mov(16)         g51<1>UD        g[a0]<VxH,1,0>UD                { align1 WE_all 1H A@1 compacted };
mov(1)          g51<1>UD        0x00000000UD                    { align1 WE_all 1N I@1 };
sel.ge(8)       g51.1<2>UD      g51<8,4,2>UD    g51.1<8,4,2>UD  { align1 WE_all 1Q I@1 };
sel.ge(4)       g51.2<4>UD      g51.1<8,2,4>UD  g51.2<8,2,4>UD  { align1 WE_all 1N I@1 };
sel.ge(4)       g51.3<4>UD      g51.1<8,2,4>UD  g51.3<8,2,4>UD  { align1 WE_all 1N I@1 };
sel.ge(4)       g51.4<1>UD      g51.3<0,1,0>UD  g51.4<4,4,1>UD  { align1 WE_all 1N I@1 };
sel.ge(4)       g52.4<1>UD      g52.3<0,1,0>UD  g52.4<4,4,1>UD  { align1 WE_all 1N I@2 };
sel.ge(8)       g52<1>UD        g51.7<0,1,0>UD  g52<8,8,1>UD    { align1 WE_all 1Q I@1 };
mov(1)          g57<1>UD        mask0<0,1,0>UD                  { align1 WE_all 1N A@1 compacted };
and(1)          g57<1>UD        g57<0,1,0>UD    0xffffffffUD    { align1 WE_all 1N A@1 };
mov.z.f0.0(16)  null<1>UD       g95<8,8,1>UW                    { align1 1H };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@3 };
sel.ge(16)      g55<1>UD        g51<1,1,0>UD    g47<1,1,0>UD    { align1 1H compacted };
mov(1)          g58<1>UD        sr0.2<0,1,0>UD                  { align1 WE_all 1N A@1 compacted };
and(1)          g58<1>UD        g58<0,1,0>UD    0xffffffffUD    { align1 WE_all 1N A@1 };
and(1)          g58<1>UD        g57<0,1,0>UD    g58<0,1,0>UD    { align1 WE_all 1N I@1 compacted };
lzd(1)          g59<1>UD        g58<0,1,0>UD                    { align1 WE_all 1N I@1 };
add(1)          g53<1>UD        -g59<0,1,0>UD   0x001fUW        { align1 WE_all 1N I@1 };
mov(8)          g96<1>UD        g53<0,1,0>UD                    { align1 WE_all 1Q I@1 };
shl(1)          a0<1>UD         g96<0,1,0>UD    0x00000002UD    { align1 WE_all 1N I@1 };
add(1)          a0<1>UD         a0<0,1,0>UD     0x00000600UD    { align1 WE_all 1N A@1 };
mov(1)          g97<1>UD        g[a0 224]<0,1,0>UD              { align1 WE_all 1N A@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
mov(16)         g56<1>D         g97<0,1,0>D                     { align1 1H };
(+f0.0) if(16)  JIP:  LABEL0          UIP:  LABEL0              { align1 1H };
mov(16)         g122<1>D        12D                             { align1 1H $4.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g91UD           g122UD          g56UD           0x04240511                0x00000080
                slm MsgDesc: ( atomic_umax, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 2 flat )  base_offset 0  { align1 1H $4 };

LABEL0:
endif(16)       JIP:  LABEL1                                    { align1 1H };

LABEL1:
mov(1)          g60<1>UD        mask0<0,1,0>UD                  { align1 WE_all 1N A@1 compacted };
and(1)          g60<1>UD        g60<0,1,0>UD    0xffffffffUD    { align1 WE_all 1N A@1 };
mov(16)         g123<1>D        36D                             { align1 1H $4.src };
fbl(1)          g98<1>UD        g60<0,1,0>UD                    { align1 WE_all 1N I@2 };
shl(1)          a0<1>UD         g98<0,1,0>UD    0x00000002UD    { align1 WE_all 1N @1 $4.dst };
add(1)          a0<1>UD         a0<0,1,0>UD     0x00000a00UD    { align1 WE_all 1N A@1 };
mov(1)          g99<1>UD        g[a0 352]<0,1,0>UD              { align1 WE_all 1N A@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
sel.ge(16)      g57<1>UD        g99<0,1,0>UD    g51<1,1,0>UD    { align1 1H compacted };
add(16)         g125<1>D        g47<1,1,0>D     g57<1,1,0>D     { align1 1H I@1 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g58UD           g123UD          g125UD          0x6424050b                0x03000080
                ugm MsgDesc: ( atomic_store, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 2 bti )  BTI 3  base_offset 0  { align1 1H $6 };
mov(8)          g31<1>D         3D                              { align1 2Q };
mov(8)          g32<1>D         3D                              { align1 2Q $7.src };
mov(8)          g27<1>D         3D                              { align1 1Q $3.src };
mov(8)          g28<1>D         3D                              { align1 1Q };
mov(8)          g30<1>UD        0x00000001UD                    { align1 1Q };
add(16)         g60<1>D         g125<1,1,0>D    g58<1,1,0>D     { align1 1H $6.dst compacted };
mov(8)          g29<1>UD        g60<8,8,1>UD                    { align1 1Q I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         g62UD           g27UD           g29UD           0x0411ae00                0x00000080
                hdc1 MsgDesc: (DC typed atomic, Surface = 0, SIMD16, cmpwr)  mlen 2 ex_mlen 2 rlen 1 { align1 1Q $7 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $8.src };
mov(8)          g33<1>UD        g61<8,8,1>UD                    { align1 2Q I@2 };
mov(8)          g34<1>UD        0x00000001UD                    { align1 2Q F@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         g63UD           g31UD           g33UD           0x0411be00                0x00000080
                hdc1 MsgDesc: (DC typed atomic, Surface = 0, SIMD8, cmpwr)  mlen 2 ex_mlen 2 rlen 1 { align1 2Q $8 };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
send(1)         g64UD           g0UD            nullUD          0x0210151f                0x00000000
                ugm MsgDesc: ( fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat )  base_offset 0  { align1 WE_all 1N $9 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $9.src };
send(1)         g65UD           g0UD            nullUD          0x0210151f                0x00000000
                tgm MsgDesc: ( fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat )  base_offset 0  { align1 WE_all 1N $10 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $10.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $9.dst };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
send(1)         g66UD           g0UD            nullUD          0x0210011f                0x00000000
                slm MsgDesc: ( fence, a32, threadgroup, none, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat )  base_offset 0  { align1 WE_all 1N $11 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $11.dst };
mov(8)          g67<1>UD        0x00000000UD                    { align1 WE_all 1Q };
mov(2)          g67.10<1>UB     g0.11<0,1,0>UB                  { align1 WE_all 1N I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g67UD           nullUD          0x02000004                0x00000000
                gateway MsgDesc: (barrier msg)  mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H $12 };
sync bar(16)                    null<0,1,0>UB                   { align1 WE_all 1H };
send(16)        g68UD           g7UD            nullUD          0x04200500                0x00000000
                slm MsgDesc: ( load, a32, d32, V1, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 flat )  base_offset 0  { align1 1H $13 };
mov(16)         g13<1>UD        g49<8,8,1>F                     { align1 1H F@1 };
shl(16)         g74<1>D         -g3<8,8,1>D     0x00000002UD    { align1 1H };
mov(16)         g126<1>UD       0x00000000UD                    { align1 1H };
and(8)          g83<1>UD        g2.2<0,1,0>UD   0xffffffc0UD    { align1 WE_all 1Q };
mov(1)          a0.1<1>UD       0x4a7cc037UD                    { align1 WE_all 1N };
add(16)         g76<1>D         g74<1,1,0>D     1276D           { align1 1H I@4 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@4 };
send(16)        g90UD           g126UD          nullUD          0x0424a000                0x00000000
                sampler MsgDesc: resinfo SIMD16 Surface = 0 Sampler = 0  mlen 2 ex_mlen 0 rlen 2 { align1 1H $14 };
add(8)          g84<1>D         g83<0,1,0>D     32D             { align1 WE_all 1Q I@3 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(16)        g78UD           g76UD           nullUD          0x04200500                0x00000000
                slm MsgDesc: ( load, a32, d32, V1, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 flat )  base_offset 0  { align1 1H $15 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $14.src };
mov(8)          g127<1>D        g84<0,1,0>D                     { align1 WE_all 1Q I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(1)         g85UD           g127UD          nullUD          0x4210c500                a0.1<0>UD
                ugm MsgDesc: ( load, a32, d32, V8, transpose, L1STATE_L3MOCS dst_len = 1, src0_len = 1, ss )  src1_len = 0 ex_bso surface_state_index 0  { align1 WE_all 1N $0 };
mov(16)         g80<1>UD        g78<8,8,1>F                     { align1 1H $15.dst };
shr(8)          g12<1>UD        g85.3<0,1,0>UD  0x00000002UD    { align1 WE_all 1Q $0.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $8.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $13.dst };
add3(16)        g70<1>D         g60<8,8,1>D     g62<8,8,1>D     g68<1,1,1>D { align1 1H $7.dst };
add3(16)        g82<1>D         g70<8,8,1>D     g13<8,8,1>D     g80<1,1,1>D { align1 1H I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
add3(16)        g1<1>D          g82<8,8,1>D     g90<8,8,1>D     g12.0<0,1,0>D { align1 1H $14.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g7UD            g1UD            0x64000504                0x03000080
                ugm MsgDesc: ( store, a32, d32, V1, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 2 bti )  BTI 3  base_offset 0  { align1 1H $1 };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(16)        nullUD          g127UD          nullUD          0x02000000                0x00000000
                gateway MsgDesc: (open)  mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H A@1 EOT };
