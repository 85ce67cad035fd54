        mad (8)                   r0:f          r9.3<0>:f         r9.1<0>:f         r3<1>:f
        mad (8)                   r33:f         r9.7<0>:f         r9.5<0>:f         r3<1>:f
        mad (8)                   r14:f         r11.3<0>:f        r11.1<0>:f        r3<1>:f
        mad (8)                   r16:f         r11.7<0>:f        r11.5<0>:f        r3<1>:f
        mad (8)                   r18:f         r12.3<0>:f        r12.1<0>:f        r3<1>:f
        mad (8)                   r23:f         r7.3<0>:f         r7.1<0>:f         r3<1>:f
        mad (8)                   r25:f         r7.7<0>:f         r7.5<0>:f         r3<1>:f
        mad (8)                   r27:f         r8.3<0>:f         r8.1<0>:f         r3<1>:f
        mad (8)                   r36:f         -r5.3<0>:f        r5.1<0>:f         -r3<1>:f
        mad (8)                   r38:f         -r5.7<0>:f        r5.5<0>:f         -r3<1>:f
        mad (8)                   r40:f         -r6.3<0>:f        r6.1<0>:f         -r3<1>:f
        and (8)                   r58           r13.3<0>          0x00000001      {Compacted}
        mad (8)                   r1:f          r0:f              r9<0>:f           r2<1>:f {Compacted}
        mad (8)                   r10:f         r33:f             r9.4<0>:f         r2<1>:f {Compacted}
        mad (8)                   r34:f         r14:f             r11<0>:f          r2<1>:f {Compacted}
        mad (8)                   r17:f         r16:f             r11.4<0>:f        r2<1>:f {Compacted}
        mad (8)                   r19:f         r18:f             r12<0>:f          r2<1>:f {Compacted}
        mad (8)                   r24:f         r23:f             r7<0>:f           r2<1>:f {Compacted}
        mad (8)                   r26:f         r25:f             r7.4<0>:f         r2<1>:f {Compacted}
        mad (8)                   r28:f         r27:f             r8<0>:f           r2<1>:f {Compacted}
        mad (8)                   r37:f         r36:f             r5<0>:f           -r2<1>:f {Compacted}
        mov (8)                   r126:f        r58                               {Compacted,@7}
        mad (8)                   r39:f         r38:f             r5.4<0>:f         -r2<1>:f {Compacted}
        mad (8)                   r41:f         r40:f             r6<0>:f           -r2<1>:f {Compacted}
        send.smpl (8)             r59     r1     r10     0x00000040  0x02320002   {$0}  // wr:1+1, rd:3; sample:u,v,r,ai (8) bti(2) using sampler index 0
        mul (8)                   r29:f         r28:f             r28:f           {Compacted,@5}
        add (8)                   r46:f         r37:f             0x3f800000:f    {Compacted,@5}
        add (8)                   r44:f         r39:f             0x40000000:f    {Compacted,@4}
        add (8)                   r42:f         r41:f             0x40400000:f    {Compacted,@4}
        mad (8)                   r30:f         r29:f             r26:f             r26<1>:f {Compacted,@4}
        mul (8)                   r43:f         r42:f             r42:f           {Compacted,@2}
        mad (8)                   r31:f         r30:f             r24:f             r24<1>:f {Compacted,@2}
        mad (8)                   r45:f         r43:f             r44:f             r44<1>:f {Compacted,@2}
        math.rsq (8)              r32:f         r31:f             null            {@2,$1}
        mad (8)                   r47:f         r45:f             r46:f             r46<1>:f {Compacted,@1}
        mul (8)                   r4:f          r24:f             r32:f           {Compacted,$1.dst}
        mul (8)                   r15:f         r26:f             r32:f           {Compacted}
        mul (8)                   r35:f         r28:f             r32:f           {Compacted}
        math.rsq (8)              r48:f         r47:f             null            {@4,$2}
        mul (8)                   r49:f         r46:f             r48:f           {Compacted,$2.dst}
        mul (8)                   r50:f         r44:f             r48:f           {Compacted}
        mul (8)                   r51:f         r42:f             r48:f           {Compacted}
        mul (8)                   r52:f         r35:f             r51:f           {Compacted,@1}
        mad (8)                   r53:f         r52:f             r50:f             r15<1>:f {Compacted,@1}
        mad (8)                   r54:f         r53:f             r49:f             r4<1>:f {Compacted,@1}
        sel (8)        (ge)f0.0   r55:f         r54:f             0x00000000:f    {Compacted,@1}
        mul (8)                   r56:f         r55:f             0x3f666666:f    {@1}
        mul (8)                   r20:f         r59:f             r34:f           {Compacted,$0.dst}
        mul (8)                   r21:f         r60:f             r17:f           {Compacted}
        mul (8)                   r22:f         r61:f             r19:f           {Compacted}
        add (8)                   r57:f         r56:f             0x3dcccccd:f    {@4}
        mul (8)                   r127:f        r20:f             r57:f           {Compacted,@1}
        mul (8)                   r124:f        r21:f             r57:f           {Compacted,@4}
        mul (8)                   r125:f        r22:f             r57:f           {Compacted,@4}
        sendc.render (8)          null    r127   r124    0x000000C0  0x02031400   {EOT,@1}  // wr:1+3, rd:0; simd8 rt_write last_rt (8) bti(0)
