(W)     mov (16)                  r12:f         r3:f                              {Compacted}
(W)     mov (16)                  r13:f         r7:f                              {Compacted}
(W)     mov (16)                  r20:f         r2:f                              {Compacted}
(W)     mov (16)                  r21:f         r6:f                              {Compacted}
(W)     mov (1)                   f1.2:uw       r1.30<0>:uw
(W)     mov (1)                   f1:uw         r0.30<0>:uw                       {I@1}
        mad (32)                  r14:f         r11<0>:f          r11.2<0>:f        r12<1>:f {F@3}
(W)     mov (32)                  r3<2>:uw      r0.21<2;8,0>:uw                   {F@5}
(W)     add (32)                  r6:uw         r3<2>:uw          0x01010000:v    {A@1}
        mad (32)                  r2:f          r14:f             r11.1<0>:f        r20<1>:f {A@1}
        cmp (32)       (lt)f0.0   r14:f         r2:f              0x3e4ccccd:f    {F@1}
(f1.0)  cmp (32)       (eq)f1.0   null:d        r14:d             0:d             {F@1}
(~f1.0.any) halt (32)                         jip:L13             uip:L13
        mov (32)                  r24           0x00000000                        {Compacted}
        mov (16)                  r10:uw        r6<2>:uw                          {I@4}
        mad (32)                  r14:f         r11.3<0>:f        r11.5<0>:f        r12<1>:f {I@4}
(W)     mov (32)                  r16<2>:uw     r0.20<2;8,0>:uw
(W)     mov (32)                  r18<2>:uw     r1.20<2;8,0>:uw
(W)     mov (32)                  r22<2>:uw     r1.21<2;8,0>:uw
(W)     add (32)                  r4:uw         r16<2>:uw         0x01000100:v    {I@3}
        mad (32)                  r33:f         r14:f             r11.4<0>:f        r20<1>:f {F@1}
        mad (32)                  r16:f         r11.6<0>:f        r11.8<0>:f        r12<1>:f {I@1}
(W)     add (32)                  r7:uw         r18<2>:uw         0x01000100:v    {A@3}
(W)     add (32)                  r8:uw         r22<2>:uw         0x01010000:v    {I@3}
        mad (32)                  r18:f         r11.9<0>:f        r11.11<0>:f       r12<1>:f {I@2}
        mov (32)                  r22           0x00000000                        {Compacted}
(W)     mov (16)                  r12:f         r5:f                              {Compacted}
(W)     mov (16)                  r13:f         r9:f                              {Compacted}
        mov (16)                  r26:uw        r4<2>:uw                          {I@4}
        mov (16|M16)              r26.16:uw     r7<2>:uw                          {I@4}
        mov (16|M16)              r10.16:uw     r8<2>:uw                          {I@4}
        mad (32)                  r35:f         r16:f             r11.7<0>:f        r20<1>:f {F@4}
        mov (32)                  r4            0x00000000                        {Compacted,F@3}
        mad (32)                  r6:f          r18:f             r11.10<0>:f       r20<1>:f {A@3}
        mov (32)                  r8            0x00000000                        {Compacted,F@3}
        math.inv (32)             r31:f         r12:f             null            {F@3}
        mov (32)                  r20           0x00000000                        {Compacted,F@1}

L0:
        cmp (32)       (ge)f0.0   null:d        r4:d              r11.12<0>:d     {A@2}
(f0.0)  if (32)                               jip:L1              uip:L1
        mov (32)                  r29           0x00000000                        {Compacted,I@4}
        break (32)                            jip:L1              uip:L10

L1:
        endif (32)                            L10
        shl (32)                  r37:d         r4:d              0x00000002
(W)     mov (1)                   r13           mask0<0>                          {Compacted,A@1}
(W)     and (1)                   r13           r13<0>            0xffffffff      {A@1}
(W)     mov (1)                   r14           sr0<0>                            {Compacted,A@1}
(W)     and (1)                   r14           r14<0>            0xffffffff      {A@1}
(W)     and (1)                   r14           r13<0>            r14<0>          {Compacted,I@1}
(W)     sync.nop (1)                            null                              {$0.src}
(W)     fbl (1)                   r12           r14<0>                            {Compacted,A@1}
(W)     shl (1)                   a0            r12<0>            0x00000002      {A@1}
(W)     add (1)                   a0            a0<0>             0x00000800      {A@1}
(W)     mov (1)                   r12           r[a0.0 + 320]<0>                  {A@1}
(W)     mov (16)                  r12:d         r12<0>:d                          {Compacted,I@1}
(W)     send.ugm (1)              r39     r12    null:0  0x03000000  0x62108500   {ExBSO,A@1,$0}  // wr:1+0, rd:1; load.ugm.d32x1t.a32.bti[3]
        cmp (32)       (lt)f0.0   null:f        r33:f             r39<0>:f        {A@2,$0.dst}
(f0.0)  if (32)                               jip:L2              uip:L9          {F@1}
(W)     sync.nop (1)                            null                              {$0.src}
        mov (32)                  r12:f         r4:d                              {A@1}
        mul (32)                  r40:f         r2:f              r12:f           {Compacted,@1,$1.src}
        mul (32)                  r42:f         r33:f             r12:f           {Compacted}
(W)     sync.nop (1)                            null                              {$2.dst}
        send.smpl (32)            r12     r40    r42:2   0x00000080  0x04840002   {A@1,$1}  // wr:2+2, rd:8; sample:u,v,r,ai (32) bti(2) using sampler index 0
        add (32)                  r20:f         r20:f             r12:f           {Compacted,A@3,$1.dst}
        add (32)                  r22:f         r22:f             r14:f           {Compacted,F@6}
        add (32)                  r24:f         r24:f             r16:f           {Compacted,A@4}
        add (32)                  r8:f          r8:f              r18:f           {Compacted,A@1}
        else (32)                             jip:L9              uip:L9

L2:
        cmp (32)       (lt)f0.0   null:f        r39<0>:f          r35:f           {A@1}
(f0.0)  if (32)                               jip:L3              uip:L3          {F@1}
        mov (32)                  r29           0x00000000                        {Compacted}
        break (32)                            jip:L3              uip:L10

L3:
        endif (32)                            L9
(W)     sync.nop (1)                            null                              {$0.src}
        add (32)                  r12:d         r37:d             4:d             {A@1}
        mov (32)                  r17           0x00000000                        {Compacted,F@2}

L4:
(W)     mov (1)                   r15           mask0<0>                          {Compacted,A@1}
(W)     and (1)                   r15           r15<0>            0xffffffff      {A@1}
(W)     mov (1)                   r16           sr0<0>                            {Compacted,A@1}
(W)     and (1)                   r16           r16<0>            0xffffffff      {A@1}
(W)     and (1)                   r16           r15<0>            r16<0>          {Compacted,I@1}
(W)     fbl (1)                   r14           r16<0>                            {Compacted,A@1}
(W)     shl (1)                   a0            r14<0>            0x00000002      {A@1,$2.dst}
(W)     add (1)                   a0            a0<0>             0x00000200      {A@1}
(W)     mov (1)                   r14           r[a0.0 + 256]<0>                  {A@1}
(W)     mov (16)                  r14:d         r14<0>:d                          {Compacted,I@1}
(W)     send.ugm (1)              r14     r14    null:0  0x03000000  0x62108500   {ExBSO,I@1,$3}  // wr:1+0, rd:1; load.ugm.d32x1t.a32.bti[3]
(W)     mov (16)                  r14:d         r14<0>:f                          {$3.dst}
        cmp (32)       (ge)f0.0   null:d        r17:d             r14<0>:d        {I@1}
(f0.0)  if (32)                               jip:L5              uip:L5
        mov (32)                  r27           0x00000000                        {Compacted}
        break (32)                            jip:L5              uip:L7

L5:
        endif (32)                            L7
        shl (32)                  r14:d         r17:d             0x00000002      {A@2}
(W)     mov (1)                   r19           mask0<0>                          {Compacted,A@1}
(W)     and (1)                   r19           r19<0>            0xffffffff      {A@1}
(W)     mov (1)                   r39           sr0<0>                            {Compacted,A@1}
(W)     and (1)                   r39           r39<0>            0xffffffff      {A@1}
(W)     and (1)                   r39           r19<0>            r39<0>          {Compacted,I@1}
(W)     fbl (1)                   r16           r39<0>                            {Compacted,A@1}
(W)     shl (1)                   a0            r16<0>            0x00000002      {I@1}
(W)     add (1)                   a0            a0<0>             0x00000200      {A@1}
(W)     mov (1)                   r14           r[a0.0 + 384]<0>                  {A@1}
(W)     mov (16)                  r14:d         r14<0>:d                          {Compacted,I@1}
(W)     send.ugm (1)              r14     r14    null:0  0x03000000  0x62108500   {ExBSO,I@1,$2}  // wr:1+0, rd:1; load.ugm.d32x1t.a32.bti[3]
        add (32)                  r20:f         r20:f             r14<0>:f        {Compacted,A@1,$2.dst}
        cmp (32)       (gt)f0.0   null:f        r20:f             0x42c80000:f    {A@1}
(f0.0)  if (32)                               jip:L6              uip:L6          {F@1}
        mov (32)                  r27           0xffffffff
        break (32)                            jip:L6              uip:L7

L6:
        endif (32)                            L7
        add (32)                  r17:d         r17:d             3:d

L7:
        while (32)                            L4
        mov (32)       (ne)f0.0   null:d        r27:d                             {I@2}
(f0.0)  if (32)                               jip:L8              uip:L8
        mov (32)                  r29           0xffffffff                        {I@7}
        break (32)                            jip:L8              uip:L10

L8:
        endif (32)                            L9
        add (32)                  r12:d         r37:d             28:d            {I@5}
(W)     mov (1)                   r15           mask0<0>                          {Compacted,A@1}
(W)     and (1)                   r15           r15<0>            0xffffffff      {A@1}
(W)     mov (1)                   r16           sr0<0>                            {Compacted,A@1}
(W)     and (1)                   r16           r16<0>            0xffffffff      {A@1}
(W)     and (1)                   r16           r15<0>            r16<0>          {Compacted,I@1}
(W)     fbl (1)                   r14           r16<0>                            {Compacted,A@1}
        math.exp (32)             r15:f         r24:f             null            {A@1}
(W)     shl (1)                   a0            r14<0>            0x00000002      {I@1}
(W)     add (1)                   a0            a0<0>             0x00000200      {A@1}
(W)     mov (1)                   r12           r[a0.0 + 256]<0>                  {A@1}
        math.sin (32)             r13:f         r20:f             null            {A@1,$2.dst}
(W)     mov (16)                  r12:d         r12<0>:d                          {Compacted,I@1}
        mad (32)                  r17:f         r22:f             r15:f             r13<1>:f {A@1}
(W)     send.ugm (1)              r12     r12    null:0  0x03000000  0x62108500   {ExBSO,I@1,$4}  // wr:1+0, rd:1; load.ugm.d32x1t.a32.bti[3]
(W)     math.inv (16)             r14:f         r12<0>:f          null            {@1,$4.dst}
        math.sqt (32)             r12:f         r8:f              null            {A@1}
        mad (32)                  r22:f         r17:f             r14<0>:f          r12<1>:f {A@1}

L9:
        endif (32)                            L10
        add (32)                  r4:d          r4:d              1:d             {A@7}

L10:
        while (32)                            L0
        mov (32)       (ne)f0.0   null:d        r29:d                             {A@2}
(~f0.0) if (32)                               jip:L12             uip:L12
        math.log (32)             r4:f          r2:f              null            {A@5}
        cmp (32)       (le)f0.0   null          r11.12<0>         0x00000002
(W)     mov (4)                   r43           r2<0;2,1>                         {$1.src}
(W)     mov (4|M8)                r43.8         r2.8<0;2,1>
(W)     mov (4)                   r44           r2.2<0;2,1>
(W)     mov (4|M8)                r44.8         r2.10<0;2,1>
(W)     mov (4|M16)               r45           r3<0;2,1>
(W)     mov (4|M24)               r45.8         r3.8<0;2,1>
(W)     mov (4|M16)               r46           r3.2<0;2,1>
(W)     mov (4|M24)               r46.8         r3.10<0;2,1>
(W)     sync.nop (1)                            null                              {$0.dst}
(W)     mov (16|M16)              r39           r3<4;4,0>                         {F@1}
(W)     mov (16|M16)              r40           r3.1<4;4,0>
(W)     mov (4)                   r59           r33<0;2,1>                        {F@2}
(W)     mov (4|M8)                r59.8         r33.8<0;2,1>                      {F@2}
(W)     mov (4)                   r60           r33.2<0;2,1>
(W)     mov (4|M8)                r60.8         r33.10<0;2,1>
(W)     mov (4|M16)               r14           r34<0;2,1>                        {F@1}
(W)     mov (4|M24)               r14.8         r34.8<0;2,1>                      {A@2,$2.dst}
(W)     mov (4|M16)               r15           r34.2<0;2,1>                      {F@2}
(W)     mov (4|M24)               r15.8         r34.10<0;2,1>                     {F@2}
(W)     mov (4)                   r16           r35<0;2,1>                        {F@1}
(W)     mov (4|M8)                r16.8         r35.8<0;2,1>                      {F@1}
(W)     mov (4)                   r17           r35.2<0;2,1>                      {F@1}
(W)     mov (4|M8)                r17.8         r35.10<0;2,1>                     {F@1}
(W)     mov (4|M16)               r18           r36<0;2,1>                        {F@1}
(W)     mov (4|M24)               r18.8         r36.8<0;2,1>                      {F@1}
(W)     mov (4|M16)               r19           r36.2<0;2,1>                      {F@1}
(W)     mov (4|M24)               r19.8         r36.10<0;2,1>                     {F@1}
(W)     mov (4)                   r27           r6<0;2,1>                         {F@1}
(W)     mov (4|M8)                r27.8         r6.8<0;2,1>                       {F@1}
(W)     mov (4)                   r28           r6.2<0;2,1>
(W)     mov (4|M8)                r28.8         r6.10<0;2,1>
(W)     mov (4|M16)               r29           r7<0;2,1>                         {F@1}
(W)     mov (4|M24)               r29.8         r7.8<0;2,1>                       {F@1}
(W)     mov (4|M16)               r30           r7.2<0;2,1>
(W)     mov (4|M24)               r30.8         r7.10<0;2,1>
(W)     mov (16)                  r41           r2<4;4,0>
(W)     mov (16)                  r42           r2.2<4;4,0>
(W)     mov (16)                  r47           r2<4;4,0>
(W)     mov (16)                  r48           r2.1<4;4,0>
(W)     mov (16|M16)              r49           r34<4;4,0>
(W)     mov (16|M16)              r50           r34.1<4;4,0>
(W)     mov (16)                  r51           r35<4;4,0>
(W)     mov (16)                  r52           r35.1<4;4,0>
(W)     mov (16|M16)              r53           r36<4;4,0>
(W)     mov (16|M16)              r54           r36.1<4;4,0>
(W)     mov (16)                  r55           r6<4;4,0>
(W)     mov (16)                  r56           r6.1<4;4,0>
(W)     mov (16|M16)              r57           r7<4;4,0>
(W)     mov (16|M16)              r58           r7.1<4;4,0>
(W)     mov (16|M16)              r61           r34<4;4,0>
(W)     mov (16|M16)              r62           r34.2<4;4,0>
(W)     mov (16)                  r63           r35<4;4,0>
(W)     mov (16)                  r64           r35.2<4;4,0>
(W)     mov (16|M16)              r65           r36<4;4,0>
(W)     mov (16|M16)              r66           r36.2<4;4,0>
(W)     mov (16)                  r67           r33<4;4,0>
(W)     mov (16)                  r68           r33.1<4;4,0>
(W)     mov (16)                  r69           r35<4;4,0>
(W)     mov (16)                  r70           r35.1<4;4,0>
(W)     mov (16)                  r71           r6<4;4,0>
(W)     mov (16)                  r72           r6.1<4;4,0>
        mul (32)                  r12:f         r4:f              r33:f           {Compacted,A@1}
(W)     mov (4)                   r43.4         r2.4<0;2,1>
(W)     mov (4)                   r43.12        r2.12<0;2,1>
(W)     mov (4)                   r44.4         r2.6<0;2,1>
(W)     mov (4)                   r44.12        r2.14<0;2,1>
(W)     mov (4)                   r45.4         r3.4<0;2,1>
(W)     mov (4)                   r45.12        r3.12<0;2,1>
(W)     mov (4)                   r46.4         r3.6<0;2,1>
(W)     mov (4)                   r46.12        r3.14<0;2,1>
(W)     mov (4)                   r59.4         r33.4<0;2,1>
(W)     mov (4)                   r59.12        r33.12<0;2,1>
(W)     mov (4)                   r60.4         r33.6<0;2,1>
(W)     mov (4)                   r60.12        r33.14<0;2,1>
(W)     mov (4)                   r14.4         r34.4<0;2,1>
(W)     mov (4)                   r14.12        r34.12<0;2,1>
(W)     mov (4)                   r15.4         r34.6<0;2,1>
(W)     mov (4)                   r15.12        r34.14<0;2,1>
(W)     mov (4)                   r16.4         r35.4<0;2,1>
(W)     mov (4)                   r16.12        r35.12<0;2,1>
(W)     mov (4)                   r17.4         r35.6<0;2,1>
(W)     mov (4)                   r17.12        r35.14<0;2,1>
(W)     mov (4)                   r18.4         r36.4<0;2,1>
(W)     mov (4)                   r18.12        r36.12<0;2,1>
(W)     mov (4)                   r19.4         r36.6<0;2,1>
(W)     mov (4)                   r19.12        r36.14<0;2,1>
(W)     mov (4)                   r27.4         r6.4<0;2,1>
(W)     mov (4)                   r27.12        r6.12<0;2,1>
(W)     mov (4)                   r28.4         r6.6<0;2,1>
(W)     mov (4)                   r28.12        r6.14<0;2,1>
(W)     mov (4)                   r29.4         r7.4<0;2,1>
(W)     mov (4)                   r29.12        r7.12<0;2,1>
(W)     mov (4)                   r30.4         r7.6<0;2,1>
(W)     mov (4)                   r30.12        r7.14<0;2,1>
        math.exp (32)             r4:f          r12:f             null            {F@1}
(W)     mov (16)                  r12           r2<4;4,0>                         {M@1}
(W)     mov (16)                  r13           r2.1<4;4,0>                       {M@1}
(f0.0)  sel (32)                  r37           r8                r4              {A@1}
(W)     mov (16|M16)              r8            r3<4;4,0>
(W)     mov (16|M16)              r9            r3.1<4;4,0>
(W)     mov (16|M16)              r4            r3<4;4,0>
(W)     mov (16|M16)              r5            r3.2<4;4,0>
        cmp (32)       (eq)f0.0   null:d        r11.12<0>:d       0:d
        add (16|M16)              r9:f          -r8:f             r9:f            {Compacted,I@4}
        add (16)                  r8:f          -r47:f            r48:f           {Compacted}
(W)     mov (16)                  r47           r33<4;4,0>                        {F@1}
(W)     mov (16)                  r48           r33.2<4;4,0>                      {F@1}
        add (16|M16)              r5:f          -r4:f             r5:f            {Compacted,I@4}
        add (16)                  r4:f          -r41:f            r42:f           {Compacted}
        add (32)                  r41:f         (abs)r8:f         (abs)r4:f       {F@1}
        add (16)                  r8:f          -r43:f            r44:f           {Compacted}
        add (16|M16)              r9:f          -r45:f            r46:f           {Compacted}
        add (16)                  r4:f          -r12:f            r13:f           {Compacted,I@7}
        add (16|M16)              r5:f          -r39:f            r40:f           {Compacted}
(W)     mov (16|M16)              r43           r36<4;4,0>                        {F@4}
(W)     mov (16|M16)              r44           r36.1<4;4,0>                      {F@4}
(W)     mov (16)                  r45           r33<4;4,0>                        {F@3}
(W)     mov (16)                  r46           r33.1<4;4,0>                      {F@3}
(~f0.0) sel (32)                  r39           r20               0x3f800000      {A@1}
        add (32)                  r20:f         r4:f              r8:f            {Compacted,A@1}
(W)     mov (16|M16)              r4            r7<4;4,0>                         {F@1}
(W)     mov (16|M16)              r5            r7.2<4;4,0>                       {F@1}
(W)     mov (16)                  r8            r6<4;4,0>                         {F@1}
(W)     mov (16)                  r9            r6.2<4;4,0>                       {F@1}
        add (16|M16)              r44:f         -r43:f            r44:f           {Compacted,I@7}
        cmp (32)       (eq)f0.0   null:d        r11.12<0>:d       1:d
        add (32)                  r12:f         r20:f             r41:f           {Compacted,F@2}
        add (16)                  r43:f         -r69:f            r70:f           {Compacted}
        add (16|M16)              r5:f          -r4:f             r5:f            {Compacted,I@4}
(W)     mov (16|M16)              r20           r7<4;4,0>                         {F@3}
(W)     mov (16|M16)              r21           r7.1<4;4,0>                       {F@3}
(W)     mov (16|M16)              r41           r34<4;4,0>                        {F@3}
(W)     mov (16|M16)              r42           r34.1<4;4,0>                      {F@3}
        add (16)                  r4:f          -r8:f             r9:f            {Compacted,I@6}
        add (16|M16)              r21:f         -r20:f            r21:f           {Compacted,I@3}
        add (16)                  r20:f         -r71:f            r72:f           {Compacted}
        add (16|M16)              r42:f         -r41:f            r42:f           {Compacted,I@1}
        add (16)                  r41:f         -r67:f            r68:f           {Compacted}
        add (32)                  r8:f          (abs)r20:f        (abs)r4:f       {F@3}
        add (16)                  r20:f         -r63:f            r64:f           {Compacted}
        add (16|M16)              r21:f         -r65:f            r66:f           {Compacted}
        add (32)                  r4:f          (abs)r43:f        (abs)r20:f      {F@1}
        add (16)                  r43:f         -r55:f            r56:f           {Compacted}
        add (16|M16)              r44:f         -r57:f            r58:f           {Compacted}
        add (16)                  r20:f         -r47:f            r48:f           {Compacted}
        add (16|M16)              r21:f         -r61:f            r62:f           {Compacted}
        add (32)                  r47:f         (abs)r41:f        (abs)r20:f      {F@1}
        add (16)                  r41:f         -r51:f            r52:f           {Compacted}
        add (16|M16)              r42:f         -r53:f            r54:f           {Compacted}
        add (16)                  r20:f         -r45:f            r46:f           {Compacted}
        add (16|M16)              r21:f         -r49:f            r50:f           {Compacted}
        add (16)                  r45:f         -r59:f            r60:f           {Compacted}
        add (16|M16)              r46:f         -r14:f            r15:f           {Compacted}
        add (32)                  r14:f         r20:f             r45:f           {Compacted,F@1}
        add (32)                  r20:f         r14:f             r47:f           {Compacted,F@1}
        add (16)                  r14:f         -r16:f            r17:f           {Compacted}
        add (16|M16)              r15:f         -r18:f            r19:f           {Compacted}
        add (32)                  r16:f         r41:f             r14:f           {Compacted,F@1}
        add (32)                  r18:f         r16:f             r4:f            {Compacted,F@1}
        add (16)                  r4:f          -r27:f            r28:f           {Compacted}
        add (16|M16)              r5:f          -r29:f            r30:f           {Compacted}
(W)     mov (16|M16)              r27           r36<2;2,0>                        {F@2}
(W)     mov (16|M16)              r28           r36.1<2;2,0>                      {F@2}
(W)     mov (16)                  r29           r6.1<2;2,0>                       {F@1}
        add (32)                  r14:f         r43:f             r4:f            {Compacted,F@1}
(W)     mov (16|M16)              r4            r34<2;2,0>                        {F@1}
(W)     mov (16|M16)              r5            r34.1<2;2,0>                      {F@1}
        add (32)                  r16:f         r14:f             r8:f            {Compacted,F@1}
(W)     mov (16)                  r14           r2.1<2;2,0>                       {F@1}
(W)     mov (16)                  r15           r6<2;2,0>                         {F@1}
(W)     mov (16)                  r8            r33<2;2,0>                        {F@1}
(W)     mov (16)                  r9            r33.1<2;2,0>                      {F@1}
        add (16|M16)              r5:f          -r4:f             r5:f            {Compacted,I@5}
        add (16)                  r4:f          -r8:f             r9:f            {Compacted,I@1}
        add (32)                  r8:f          r12:f             r4:f            {Compacted,F@1}
(W)     mov (16)                  r12           r35.1<2;2,0>                      {F@1}
(W)     mov (16)                  r13           r2<2;2,0>                         {F@1}
(W)     mov (16|M16)              r2            r7<2;2,0>                         {A@1}
        add (32)                  r4:f          r39:f             r8:f            {Compacted,F@1}
(~f0.0) sel (32)                  r8            r22               0x40000000      {F@1}
(W)     mov (16|M16)              r22           r3<2;2,0>
(W)     mov (16|M16)              r23           r3.1<2;2,0>
(W)     mov (16|M16)              r3            r7.1<2;2,0>                       {A@1}
(~f0.0) cmp (32)       (eq)f0.0   null:d        r11.12<0>:d       2:d
(W)     mov (16)                  r11           r35<2;2,0>                        {I@1}
        add (16|M16)              r3:f          -r2:f             r3:f            {Compacted,I@3}
        add (16)                  r2:f          -r15:f            r29:f           {Compacted}
        add (32)                  r6:f          r16:f             r2:f            {Compacted,A@1}
        add (16)                  r2:f          -r11:f            r12:f           {Compacted,I@1}
        add (16|M16)              r3:f          -r27:f            r28:f           {Compacted}
        add (32)                  r15:f         r37:f             r6:f            {Compacted,F@3}
        add (32)                  r11:f         r18:f             r2:f            {Compacted,F@2}
        add (16)                  r2:f          -r13:f            r14:f           {Compacted,I@7}
        add (16|M16)              r3:f          -r22:f            r23:f           {Compacted,I@4}
        add (32)                  r6:f          r20:f             r2:f            {Compacted,F@1}
        add (32)                  r2:f          r24:f             0x40400000:f    {Compacted,M@6}
        add (32)                  r13:f         r8:f              r6:f            {Compacted,A@2}
(f0.0)  sel (32)                  r6            r2                r24             {F@1}
        add (32)                  r2:f          r6:f              r11:f           {Compacted,A@1}
        cmp (32)       (gt)f0.0   null:f        r4:f              0x40000000:f    {I@1}
(f0.0)  if (32)                               jip:L11             uip:L11         {F@1}
        mov (32)                  r6:d          0:d                               {F@2}
(W)     mov (1)                   s0:uq         0x0000000005040706:uq
(f1.0)  send.ugm (32)             null    r[s0.0] null:0 0x0300C000  0x68000504   {ExBSO,A@1,$5}  // wr:4+0, rd:0; store.ugm.d32.a32.bti[3][A+0xc]

L11:
        endif (32)                            L12
(W)     sync.nop (1)                            null                              {$5.src}
        and (16)                  r6:uw         r0.18<0>:uw       2048:uw         {F@2}
        and (16|M16)              r6.16:uw      r1.18<0>:uw       2048:uw         {F@2}
        mul (32)                  r0:f          r4:f              0x40000000:f    {Compacted,I@1}
        mov (32)                  r17<2>:uw     r26:uw                            {F@7}
        mov (32)                  r7<2>:uw      r10:uw                            {F@3}
        cmp (32)       (eq)f0.0   null          r6:uw             0:uw            {I@3}
        mov (32)                  r10:f         r7<2>:uw                          {A@2}
        mov (32)                  r8:f          r17<2>:uw                         {I@3}
(f0.0)  sel (32)                  r6            r0                r4              {F@2}
        mul (32)                  r0:f          r13:f             0x40000000:f    {Compacted,A@1}
(f0.0)  sel (32)                  r4            r0                r13             {A@1}
        add (32)                  r0:f          r8:f              0x3f000000:f    {Compacted,A@1}
        mad (32)                  r8:f          r6:f              r31:f             r0<1>:f {A@1}
        add (32)                  r0:f          r10:f             0x3f000000:f    {Compacted,F@5}
        mad (32)                  r6:f          r4:f              r31:f             r0<1>:f {A@1}
        mul (32)                  r0:f          r2:f              0x40000000:f    {Compacted,F@7}
(f0.0)  sel (32)                  r4            r0                r2              {F@1}
        mul (32)                  r0:f          r15:f             0x40000000:f    {Compacted,I@1}
        mov (32)                  r10           r6:f                              {F@3}
(f0.0)  sel (32)                  r2            r0                r15             {A@1}
        mov (32)                  r0            r8:f                              {F@5}

L12:
        endif (32)                            L13
        halt (32)                             jip:L13             uip:L13

L13:
        sync.allwr (32)                         null
(W)     mov (1)                   s0:uq         0x0302050407060908:uq             {$5.src}
(f1.0)  sendc.render (32)         null    r[s0.0] null:0 0x00000000  0x10030100   {A@1,$6}  // wr:8+0, rd:0; simd32 rt_write (32) bti(0)
(W)     mov (1)                   s0:uq         0x000000000b0a0100:uq             {$6.src}
(f1.0)  sendc.render (32)         null    r[s0.0] null:0 0x00200000  0x10031101   {EOT,A@1}  // wr:8+0, rd:0; ?
