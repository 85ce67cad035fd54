        mov (16)                  r11           r1:uw
(W)     and (8)                   r16           r2<0>             0x0000003f      {Compacted}
(W)     mov (8)                   r28           0x00000000
        mov (16)                  r113          0x00000002
        mov (16)                  r115:d        20:d
        mov (16)                  r5            r2.1<0>
        mov (8|M8)                r43:d         1:d
        mov (8)                   r39:d         1:d
        mov (8)                   r40           0x00000003
        mov (8|M8)                r44           0x00000003
        mov (8|M8)                r10:d         2:d
        mov (8)                   r8:d          2:d
        shl (16)                  r13:d         r11:d             0x00000002
        shl (16)                  r20:d         r11:d             0x00000004
        mul (16)                  r29:d         r11:d             3:w             {Compacted}
        mov (8|M8)                r42:d         r12:d
        mov (8)                   r38:d         r11:d
        mov (8|M8)                r119:d        r12:d
        mov (8|M8)                r120:d        r12:d
        mov (8)                   r117:d        r11:d
        mov (8)                   r118:d        r11:d
        mov (8|M8)                r9:d          r12:d
        mov (8)                   r7:d          r11:d
        add (16)                  r49:d         r11:d             1:d             {Compacted}
        mov (8|M8)                r124:d        r12:d
        mov (8|M8)                r125:d        r12:d
        mov (8|M8)                r126:d        r12:d
        mov (8)                   r121:d        r11:d
        mov (8)                   r122:d        r11:d
        mov (8)                   r123:d        r11:d
(W)     shl (8)                   r17:d         r16<0>:d          0x00000004
(W)     mov (2)                   r28.10:ub     r0.11<0>:ub
(W)     mov (8)                   r95:uw        0x76543210:v
        add (16)                  r26:d         r13:d             1024:d          {Compacted}
        add (16)                  r35:d         r13:d             256:d           {Compacted}
        send.ugm (16)             r22     r20    null:0  0x04000000  0x64200500   {$0}  // wr:2+0, rd:2; load.ugm.d32.a32.bti[4]
        mov (16)                  r31           r29<4>:ub
(W)     sync.nop (1)                            null                              {I@6}
        send.ugm (16)             r15     r13    null:0  0x03000000  0x64200500   {$1}  // wr:2+0, rd:2; load.ugm.d32.a32.bti[3]
(W)     sync.nop (1)                            null                              {I@7}
        send.hdc1 (8|M8)          r105    r124   null:0  0x00000000  0x06416006   {$2}  // wr:3+0, rd:4; typed_read:xyzw simd8 (8) bti(6)
(W)     sync.nop (1)                            null                              {I@7}
        send.hdc1 (8)             r109    r121   null:0  0x00000000  0x06415006   {$3}  // wr:3+0, rd:4; typed_read:xyzw simd16 (8) bti(6)
(W)     add (8)                   r18:d         r17<0>:d          4:d             {Compacted,I@6}
(W)     add (8)                   r95.8:uw      r95:uw            8:uw            {Compacted,I@5}
        shl (16)                  r33:d         r31:d             0x00000002      {I@3}
(W)     add.sat (16)              r94:uw        r95:uw            -1:w            {I@2}
(W)     sync.nop (1)                            null                              {$1.dst}
        send.slm (16)             null    r13    r15:2   0x00000080  0x04000504   {$4}  // wr:2+2, rd:0; store.slm.d32.a32
        mov (8|M8)                r85           r105                              {$2.dst}
(W)     mov (8)                   r110:d        r18<0>:d                          {@5,$3.dst}
        mov (8)                   r84           r109
(W)     sync.nop (1)                            null                              {I@2}
(W)     send.ugm (1)              r19     r110   null:0  0x05000000  0x62108500   {$5}  // wr:1+0, rd:1; load.ugm.d32x1t.a32.bti[5]
(W)     sync.nop (1)                            null                              {$5.dst}
        add (16)                  r24:f         r22:f             r19<0>:f        {Compacted,$0.dst}
(W)     sync.nop (1)                            null                              {A@1}
        send.slm (16)             null    r26    r24:2   0x00000080  0x04000504   {$6}  // wr:2+2, rd:0; store.slm.d32.a32
(W)     sync.allwr (1)                          null
(W)     sync.allwr (1)                          null
(W)     sync.nop (1)                            null                              {$6.src}
(W)     send.slm (1)              r27     r0     null:0  0x00000000  0x0210011F   {$7}  // wr:1+0, rd:1; fence.slm.threadgroup.none
(W)     sync.nop (1)                            null                              {$7.dst}
(W)     send.gtwy (16)            null    r28    null:0  0x00000000  0x02000004   {$8}  // wr:1+0, rd:0; barrier_msg (16)
(W)     sync.bar (16)                           null
(W)     sync.nop (1)                            null                              {I@5}
        send.slm (16)             null    r33    null:0  0x00000000  0x04040508   {$9}  // wr:2+0, rd:0; atomic_inc.slm.d32.a32.uc.wb
(W)     sync.nop (1)                            null                              {I@7}
        send.ugm (16)             r3      r35    r113:2  0x03000080  0x6424050C   {$10}  // wr:2+2, rd:2; atomic_add.ugm.d32.a32.uc.wb.bti[3]
(W)     sync.nop (1)                            null                              {$10.dst}
        send.ugm (16)             r36     r115   r3:4    0x03000100  0x64240512   {$11}  // wr:2+4, rd:2; atomic_cmpxchg.ugm.d32.a32.uc.wb.bti[3]
        send.hdc1 (8)             r40     r38    r40:1   0x00000040  0x0411A700   {$12}  // wr:2+1, rd:1; typed_atomic_add simd16 (8) bti(0)
        send.hdc1 (8|M8)          r41     r42    r44:1   0x00000040  0x0411B700   {$13}  // wr:2+1, rd:1; typed_atomic_add simd8 (8) bti(0)
(W)     sync.nop (1)                            null                              {I@3}
        send.hdc1 (8)             r104    r117   null:0  0x00000000  0x04415001   {$14}  // wr:2+0, rd:4; typed_read:xyzw simd16 (8) bti(1)
        send.hdc1 (8|M8)          r100    r119   null:0  0x00000000  0x04416001   {$15}  // wr:2+0, rd:4; typed_read:xyzw simd8 (8) bti(1)
        mov (8)                   r73           r104                              {$14.dst}
        mov (8)                   r75           r105
        mov (8)                   r77           r106
        mov (8)                   r42           r107                              {$13.src}
        mov (8|M8)                r74           r100                              {$15.dst}
        mov (8|M8)                r76           r101
        mov (8|M8)                r78           r102
        mov (8|M8)                r43           r103
        mul (16)                  r79:f         r73:f             0x40000000:f    {Compacted,I@4}
        add (16)                  r51:f         r73:f             r84:f           {Compacted,I@7}
        mul (16)                  r81:f         r75:f             0x40000000:f    {Compacted,I@3}
        mul (16)                  r44:f         r42:f             0x40000000:f    {Compacted,I@1}
        mul (16)                  r83:f         r77:f             0x40000000:f    {Compacted,I@2}
        mov (8|M8)                r61           r80                               {F@5}
        mov (8)                   r57           r79                               {F@5}
        mov (8|M8)                r62           r82                               {F@3}
        mov (8)                   r58           r81                               {F@3}
        mov (8|M8)                r64           r45                               {F@2}
        mov (8)                   r60           r44                               {F@2}
        mov (8|M8)                r63           r84                               {F@1}
        mov (8)                   r59           r83                               {F@1}
(W)     sync.nop (1)                            null                              {I@1}
        send.hdc1 (8)             null    r7     r57:4   0x00000100  0x04035001   {$0}  // wr:2+4, rd:0; typed_write:xyzw simd16 (8) bti(1)
(W)     sync.nop (1)                            null                              {I@2}
        send.hdc1 (8|M8)          null    r9     r61:4   0x00000100  0x04036001   {$1}  // wr:2+4, rd:0; typed_write:xyzw simd8 (8) bti(1)
(W)     sync.nop (1)                            null                              {I@4}
        send.hdc1 (8)             r45     r11    null:0  0x00000000  0x02115E02   {$2}  // wr:1+0, rd:1; typed_read:x simd16 (8) bti(2)
        send.hdc1 (8|M8)          r46     r12    null:0  0x00000000  0x02116E02   {$3}  // wr:1+0, rd:1; typed_read:x simd8 (8) bti(2)
(W)     sync.nop (1)                            null                              {$12.src}
        add (16)                  r38:d         r3:d              r36:d           {Compacted,$11.dst}
(W)     sync.nop (1)                            null                              {$13.dst}
(W)     sync.nop (1)                            null                              {$2.dst}
(W)     sync.nop (1)                            null                              {$3.dst}
        add3 (16)                 r47:d         r38:d             r40:d             r45<1>:d {@1,$12.dst}
(W)     sync.nop (1)                            null                              {I@1}
        send.hdc1 (8)             null    r49    r47:1   0x00000040  0x02035E02   {$4}  // wr:1+1, rd:0; typed_write:x simd16 (8) bti(2)
(W)     sync.nop (1)                            null                              {$4.src}
(W)     mov (16)                  r92           0x00000000                        {I@1}
        mov (16)                  r92           r47
        send.hdc1 (8|M8)          null    r50    r48:1   0x00000040  0x02036E02   {$5}  // wr:1+1, rd:0; typed_write:x simd8 (8) bti(2)
(W)     mov (16)                  a0:uw         2944:uw                           {I@1}
(W)     shl (16)                  a0:uw         r94:uw            2:uw
(W)     add (16)                  a0:uw         a0:uw             2944:uw         {A@1}
(W)     mov (16)                  r53           r[a0.0]<VxH;1,0>                  {Compacted,A@1}
(W)     mov (1)                   r53           0x00000000                        {I@1}
(W)     sel (8)        (ge)f0.0   r53.1<2>      r53<2>            r53.1<2>        {I@1}
(W)     sel (4)        (ge)f0.0   r53.2<4>      r53.1<4>          r53.2<4>        {I@1}
(W)     sel (4)        (ge)f0.0   r53.3<4>      r53.1<4>          r53.3<4>        {I@1}
(W)     sel (4)        (ge)f0.0   r53.4         r53.3<0>          r53.4           {I@1}
(W)     sel (4)        (ge)f0.0   r54.4         r54.3<0>          r54.4           {I@2}
(W)     sel (8)        (ge)f0.0   r54           r53.7<0>          r54             {I@1}
(W)     mov (1)                   r96           mask0<0>                          {Compacted,A@1}
(W)     and (1)                   r96           r96<0>            0xffffffff      {A@1}
        mov (16)       (eq)f0.0   null          r95:uw
(W)     sync.nop (1)                            null                              {$0.src}
(W)     sync.nop (1)                            null                              {I@3}
        sel (16)       (ge)f0.0   r57           r53               r47             {Compacted,$5.src}
(W)     mov (1)                   r97           sr0<0>                            {Compacted,A@1}
(W)     and (1)                   r97           r97<0>            0xffffffff      {A@1}
(W)     and (1)                   r97           r96<0>            r97<0>          {Compacted,I@1}
(W)     lzd (1)                   r98           r97<0>                            {I@1}
(W)     add (1)                   r55           -r98<0>           31:uw           {I@1}
(W)     mov (8)                   r96           r55<0>                            {I@1}
(W)     shl (1)                   a0            r96<0>            0x00000002      {I@1}
(W)     add (1)                   a0            a0<0>             0x00000600      {A@1}
(W)     mov (1)                   r97           r[a0.0 + 288]<0>                  {A@1}
(W)     sync.nop (1)                            null                              {I@1}
        mov (16)                  r58:d         r97<0>:d
(f0.0)  if (16)                               jip:L0              uip:L0
        mov (16)                  r125:d        12:d                              {$2.src}
(W)     sync.nop (1)                            null                              {I@1}
        send.slm (16)             r91     r125   r58:2   0x00000080  0x04240511   {$2}  // wr:2+2, rd:2; atomic_umax.slm.d32.a32.uc.wb

L0:
        endif (16)                            L1

L1:
(W)     mov (1)                   r99           mask0<0>                          {Compacted,A@1}
(W)     and (1)                   r99           r99<0>            0xffffffff      {A@1}
        mov (16)                  r3:d          36:d
        mov (8|M8)                r70:d         3:d
        mov (8|M8)                r71:d         3:d
        mov (8)                   r64:d         3:d                               {$1.src}
        mov (8)                   r65:d         3:d
        mov (8)                   r67           0x00000001
        mov (8|M8)                r73           0x00000001                        {F@4}
(W)     mov (8)                   r69           0x00000000
        mov (16)                  r74           r51:f                             {F@3}
(W)     sync.nop (1)                            null                              {$2.src}
(W)     sync.nop (1)                            null                              {$3.src}
        shl (16)                  r76:d         -r11:d            0x00000002      {F@1}
(W)     sync.nop (1)                            null                              {$0.src}
        mov (16)                  r6            0x00000000                        {$11.src}
(W)     and (8)                   r85           r2.2<0>           0xffffffc0      {F@4}
(W)     mov (8)                   r127          r0                                {$7.src}
(W)     fbl (1)                   r98           r99<0>
(W)     mov (2)                   r69.10:ub     r0.11<0>:ub                       {I@7}
        add (16)                  r78:d         r76:d             1276:d          {Compacted,A@1}
(W)     sync.nop (1)                            null                              {I@6}
        send.smpl (16)            r89     r6     null:0  0x00000000  0x0424A000   {$6}  // wr:2+0, rd:2; resinfo:lod (16) bti(0) using sampler index 0
(W)     add (8)                   r86:d         r85<0>:d          44:d            {Compacted,I@5}
(W)     shl (1)                   a0            r98<0>            0x00000002      {@4,$2.dst}
(W)     add (1)                   a0            a0<0>             0x00000a00      {A@1}
(W)     mov (1)                   r99           r[a0.0 + 352]<0>                  {A@1}
(W)     sync.nop (1)                            null                              {$6.src}
(W)     mov (8)                   r7:d          r86<0>:d                          {I@2}
(W)     sync.nop (1)                            null                              {I@2}
        sel (16)       (ge)f0.0   r59           r99<0>            r53             {Compacted}
(W)     mov (1)                   a0.4          0x4a7cc037
        add (16)                  r5:d          r47:d             r59:d           {Compacted,I@2}
(W)     sync.nop (1)                            null                              {I@4}
(W)     send.ugm (1)              r87     r7     null:0  a0.2        0x42108500   {ExBSO,$7}  // wr:1+a0.2, rd:1; load.ugm.d32x1t.a32.ss[a0.2]
(W)     sync.nop (1)                            null                              {I@1}
        send.ugm (16)             r60     r3     r5:2    0x03000080  0x6424050B   {$8}  // wr:2+2, rd:2; atomic_store.ugm.d32.a32.uc.wb.bti[3]
(W)     shr (8)                   r88           r87<0>            0x00000002      {Compacted,$7.dst}
        add (16)                  r62:d         r5:d              r60:d           {Compacted,$8.dst}
        mov (8)                   r66           r62                               {I@1}
        mov (8|M8)                r72           r63                               {I@2}
(W)     sync.nop (1)                            null                              {I@2}
        send.hdc1 (8)             r64     r64    r66:2   0x00000080  0x0411AE00   {$9}  // wr:2+2, rd:1; typed_atomic_cmpwr simd16 (8) bti(0)
(W)     sync.nop (1)                            null                              {$9.src}
(W)     sync.nop (1)                            null                              {I@1}
        send.hdc1 (8|M8)          r65     r70    r72:2   0x00000080  0x0411BE00   {$10}  // wr:2+2, rd:1; typed_atomic_cmpwr simd8 (8) bti(0)
(W)     sync.allwr (1)                          null
(W)     sync.nop (1)                            null                              {$9.src}
(W)     send.ugm (1)              r66     r0     null:0  0x00000000  0x0210151F   {$11}  // wr:1+0, rd:1; fence.ugm.tile.evict
(W)     sync.nop (1)                            null                              {$11.src}
(W)     send.tgm (1)              r67     r0     null:0  0x00000000  0x0210151F   {$12}  // wr:1+0, rd:1; fence.tgm.tile.evict
(W)     sync.nop (1)                            null                              {$12.dst}
(W)     sync.nop (1)                            null                              {$11.dst}
(W)     sync.allwr (1)                          null
(W)     sync.allwr (1)                          null
(W)     send.slm (1)              r68     r0     null:0  0x00000000  0x0210011F   {$13}  // wr:1+0, rd:1; fence.slm.threadgroup.none
(W)     sync.nop (1)                            null                              {$13.dst}
(W)     send.gtwy (16)            null    r69    null:0  0x00000000  0x02000004   {$14}  // wr:1+0, rd:0; barrier_msg (16)
(W)     sync.bar (16)                           null
(W)     sync.nop (1)                            null                              {$4.src}
(W)     sync.nop (1)                            null                              {$10.src}
        send.slm (16)             r70     r13    null:0  0x00000000  0x04200500   {$15}  // wr:2+0, rd:2; load.slm.d32.a32
        send.slm (16)             r80     r78    null:0  0x00000000  0x04200500   {$0}  // wr:2+0, rd:2; load.slm.d32.a32
        mov (16)                  r82           r80:f                             {$0.dst}
(W)     sync.nop (1)                            null                              {$10.dst}
(W)     sync.nop (1)                            null                              {$15.dst}
        add3 (16)                 r72:d         r62:d             r64:d             r70<1>:d {$9.dst}
        add3 (16)                 r84:d         r72:d             r74:d             r82<1>:d {I@1}
(W)     sync.nop (1)                            null                              {I@1}
        add3 (16)                 r8:d          r84:d             r89:d             r88<0>:d {$6.dst}
(W)     sync.nop (1)                            null                              {I@1}
        send.ugm (16)             null    r13    r8:2    0x03000080  0x64000504   {$1}  // wr:2+2, rd:0; store.ugm.d32.a32.bti[3]
(W)     send.gtwy (16)            null    r127   null:0  0x00000000  0x02000000   {EOT,A@1}  // wr:1+0, rd:0; open (16)
