Native code for unnamed GEOM shader  with blake3 52396108a8dd6056c6bd5ec1cf8b1170fb8cbc202e7b02e7fe3c2f8e62440402:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   ubo_ranges                 c4.x (3 vec4)
;   preamble                   c0.x (4 vec4)
; ubo_state:
;   num_enabled:      3
;   range[0]:
;     block:          1
;     offset:         c4.x
;     size:           1 vec4 (0b -> 16b)
;   range[1]:
;     block:          2
;     offset:         c5.x
;     size:           1 vec4 (48b -> 64b)
;   range[2]:
;     block:          2
;     offset:         c6.x
;     size:           1 vec4 (0b -> 16b)
@in(r0.x)	in0 (wrmask=0x1)
@const(c7.x)	0x00000000, 0x00000004, 0xd0d0d0d0, 0xd0d0d0d0
(sy)(ss)shps #l18
getone #l18
ldc.u.offset1.1.imm r48.z, 0, 1
mov.u32u32 r48.x, 0
mov.u32u32 r48.y, 4
mova1.u a1.x, 16
(sy)(ss)shl.b r48.z, r48.z, 1
stc.u32 c[28], r48.x, 2
(ss)nop
stc.u32 c[0], r48.z, 1
ldc.1.k.imm c[a1.x], 0, 1
(ss)mova1.u a1.x, 20
(ss)nop
ldc.1.k.imm c[a1.x], 3, 2
(ss)mova1.u a1.x, 24
(ss)nop
ldc.1.k.imm c[a1.x], 0, 2
(sy)(ss)shpe
l18:
(jp)and.b r0.y, r0.x, 63
(nop1) shrm r0.x, 16, r0.x, 1023
mad.s24 r0.z, c4.x, r0.y, c5.y
cmps.s.eq hr2.x, 0, r0.x
cmps.s.eq hr2.y, 1, r0.x
cmps.s.eq hr2.z, 2, r0.x
cmps.s.eq hr2.w, 3, r0.x
(rpt1)cov.u16s32 r1.z, (r)hr2.x
cmps.s.eq hr8.x, 4, r0.x
cmps.s.eq hr8.y, 5, (last)r0.x
(rpt1)cov.u16s32 r2.x, (r)hr2.z
add.u r1.z, (last)r1.z, (last)r1.w
(rpt1)cov.u16s32 r5.x, (r)hr8.x
sad.s32 r1.z, (last)r1.z, r2.x, (last)r2.y
mad.s24 r0.w, c4.x, r0.y, c6.x
mad.s24 r2.z, c4.x, r0.y, c4.y
sad.s32 r1.z, (last)r1.z, r5.x, (last)r5.y
mad.s24 r0.y, c4.x, r0.y, c0.x
add.u r3.x, r2.z, c5.y
cmps.s.eq p0.x, r1.z, 0
add.u r3.y, r0.y, c5.y
add.u r2.z, (last)r2.z, c6.x
add.u r0.y, (last)r0.y, c6.x
cov.u16u32 r2.w, hr2.y
sub.u hr8.z, h(1), hr2.w
kill p0.x
ldlw.u32 r6.x, l[r0.z], 4
ldlw.u32 r7.y, l[r0.w], 4
ldlw.u32 r8.y, l[r3.x], 4
or.b hr9.z, hr8.y, hr8.x
ldlw.u32 r9.y, l[r2.z], 4
ldlw.u32 r10.y, l[r3.y], 4
cmps.s.eq hr3.x, (last)r1.z, 0
or.b hr2.y, hr2.z, (last)hr2.y
cov.u16u32 r3.z, (last)hr2.z
or.b hr8.y, hr3.x, (last)hr8.y
andg hr2.y, (last)hr2.y, hr8.z, (last)hr9.z
sub.u hr3.x, h(1), (last)hr3.x
cov.u16u32 r3.w, hr2.w
cov.u16u32 r4.z, hr8.x
and.b r5.z, (last)hr2.y, (last)hr3.x
or.b hr2.w, (last)hr8.x, (last)hr2.w
(ss)nop
ldlw.u32 r0.x, l[r0.y], 4
(rpt2)sel.b32 r1.w, (r)r9.y, r2.w, (r)r7.y
sel.b32 r1.z, r10.x, r2.w, r8.x
(rpt2)add.f r7.y, (last)(r)r7.y, (1.0)
sel.b32 r2.z, r9.x, r2.w, r6.w
(rpt1)add.f r9.y, (last)(r)r9.y, (1.0)
(ss)(rpt2)sel.b32 r1.w, (r)r0.x, r3.z, (r)(last)r1.w
sel.b32 r1.z, r0.w, r3.z, (last)r1.z
(rpt2)sel.b32 r7.y, (r)(last)r7.y, r3.w, (r)(last)r1.w
(rpt2)sel.b32 r1.w, (r)r8.y, r2.w, (r)r6.x
sel.b32 r2.z, r11.x, r3.z, (last)r2.z
(rpt2)sel.b32 r1.w, (r)r10.y, r3.z, (r)(last)r1.w
add.f r2.w, r8.x, (1.0)
sel.b32 r8.x, (last)r8.x, r3.w, r1.z
add.f r9.w, (last)r9.w, (1.0)
sel.b32 r6.w, (last)r6.w, r3.w, (last)r2.z
(rpt2)sel.b32 r6.x, (r)(last)r6.x, r3.w, (r)(last)r1.w
sel.b32 r2.w, (last)r2.w, r3.w, (last)r1.z
sel.b32 r8.x, r10.x, r4.z, (last)r8.x
add.f r10.x, (last)r10.x, (1.0)
cov.u16u32 r5.w, hr8.y
or.b hr2.w, (last)hr8.y, (last)hr2.w
add.f r3.x, r0.w, (1.0)
(rpt2)add.f r0.x, (last)(r)r0.x, (1.0)
(rpt2)sel.b32 r9.y, (r)(last)r9.y, r4.z, (r)(last)r7.y
sel.b32 r9.x, (last)r9.x, r4.z, (last)r6.w
(rpt2)sel.b32 r8.y, (r)(last)r8.y, r4.z, (r)(last)r6.x
sel.b32 r10.x, (last)r10.x, r4.z, (last)r2.w
sel.b32 r5.z, c7.x, r5.z, c7.y
sel.b32 r3.y, (last)r0.w, r5.w, (last)r8.x
cov.u16s32 r7.x, hr2.w
cov.u16f32 r3.z, (last)hr2.w
(rpt2)sel.b32 r3.w, (r)(last)r0.x, r5.w, (r)(last)r9.y
sel.b32 r6.w, (last)r11.x, r5.w, (last)r9.x
(rpt2)sel.b32 r6.x, (r)(last)r10.y, r5.w, (r)(last)r8.y
sel.b32 r4.z, (last)r3.x, r5.w, (last)r10.x
end
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
; GEOM: outputs: r3.w (VARYING_SLOT_POS) r7.x (VARYING_SLOT_LAYER) r6.x (VARYING_SLOT_VAR0) r3.y (VARYING_SLOT_VAR1) r7.x (VARYING_SLOT_VAR2) r5.z (GS_VERTEX_FLAGS)
; GEOM: inputs: r0.x (SYSTEM_VALUE_GS_HEADER_IR3 slot=87 cm=1,il=0,b=0)
; GEOM prog 22/1: 109 instr, 2 nops, 107 non-nops, 0 mov, 13 cov, 224 dwords
; GEOM prog 22/1: 0 last-baryf, 0 last-helper, 0 half, 12 full, 8 constlen
; GEOM prog 22/1: 4 cat0, 13 cat1, 34 cat2, 52 cat3, 0 cat4, 0 cat5, 6 cat6, 0 cat7
; GEOM prog 22/1: 0 sstall, 2 (ss), 0 systall, 0 (sy), 0 loops
; GEOM prog 22/1: 16 max_waves, 0 double_threadsize
; 18 preamble-instr, 1 early-preamble

