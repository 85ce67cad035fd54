        mad (8)                   r43:f         r5.3<0>:f         r5.1<0>:f         r3<1>:f
        mad (8)                   r44:f         r5.7<0>:f         r5.5<0>:f         r3<1>:f
        mad (8)                   r45:f         r6.3<0>:f         r6.1<0>:f         r3<1>:f
        mad (8)                   r46:f         r6.7<0>:f         r6.5<0>:f         r3<1>:f
        mov (8)                   r59           0x40000000
        mov (8)                   r62           0x3fc00000
        mov (8)                   r74           r7.3<0>
        mov (8)                   r75           r7.7<0>
        mov (8)                   r78           r8.3<0>
        mov (8)                   r38           r7.3<0>
        mov (8)                   r39           r7.7<0>
        mov (8)                   r79           r7.7<0>
        mov (8)                   r80           r8.3<0>
(W)     mov (8)                   r81           0x00000000
(W)     mov (8)                   r82           0x00000000
(W)     mov (8)                   r83           0x00000000
        mov (8)                   r56           0x00000000
(W)     mov (8)                   r58           0x00000000
        mov (8)                   r40           0x3f800000
        mad (8)                   r32:f         r43:f             r5<0>:f           r2<1>:f {Compacted}
        mad (8)                   r33:f         r44:f             r5.4<0>:f         r2<1>:f {Compacted}
        mad (8)                   r31:f         r45:f             r6<0>:f           r2<1>:f {Compacted}
        mad (8)                   r34:f         r46:f             r6.4<0>:f         r2<1>:f {Compacted}
        send.smpl (8)             r13     r74    null    0x00000000  0x0243A007   {$0}  // wr:1+0, rd:4; ld_lz:u,v,r (8) bti(7) using sampler index 0
(W)     sync.nop (1)                            null                              {$0.src}
        send.smpl (8)             r92     r74    r75     0x00000040  0x0243D006   {$1}  // wr:1+1, rd:4; ld_mcs:u,v,r,lod (8) bti(6) using sampler index 0
(W)     sync.nop (1)                            null                              {$1.src}
        send.smpl (8)             r101    r74    r79     0x00000080  0x0243A008   {$2}  // wr:1+2, rd:4; ld_lz:u,v,r (8) bti(8) using sampler index 0
(W)     mov (1)                   r81.2         0x00010000                        {@7}
(W)     mov (1)                   r82.2         0x000203e0                        {@7}
(W)     and (1)                   r83.3         r0.3<0>           0xffffffe0      {@7}
        send.smpl (8)             r5      r56    null    0x00000000  0x0242A002   {@4,$3}  // wr:1+0, rd:4; resinfo:lod (8) bti(2) using sampler index 0
(W)     mov (1)                   r58.2         0x0000e000                        {@7}
        mov (8)                   r61           r32                               {@7}
(W)     mov (8)                   r84           r32
        send.smpl (8)             r1      r62    r32     0x00000080  0x02421002   {@7,$4}  // wr:1+2, rd:4; sample_b (8) bti(2) using sampler index 0
(W)     sync.nop (1)                            null                              {$4.src}
        send.smpl (8)             r47     r32    r33     0x00000040  0x02420002   {$5}  // wr:1+1, rd:4; sample:u,v,r,ai (8) bti(2) using sampler index 0
        mov (8)                   r60           r33                               {$5.src}
        mov (8)                   r57           r33
        sel (8)        (ge)f0.0   r76:f         (abs)r32:f        (abs)r33:f      {Compacted}
        mov (8)                   r73           r33
        send.smpl (8)             r29     r32    r33     0x00000040  0x02229002   {$6}  // wr:1+1, rd:2; lod:u,v,r,ai (8) bti(2) using sampler index 0
(W)     sync.nop (1)                            null                              {$3.src}
        mov (8)                   r56           r32                               {$6.src}
        mov (8)                   r74           r31                               {$2.src}
        mov (8)                   r35           r31
        mov (8)                   r55           r31
        send.smpl (8)             r71     r31    r32     0x00000080  0x02123103   {$7}  // wr:1+2, rd:1; sample_c:ref,u,v,r,ai (8) bti(3) using sampler index 1
        math.inv (8)              r106:f        r34:f             null            {$8}
(W)     and (1)                   r81.3         r0.3<0>           0xffffffe0
(W)     and (1)                   r82.3         r0.3<0>           0xffffffe0
        send.smpl (8)             r51     r59    r60     0x00000080  0x02422002   {@7,$9}  // wr:1+2, rd:4; sample_l (8) bti(2) using sampler index 0
(W)     sync.nop (1)                            null                              {$7.src}
        sel (8)        (ge)f0.0   r77:f         r76:f             (abs)r31:f      {Compacted,@7}
(W)     sync.nop (1)                            null                              {$8.src}
(W)     sync.nop (1)                            null                              {$9.src}
(W)     sync.nop (1)                            null                              {@5}
        send.smpl (8)             r59     r84    r31     0x00000140  0x02424002   {$10}  // wr:1+5, rd:4; sample_d:u,dudx,dudy,v,dvdx,dvdy,r,drdx,drdy,ai,mlod (8) bti(2) using sampler index 0
(W)     sync.nop (1)                            null                              {@4}
        send.smpl (8)             r25     r83    r55     0x000000C0  0x024B0103   {$11}  // wr:1h+3, rd:4; gather4_c:ref,u,v,r,ai (8) bti(3) using sampler index 1
(W)     sync.nop (1)                            null                              {$10.src}
(W)     sync.nop (1)                            null                              {@3}
        send.smpl (8)             r17     r81    r32     0x00000080  0x024A8002   {$12}  // wr:1h+2, rd:4; gather4:u,v,r,ai (8) bti(2) using sampler index 0
(W)     sync.nop (1)                            null                              {$12.src}
        mul (8)                   r41:f         r32:f             r106:f          {Compacted,$8.dst}
        mul (8)                   r42:f         r33:f             r106:f          {Compacted}
        mul (8)                   r108:f        r31:f             r106:f          {Compacted}
(W)     sync.nop (1)                            null                              {@5}
        send.smpl (8)             r21     r82    r32     0x00000080  0x024A8002   {$13}  // wr:1h+2, rd:4; gather4:u,v,r,ai (8) bti(2) using sampler index 0
        mov (8)                   r43:f         r5:d                              {Compacted,$3.dst}
        mov (8)                   r45:f         r6:d                              {Compacted}
(W)     sync.nop (1)                            null                              {$1.dst}
        send.smpl (8)             r94     r58    null    0x00000000  0x021AB006   {$14}  // wr:1h+0, rd:1; sampleinfo (8) bti(6) using sampler index 0
        mov (8)                   r36           r92
        mov (8)                   r37           r93
        mov (8)                   r105:f        r101                              {Compacted,$2.dst}
        mov (8)                   r107:f        r102                              {Compacted}
        mov (8)                   r109:f        r103                              {Compacted}
        mov (8)                   r111:f        r104                              {Compacted}
        mov (8)                   r92:f         r8:d                              {Compacted}
(W)     sync.nop (1)                            null                              {$13.src}
        send.smpl (8)             r5      r32    r73     0x00000080  0x02420305   {@1,$15}  // wr:1+2, rd:4; sample:u,v,r,ai (8) bti(5) using sampler index 3
        send.smpl (8)             r9      r78    r36     0x00000100  0x0243C006   {@6,$0}  // wr:1+4, rd:4; ld2dms_w:si,mcsl,mcsh,u,v,r,lod (8) bti(6) using sampler index 0
(W)     sync.nop (1)                            null                              {$0.src}
        math.inv (8)              r78:f         r77:f             null            {$1}
        send.smpl (8)             r36     r108   r40     0x000000C0  0x02126103   {@7,$2}  // wr:1+3, rd:1; sample_l_c (8) bti(3) using sampler index 1
(W)     sync.nop (1)                            null                              {$15.src}
        mul (8)                   r79:f         r32:f             r78:f           {Compacted,$1.dst}
        mul (8)                   r72:f         r33:f             r78:f           {Compacted}
        mul (8)                   r73:f         r31:f             r78:f           {Compacted}
(W)     sync.nop (1)                            null                              {$9.dst}
(W)     sync.nop (1)                            null                              {$14.src}
        add (8)                   r58:f         r50:f             r54:f           {Compacted,$5.dst}
        add (8)                   r55:f         r47:f             r51:f           {Compacted,$11.src}
        add (8)                   r56:f         r48:f             r52:f           {Compacted}
        add (8)                   r57:f         r49:f             r53:f           {Compacted}
        send.smpl (8)             r80     r79    r72     0x00000080  0x02420204   {@5,$3}  // wr:1+2, rd:4; sample:u,v,r,ai (8) bti(4) using sampler index 2
        add (8)                   r66:f         r58:f             r62:f           {Compacted,@4,$10.dst}
        add (8)                   r63:f         r55:f             r59:f           {Compacted,@4}
        add (8)                   r64:f         r56:f             r60:f           {Compacted,@4}
(W)     sync.nop (1)                            null                              {$13.dst}
        add (8)                   r113:f        r17:f             r21:f           {Compacted,$12.dst}
        add (8)                   r114:f        r18:f             r22:f           {Compacted}
        add (8)                   r115:f        r19:f             r23:f           {Compacted}
        add (8)                   r116:f        r20:f             r24:f           {Compacted}
        add (8)                   r65:f         r57:f             r61:f           {Compacted,@7}
        add (8)                   r70:f         r66:f             r4:f            {Compacted,@7,$4.dst}
        add (8)                   r67:f         r63:f             r1:f            {Compacted,@7}
        add (8)                   r68:f         r64:f             r2:f            {Compacted,@7}
        add (8)                   r69:f         r65:f             r3:f            {Compacted,@4}
        add (8)                   r75:f         r70:f             r71:f           {Compacted,@4,$7.dst}
(W)     sync.nop (1)                            null                              {$3.src}
        add (8)                   r72:f         r67:f             r71:f           {Compacted,@4}
        add (8)                   r73:f         r68:f             r71:f           {Compacted,@4}
        mov (8)                   r101:f        r94:d                             {Compacted,$14.dst}
        add (8)                   r74:f         r69:f             r71:f           {Compacted,@5}
        add (8)                   r86:f         r74:f             r82:f           {Compacted,@1,$3.dst}
        add (8)                   r85:f         r73:f             r81:f           {Compacted,@4}
        add (8)                   r84:f         r72:f             r80:f           {Compacted,@6}
        add (8)                   r87:f         r75:f             r83:f           {Compacted,@7}
        add (8)                   r90:f         r86:f             r7:f            {Compacted,@4,$15.dst}
        add (8)                   r89:f         r85:f             r6:f            {Compacted,@4}
        add (8)                   r88:f         r84:f             r5:f            {Compacted,@4}
        add (8)                   r91:f         r87:f             r8:f            {Compacted,@4}
        add (8)                   r95:f         r90:f             r11:f           {Compacted,@4,$0.dst}
        add (8)                   r94:f         r89:f             r10:f           {Compacted,@4}
        add (8)                   r93:f         r88:f             r9:f            {Compacted,@4}
        add (8)                   r96:f         r91:f             r12:f           {Compacted,@4}
        add (8)                   r99:f         r95:f             r15:f           {Compacted,@4,$0.dst}
        add (8)                   r98:f         r94:f             r14:f           {Compacted,@4}
        add (8)                   r97:f         r93:f             r13:f           {Compacted,@4}
        add (8)                   r100:f        r96:f             r16:f           {Compacted,@4}
        add (8)                   r110:f        r99:f             r109:f          {Compacted,@4}
(W)     sync.nop (1)                            null                              {$2.src}
        add (8)                   r108:f        r98:f             r107:f          {Compacted,@4}
        add (8)                   r106:f        r97:f             r105:f          {Compacted,@4}
        add (8)                   r112:f        r100:f            r111:f          {Compacted,@4}
        add (8)                   r119:f        r110:f            r115:f          {Compacted,@4}
        add (8)                   r118:f        r108:f            r114:f          {Compacted,@4}
        add (8)                   r117:f        r106:f            r113:f          {Compacted,@4}
        add (8)                   r120:f        r112:f            r116:f          {Compacted,@4}
        add (8)                   r126:f        r119:f            r27:f           {Compacted,@4,$11.dst}
        add (8)                   r122:f        r118:f            r26:f           {Compacted,@4}
        add (8)                   r121:f        r117:f            r25:f           {Compacted,@4}
        add (8)                   r127:f        r120:f            r28:f           {Compacted,@4}
        add (8)                   r0:f          r122:f            r30:f           {Compacted,@3,$6.dst}
        add (8)                   r123:f        r121:f            r29:f           {Compacted,@3}
        add (8)                   r46:f         r0:f              r45:f           {Compacted,@2}
        add (8)                   r44:f         r123:f            r43:f           {Compacted,@2}
        add (8)                   r125:f        r46:f             r101:f          {Compacted,@2}
        add (8)                   r93:f         r44:f             r92:f           {Compacted,@2}
        add (8)                   r124:f        r93:f             r36:f           {Compacted,@1,$2.dst}
        sendc.render (8)          null    r124   null    0x00000000  0x08031400   {EOT,@1}  // wr:4+0, rd:0; simd8 rt_write last_rt (8) bti(0)
