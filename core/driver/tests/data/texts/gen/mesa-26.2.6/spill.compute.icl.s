(W)     mov (8)                   r11           r0.1<0>                           {Compacted}
(W)     shl (8)                   r75:d         r2.1<0>:d         0x00000004
        mov (16)                  r12           0x00000000                        {Compacted}
(W)     mov (8)                   r78:uw        0x76543210:v
(W)     add (8)                   r81:d         r11<0>:d          r1.2<0>:d       {Compacted}
(W)     add (8)                   r78.8:uw      r78:uw            8:uw
(W)     shl (8)                   r82:d         r81<0>:d          0x00000005
        mov (16)                  r76           r78:uw
        add (16)                  r79:d         r76:d             r75<0>:d        {Compacted}
        shl (16)                  r89:d         r76:d             0x00000002
        and (16)                  r83           r79               0x0000001f      {Compacted}
        add (16)                  r85:d         r82<0>:d          r83:d           {Compacted}
        mul (16)                  r87:d         r85:d             80:w

L0:
        add (16)                  r33:d         r87:d             r12:d           {Compacted}
        shl (16)                  r103:d        r12:d             0x00000008
(W)     mov (8)                   r14           0x00000000                        {NoDDClr}
(W)     and (1)                   r14.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r14.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r15           0x00000000                        {NoDDClr}
(W)     and (1)                   r15.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r15.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r16           0x00000000                        {NoDDClr}
(W)     and (1)                   r16.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r16.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r17           0x00000000                        {NoDDClr}
(W)     and (1)                   r17.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r17.5         r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r12:d         r12:d             1:d             {Compacted}
        shl (16)                  r35:d         r33:d             0x00000004
        add (16)                  r117:d        r103:d            r89:d           {Compacted}
        add (16)                  r105:d        r103:d            64:d            {Compacted}
        cmp (16)       (ge)f0.0   null:d        r12:d             80:d            {Compacted}
        sends.hdc1 (16)           r95     r35    null    0x00000000  0x04805001  // wr:2+0, rd:8; untyped_read:xyzw simd16 (16) bti(1)
        mov (16)                  r119          r95                               {Compacted}
        mov (16)                  r125          r101                              {Compacted}
        sends.hdc0 (16)           null    r14    r117    0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        add (16)                  r118:d        r105:d            r89:d           {Compacted}
        mov (16)                  r120          r97                               {Compacted}
        add (16)                  r106:d        r103:d            128:d           {Compacted}
        sends.hdc0 (16)           null    r15    r118    0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        add (16)                  r119:d        r106:d            r89:d           {Compacted}
        mov (16)                  r121          r99                               {Compacted}
        add (16)                  r107:d        r103:d            192:d           {Compacted}
        sends.hdc0 (16)           null    r16    r119    0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        add (16)                  r123:d        r107:d            r89:d           {Compacted}
        sends.hdc0 (16)           null    r17    r123    0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
(~f0.0) while (16)                            L0
(W)     mov (8)                   r108          0x00000000                        {Compacted}
        mov (16)                  r7            0x00000000                        {Compacted}
(W)     and (1)                   r108.2        r0.2<0>           0x7f000000
(W)     sends.gtwy (16)           null    r108   null    0x00000000  0x02000004  // wr:1+0, rd:0; barrier_msg (16)
(W)     wait (1)                  n0
(W)     sends.hdc0 (1)            r109    r0     null    0x00000000  0x0219E000  // wr:1h+0, rd:1; memory_fence (1)
(W)     mov (1)                   null:uw       r109<0>:uw

L1:
        mul (16)                  r110:d        r7:d              7:w
        shl (16)                  r42:d         r7:d              0x00000008
(W)     mov (8)                   r18           0x00000000                        {NoDDClr}
(W)     and (1)                   r18.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r18.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r32           0x00000000                        {NoDDClr}
(W)     and (1)                   r32.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r32.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r51           0x00000000                        {NoDDClr}
(W)     and (1)                   r51.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r51.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r93           0x00000000                        {NoDDClr}
(W)     and (1)                   r93.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r93.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r39           0x00000000                        {NoDDClr}
(W)     and (1)                   r39.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r39.5         r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r79:d         r89:d             4352:d
        add (16)                  r83:d         r89:d             4416:d
        add (16)                  r33:d         r89:d             4480:d
        add (16)                  r95:d         r89:d             4544:d
        add (16)                  r7:d          r7:d              1:d             {Compacted}
        mul (8)                   acc0:d        r110:d            26215:uw
        add (16)                  r52:d         r110:d            17:d            {Compacted}
        add (16)                  r1:d          r110:d            34:d            {Compacted}
        add (16)                  r9:d          r42:d             r89:d           {Compacted}
        add (16)                  r45:d         r42:d             64:d            {Compacted}
        add (16)                  r47:d         r42:d             128:d           {Compacted}
        add (16)                  r49:d         r42:d             192:d           {Compacted}
        sends.hdc0 (16)           r30     r32    r89     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mach (8)                  r112:d        r110:d            1717986919:d    {AccWrEn}
        sends.hdc0 (16)           r43     r51    r9      0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r21:d         r49:d             r89:d           {Compacted}
        mul (8|M8)                acc0:d        r111:d            26215:uw
        mach (8|M8)               r113:d        r111:d            1717986919:d    {AccWrEn}
        asr (16)                  r114:d        r112:d            0x00000005
        mul (8)                   acc0:d        r52:d             26215:uw
        shr (16)                  r116          r114              0x0000001f      {Compacted}
        mach (8)                  r54:d         r52:d             1717986919:d    {AccWrEn}
        add (16)                  r118:d        r114:d            r116:d          {Compacted}
        mul (8|M8)                acc0:d        r53:d             26215:uw
        mul (16)                  r120:d        r118:d            80:w
        mach (8|M8)               r55:d         r53:d             1717986919:d    {AccWrEn}
        add (16)       (eq)f0.0   r122:d        r110:d            -r120:d         {Compacted}
        asr (16)                  r56:d         r54:d             0x00000005
        mul (8)                   acc0:d        r1:d              26215:uw
(W)     mov (8)                   r54           0x00000000                        {NoDDClr}
(W)     and (1)                   r54.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r54.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r55           0x00000000                        {NoDDClr}
(W)     and (1)                   r55.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r55.5         r0.5<0>           0xfffffc00      {NoDDChk}
(~f0.0) cmp (16)       (ge)f0.0   null:d        r110:d            0:d
        add (16)                  r124:d        r122:d            80:d            {Compacted}
        shr (16)                  r58           r56               0x0000001f      {Compacted}
        mach (8)                  r98:d         r1:d              1717986919:d    {AccWrEn}
(f0.0)  sel (16)                  r126          r122              r124            {Compacted}
        add (16)                  r60:d         r56:d             r58:d           {Compacted}
        mul (8|M8)                acc0:d        r2:d              26215:uw
(W)     mov (8)                   r56           0x00000000                        {NoDDClr}
(W)     and (1)                   r56.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r56.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r57           0x00000000                        {NoDDClr}
(W)     and (1)                   r57.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r57.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r58           0x00000000                        {NoDDClr}
(W)     and (1)                   r58.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r58.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r59           0x00000000                        {NoDDClr}
(W)     and (1)                   r59.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r59.5         r0.5<0>           0xfffffc00      {NoDDChk}
        shl (16)                  r3:d          r126:d            0x00000008
        mul (16)                  r62:d         r60:d             80:w
        mach (8|M8)               r99:d         r2:d              1717986919:d    {AccWrEn}
(W)     mov (8)                   r60           0x00000000                        {NoDDClr}
(W)     and (1)                   r60.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r60.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r61           0x00000000                        {NoDDClr}
(W)     and (1)                   r61.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r61.5         r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           r50     r56    r21     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r124:d        r3:d              r89:d           {Compacted}
        add (16)                  r13:d         r3:d              64:d            {Compacted}
        add (16)                  r26:d         r3:d              128:d           {Compacted}
        add (16)                  r28:d         r3:d              192:d           {Compacted}
        add (16)       (eq)f0.0   r64:d         r52:d             -r62:d          {Compacted}
        asr (16)                  r100:d        r98:d             0x00000005
        sends.hdc0 (16)           r4      r18    r124    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
(W)     mov (8)                   r62           0x00000000                        {NoDDClr}
(W)     and (1)                   r62.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r62.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r63           0x00000000                        {NoDDClr}
(W)     and (1)                   r63.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r63.5         r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r17:d         r47:d             r89:d           {Compacted}
        add (16)                  r125:d        r13:d             r89:d           {Compacted}
(~f0.0) cmp (16)       (ge)f0.0   null:d        r52:d             0:d
        add (16)                  r66:d         r64:d             80:d            {Compacted}
        shr (16)                  r102          r100              0x0000001f      {Compacted}
        add (16)                  r13:d         r45:d             r89:d           {Compacted}
        sends.hdc0 (16)           r48     r55    r17     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
(f0.0)  sel (16)                  r68           r64               r66             {Compacted}
(W)     mov (8)                   r64           0x00000000                        {NoDDClr}
(W)     and (1)                   r64.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r64.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r65           0x00000000                        {NoDDClr}
(W)     and (1)                   r65.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r65.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r66           0x00000000                        {NoDDClr}
(W)     and (1)                   r66.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r66.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r67           0x00000000                        {NoDDClr}
(W)     and (1)                   r67.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r67.5         r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r104:d        r100:d            r102:d          {Compacted}
        sends.hdc0 (16)           r46     r54    r13     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        shl (16)                  r70:d         r68:d             0x00000008
        mov (16)                  r53           r21                               {Compacted}
(W)     mov (8)                   r68           0x00000000                        {NoDDClr}
(W)     and (1)                   r68.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r68.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r69           0x00000000                        {NoDDClr}
(W)     and (1)                   r69.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r69.5         r0.5<0>           0xfffffc00      {NoDDChk}
        mul (16)                  r106:d        r104:d            80:w
        add (16)                  r73:d         r70:d             64:d            {Compacted}
        add (16)                  r75:d         r70:d             128:d           {Compacted}
        add (16)                  r77:d         r70:d             192:d           {Compacted}
        add (16)       (eq)f0.0   r108:d        r1:d              -r106:d         {Compacted}
(~f0.0) cmp (16)       (ge)f0.0   null:d        r1:d              0:d
        add (16)                  r112:d        r108:d            80:d            {Compacted}
(f0.0)  sel (16)                  r114          r108              r112            {Compacted}
        shl (16)                  r116:d        r114:d            0x00000008
        add (16)                  r119:d        r116:d            64:d            {Compacted}
        add (16)                  r121:d        r116:d            128:d           {Compacted}
        add (16)                  r123:d        r116:d            192:d           {Compacted}
        mad (16)                  r11:f         r43<8;1>:f        r30<8;1>:f        r4:f
(W)     mov (8)                   r43           0x00000000                        {NoDDClr}
(W)     and (1)                   r43.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r43.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r31           0x00000000                        {NoDDClr}
(W)     and (1)                   r31.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r31.5         r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r3:d          r26:d             r89:d           {Compacted}
        add (16)                  r5:d          r28:d             r89:d           {Compacted}
(W)     mov (8)                   r27           0x00000000                        {NoDDClr}
(W)     and (1)                   r27.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r27.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r29           0x00000000                        {NoDDClr}
(W)     and (1)                   r29.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r29.5         r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           r25     r27    r125    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r27     r29    r3      0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r125:d        r89:d             8704:d
        sends.hdc0 (16)           r29     r31    r5      0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r3:d          r110:d            51:d            {Compacted}
        add (16)                  r31:d         r89:d             64:d            {Compacted}
        add (16)                  r5:d          r110:d            68:d            {Compacted}
        mul (8)                   acc0:d        r3:d              26215:uw
        sends.hdc0 (16)           r91     r93    r31     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r93:d         r89:d             128:d           {Compacted}
        sends.hdc0 (16)           r37     r39    r93     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r39:d         r89:d             192:d           {Compacted}
        sends.hdc0 (16)           r41     r43    r39     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r57    r9      0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mad (16)                  r15:f         r46<8;1>:f        r91<8;1>:f        r25:f
        mach (8)                  r92:d         r3:d              1717986919:d    {AccWrEn}
        add (16)                  r25:d         r70:d             r89:d           {Compacted}
(W)     mov (8)                   r70           0x00000000                        {NoDDClr}
(W)     and (1)                   r70.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r70.5         r0.5<0>           0xfffffc00      {NoDDChk}
        mul (8|M8)                acc0:d        r4:d              26215:uw
        sends.hdc0 (16)           null    r58    r13     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mad (16)                  r19:f         r48<8;1>:f        r37<8;1>:f        r27:f
        add (16)                  r47:d         r119:d            r89:d           {Compacted}
        mach (8|M8)               r93:d         r4:d              1717986919:d    {AccWrEn}
        mad (16)                  r23:f         r50<8;1>:f        r41<8;1>:f        r29:f
        add (16)                  r49:d         r121:d            r89:d           {Compacted}
        add (16)                  r51:d         r123:d            r89:d           {Compacted}
        add (16)                  r41:d         r116:d            r89:d           {Compacted}
        add (16)                  r28:d         r75:d             r89:d           {Compacted}
        add (16)                  r30:d         r77:d             r89:d           {Compacted}
        sends.hdc0 (16)           null    r59    r17     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        asr (16)                  r37:d         r92:d             0x00000005
        mul (8)                   acc0:d        r5:d              26215:uw
        sends.hdc0 (16)           null    r60    r21     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mov (16)                  r91           r17                               {Compacted}
        sends.hdc0 (16)           r71     r61    r25     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r81     r65    r79     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r76     r63    r28     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r85     r66    r83     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r35     r67    r33     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r97     r68    r95     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r26:d         r73:d             r89:d           {Compacted}
        shr (16)                  r39           r37               0x0000001f      {Compacted}
        sends.hdc0 (16)           r78     r64    r30     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
(W)     mov (8)                   r80           0x00000000                        {NoDDClr}
(W)     and (1)                   r80.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r80.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r83           0x00000000                        {NoDDClr}
(W)     and (1)                   r83.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r83.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r84           0x00000000                        {NoDDClr}
(W)     and (1)                   r84.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r84.5         r0.5<0>           0xfffffc00      {NoDDChk}
        mach (8)                  r33:d         r5:d              1717986919:d    {AccWrEn}
(W)     mov (8)                   r73           0x00000000                        {NoDDClr}
(W)     and (1)                   r73.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r73.5         r0.5<0>           0xfffffc00      {NoDDChk}
        mov (16)                  r29           r13                               {Compacted}
        sends.hdc0 (16)           r74     r62    r26     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r45:d         r37:d             r39:d           {Compacted}
        mov (16)                  r25           r9                                {Compacted}
        mov (16)                  r37           r21                               {Compacted}
        mul (8|M8)                acc0:d        r6:d              26215:uw
        mul (16)                  r57:d         r45:d             80:w
        mov (16)                  r45           r13                               {Compacted}
        mach (8|M8)               r34:d         r6:d              1717986919:d    {AccWrEn}
        add (16)       (eq)f0.0   r59:d         r3:d              -r57:d          {Compacted}
(~f0.0) cmp (16)       (ge)f0.0   null:d        r3:d              0:d
        add (16)                  r61:d         r59:d             80:d            {Compacted}
(f0.0)  sel (16)                  r63           r59               r61             {Compacted}
        shl (16)                  r65:d         r63:d             0x00000008
        add (16)                  r57:d         r65:d             r89:d           {Compacted}
        mad (16)                  r27:f         r11<8;1>:f        r81<8;1>:f        r71:f
(W)     mov (8)                   r81           0x00000000                        {NoDDClr}
(W)     and (1)                   r81.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r81.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r82           0x00000000                        {NoDDClr}
(W)     and (1)                   r82.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r82.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r71           0x00000000                        {NoDDClr}
(W)     and (1)                   r71.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r71.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r72           0x00000000                        {NoDDClr}
(W)     and (1)                   r72.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r72.5         r0.5<0>           0xfffffc00      {NoDDChk}
        mad (16)                  r93:f         r19<8;1>:f        r35<8;1>:f        r76:f
        asr (16)                  r35:d         r33:d             0x00000005
(W)     mov (8)                   r76           0x00000000                        {NoDDClr}
(W)     and (1)                   r76.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r76.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r77           0x00000000                        {NoDDClr}
(W)     and (1)                   r77.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r77.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r33           0x00000000                        {NoDDClr}
(W)     and (1)                   r33.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r33.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r34           0x00000000                        {NoDDClr}
(W)     and (1)                   r34.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r34.5         r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           null    r69    r25     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mad (16)                  r39:f         r23<8;1>:f        r97<8;1>:f        r78:f
        add (16)                  r68:d         r65:d             64:d            {Compacted}
        add (16)                  r25:d         r89:d             8768:d
        shr (16)                  r95           r35               0x0000001f      {Compacted}
(W)     mov (8)                   r78           0x00000000                        {NoDDClr}
(W)     and (1)                   r78.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r78.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r79           0x00000000                        {NoDDClr}
(W)     and (1)                   r79.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r79.5         r0.5<0>           0xfffffc00      {NoDDChk}
        mad (16)                  r31:f         r15<8;1>:f        r85<8;1>:f        r74:f
        add (16)                  r61:d         r68:d             r89:d           {Compacted}
(W)     mov (8)                   r85           0x00000000                        {NoDDClr}
(W)     and (1)                   r85.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r85.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r86           0x00000000                        {NoDDClr}
(W)     and (1)                   r86.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r86.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r74           0x00000000                        {NoDDClr}
(W)     and (1)                   r74.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r74.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r75           0x00000000                        {NoDDClr}
(W)     and (1)                   r75.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r75.5         r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r97:d         r35:d             r95:d           {Compacted}
(W)     mov (8)                   r35           0x00000000                        {NoDDClr}
(W)     and (1)                   r35.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r35.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r36           0x00000000                        {NoDDClr}
(W)     and (1)                   r36.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r36.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r95           0x00000000                        {NoDDClr}
(W)     and (1)                   r95.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r95.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r96           0x00000000                        {NoDDClr}
(W)     and (1)                   r96.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r96.5         r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           null    r70    r29     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r71    r91     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mul (16)                  r99:d         r97:d             80:w
        sends.hdc0 (16)           null    r72    r37     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        add (16)                  r70:d         r65:d             128:d           {Compacted}
(W)     mov (8)                   r97           0x00000000                        {NoDDClr}
(W)     and (1)                   r97.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r97.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r98           0x00000000                        {NoDDClr}
(W)     and (1)                   r98.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r98.5         r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           r117    r73    r41     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r1      r77    r125    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r120    r74    r47     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r122    r75    r49     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)       (eq)f0.0   r101:d        r5:d              -r99:d          {Compacted}
        add (16)                  r72:d         r65:d             192:d           {Compacted}
        mov (16)                  r41           r9                                {Compacted}
        sends.hdc0 (16)           r124    r76    r51     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r63:d         r70:d             r89:d           {Compacted}
        add (16)                  r74:d         r89:d             13056:d
        mov (16)                  r49           r17                               {Compacted}
(W)     mov (8)                   r99           0x00000000                        {NoDDClr}
(W)     and (1)                   r99.3         r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r99.5         r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r100          0x00000000                        {NoDDClr}
(W)     and (1)                   r100.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r100.5        r0.5<0>           0xfffffc00      {NoDDChk}
(~f0.0) cmp (16)       (ge)f0.0   null:d        r5:d              0:d
        add (16)                  r103:d        r101:d            80:d            {Compacted}
(f0.0)  sel (16)                  r105          r101              r103            {Compacted}
(W)     mov (8)                   r101          0x00000000                        {NoDDClr}
(W)     and (1)                   r101.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r101.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r102          0x00000000                        {NoDDClr}
(W)     and (1)                   r102.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r102.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r103          0x00000000                        {NoDDClr}
(W)     and (1)                   r103.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r103.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r104          0x00000000                        {NoDDClr}
(W)     and (1)                   r104.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r104.5        r0.5<0>           0xfffffc00      {NoDDChk}
        shl (16)                  r107:d        r105:d            0x00000008
        cmp (16)       (ge)f0.0   null:d        r7:d              80:d            {Compacted}
(W)     mov (8)                   r105          0x00000000                        {NoDDClr}
(W)     and (1)                   r105.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r105.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r106          0x00000000                        {NoDDClr}
(W)     and (1)                   r106.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r106.5        r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r110:d        r107:d            64:d            {Compacted}
        add (16)                  r112:d        r107:d            128:d           {Compacted}
        add (16)                  r114:d        r107:d            192:d           {Compacted}
        mad (16)                  r43:f         r27<8;1>:f        r1<8;1>:f         r117:f
        sends.hdc0 (16)           r27     r78    r25     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r116:d        r89:d             17408:d
        mad (16)                  r47:f         r31<8;1>:f        r27<8;1>:f        r120:f
        add (16)                  r28:d         r89:d             8832:d
        sends.hdc0 (16)           r30     r79    r28     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mad (16)                  r51:f         r93<8;1>:f        r30<8;1>:f        r122:f
        add (16)                  r31:d         r89:d             8896:d
        sends.hdc0 (16)           r91     r80    r31     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r81    r41     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r82    r45     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r83    r49     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mad (16)                  r55:f         r39<8;1>:f        r91<8;1>:f        r124:f
        sends.hdc0 (16)           null    r84    r53     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r66     r85    r57     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r76     r35    r74     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r69     r86    r61     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mov (16)                  r57           r9                                {Compacted}
        mov (16)                  r61           r13                               {Compacted}
        mad (16)                  r59:f         r43<8;1>:f        r76<8;1>:f        r66:f
        add (16)                  r77:d         r89:d             13120:d
        add (16)                  r65:d         r72:d             r89:d           {Compacted}
        sends.hdc0 (16)           r71     r33    r63     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r79     r36    r77     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r77:d         r110:d            r89:d           {Compacted}
        sends.hdc0 (16)           r73     r34    r65     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
(W)     mov (8)                   r110          0x00000000                        {NoDDClr}
(W)     and (1)                   r110.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r110.5        r0.5<0>           0xfffffc00      {NoDDChk}
        mov (16)                  r33           r17                               {Compacted}
        mov (16)                  r65           r17                               {Compacted}
        mad (16)                  r63:f         r47<8;1>:f        r79<8;1>:f        r69:f
        add (16)                  r80:d         r89:d             13184:d
        mov (16)                  r69           r21                               {Compacted}
        sends.hdc0 (16)           r82     r95    r80     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        add (16)                  r79:d         r112:d            r89:d           {Compacted}
        mad (16)                  r67:f         r51<8;1>:f        r82<8;1>:f        r71:f
        add (16)                  r81:d         r114:d            r89:d           {Compacted}
        add (16)                  r83:d         r89:d             13248:d
        sends.hdc0 (16)           r85     r96    r83     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r97    r57     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mov (16)                  r95           r21                               {Compacted}
        sends.hdc0 (16)           null    r98    r61     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r99    r65     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mad (16)                  r71:f         r55<8;1>:f        r85<8;1>:f        r73:f
        add (16)                  r73:d         r107:d            r89:d           {Compacted}
(W)     mov (8)                   r107          0x00000000                        {NoDDClr}
(W)     and (1)                   r107.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r107.5        r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           null    r100   r69     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r108    r101   r73     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r118    r105   r116    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r111    r102   r77     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r113    r103   r79     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mov (16)                  r73           r9                                {Compacted}
        sends.hdc0 (16)           r115    r104   r81     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mov (16)                  r82           r13                               {Compacted}
        mad (16)                  r75:f         r59<8;1>:f        r118<8;1>:f       r108:f
        add (16)                  r119:d        r89:d             17472:d
(W)     mov (8)                   r108          0x00000000                        {NoDDClr}
(W)     and (1)                   r108.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r108.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r109          0x00000000                        {NoDDClr}
(W)     and (1)                   r109.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r109.5        r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           r121    r106   r119    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mad (16)                  r84:f         r63<8;1>:f        r121<8;1>:f       r111:f
        add (16)                  r122:d        r89:d             17536:d
(W)     mov (8)                   r111          0x00000000                        {NoDDClr}
(W)     and (1)                   r111.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r111.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r112          0x00000000                        {NoDDClr}
(W)     and (1)                   r112.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r112.5        r0.5<0>           0xfffffc00      {NoDDChk}
        sends.hdc0 (16)           r124    r107   r122    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        mad (16)                  r35:f         r67<8;1>:f        r124<8;1>:f       r113:f
        add (16)                  r125:d        r89:d             17600:d
        sends.hdc0 (16)           r1      r108   r125    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r109   r73     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r110   r82     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           null    r111   r33     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
        mad (16)                  r97:f         r71<8;1>:f        r1<8;1>:f         r115:f
        sends.hdc0 (16)           null    r112   r95     0x00000100  0x020B09FD  // wr:1h+4, rd:0; byte_scattered_write:d32 simd16 (16) bti(253)
(~f0.0) while (16)                            L1
        mov (16)                  r13           0x00000000                        {Compacted}

L2:
        shl (16)                  r3:d          r13:d             0x00000008
(W)     mov (8)                   r113          0x00000000                        {NoDDClr}
(W)     and (1)                   r113.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r113.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r114          0x00000000                        {NoDDClr}
(W)     and (1)                   r114.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r114.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r115          0x00000000                        {NoDDClr}
(W)     and (1)                   r115.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r115.5        r0.5<0>           0xfffffc00      {NoDDChk}
(W)     mov (8)                   r116          0x00000000                        {NoDDClr}
(W)     and (1)                   r116.3        r0.3<0>           0x0000000f      {NoDDChk,NoDDClr}
(W)     and (1)                   r116.5        r0.5<0>           0xfffffc00      {NoDDChk}
        add (16)                  r5:d          r3:d              64:d            {Compacted}
        add (16)                  r7:d          r3:d              128:d           {Compacted}
        add (16)                  r9:d          r3:d              192:d           {Compacted}
        add (16)                  r96:d         r3:d              r89:d           {Compacted}
        add (16)                  r2:d          r87:d             r13:d           {Compacted}
        add (16)                  r98:d         r5:d              r89:d           {Compacted}
        add (16)                  r13:d         r13:d             1:d             {Compacted}
        add (16)                  r100:d        r7:d              r89:d           {Compacted}
        add (16)                  r102:d        r9:d              r89:d           {Compacted}
        sends.hdc0 (16)           r74     r113   r96     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        shl (16)                  r10:d         r2:d              0x00000004
        sends.hdc0 (16)           r76     r114   r98     0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        cmp (16)       (ge)f0.0   null:d        r13:d             80:d            {Compacted}
        sends.hdc0 (16)           r78     r115   r100    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc0 (16)           r80     r116   r102    0x00000080  0x022909FD  // wr:1h+2, rd:2; byte_scattered_read:d32 simd16 (16) bti(253)
        sends.hdc1 (16)           null    r10    r74     0x00000200  0x04025001  // wr:2+8, rd:0; untyped_write:xyzw simd16 (16) bti(1)
(~f0.0) while (16)                            L2
(W)     mov (8)                   r127          r0                                {Compacted}
(W)     sends.ts (16)             null    r127   null    0x00000000  0x02000000   {EOT}
