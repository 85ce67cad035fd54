(W)     mov (8)                   r89:f         r2:f                              {Compacted}
(W)     mov (8)                   r90:f         r4:f                              {Compacted}
(W)     mov (8)                   r28:f         r3:f                              {Compacted}
(W)     mov (8)                   r29:f         r5:f                              {Compacted}
(W)     mov (1)                   f1:uw         r1.14<0>:uw
(W)     sync.nop (1)                            null                              {@2}
        mad (16)                  r32:f         r11.3<0>:f        r11.1<0>:f        r28<1>:f
(W)     sync.nop (1)                            null                              {@1}
        mad (16)                  r34:f         r32:f             r11<0>:f          r89<1>:f {Compacted}
        cmp (16)       (lt)f0.0   r47:f         r34:f             0x3e4ccccd:f    {@1}
(f1.0)  cmp (16)       (eq)f1.0   null:d        r47:d             0:d             {@1}
(~f1.0.any4h) halt (16)                       jip:L13             uip:L13
(W)     add (32)                  r24:uw        r1.4<1;4,0>:uw    0x11001010:v
        math.inv (16)             r26:f         r8:f              null            {$0}
        mov (16)                  r65           0x00000000
        mov (16)                  r20           0x00000000
        mov (16)                  r18           0x00000000
        mov (16)                  r16           0x00000000
        mov (16)                  r75           0x00000000
        mad (16)                  r36:f         r11.7<0>:f        r11.5<0>:f        r28<1>:f
        mad (16)                  r40:f         r12.3<0>:f        r12.1<0>:f        r28<1>:f
        mad (16)                  r44:f         r12.7<0>:f        r12.5<0>:f        r28<1>:f
(W)     sync.nop (1)                            null                              {@7}
        mov (16)                  r22:uw        r24<8;4,1>:uw
        mov (16)                  r23:uw        r24.4<8;4,1>:uw
        mad (16)                  r38:f         r36:f             r11.4<0>:f        r89<1>:f {Compacted,@5}
        mad (16)                  r42:f         r40:f             r12<0>:f          r89<1>:f {Compacted,@5}
        mad (16)                  r46:f         r44:f             r12.4<0>:f        r89<1>:f {Compacted,@5}

L0:
        cmp (16)       (ge)f0.0   null:d        r75:d             r13.3<0>:d      {@2}
(f0.0)  if (16)                               jip:L1              uip:L1
        mov (16)                  r31           0x00000000                        {@4}
        break (16)                            jip:L1              uip:L10

L1:
        endif (16)                            L10
        shl (16)                  r48:d         r75:d             0x00000002      {$1.src}
        send.hdc1 (16)            r50     r48    null    0x00000000  0x04205E04   {@1,$1}  // wr:2+0, rd:2; untyped_read:x simd16 (16) bti(4)
        cmp (16)       (lt)f0.0   null:f        r38:f             r50:f           {Compacted,@7,$1.dst}
(f0.0)  if (16)                               jip:L2              uip:L9
        mov (16)                  r52:f         r75:d                             {Compacted,$2.src}
(W)     sync.nop (1)                            null                              {$3.src}
        mul (16)                  r77:f         r34:f             r52:f           {Compacted,@1}
        mul (16)                  r79:f         r38:f             r52:f           {Compacted}
(W)     sync.nop (1)                            null                              {$0.src}
(W)     sync.nop (1)                            null                              {@1}
        send.smpl (16)            r2      r77    r79     0x00000080  0x04840003   {$3}  // wr:2+2, rd:8; sample:u,v,r,ai (16) bti(3) using sampler index 0
(W)     sync.nop (1)                            null                              {$4.src}
        add (16)                  r16:f         r16:f             r2:f            {Compacted,$3.dst}
        add (16)                  r18:f         r18:f             r4:f            {Compacted}
        add (16)                  r20:f         r20:f             r6:f            {Compacted,$5.src}
        add (16)                  r65:f         r65:f             r8:f            {Compacted,$6.src}
        else (16)                             jip:L9              uip:L9

L2:
        cmp (16)       (lt)f0.0   null:f        r50:f             r42:f           {Compacted,@7}
(f0.0)  if (16)                               jip:L3              uip:L3
        mov (16)                  r31           0x00000000                        {@7}
        break (16)                            jip:L3              uip:L10

L3:
        endif (16)                            L9
(W)     sync.nop (1)                            null                              {$1.src}
(W)     sync.nop (1)                            null                              {$2.src}
        add (16)                  r53:d         r48:d             4:d             {Compacted,@7}
        mov (16)                  r72           0x00000000

L4:
        send.hdc1 (16)            r55     r53    null    0x00000000  0x04205E04   {@2,$2}  // wr:2+0, rd:2; untyped_read:x simd16 (16) bti(4)
(W)     sync.nop (1)                            null                              {$7.src}
        mov (16)                  r57:d         r55:f                             {Compacted,$2.dst}
        cmp (16)       (ge)f0.0   null:d        r72:d             r57:d           {@1}
(f0.0)  if (16)                               jip:L5              uip:L5
        mov (16)                  r29           0x00000000                        {@5}
        break (16)                            jip:L5              uip:L7

L5:
        endif (16)                            L7
        shl (16)                  r58:d         r72:d             0x00000002      {$7.src}
(W)     sync.nop (1)                            null                              {$8.src}
        send.hdc1 (16)            r60     r58    null    0x00000000  0x04205E04   {@1,$7}  // wr:2+0, rd:2; untyped_read:x simd16 (16) bti(4)
(W)     sync.nop (1)                            null                              {$4.src}
        add (16)                  r16:f         r16:f             r60:f           {Compacted,@7,$7.dst}
        cmp (16)       (gt)f0.0   null:f        r16:f             0x42c80000:f    {@1}
(f0.0)  if (16)                               jip:L6              uip:L6
        mov (16)                  r29           0xffffffff                        {@7}
        break (16)                            jip:L6              uip:L7

L6:
        endif (16)                            L7
        add (16)                  r72:d         r72:d             3:d             {Compacted}

L7:
        while (16)                            L4
        mov (16)       (ne)f0.0   null:d        r29:d                             {@2}
(f0.0)  if (16)                               jip:L8              uip:L8
        mov (16)                  r31           0xffffffff                        {@7}
        break (16)                            jip:L8              uip:L10

L8:
        endif (16)                            L9
        add (16)                  r61:d         r48:d             28:d            {Compacted,$8.src}
        math.sin (16)             r14:f         r16:f             null            {@7,$4}
        math.exp (16)             r67:f         r20:f             null            {$5}
        math.sqt (16)             r71:f         r65:f             null            {@5,$6}
(W)     sync.nop (1)                            null                              {$9.src}
        send.hdc1 (16)            r63     r61    null    0x00000000  0x04205E04   {@1,$8}  // wr:2+0, rd:2; untyped_read:x simd16 (16) bti(4)
(W)     sync.nop (1)                            null                              {$4.dst}
        mad (16)                  r69:f         r18:f             r67:f             r14<1>:f {Compacted,$5.dst}
(W)     sync.nop (1)                            null                              {$8.dst}
        math.inv (16)             r73:f         r63:f             null            {@6,$9}
(W)     sync.nop (1)                            null                              {$6.dst}
        mad (16)                  r18:f         r69:f             r73:f             r71<1>:f {Compacted,@1,$9.dst}

L9:
        endif (16)                            L10
        add (16)                  r75:d         r75:d             1:d             {Compacted}

L10:
        while (16)                            L0
        mov (16)       (ne)f0.0   null:d        r31:d                             {@2}
(~f0.0) if (16)                               jip:L12             uip:L12
        math.log (16)             r74:f         r34:f             null            {@6,$10}
        cmp (16)       (le)f0.0   null          r13.3<0>          0x00000002
(W)     sync.nop (1)                            null                              {$5.src}
        add (16)                  r84:f         r20:f             0x40400000:f    {Compacted,@7}
        add (16)                  r87:f         r34.1<4;4,0>:f    -r34<4;4,0>:f   {Compacted,$10.src}
        add (16)                  r89:f         r38.1<4;4,0>:f    -r38<4;4,0>:f   {Compacted,@7}
        add (16)                  r91:f         r42.1<4;4,0>:f    -r42<4;4,0>:f   {Compacted,@7}
        add (16)                  r93:f         r46.1<4;4,0>:f    -r46<4;4,0>:f   {Compacted,@7}
        add (4)                   r95:f         -r34<0;2,1>:f     r34.2<0;2,1>:f
        add (4|M4)                r95.4:f       -r34.4<0;2,1>:f   r34.6<0;2,1>:f
        add (4|M8)                r96:f         -r35<0;2,1>:f     r35.2<0;2,1>:f
        add (4|M12)               r96.4:f       -r35.4<0;2,1>:f   r35.6<0;2,1>:f
        add (4)                   r97:f         -r38<0;2,1>:f     r38.2<0;2,1>:f
        add (4|M4)                r97.4:f       -r38.4<0;2,1>:f   r38.6<0;2,1>:f
        add (4|M8)                r98:f         -r39<0;2,1>:f     r39.2<0;2,1>:f
        add (4|M12)               r98.4:f       -r39.4<0;2,1>:f   r39.6<0;2,1>:f
        add (4)                   r99:f         -r42<0;2,1>:f     r42.2<0;2,1>:f
        add (4|M4)                r99.4:f       -r42.4<0;2,1>:f   r42.6<0;2,1>:f
        add (4|M8)                r100:f        -r43<0;2,1>:f     r43.2<0;2,1>:f
        add (4|M12)               r100.4:f      -r43.4<0;2,1>:f   r43.6<0;2,1>:f
        add (4)                   r101:f        -r46<0;2,1>:f     r46.2<0;2,1>:f
        add (4|M4)                r101.4:f      -r46.4<0;2,1>:f   r46.6<0;2,1>:f
        add (4|M8)                r102:f        -r47<0;2,1>:f     r47.2<0;2,1>:f
        add (4|M12)               r102.4:f      -r47.4<0;2,1>:f   r47.6<0;2,1>:f
        add (16)                  r111:f        -r34<4;4,0>:f     r34.2<4;4,0>:f
        add (16)                  r113:f        -r38<4;4,0>:f     r38.2<4;4,0>:f
        add (16)                  r115:f        -r42<4;4,0>:f     r42.2<4;4,0>:f
        add (16)                  r117:f        -r46<4;4,0>:f     r46.2<4;4,0>:f
        add (16)                  r119:f        r34.1<4;4,0>:f    -r34<4;4,0>:f   {Compacted}
        add (16)                  r121:f        r38.1<4;4,0>:f    -r38<4;4,0>:f   {Compacted}
        add (16)                  r123:f        r42.1<4;4,0>:f    -r42<4;4,0>:f   {Compacted}
        add (16)                  r125:f        r46.1<4;4,0>:f    -r46<4;4,0>:f   {Compacted}
        add (16)                  r3:f          r38.1<2;2,0>:f    -r38<2;2,0>:f
        add (16)                  r5:f          r34.1<2;2,0>:f    -r34<2;2,0>:f
        add (16)                  r7:f          r42.1<2;2,0>:f    -r42<2;2,0>:f   {$0.src}
        add (16)                  r9:f          r46.1<2;2,0>:f    -r46<2;2,0>:f
(W)     sync.nop (1)                            null                              {$3.src}
        mul (16)                  r76:f         r74:f             r38:f           {Compacted,$10.dst}
        add (16)                  r103:f        r87:f             r95:f           {Compacted}
        add (16)                  r105:f        r89:f             r97:f           {Compacted}
        add (16)                  r107:f        r91:f             r99:f           {Compacted}
        add (16)                  r109:f        r93:f             r101:f          {Compacted}
        add (16)                  r11:f         (abs)r119:f       (abs)r111:f     {Compacted}
        add (16)                  r24:f         (abs)r121:f       (abs)r113:f     {Compacted}
        add (16)                  r28:f         (abs)r123:f       (abs)r115:f     {Compacted}
        add (16)                  r30:f         (abs)r125:f       (abs)r117:f     {Compacted}
        math.exp (16)             r78:f         r76:f             null            {@7,$11}
        add (16)                  r32:f         r103:f            r11:f           {Compacted,@4}
        add (16)                  r34:f         r105:f            r24:f           {Compacted,@4}
        add (16)                  r36:f         r107:f            r28:f           {Compacted,@4}
        add (16)                  r38:f         r109:f            r30:f           {Compacted,@4}
(W)     sync.nop (1)                            null                              {$6.src}
(f0.0)  sel (16)                  r80           r65               r78             {Compacted,$11.dst}
        add (16)                  r40:f         r32:f             r3:f            {Compacted,@5}
        add (16)                  r42:f         r34:f             r5:f            {Compacted,@5}
        add (16)                  r44:f         r36:f             r7:f            {Compacted,@5}
        add (16)                  r46:f         r38:f             r9:f            {Compacted,@5}
        cmp (16)       (eq)f0.0   null:d        r13.3<0>:d        0:d
        add (16)                  r51:f         r80:f             r46:f           {Compacted,@2}
(~f0.0) sel (16)                  r81           r16               0x3f800000      {$4.src}
        add (16)                  r88:f         r81:f             r40:f           {Compacted,@1}
        cmp (16)       (eq)f0.0   null:d        r13.3<0>:d        1:d
(~f0.0) sel (16)                  r82           r18               0x40000000
(W)     sync.nop (1)                            null                              {$1.src}
        add (16)                  r47:f         r82:f             r42:f           {Compacted,@1}
(~f0.0) cmp (16)       (eq)f0.0   null:d        r13.3<0>:d        2:d
(f0.0)  sel (16)                  r86           r84               r20             {Compacted}
        add (16)                  r49:f         r86:f             r44:f           {Compacted,@1}
        cmp (16)       (gt)f0.0   null:f        r88:f             0x40000000:f    {Compacted,@7}
(f0.0)  if (16)                               jip:L11             uip:L11
        mov (16)                  r80:d         12:d
(f1.0)  send.hdc1 (16)            null    r80    r88     0x00000080  0x04025E04   {@1,$12}  // wr:2+2, rd:0; untyped_write:x simd16 (16) bti(4)

L11:
        endif (16)                            L12
        asr (16)       (eq)f0.0   null<2>:w     r1.2<0>:w         15:d
(W)     sync.nop (1)                            null                              {$2.src}
        mul (16)                  r53:f         r88:f             0x40000000:f    {Compacted,$12.src}
(W)     sync.nop (1)                            null                              {$7.src}
        mul (16)                  r57:f         r47:f             0x40000000:f    {Compacted,@7}
(W)     sync.nop (1)                            null                              {$8.src}
        mul (16)                  r61:f         r49:f             0x40000000:f    {Compacted,@7}
        mul (16)                  r63:f         r51:f             0x40000000:f    {Compacted,$9.src}
        mov (16)                  r14:f         r22:uw                            {Compacted}
        mov (16)                  r69:f         r23:uw                            {Compacted}
(f0.0)  sel (16)                  r55           r53               r88             {Compacted,@6}
(f0.0)  sel (16)                  r59           r57               r47             {Compacted,@6}
(f0.0)  sel (16)                  r80           r61               r49             {Compacted,@6}
(f0.0)  sel (16)                  r82           r63               r51             {Compacted,@6}
        add (16)                  r67:f         r14:f             0x3f000000:f    {Compacted,@6}
        add (16)                  r71:f         r69:f             0x3f000000:f    {Compacted,@6}
(W)     sync.nop (1)                            null                              {$11.src}
        mad (16)                  r76:f         r55:f             r26:f             r67<1>:f {Compacted,@2,$0.dst}
        mad (16)                  r78:f         r59:f             r26:f             r71<1>:f {Compacted,@2}
        mov (16)                  r120          r76:f                             {@2}
        mov (16)                  r122          r78:f                             {@2}

L12:
        endif (16)                            L13
        halt (16)                             jip:L13             uip:L13

L13:
        sync.allwr (16)                         null
(W)     sync.nop (1)                            null                              {$3.src}
(f1.0)  sendc.render (16)         null    r76    null    0x00000000  0x10030000   {@3,$13}  // wr:8+0, rd:0; simd16 rt_write (16) bti(0)
(f1.0)  sendc.render (16)         null    r120   null    0x00001000  0x10031001   {EOT,@1}  // wr:8+0, rd:0; ?
