Native code for unnamed VERT shader  with blake3 abab457e1851b1fa02e5b05ee5eb5b3a9cfd6fbc195f7523501351a6b2f088f2:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   ubo_ranges                 c0.x (17 vec4)
; ubo_state:
;   num_enabled:      1
;   range[0]:
;     block:          0
;     bindless_base:  0
;     offset:         c0.x
;     size:           17 vec4 (0b -> 272b)
@in(r0.x)	in0 (wrmask=0xf)
@in(r1.x)	in1 (wrmask=0x7)
@in(r1.w)	in2 (wrmask=0x3)
@in(r2.y)	in3 (wrmask=0x1)
@in(r2.z)	in4 (wrmask=0x1)
shps #l6
getone #l6
mova1.u a1.x, 0
(ss)nop
ldc.17.k.imm.base0 c[a1.x], 0, 0
(sy)(ss)shpe
l6:
(jp)and.b r2.y, (last)r2.y, 3
(rpt1)mad.f32 r6.z, (r)c2.x, r1.z, (r)c3.x
shl.b r2.y, (last)r2.y, 4
(rpt1)mad.f32 r7.x, (r)c2.z, r1.z, (r)c3.z
cov.u32s16 hr4.z, (last)r2.y
(rpt1)mad.f32 r8.z, (r)c6.x, r1.z, (r)c7.x
mova a0.x, (last)hr4.z
(rpt1)mad.f32 r9.x, (r)c6.z, r1.z, (r)c7.z
(rpt2)mad.f32 r9.z, (r)c10.x, r1.z, (r)c11.x
mul.f r7.z, c<a0.x + 12>, r0.w
mul.f r7.w, c<a0.x + 13>, r0.w
mul.f r8.x, c<a0.x + 14>, r0.w
mul.f r8.y, c<a0.x + 15>, r0.w
mad.f32 r10.y, c10.w, r1.z, c11.w
mad.f32 r7.z, c<a0.x + 8>, r0.z, (last)r7.z
mad.f32 r7.w, c<a0.x + 9>, r0.z, (last)r7.w
mad.f32 r8.x, c<a0.x + 10>, r0.z, (last)r8.x
mad.f32 r8.y, c<a0.x + 11>, r0.z, (last)r8.y
(rpt3)mad.f32 r6.z, (r)c1.x, r1.y, (r)(last)r6.z
(rpt3)mad.f32 r8.z, (r)c5.x, r1.y, (r)(last)r8.z
(rpt3)mad.f32 r9.z, (r)c9.x, r1.y, (r)(last)r9.z
mad.f32 r7.z, c<a0.x + 4>, r0.y, (last)r7.z
mad.f32 r7.w, c<a0.x + 5>, r0.y, (last)r7.w
mad.f32 r8.x, c<a0.x + 6>, r0.y, (last)r8.x
mad.f32 r8.y, c<a0.x + 7>, r0.y, (last)r8.y
mul.f r3.y, r0.z, r1.x
mov.u32u32 r2.w, r0.x
mov.u32u32 r3.x, r0.y
add.f r11.z, r0.x, (neg)c16.x
mov.u32u32 r11.w, r0.y
(rpt3)mad.f32 r3.z, (r)c0.x, r1.x, (r)(last)r6.z
(rpt3)mad.f32 r4.z, (r)c4.x, r1.x, (r)(last)r8.z
(rpt3)mad.f32 r5.z, (r)c8.x, r1.x, (r)(last)r9.z
mad.f32 r10.z, c<a0.x + 0>, r0.x, (last)r7.z
mad.f32 r10.w, c<a0.x + 1>, r0.x, (last)r7.w
mad.f32 r11.x, c<a0.x + 2>, r0.x, (last)r8.x
(ul)mad.f32 r11.y, c<a0.x + 3>, r0.x, (last)r8.y
(rpt1)mul.f r6.z, (last)(r)r0.x, r1.x
mul.f r7.x, r0.z, r1.y
mul.f r7.y, r0.w, r1.z
mul.f r8.z, (last)r1.z, (2.0)
(rpt1)add.u r8.w, (last)(r)r1.w, (last)r2.z
(rpt1)add.f r7.z, (r)r1.x, (last)(r)r0.z
(rpt1)mul.f r8.x, (r)r1.x, (2.0)
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
; VERT: outputs: r10.z (VARYING_SLOT_POS) r1.x (VARYING_SLOT_PSIZ) r11.z (VARYING_SLOT_CLIP_DIST0) r2.w (VARYING_SLOT_VAR0) r3.w (VARYING_SLOT_VAR1) r4.w (VARYING_SLOT_VAR2) r5.w (VARYING_SLOT_VAR3) r6.z (VARYING_SLOT_VAR4) r7.z (VARYING_SLOT_VAR5) r8.x (VARYING_SLOT_VAR6) r8.w (VARYING_SLOT_VAR7)
; VERT: inputs: r0.x (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0) r1.x (VERT_ATTRIB_GENERIC1 slot=16 cm=7,il=0,b=0) r1.w (VERT_ATTRIB_GENERIC2 slot=17 cm=3,il=0,b=0) r2.y (SYSTEM_VALUE_INSTANCE_ID slot=10 cm=1,il=0,b=0) r2.z (SYSTEM_VALUE_VERTEX_ID slot=9 cm=1,il=0,b=0)
; VERT prog 21/1: 73 instr, 0 nops, 73 non-nops, 4 mov, 1 cov, 128 dwords
; VERT prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 12 full, 20 constlen
; VERT prog 21/1: 1 cat0, 5 cat1, 19 cat2, 48 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 21/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 21/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble
; pos: r10.z
; psize: r1.x

