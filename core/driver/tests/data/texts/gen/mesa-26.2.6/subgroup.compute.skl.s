(W)     shl (8)                   r2:d          r1.1<0>:d         0x00000004
(W)     mov (8)                   r5:uw         0x76543210:v
(W)     add (8)                   r5.8:uw       r5:uw             8:uw
        mov (16)                  r3            r5:uw
        add (16)                  r6:d          r3:d              r2<0>:d         {Compacted}
        shl (16)                  r8:d          r6:d              0x00000002
        sends.hdc1 (16)           r10     r8     null    0x00000000  0x04205E01  // wr:2+0, rd:2; untyped_read:x simd16 (16) bti(1)
(W)     mov (16)                  r91           0x00000000                        {Compacted}
        mov (16)                  r91:d         r10:d                             {Compacted}
(W)     add (8)                   r91.1<2>:d    r91<2>:d          r91.1<2>:d
(W)     add (4)                   r91.2<4>:d    r91.1<4>:d        r91.2<4>:d
(W)     add (4)                   r91.3<4>:d    r91.1<4>:d        r91.3<4>:d
(W)     add (4)                   r91.4:d       r91.3<0>:d        r91.4:d
(W)     add (4)                   r92.4:d       r92.3<0>:d        r92.4:d
(W)     add (8)                   r92:d         r91.7<0>:d        r92:d
        add (16)                  r12:d         r92.7<0>:d        r10.3<0>:d
(W)     mov (1)                   r111          mask0<0>                          {Compacted}
        xor (16)                  r15           r6                0x00000005      {Compacted}
        xor (16)                  r20           r3                0x00000002      {Compacted}
        add (16)                  r25:d         r3:d              -1:d            {Compacted}
        add (16)                  r30:d         r3:d              1:d             {Compacted}
(W)     mov (16)                  r95           0x00000000                        {Compacted}
        mov (16)                  r95           r10                               {Compacted}
(W)     add.sat (16)              r97:uw        r5:uw             -1:w
(W)     mov (16)                  r40           0x00000001                        {Compacted}
        mov (16)                  r40:d         r10:d                             {Compacted}
(W)     mov (16)                  r98           0x00000000                        {Compacted}
        mov (16)                  r98:d         r10:d                             {Compacted}
        mov (16)                  r109          r10.1<4;4,0>                      {Compacted}
(W)     mov (8)                   r48<2>:d      r10.1<2>:d
(W)     mov (8)                   r52:d         r10<4;0,0>.zwxy:d                 {Align16}
(W)     mov (8|M8)                r53:d         r11<4;0,0>.zwxy:d                 {Align16}
(W)     mov (8)                   r56:d         r10<4;0,0>.wzyx:d                 {Align16}
(W)     mov (8|M8)                r57:d         r11<4;0,0>.wzyx:d                 {Align16}
(W)     mov (1)                   f0:uw         0:uw
(W)     mov (1)                   r106          0x00000001                        {Compacted}
(W)     fbl (1)                   r93           r111<0>                           {Compacted}
(W)     mov (16)                  a0:uw         320:uw                            {NoDDClr}
        shl (16)                  a0:uw         r15<2>:w          2:uw            {NoDDChk}
        add (16)                  a0:uw         a0:uw             320:uw
        mov (16)                  r17           r[a0.0]<VxH;1,0>
(W)     mul (8)                   r40.1<2>:d    r40<2>:d          r40.1<2>:d
(W)     add (8)                   r98.1<2>:d    r98<2>:d          r98.1<2>:d
        cmp (16)       (eq)f0.0   null:d        r10:d             3:d             {Compacted}
(W)     mov (8)                   r48.1<2>:d    r10<2>:d
(W)     mov (1)                   r100          0x00000000                        {Compacted}
(W)     mov (1)                   r101          0x00000000                        {Compacted}
(W)     mov (1)                   r102          0x00000000                        {Compacted}
        shl (16)                  r74:d         -r106<0>:d        r3
(W)     mov (16)                  a0:uw         320:uw                            {NoDDClr}
        shl (16)                  a0:uw         r20<2>:w          2:uw            {NoDDChk}
        add (16)                  a0:uw         a0:uw             320:uw
        mov (16)                  r22           r[a0.0]<VxH;1,0>
(W)     mul (4)                   r40.2<4>:d    r40.1<4>:d        r40.2<4>:d
(W)     add (4)                   r98.2<4>:d    r98.1<4>:d        r98.2<4>:d
(W&f0.0.any16h) mov (1)           r100:d        -1:d
(W)     mov (16)                  a0:uw         320:uw                            {NoDDClr}
        shl (16)                  a0:uw         r25<2>:w          2:uw            {NoDDChk}
        add (16)                  a0:uw         a0:uw             320:uw
        mov (16)                  r27           r[a0.0]<VxH;1,0>
(W)     mul (4)                   r40.3<4>:d    r40.1<4>:d        r40.3<4>:d
(W)     add (4)                   r98.3<4>:d    r98.1<4>:d        r98.3<4>:d
(W)     mov (1)                   f0:uw         65535:uw
        cmp (16)       (eq)f0.0   null:d        r10:d             4:d             {Compacted}
(W)     mov (16)                  a0:uw         320:uw                            {NoDDClr}
        shl (16)                  a0:uw         r30<2>:w          2:uw            {NoDDChk}
        add (16)                  a0:uw         a0:uw             320:uw
        mov (16)                  r32           r[a0.0]<VxH;1,0>
(W)     mul (4)                   r40.4:d       r40.3<0>:d        r40.4:d
(W)     mul (4)                   r41.4:d       r41.3<0>:d        r41.4:d
        mov (16)                  r107          r98.3<4;4,0>                      {Compacted}
(W&f0.0.all16h) mov (1)           r101:d        -1:d
(W)     mov (16)                  a0:uw         3040:uw                           {NoDDClr}
(W)     shl (16)                  a0:uw         r97:uw            2:uw            {NoDDChk}
(W)     add (16)                  a0:uw         a0:uw             3040:uw
(W)     mov (16)                  r36           r[a0.0]<VxH;1,0>
(W)     mul (8)                   r41:d         r40.7<0>:d        r41:d
        mov (16)       (ne)f0.0   null:d        r101<0>:d
(W)     shl (1)                   a0            r93<0>            0x00000002      {Compacted}
(W)     mov (1)                   r94           r[a0.0 + 320]<0>
(W)     mov (1)                   r36           0x00000000                        {Compacted}
        add (16)                  r14:d         r12:d             r94<0>:d        {Compacted}
(W)     sel (8)        (ge)f0.0   r36.1<2>      r36<2>            r36.1<2>
        add (16)                  r19:d         r14:d             r17:d           {Compacted}
(W)     sel (4)        (ge)f0.0   r36.2<4>      r36.1<4>          r36.2<4>
        add (16)                  r24:d         r19:d             r22:d           {Compacted}
(W)     sel (4)        (ge)f0.0   r36.3<4>      r36.1<4>          r36.3<4>
        add (16)                  r29:d         r24:d             r27:d           {Compacted}
(W)     sel (4)        (ge)f0.0   r36.4         r36.3<0>          r36.4
(W)     sel (4)        (ge)f0.0   r37.4         r37.3<0>          r37.4
        add (16)                  r34:d         r29:d             r32:d           {Compacted}
(W)     sel (8)        (ge)f0.0   r37           r36.7<0>          r37
        add (16)                  r38:d         r34:d             r36:d           {Compacted}
        add (16)                  r42:d         r38:d             r40:d           {Compacted}
        add (16)                  r44:d         r42:d             r107:d          {Compacted}
        add (16)                  r46:d         r44:d             r109:d          {Compacted}
        add (16)                  r50:d         r46:d             r48:d           {Compacted}
        add (16)                  r54:d         r50:d             r52:d           {Compacted}
        add (16)                  r58:d         r54:d             r56:d           {Compacted}
        add (16)                  r60:d         r58:d             -r100<0>:d      {Compacted}
        add (16)                  r62:d         r60:d             5:d             {Compacted}
(f0.0)  sel (16)                  r64           r62               r60             {Compacted}
        add (16)                  r66:d         r64:d             3:d             {Compacted}
        cmp (16)       (eq)f0.0   null:d        r10:d             r94<0>:d        {Compacted}
(W&f0.0.all16h) mov (1)           r102:d        -1:d
        mov (16)       (ne)f0.0   null:d        r102<0>:d
(f0.0)  sel (16)                  r68           r66               r64             {Compacted}
(W)     mov (1)                   f0:uw         0:uw
        cmp (16)       (gt)f0.0   null          r10               0x00000002      {Compacted}
(W)     mov (8)                   r70           f0<0>:uw
(W)     mov (8)                   r71           r70<0>:uw
        and (16)                  r76           r70<0>            -r74:d
        cmp (16)       (eq)f0.0   null:d        r3:d              0:d             {Compacted}
(W)     cbit (8)                  r72           r71<0>                            {Compacted}
(W)     lzd (8)                   r83           r71<0>                            {Compacted}
        mov (16)                  r78           r76<2>:uw
(W)     add (8)                   r73:d         r70<0>:d          r72<0>:d        {Compacted}
(W)     add (8)                   r84:d         -r83<0>:d         35:d            {Compacted}
        cbit (16)                 r80           r78                               {Compacted}
        add (16)                  r82:d         r73<0>:d          r80:d           {Compacted}
        add (16)                  r85:d         r84<0>:d          r82:d           {Compacted}
        add (16)                  r87:d         r85:d             r1.1<0>:d       {Compacted}
        add (16)                  r89:d         r87:d             r3:d            {Compacted}
        add (16)                  r105:d        r89:d             r68:d           {Compacted}
(f0.0)  if (16)                               jip:L0              uip:L0
        mov (16)                  r103          0x00000000                        {Compacted}
        sends.hdc1 (16)           null    r103   r105    0x00000080  0x04025E01  // wr:2+2, rd:0; untyped_write:x simd16 (16) bti(1)

L0:
        endif (16)                            L1

L1:
        sends.hdc1 (16)           null    r8     r105    0x00000080  0x04025E01  // wr:2+2, rd:0; untyped_write:x simd16 (16) bti(1)
(W)     mov (8)                   r126          r0                                {Compacted}
(W)     sends.hdc0 (1)            r90     r0     null    0x00000000  0x0219E000  // wr:1h+0, rd:1; memory_fence (1)
(W)     sends.ts (16)             null    r126   null    0x00000000  0x02000010   {EOT}
