Push constant ranges:
    RANGE0 (32B): Vulkan push constants and API params

and(1)          g85<1>UD        g0<0,1,0>UD     0xffffffc0UD    { align1 WE_all 1N };
mov(8)          g6<1>UW         0x76543210V                     { align1 WE_all 1Q };
and(16)         g8<1>UD         g0.2<0,1,0>UD   0x000000ffUD    { align1 1H compacted };
add(1)          g86<1>UD        g85<0,1,0>UD    0x00000000UD    { align1 WE_all 1N I@3 compacted };
add(8)          g6.8<1>UW       g6<1,1,0>UW     0x0008UW        { align1 WE_all 1Q I@3 compacted };
shl(16)         g10<1>D         g8<8,8,1>D      0x00000004UD    { align1 1H I@3 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@3 };
send(1)         g1UD            g86UD           nullUD          0x0210c500                0x00000000
                            ugm MsgDesc: ( load, a32, d32, V8, transpose, L1STATE_L3MOCS dst_len = 1, src0_len = 1, src1_len = 0 flat ) base_offset 0  { align1 WE_all 1N $0 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
mov(16)         g12<1>D         g6<8,8,1>UW                     { align1 1H };
add(16)         g14<1>D         g12<1,1,0>D     g10<1,1,0>D     { align1 1H I@1 compacted };
and(16)         g16<1>UD        g14<1,1,0>UD    0x0000003fUD    { align1 1H I@1 compacted };
and(16)         g18<1>UD        g14<8,8,1>UD    0xffffffc0UD    { align1 1H };
add(16)         g4<1>D          g16<1,1,0>D     g18<1,1,0>D     { align1 1H I@1 compacted };
shl(16)         g2<1>D          g4<8,8,1>D      0x00000002UD    { align1 1H I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g109UD          g2UD            nullUD          0x64201502                0x05000000
                            ugm MsgDesc: ( load_cmask, a32, d32, x, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 bti ) BTI 5 base_offset 0  { align1 1H $1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $1.dst };
send(16)        nullUD          g2UD            g109UD          0x04001506                0x00000080
                            slm MsgDesc: ( store_cmask, a32, d32, x, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 2 flat ) base_offset 0  { align1 1H $2 };
shl(16)         g110<1>D        g4<8,8,1>D      0x00000004UD    { align1 1H $2.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.dst };
and(16)         g27<1>UD        g1<0,1,0>UD     0x0000003fUD    { align1 1H compacted };
add(16)         g113<1>D        g2<1,1,0>D      1024D           { align1 1H $2.src compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@3 };
send(16)        g19UD           g110UD          nullUD          0x6480f502                0x06000000
                            ugm MsgDesc: ( load_cmask, a32, d32, xyzw, L1STATE_L3MOCS dst_len = 8, src0_len = 2, src1_len = 0 bti ) BTI 6 base_offset 0  { align1 1H $3 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
shl(16)         g111<1>D        g27<8,8,1>D     0x00000004UD    { align1 1H I@2 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g28UD           g111UD          nullUD          0x6480f502                0x07000000
                            ugm MsgDesc: ( load_cmask, a32, d32, xyzw, L1STATE_L3MOCS dst_len = 8, src0_len = 2, src1_len = 0 bti ) BTI 7 base_offset 0  { align1 1H $4 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.dst };
add(16)         g115<1>F        g19<1,1,0>F     g30<1,1,0>F     { align1 1H $3.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N A@1 };
send(16)        nullUD          g113UD          g115UD          0x04001506                0x00000080
                            slm MsgDesc: ( store_cmask, a32, d32, x, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 2 flat ) base_offset 0  { align1 1H $5 };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.dst };
send(1)         g29UD           g0UD            nullUD          0x0210151f                0x00000000
                            slm MsgDesc: ( fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat ) base_offset 0  { align1 WE_all 1N $6 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $6.dst };
mov(8)          g30<1>UD        0x00000000UD                    { align1 WE_all 1Q F@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $6.src };
mov(2)          g30.10<1>UB     g0.11<0,1,0>UB                  { align1 WE_all 1N I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g30UD           nullUD          0x02000004                0x00000000
                            gateway MsgDesc: (barrier msg) mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H $7 };
sync bar(16)                    null<0,1,0>UB                   { align1 WE_all 1H };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.dst };
mul(16)         g31<1>D         g4<1,1,0>D      3W              { align1 1H F@1 compacted };
mov(16)         g33<1>UD        g31<32,8,4>UB                   { align1 1H @1 $4.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $5.src };
shl(16)         g116<1>D        g33<8,8,1>D     0x00000002UD    { align1 1H I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g116UD          nullUD          0x04040508                0x00000000
                            slm MsgDesc: ( atomic_inc, a32, d32, V1, L1UC_L3WB dst_len = 0, src0_len = 2, src1_len = 0 flat ) base_offset 0  { align1 1H $8 };
add(16)         g117<1>D        g2<1,1,0>D      256D            { align1 1H $8.src compacted };
mov(16)         g119<1>D        2D                              { align1 1H };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g122UD          g117UD          g119UD          0x6424050c                0x05000080
                            ugm MsgDesc: ( atomic_add, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 2 bti ) BTI 5 base_offset 0  { align1 1H $9 };
mov(16)         g124<1>D        g1.1<0,1,0>D                    { align1 1H };
mov(16)         g120<1>D        20D                             { align1 1H $9.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $9.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $4.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g35UD           g120UD          g122UD          0x64240512                0x05000100
                            ugm MsgDesc: ( atomic_cmpxchg, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 4 bti ) BTI 5 base_offset 0  { align1 1H $10 };
mov(8)          g126<1>D        g4<8,8,1>D                      { align1 1Q };
mov(8)          g127<1>D        1D                              { align1 1Q };
mov(8)          g1<1>D          3D                              { align1 1Q };
add(16)         g37<1>D         g122<1,1,0>D    g35<1,1,0>D     { align1 1H $10.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(8)         g39UD           g126UD          g1UD            0x0411a702                0x00000040
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 2, SIMD16, add) mlen 2 ex_mlen 1 rlen 1 { align1 1Q $11 };
mov(8)          g7<1>D          g5<8,8,1>D                      { align1 2Q };
mov(8)          g8<1>D          1D                              { align1 2Q };
mov(8)          g9<1>D          3D                              { align1 2Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N I@1 };
send(8)         g40UD           g7UD            g9UD            0x0411b702                0x00000040
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 2, SIMD8, add) mlen 2 ex_mlen 1 rlen 1 { align1 2Q $3 };
mov(8)          g10<1>D         g4<8,8,1>D                      { align1 1Q };
mov(8)          g11<1>D         g4<8,8,1>D                      { align1 1Q };
mov(8)          g12<1>D         g5<8,8,1>D                      { align1 2Q };
mov(8)          g13<1>D         g5<8,8,1>D                      { align1 2Q };
mov(8)          g14<1>D         g4<8,8,1>D                      { align1 1Q };
mov(8)          g15<1>D         2D                              { align1 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@5 };
send(8)         g103UD          g10UD           nullUD          0x04415003                0x00000000
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 3, SIMD16, Mask = 0x0) mlen 2 ex_mlen 0 rlen 4 { align1 1Q $12 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N I@3 };
send(8)         g99UD           g12UD           nullUD          0x04416003                0x00000000
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 3, SIMD8, Mask = 0x0) mlen 2 ex_mlen 0 rlen 4 { align1 2Q $13 };
mov(8)          g58<1>F         g103<1,1,0>F                    { align1 1Q $12.dst compacted };
mov(8)          g60<1>F         g104<1,1,0>F                    { align1 1Q $12.dst compacted };
mov(8)          g62<1>F         g105<1,1,0>F                    { align1 1Q $12.dst compacted };
mov(8)          g41<1>F         g106<1,1,0>F                    { align1 1Q $12.dst compacted };
mov(8)          g59<1>F         g99<1,1,0>F                     { align1 2Q $13.dst compacted };
mov(8)          g61<1>F         g100<1,1,0>F                    { align1 2Q $13.dst compacted };
mov(8)          g63<1>F         g101<1,1,0>F                    { align1 2Q $13.dst compacted };
mov(8)          g42<1>F         g102<1,1,0>F                    { align1 2Q $13.dst compacted };
mul(16)         g64<1>F         g58<1,1,0>F     0x40000000F  /* 2F */ { align1 1H F@4 compacted };
mul(16)         g66<1>F         g60<1,1,0>F     0x40000000F  /* 2F */ { align1 1H F@4 compacted };
mul(16)         g68<1>F         g62<1,1,0>F     0x40000000F  /* 2F */ { align1 1H F@4 compacted };
mul(16)         g43<1>F         g41<1,1,0>F     0x40000000F  /* 2F */ { align1 1H F@4 compacted };
mov(8)          g16<1>D         g64<8,8,1>D                     { align1 1Q F@4 };
mov(8)          g17<1>D         g66<8,8,1>D                     { align1 1Q F@3 };
mov(8)          g18<1>D         g68<8,8,1>D                     { align1 1Q F@2 };
mov(8)          g19<1>D         g43<8,8,1>D                     { align1 1Q F@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         nullUD          g14UD           g16UD           0x04035003                0x00000100
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 3, SIMD16, Mask = 0x0) mlen 2 ex_mlen 4 rlen 0 { align1 1Q $14 };
mov(8)          g17<1>D         g5<8,8,1>D                      { align1 2Q $14.src };
mov(8)          g18<1>D         2D                              { align1 2Q $14.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N $14.src };
mov(8)          g19<1>D         g65<8,8,1>D                     { align1 2Q F@4 };
mov(8)          g20<1>D         g67<8,8,1>D                     { align1 2Q F@3 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N $3.dst };
mov(8)          g21<1>D         g69<8,8,1>D                     { align1 2Q F@2 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N $3.dst };
mov(8)          g22<1>D         g44<8,8,1>D                     { align1 2Q F@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N I@1 };
send(8)         nullUD          g17UD           g19UD           0x04036003                0x00000100
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 3, SIMD8, Mask = 0x0) mlen 2 ex_mlen 4 rlen 0 { align1 2Q $15 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         g44UD           g4UD            nullUD          0x02115e04                0x00000000
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 4, SIMD16, Mask = 0xe) mlen 1 ex_mlen 0 rlen 1 { align1 1Q $0 };
send(8)         g45UD           g5UD            nullUD          0x02116e04                0x00000000
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 0 rlen 1 { align1 2Q $1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $1.src };
add(16)         g48<1>D         g4<1,1,0>D      1D              { align1 1H $0.src compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $1.dst };
add3(16)        g46<1>D         g37<8,8,1>D     g39<8,8,1>D     g44<1,1,1>D { align1 1H $11.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         nullUD          g48UD           g46UD           0x02035e04                0x00000040
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 4, SIMD16, Mask = 0xe) mlen 1 ex_mlen 1 rlen 0 { align1 1Q $2 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N I@1 };
send(8)         nullUD          g49UD           g47UD           0x02036e04                0x00000040
                            dp data 1 MsgDesc: (DC typed surface write, Surface = 4, SIMD8, Mask = 0xe) mlen 1 ex_mlen 1 rlen 0 { align1 2Q $3 };
mov(8)          g20<1>D         g4<8,8,1>D                      { align1 1Q $15.src };
mov(8)          g21<1>D         g4<8,8,1>D                      { align1 1Q $15.src };
mov(8)          g22<1>D         g4<8,8,1>D                      { align1 1Q $15.src };
mov(8)          g23<1>D         g5<8,8,1>D                      { align1 2Q $3.dst };
mov(8)          g24<1>D         g5<8,8,1>D                      { align1 2Q $3.dst };
mov(8)          g25<1>D         g5<8,8,1>D                      { align1 2Q $3.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
mov(16)         g51<1>UD        0x00000000UD                    { align1 WE_all 1H $2.src };
mov(16)         g51<1>UD        g46<8,8,1>UD                    { align1 1H };
add(16)         g55<1>W         g6<16,16,1>UW   -1W             { align1 WE_all 1H };
mov(1)          g83<1>UD        sr0.2<0,1,0>UD                  { align1 WE_all 1N A@1 compacted };
and(1)          g83<1>UD        g83<0,1,0>UD    0xffffffffUD    { align1 WE_all 1N A@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $2.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@7 };
send(8)         g108UD          g20UD           nullUD          0x06415008                0x00000000
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 8, SIMD16, Mask = 0x0) mlen 3 ex_mlen 0 rlen 4 { align1 1Q $4 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N A@4 };
send(8)         g104UD          g23UD           nullUD          0x06416008                0x00000000
                            dp data 1 MsgDesc: (DC typed surface read, Surface = 8, SIMD8, Mask = 0x0) mlen 3 ex_mlen 0 rlen 4 { align1 2Q $3 };
mov(16)         a0<1>UW         0x0660UW                        { align1 WE_all 1H I@2 };
shl(16)         a0<1>UW         g55<8,8,1>W     0x0002UW        { align1 WE_all 1H };
add(16)         a0<1>UW         a0<8,8,1>UW     0x0660UW        { align1 WE_all 1H A@1 };
mov(16)         g53<1>UD        g[a0]<VxH,1,0>UD                { align1 WE_all 1H A@1 compacted };
mov(1)          g53<1>UD        0x00000000UD                    { align1 WE_all 1N I@1 };
sel.ge(8)       g53.1<2>UD      g53<8,4,2>UD    g53.1<8,4,2>UD  { align1 WE_all 1Q I@1 };
sel.ge(4)       g53.2<4>UD      g53.1<8,2,4>UD  g53.2<8,2,4>UD  { align1 WE_all 1N I@1 };
sel.ge(4)       g53.3<4>UD      g53.1<8,2,4>UD  g53.3<8,2,4>UD  { align1 WE_all 1N I@1 };
sel.ge(4)       g53.4<1>UD      g53.3<0,1,0>UD  g53.4<4,4,1>UD  { align1 WE_all 1N I@1 };
sel.ge(4)       g54.4<1>UD      g54.3<0,1,0>UD  g54.4<4,4,1>UD  { align1 WE_all 1N I@2 };
sel.ge(8)       g54<1>UD        g53.7<0,1,0>UD  g54<8,8,1>UD    { align1 WE_all 1Q I@1 };
mov(8)          g69<1>F         g108<1,1,0>F                    { align1 1Q $4.dst compacted };
mov(8)          g70<1>F         g104<1,1,0>F                    { align1 2Q $3.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N A@1 };
add(16)         g50<1>F         g58<1,1,0>F     g69<1,1,0>F     { align1 1H compacted };
and(1)          g83<1>UD        mask0<0,1,0>UD  g83<0,1,0>UD    { align1 WE_all 1N I@7 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N A@1 };
sel.ge(16)      g58<1>UD        g53<1,1,0>UD    g46<1,1,0>UD    { align1 1H compacted };
mov.z.f0.0(16)  null<1>D        g6<8,8,1>UW                     { align1 1H };
lzd(1)          g84<1>UD        g83<0,1,0>UD                    { align1 WE_all 1N I@3 };
add(1)          g56<1>UD        -g84<0,1,0>UD   0x001fUW        { align1 WE_all 1N I@1 };
mov(16)         g62<1>D         g56<0,1,0>D                     { align1 WE_all 1H A@1 };
shl(1)          a0<1>UD         g62<0,1,0>D     0x00000002UD    { align1 WE_all 1N A@1 };
add(1)          a0<1>UD         a0<0,1,0>UD     0x00000600UD    { align1 WE_all 1N A@1 };
mov(1)          g60<1>UD        g[a0 320]<0,1,0>UD              { align1 WE_all 1N A@1 };
(+f0.0) if(16)  JIP:  LABEL0          UIP:  LABEL0              { align1 1H };
mov(16)         g24<1>UD        0x0000000cUD                    { align1 1H $3.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@3 };
mov(16)         g26<1>D         g60<0,1,0>D                     { align1 1H $3.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g7UD            g24UD           g26UD           0x04240511                0x00000080
                            slm MsgDesc: ( atomic_umax, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 2 flat ) base_offset 0  { align1 1H $3 };

LABEL0:
endif(16)       JIP:  LABEL1                                    { align1 1H };

LABEL1:
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@4 };
sel.ge(16)      g63<1>UD        g7<0,1,0>UD     g53<1,1,0>UD    { align1 1H $3.dst compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $3.src };
mov(16)         g27<1>D         36D                             { align1 1H $4.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $7.src };
add(16)         g29<1>D         g46<1,1,0>D     g63<1,1,0>D     { align1 1H I@2 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g64UD           g27UD           g29UD           0x6424050b                0x05000080
                            ugm MsgDesc: ( atomic_store, a32, d32, V1, L1UC_L3WB dst_len = 2, src0_len = 2, src1_len = 2 bti ) BTI 5 base_offset 0  { align1 1H $5 };
mov(16)         g68<1>D         1D                              { align1 1H F@1 };
mov(8)          g31<1>D         3D                              { align1 1Q };
mov(8)          g32<1>D         3D                              { align1 1Q };
mov(8)          g34<1>D         g68<8,8,1>D                     { align1 1Q I@3 };
add(16)         g81<1>D         g29<1,1,0>D     g64<1,1,0>D     { align1 1H $5.dst compacted };
mov(8)          g33<1>D         g81<8,8,1>D                     { align1 1Q I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(8)         g66UD           g31UD           g33UD           0x0411ae02                0x00000080
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 2, SIMD16, cmpwr) mlen 2 ex_mlen 2 rlen 1 { align1 1Q $6 };
mov(8)          g34<1>D         3D                              { align1 2Q $6.src };
mov(8)          g35<1>D         3D                              { align1 2Q };
mov(8)          g36<1>D         g82<8,8,1>D                     { align1 2Q I@4 };
mov(8)          g37<1>D         g69<8,8,1>D                     { align1 2Q I@7 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 3N I@1 };
send(8)         g67UD           g34UD           g36UD           0x0411be02                0x00000080
                            dp data 1 MsgDesc: (DC typed atomic, Surface = 2, SIMD8, cmpwr) mlen 2 ex_mlen 2 rlen 1 { align1 2Q $7 };
sync allwr(1)                   null<0,1,0>UB                   { align1 WE_all 1N };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(1)         g69UD           g0UD            nullUD          0x0210151f                0x00000000
                            ugm MsgDesc: ( fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat ) base_offset 0  { align1 WE_all 1N $8 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $8.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N F@1 };
send(1)         g70UD           g0UD            nullUD          0x0210151f                0x00000000
                            tgm MsgDesc: ( fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat ) base_offset 0  { align1 WE_all 1N $9 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $9.src };
send(1)         g71UD           g0UD            nullUD          0x0210151f                0x00000000
                            slm MsgDesc: ( fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat ) base_offset 0  { align1 WE_all 1N $10 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $9.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $10.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $8.dst };
mov(8)          g72<1>UD        0x00000000UD                    { align1 WE_all 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $10.src };
mov(2)          g72.10<1>UB     g0.11<0,1,0>UB                  { align1 WE_all 1N I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g72UD           nullUD          0x02000004                0x00000000
                            gateway MsgDesc: (barrier msg) mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H $11 };
sync bar(16)                    null<0,1,0>UB                   { align1 WE_all 1H };
send(16)        g73UD           g2UD            nullUD          0x04201502                0x00000000
                            slm MsgDesc: ( load_cmask, a32, d32, x, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 flat ) base_offset 0  { align1 1H $12 };
mov(16)         g77<1>UD        g50<8,8,1>F                     { align1 1H F@1 };
shl(16)         g79<1>D         -g4<8,8,1>D     0x00000002UD    { align1 1H };
mov(8)          g39<1>F         0x0F             /* 0F */       { align1 WE_all 1Q compacted };
mov(8)          g90<1>UD        0D                              { align1 WE_all 1Q };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $7.src };
add(16)         g37<1>D         g79<1,1,0>D     1276D           { align1 1H I@2 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N F@1 };
send(8)         g86UD           g39UD           nullUD          0x0242a002                0x00000000
                            sampler MsgDesc: resinfo SIMD8 Surface = 2 Sampler = 0 mlen 1 ex_mlen 0 rlen 4 { align1 WE_all 1Q $13 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@2 };
send(8)         g91UD           g90UD           nullUD          0x0242a005                0x00000000
                            sampler MsgDesc: resinfo SIMD8 Surface = 5 Sampler = 0 mlen 1 ex_mlen 0 rlen 4 { align1 WE_all 1Q $14 };
and(8)          g95<1>UD        g91<1,1,0>UD    0x00000003UD    { align1 WE_all 1Q $14.dst compacted };
and(8)          g92<1>UD        g91<8,8,1>UD    0xfffffffcUD    { align1 WE_all 1Q $14.dst };
add(8)          g96<1>UD        g92<1,1,0>UD    -g95<1,1,0>UD   { align1 WE_all 1Q I@1 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
shr(16)         g97<1>UD        g96<0,1,0>UD    0x00000002UD    { align1 1H compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $7.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $12.dst };
add3(16)        g75<1>D         g81<8,8,1>D     g66<8,8,1>D     g73<1,1,1>D { align1 1H $6.dst };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        g80UD           g37UD           nullUD          0x04201502                0x00000000
                            slm MsgDesc: ( load_cmask, a32, d32, x, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 flat ) base_offset 0  { align1 1H $15 };
mov(16)         g82<1>UD        g80<8,8,1>F                     { align1 1H $15.dst };
add3(16)        g84<1>D         g75<8,8,1>D     g77<8,8,1>D     g82<1,1,1>D { align1 1H I@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $13.dst };
add3(16)        g40<1>D         g84<8,8,1>D     g86.0<0,1,0>D   g97<1,1,1>D { align1 1H A@1 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $12.src };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N I@1 };
send(16)        nullUD          g2UD            g40UD           0x64001506                0x05000080
                            ugm MsgDesc: ( store_cmask, a32, d32, x, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 2 bti ) BTI 5 base_offset 0  { align1 1H $0 };
mov(8)          g126<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q $11.src };
send(16)        nullUD          g126UD          nullUD          0x02000000                0x00000000
                            gateway MsgDesc: (open) mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H A@1 EOT };
