        mad (8)                   r15:f         r9.4<0>:f         r1:f              r6.4<0>:f
        mad (8)                   r16:f         r9.5<0>:f         r1:f              r6.5<0>:f
        mad (8)                   r17:f         r9.6<0>:f         r1:f              r6.6<0>:f
        mad (8)                   r18:f         r9.7<0>:f         r1:f              r6.7<0>:f
        mov (8)                   r8            r0<0>
        mov (8)                   r126:f        r0.1<0>:f                         {Compacted}
        mov (8)                   r11:d         0:d
        mov (8)                   r12:d         0:d
        mov (8)                   r13:d         0:d
        mov (8)                   r14:d         0:d
(W)     mov (8)                   r127          r4
        mul (8)                   r1:f          r2:f              0x40400000:f    {Compacted}
        mov (8)                   r2:d          r1:f                              {Compacted,@1}
        shl (8)                   r9:d          r2:d              0x00000001      {@1}
        send.urb (8)              r7      r8     null    0x00000000  0x044A0048   {@1,$0}  // wr:2h+0, rd:4; simd8_read off=4 per_slot (8)
        send.urb (8)              null    r4     r11     0x00000200  0x02080007   {@5,$1}  // wr:1h+8, rd:0; simd8_write (8)
        add (8)                   r119:f        r7:f              r6<0>:f         {Compacted,$0.dst}
        add (8)                   r120:f        r8:f              r6.1<0>:f       {Compacted}
        add (8)                   r121:f        r9:f              r6.2<0>:f       {Compacted}
        add (8)                   r122:f        r10:f             r6.3<0>:f       {Compacted}
(W)     sync.nop (1)                            null                              {@1}
        send.urb (8)              null    r127   r119    0x00000200  0x02080027   {EOT,@1}  // wr:1h+8, rd:0; simd8_write off=2 (8)
