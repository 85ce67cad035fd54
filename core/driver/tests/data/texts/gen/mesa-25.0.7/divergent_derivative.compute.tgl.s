Push constant ranges:
    RANGE0 (32B): Vulkan push constants and API params

shl(16)         g9<1>D          g1.6<0,1,0>D    0x00000004UD    { align1 1H };
mov(1)          g41<1>D         1D                              { align1 WE_all 1N };
mov(8)          g6<1>UW         0x76543210V                     { align1 WE_all 1Q };
add(8)          g6.8<1>UW       g6<8,8,1>UW     0x0008UW        { align1 WE_all 1Q @1 compacted };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N @1 };
mov(16)         g4<1>UD         g6<8,8,1>UW                     { align1 1H };
add(16)         g7<1>D          g4<8,8,1>D      g9<8,8,1>D      { align1 1H @1 compacted };
and(16)         g2<1>UD         g7<8,8,1>UD     0x0000000fUD    { align1 1H @1 compacted };
shr(16)         g11<1>UD        g7<8,8,1>UD     0x00000004UD    { align1 1H compacted };
asr(16)         g13<1>D         g2<8,8,1>D      0x00000001UD    { align1 1H @2 };
shl(16)         g19<1>D         g11<8,8,1>D     0x00000001UD    { align1 1H @2 };
sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N @2 };
bfi2(16)        g15<1>UD        g41.0<0,1,0>UD  g2<8,8,1>UD     g13<1,1,1>UD { align1 1H };
and(16)         g17<1>UD        g13<8,8,1>UD    0x00000001UD    { align1 1H compacted };
mov(16)         g24<1>F         g15<8,8,1>UD                    { align1 1H @2 compacted };
and.z.f0.0(16)  null<1>UD       g15<8,8,1>UD    0x00000001UD    { align1 1H };
or(16)          g21<1>UD        g19<8,8,1>UD    g17<8,8,1>UD    { align1 1H @3 compacted };
mul(16)         g26<1>F         g24<8,8,1>F     0x40000000F  /* 2F */ { align1 1H @3 compacted };
and(16)         g23<1>UD        g21<8,8,1>UD    0x00000007UD    { align1 1H @2 compacted };
add(16)         g31<1>F         g26.1<4,4,0>F   -g26<4,4,0>F    { align1 1H @2 compacted };
mov(16)         g25<1>F         g23<8,8,1>UD                    { align1 1H @2 compacted };
shl(16)         g36<1>D         g23<8,8,1>D     0x00000003UD    { align1 1H };
mul(16)         g27<1>F         g25<8,8,1>F     0x40400000F  /* 3F */ { align1 1H @2 compacted };
add(16)         g38<1>D         g36<8,8,1>D     g15<8,8,1>D     { align1 1H @2 compacted };
add(16)         g29<1>F         -g27<4,4,0>F    g27.2<4,4,0>F   { align1 1H @2 };
shl(16)         g40<1>D         g38<8,8,1>D     0x00000002UD    { align1 1H @2 };
add(16)         g33<1>F         g29<8,8,1>F     g31<8,8,1>F     { align1 1H @2 compacted };
(+f0.0) sel(16) g35<1>UD        g33<8,8,1>UD    0x00000000UD    { align1 1H @1 compacted };
send(16)        nullUD          g40UD           g35UD           0x04025e01                0x00000080
                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 1, SIMD16, Mask = 0xe)  mlen 2 ex_mlen 2 rlen 0 { align1 1H @1 $0 };
mov(8)          g126<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(16)        nullUD          g126UD          nullUD          0x02000000                0x00000000
                            thread_spawner MsgDesc:  mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H @1 EOT };
