(W)     mov (16)                  r3            r0.1<0>                           {Compacted}
        mov (16)                  r4            r1:uw
        mov (16)                  r10           0x00000002                        {Compacted}
(W)     mov (16)                  r9            r0                                {Compacted}
(W)     add (16)                  r0:d          r3<0>:d           r2.4<0>:d       {Compacted,I@4}
(W)     shl (16)                  r0:d          r0<0>:d           0x00000004      {I@1}
        add (16)                  r0:d          r0<0>:d           r4:d            {Compacted,I@1}
        mov (16)                  r5<2>         r0                                {Compacted,I@1}
        add (16)                  r3:d          r0:d              5:d             {I@7}
        mov (16)                  r0:q          r5<2>:d                           {I@2}
        mov (16)                  r7<2>         r3                                {Compacted,I@2}
        shl (16)                  r3:q          r0:q              0x00000002      {I@2}
        mov (16)                  r5:q          r7<2>:d                           {I@2}
        add (16)                  r7:q          r2.1<0>:q         r3:q            {Compacted,I@2}
        add (16)                  r0:q          r2<0>:q           r3:q            {Compacted}
        shl (16)                  r3:q          r5:q              0x00000002      {I@3}
        send.ugm (16)             r0      r0     null:0  0x00000000  0x04100580   {ExBSO,I@2,$0}  // wr:2+0, rd:1; load.ugm.d32.a64
        add (16)                  r5:q          r2.1<0>:q         r3:q            {Compacted,I@1}
(W)     mov (1)                   s0:uq         0x00000000000a0605:uq
(W)     sync.nop (1)                            null                              {$0.src}
        send.ugm (16)             r1      r[s0.0] null:0 0x00000000  0x0614058C   {ExBSO,A@1,$1}  // wr:3+0, rd:1; atomic_add.ugm.d32.a64.uc.wb
(W)     sync.nop (1)                            null                              {$1.dst}
        add (16)                  r0:d          r0:d              r1:d            {Compacted,$0.dst}
(W)     mov (1)                   s0:uq         0x0000000000000807:uq
        send.ugm (16)             null    r[s0.0] null:0 0x00000000  0x06000584   {ExBSO,A@1,$2}  // wr:3+0, rd:0; store.ugm.d32.a64
(W)     send.gtwy (16)            null    r9     null:0  0x00000000  0x02000000   {EOT}  // wr:1+0, rd:0; open (16)
