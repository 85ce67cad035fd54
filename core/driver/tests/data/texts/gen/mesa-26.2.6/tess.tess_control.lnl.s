        and (16)       (eq)f0.0   r7            r0.2<0>           0x000000ff
(W)     mov (16)                  r29           0x00000000                        {Compacted}
        add (16)                  r8:d          r7:d              1:d             {I@2}
        shl (16)                  r16           r7                0x00000006
        shl (16)                  r20:d         r7:d              0x00000005
(W)     mov (8)                   r32:uw        0x76543210:v
(W)     mov (8)                   r33:uw        0x76543210:v
(W)     mov (2)                   r29.10:ub     r0.11<0>:ub                       {I@6}
        and (16)                  r9            r8                0x00000003      {I@6}
        add (16)                  r27:d         r1:d              r20:d           {Compacted,I@5}
(W)     add (8)                   r32.8:uw      r32:uw            8:uw            {I@5}
(W)     add (8)                   r33.8:uw      r33:uw            8:uw            {I@5}
(W)     or (1)                    r29.2         r29.2<0>          0x00000100      {I@5}
        shl (16)                  r11           r9                0x00000006      {I@5}
        shl (16)                  r10           r32:uw            0x00000002      {I@4}
        shl (16)                  r15           r33:uw            0x00000002      {I@4}
        add (16)                  r12           r11               r10             {Compacted,I@2}
        add (16)                  r17           r16               r15             {Compacted,I@2}
(W)     mov (16)                  a0:uw         192:uw                            {I@2}
        add (16)                  a0:uw         r12<2>:uw         192:uw
        mov (16)                  r13           r[a0.0]<VxH;1,0>                  {A@1}
(W)     mov (16)                  a0:uw         192:uw                            {I@2}
        add (16)                  a0:uw         r17<2>:uw         192:uw
        mov (16)                  r18           r[a0.0]<VxH;1,0>                  {A@1}
        send.urb (16)             r14     r13    null:0  0x00020000  0x02423500   {I@1,$0}  // wr:1+0, rd:4; load.urb.d32x4.a32.uc.uc.flat[A+0x20]
        send.urb (16)             r19     r18    null:0  0x00010000  0x02824500   {I@1,$1}  // wr:1+0, rd:8; load.urb.d32x8.a32.uc.uc.flat[A+0x10]
(W)     sync.nop (1)                            null                              {$0.dst}
        add (16)                  r38:f         r23:f             r14:f           {Compacted,$1.dst}
        add (16)                  r39:f         r24:f             r15:f           {Compacted}
        add (16)                  r40:f         r25:f             r16:f           {Compacted}
        add (16)                  r41:f         r26:f             r17:f           {Compacted}
        mov (16)                  r34           r19                               {Compacted}
        mov (16)                  r35           r20                               {Compacted}
        mov (16)                  r36           r21                               {Compacted}
        mov (16)                  r37           r22                               {Compacted}
        send.urb (16)             null    r27    r34:8   0x00030200  0x02024504   {A@1,$2}  // wr:1+8, rd:0; store.urb.d32x8.a32.uc.uc.flat[A+0x30]
(W)     sync.allwr (1)                          null
(W)     send.urb (1)              r28     r0     null:0  0x00000000  0x0210011F   {$3}  // wr:1+0, rd:1; fence.urb.threadgroup.none
(W)     sync.nop (1)                            null                              {$2.src}
(W)     sync.nop (1)                            null                              {$3.dst}
(W)     send.gtwy (16)            null    r29    null:0  0x00000000  0x02000004   {$4}  // wr:1+0, rd:0; barrier_msg (16)
        sync.bar (16)                           null
(f0.0)  if (16)                               jip:L0              uip:L0
        send.urb (16)             r30     r1     null:0  0x00060000  0x02423500   {I@7,$5}  // wr:1+0, rd:4; load.urb.d32x4.a32.uc.uc.flat[A+0x60]
        mov (16)                  r38:f         r2:d                              {$2.src}
        mov (16)                  r36:d         1073741824:d
        mov (16)                  r37:d         1077936128:d
        mov (16)                  r39:d         1065353216:d
        mov (16)                  r40:d         1073741824:d
(W)     sync.nop (1)                            null                              {$5.dst}
        send.urb (16)             null    r1     r30:4   0x00020100  0x02023504   {$6}  // wr:1+4, rd:0; store.urb.d32x4.a32.uc.uc.flat[A+0x20]
(W)     sync.nop (1)                            null                              {$6.src}
        send.urb (16)             r31     r1     null:0  0x00080000  0x02423500   {$2}  // wr:1+0, rd:4; load.urb.d32x4.a32.uc.uc.flat[A+0x80]
        mov (16)                  r35:d         r31:d                             {Compacted,$2.dst}
        send.urb (16)             null    r1     r35:4   0x00000100  0x02023504   {A@1,$2}  // wr:1+4, rd:0; store.urb.d32x4.a32.uc.uc
        send.urb (16)             null    r1     r39:2   0x00010080  0x02021504   {I@2,$2}  // wr:1+2, rd:0; store.urb.d32x2.a32.uc.uc.flat[A+0x10]

L0:
        endif (16)                            L1

L1:
        mov (16)                  r127          r1                                {Compacted,$2.src}
        mov (16)                  r126          0x00000000                        {Compacted}
        send.urb (16)             null    r127   r126:1  0x0001C040  0x02020504   {EOT,ExBSO,I@1}  // wr:1+1, rd:0; store.urb.d32.a32.uc.uc.flat[A+0x1c]
