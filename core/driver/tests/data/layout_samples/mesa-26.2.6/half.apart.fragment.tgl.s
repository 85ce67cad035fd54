        mad (8)                   r0:f          r5.3<0>:f         r5.1<0>:f         r3<1>:f
        mad (8)                   r29:f         r5.7<0>:f         r5.5<0>:f         r3<1>:f
        mad (8)                   r14:f         r6.3<0>:f         r6.1<0>:f         r3<1>:f
        mad (8)                   r16:f         r6.7<0>:f         r6.5<0>:f         r3<1>:f
        mad (8)                   r22:f         r7.3<0>:f         r7.1<0>:f         r3<1>:f
        mad (8)                   r24:f         r7.7<0>:f         r7.5<0>:f         r3<1>:f
        mad (8)                   r26:f         r8.3<0>:f         r8.1<0>:f         r3<1>:f
        mad (8)                   r31:f         r11.3<0>:f        r11.1<0>:f        r3<1>:f
        mad (8)                   r33:f         r12.7<0>:f        r12.5<0>:f        r3<1>:f
        mad (8)                   r45:f         r13.3<0>:f        r13.1<0>:f        r3<1>:f
        mad (8)                   r47:f         r13.7<0>:f        r13.5<0>:f        r3<1>:f
        mad (8)                   r1:f          r0:f              r5<0>:f           r2<1>:f {Compacted}
        mad (8)                   r10:f         r29:f             r5.4<0>:f         r2<1>:f {Compacted}
        mad (8)                   r15:f         r14:f             r6<0>:f           r2<1>:f {Compacted}
        mad (8)                   r17:f         r16:f             r6.4<0>:f         r2<1>:f {Compacted}
        mad (8)                   r23:f         r22:f             r7<0>:f           r2<1>:f {Compacted}
        mad (8)                   r25:f         r24:f             r7.4<0>:f         r2<1>:f {Compacted}
        mad (8)                   r27:f         r26:f             r8<0>:f           r2<1>:f {Compacted}
        mad (8)                   r32:f         r31:f             r11<0>:f          r2<1>:f {Compacted}
        mad (8)                   r34:f         r33:f             r12.4<0>:f        r2<1>:f {Compacted}
        mad (8)                   r46:f         r45:f             r13<0>:f          r2<1>:f {Compacted}
        mad (8)                   r48:f         r47:f             r13.4<0>:f        r2<1>:f {Compacted}
        mov (8)                   r53<2>:hf     r1:f
        mov (8)                   r54<2>:hf     r10:f
        mov (8)                   r55<2>:hf     r15:f
        mov (8)                   r56<2>:hf     r17:f
        mov (8)                   r57<2>:hf     r23:f
        mov (8)                   r58<2>:hf     r25:f
        mov (8)                   r59<2>:hf     r27:f
        mov (8)                   r60<2>:hf     r32:f
        mov (8)                   r61<2>:hf     r34:f
        mov (8)                   r18:uw        r53<2>:uw                         {@7}
        mov (8)                   r19:uw        r54<2>:uw                         {@7}
        mov (8)                   r20:uw        r55<2>:uw                         {@7}
        mov (8)                   r21:uw        r56<2>:uw                         {@7}
        mov (8)                   r28:uw        r57<2>:uw                         {@7}
        mov (8)                   r4:uw         r58<2>:uw                         {@7}
        mov (8)                   r30:uw        r59<2>:uw                         {@7}
        mov (8)                   r35:uw        r60<2>:uw                         {@7}
        mov (8)                   r36:uw        r61<2>:uw                         {@7}
        mad (8)                   r37:hf        r18:hf            r35:hf            r28<1>:hf {@2}
        mad (8)                   r38:hf        r19:hf            r35:hf            r4<1>:hf {@5}
        mad (8)                   r39:hf        r20:hf            r35:hf            r30<1>:hf {@5}
        add (8)                   r40:hf        r21:hf            r35:hf          {@7}
        add (8)                   r41:hf        r37:hf            r36:hf          {@4}
        add (8)                   r44:hf        r40:hf            r36:hf          {@2}
        add (8)                   r42:hf        r38:hf            r36:hf          {@5}
        add (8)                   r43:hf        r39:hf            r36:hf          {@5}
        mov (8)                   r49:f         r41:hf                            {@4}
        mov (8)                   r52:f         r44:hf                            {@4}
        mov (8)                   r50:f         r42:hf                            {@4}
        mov (8)                   r51:f         r43:hf                            {@4}
        add (8)                   r124:f        r49:f             r9.3<0>:f       {Compacted,@4}
        add (8)                   r127:f        r52:f             r48:f           {Compacted,@4}
        add (8)                   r125:f        r50:f             r9.7<0>:f       {Compacted,@4}
        add (8)                   r126:f        r51:f             r46:f           {Compacted,@4}
        sendc.render (8)          null    r124   null    0x00000000  0x08031400   {EOT,@1}  // wr:4+0, rd:0; simd8 rt_write last_rt (8) bti(0)
