Native code for unnamed TES shader  with blake3 73d41529f1c440fda1219ea663c4af31e36ba7f31d3f688fa8cee7b29adc4311:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   ubo_ranges                 c0.x (4 vec4)
; ubo_state:
;   num_enabled:      3
;   range[0]:
;     block:          1
;     offset:         c0.x
;     size:           2 vec4 (0b -> 32b)
;   range[1]:
;     block:          2
;     offset:         c2.x
;     size:           1 vec4 (48b -> 64b)
;   range[2]:
;     block:          2
;     offset:         c3.x
;     size:           1 vec4 (0b -> 16b)
@in(r0.x)	in0 (wrmask=0x1)
@in(r0.y)	in1 (wrmask=0x3)
@in(r0.w)	in2 (wrmask=0x1)
shps #l12
getone #l12
mova1.u a1.x, 0
(ss)nop
ldc.2.k.imm c[a1.x], 0, 1
(ss)mova1.u a1.x, 8
(ss)nop
ldc.1.k.imm c[a1.x], 3, 2
(ss)mova1.u a1.x, 12
(ss)nop
ldc.1.k.imm c[a1.x], 0, 2
(sy)(ss)shpe
l12:
(jp)mad.s24 r1.y, c0.z, r0.x, c2.y
mad.s24 r0.x, c0.z, r0.x, c3.x
add.f r1.x, (1.0), (neg)r0.z
and.b r0.w, (last)r0.w, 7
shl.b r1.y, (last)r1.y, 2
shl.b r0.x, (last)r0.x, 2
add.f r1.x, (last)r1.x, (neg)r0.y
cov.u32f32 r0.w, (last)r0.w
add.u r1.z, r1.y, 16
add.u r2.y, r0.x, 16
add.u r2.z, r0.x, 32
ldg.a.u32 r1.w, g[c1.x+r1.y+0], 2
(ss)(nop3) add.u r1.y, (last)r1.y, 32
ldg.a.u32 r2.w, g[c1.x+r1.z+0], 2
(rpt2)nop
ldg.a.u32 r3.y, g[c1.x+r1.y+0], 2
ldg.a.u32 r3.w, g[c1.x+r0.x+0], 4
ldg.a.u32 r4.w, g[c1.x+r2.y+0], 4
ldg.a.u32 r5.w, g[c1.x+r2.z+0], 4
(sy)mul.f r5.x, (last)r5.x, r0.z
mul.f r2.w, (last)r2.w, r0.z
mad.f32 r4.x, (last)r4.x, r0.y, (last)r5.x
mul.f r3.x, (last)r3.x, r0.z
mad.f32 r8.y, (last)r6.x, r1.x, (last)r4.x
mul.f r4.w, (last)r4.w, r0.z
(rpt1)mul.f r5.y, (last)(r)r5.y, (last)r0.z
(rpt1)mad.f32 r1.w, (r)(last)r1.w, r0.y, (r)(last)r2.w
mad.f32 r3.w, (last)r3.w, r0.y, (last)r4.w
(rpt1)mad.f32 r4.y, (r)(last)r4.y, r0.y, (r)(last)r5.y
mov.u32u32 r7.x, r8.y
(rpt1)mad.f32 r7.w, (r)(last)r3.y, r1.x, (r)(last)r1.w
mad.f32 r6.w, (last)r5.w, r1.x, (last)r3.w
(rpt1)mad.f32 r7.y, (r)(last)r6.y, r1.x, (r)(last)r4.y
end
nop
nop
nop
nop
; TES: outputs: r6.w (VARYING_SLOT_POS) r7.w (VARYING_SLOT_VAR0) r0.w (VARYING_SLOT_VAR1)
; TES: inputs: r0.x (SYSTEM_VALUE_REL_PATCH_ID_IR3 slot=89 cm=1,il=0,b=0) r0.y (SYSTEM_VALUE_TESS_COORD slot=35 cm=3,il=0,b=0) r0.w (SYSTEM_VALUE_PRIMITIVE_ID slot=37 cm=1,il=0,b=0)
; TES prog 23/1: 44 instr, 6 nops, 38 non-nops, 1 mov, 1 cov, 100 dwords
; TES prog 23/1: 0 last-baryf, 0 last-helper, 0 half, 9 full, 4 constlen
; TES prog 23/1: 7 cat0, 2 cat1, 15 cat2, 14 cat3, 0 cat4, 0 cat5, 6 cat6, 0 cat7
; TES prog 23/1: 0 sstall, 1 (ss), 113 systall, 1 (sy), 0 loops
; TES prog 23/1: 16 max_waves, 0 double_threadsize
; 12 preamble-instr, 1 early-preamble

