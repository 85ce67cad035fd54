        mad (8)                   r0:f          r7.3<0>:f         r7.1<0>:f         r3<1>:f
        mad (8)                   r6:f          r7.7<0>:f         r7.5<0>:f         r3<1>:f
        mad (8)                   r10:f         r11.3<0>:f        r11.1<0>:f        r5<1>:f
        mad (8)                   r14:f         r11.7<0>:f        r11.5<0>:f        r5<1>:f
        mad (8)                   r18:f         r15.3<0>:f        r15.1<0>:f        r3<1>:f
        mad (8)                   r20:f         r15.7<0>:f        r15.5<0>:f        r3<1>:f
        mad (8)                   r22:f         r16.3<0>:f        r16.1<0>:f        r3<1>:f
        mov (8)                   r27:f         r9.3<0>                           {Compacted}
        mov (8)                   r32:f         r13.3<0>:d                        {Compacted}
        mov (8)                   r33:f         r13.7<0>:d                        {Compacted}
        mad (8)                   r1:f          r0:f              r7<0>:f           r2<1>:f {Compacted,@7}
        mad (8)                   r8:f          r6:f              r7.4<0>:f         r2<1>:f {Compacted,@7}
        mad (8)                   r12:f         r10:f             r11<0>:f          r4<1>:f {Compacted,@7}
        mad (8)                   r17:f         r14:f             r11.4<0>:f        r4<1>:f {Compacted,@7}
        mad (8)                   r19:f         r18:f             r15<0>:f          r2<1>:f {Compacted,@7}
        mad (8)                   r21:f         r20:f             r15.4<0>:f        r2<1>:f {Compacted,@7}
        mad (8)                   r23:f         r22:f             r16<0>:f          r2<1>:f {Compacted,@7}
        add (8)                   r31:f         r17:f             r27:f           {Compacted,@4}
        add (8)                   r24:f         r1:f              r19:f           {Compacted,@4}
        add (8)                   r25:f         r8:f              r21:f           {Compacted,@4}
        add (8)                   r26:f         r12:f             r23:f           {Compacted,@4}
        add (8)                   r126:f        r31:f             r33:f           {Compacted,@4}
        add (8)                   r28:f         r24:f             r27:f           {Compacted,@4}
        add (8)                   r29:f         r25:f             r27:f           {Compacted,@4}
        add (8)                   r30:f         r26:f             r27:f           {Compacted,@4}
        add (8)                   r127:f        r28:f             r32:f           {Compacted,@3}
        add (8)                   r124:f        r29:f             r33:f           {Compacted,@3}
        add (8)                   r125:f        r30:f             r32:f           {Compacted,@3}
        sendc.render (8)          null    r127   r124    0x000000C0  0x02031400   {EOT,@1}  // wr:1+3, rd:0; simd8 rt_write last_rt (8) bti(0)
