mad(16)         g16<1>F         g7.4<0,1,0>F    g1<8,8,1>F      g5.12<0,1,0>F { align1 1H };
mad(16)         g17<1>F         g7.5<0,1,0>F    g1<8,8,1>F      g5.13<0,1,0>F { align1 1H };
mad(16)         g18<1>F         g7.6<0,1,0>F    g1<8,8,1>F      g5.14<0,1,0>F { align1 1H };
mad(16)         g19<1>F         g7.7<0,1,0>F    g1<8,8,1>F      g5.15<0,1,0>F { align1 1H };
mov(16)         g6<1>UD         g0<0,1,0>UD                     { align1 1H compacted };
mul(16)         g1<1>F          g2<1,1,0>F      0x40400000F  /* 3F */ { align1 1H compacted };
mov(16)         g2<1>D          g1<8,8,1>F                      { align1 1H F@1 };
shl(16)         g3<1>D          g2<8,8,1>D      0x00000005UD    { align1 1H I@1 };
add(16)         g7<1>D          g6<1,1,0>D      g3<1,1,0>D      { align1 1H A@1 compacted };
send(16)        g8UD            g7UD            nullUD          0x02423500                0x00040000
                urb MsgDesc: ( load, a32, d32, V4, L1UC_L3UC dst_len = 4, src0_len = 1, src1_len = 0 flat )  base_offset 64  { align1 1H I@1 $0 };
mov(16)         g126<1>F        g0.1<0,1,0>F                    { align1 1H compacted };
mov(16)         g12<1>D         1006648320D                     { align1 1H };
mov(16)         g13<1>D         0D                              { align1 1H };
mov(16)         g14<1>D         0D                              { align1 1H };
mov(16)         g15<1>D         0D                              { align1 1H };
add(16)         g119<1>F        g8<1,1,0>F      g5.8<0,1,0>F    { align1 1H $0.dst compacted };
add(16)         g120<1>F        g9<1,1,0>F      g5.9<0,1,0>F    { align1 1H compacted };
add(16)         g121<1>F        g10<1,1,0>F     g5.10<0,1,0>F   { align1 1H compacted };
add(16)         g122<1>F        g11<1,1,0>F     g5.11<0,1,0>F   { align1 1H compacted };
send(16)        nullUD          g4UD            g12UD           0x02024504                0x00000200
                urb MsgDesc: ( store, a32, d32, V8, L1UC_L3UC dst_len = 0, src0_len = 1, src1_len = 8 flat )  base_offset 0  { align1 1H A@1 $1 };
mov(16)         g127<1>UD       g4<8,8,1>D                      { align1 1H $1.src };
send(16)        nullUD          g127UD          g119UD          0x02024504                0x00020200
                urb MsgDesc: ( store, a32, d32, V8, L1UC_L3UC dst_len = 0, src0_len = 1, src1_len = 8 flat )  base_offset 32  { align1 1H A@1 EOT };
