        mov (8)                   r6:d          0:d
        mov (8)                   r7:d          0:d
        mov (8)                   r8:d          0:d
        mov (8)                   r9:d          0:d
        mov (8)                   r10:d         r2:d
        mov (8)                   r11:d         r3:d
        mov (8)                   r12:d         r4:d
        mov (8)                   r13:d         r5:d
(W)     mov (8)                   r127          r1
        mov (8)                   r123:d        r5:d
        mov (8)                   r124:d        r4:d
        mov (8)                   r125:d        r3:d
        mov (8)                   r126:d        r2:d
        send.urb (8)              null    r1     r6      0x00000200  0x02080007   {@6,$0}  // wr:1h+8, rd:0; simd8_write (8)
(W)     sync.nop (1)                            null                              {@1}
        send.urb (8)              null    r127   r123    0x00000100  0x02080027   {EOT,@1}  // wr:1h+4, rd:0; simd8_write off=2 (8)
