Native code for unnamed FRAG shader  with blake3 dd9c6df699c54a9065ffe6606c15dcb39839bf239f874ff728f75ee3b4bc8840:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
@tex(r0.z)	src=8, bindless=1, samp=1, tex=0, wrmask=0x7, opc=sam
@const(c0.x)	0x40400000, 0x3dcccccd, 0x3f666666, 0xd0d0d0d0
shps #l9
getone #l9
mov.u32u32 r48.x, 0x40400000
mov.u32u32 r48.y, 0x3dcccccd
mov.u32u32 r48.z, 0x3f666666
sam.base0 (f32)(xyzw)r63.x, r48.x, s#1, t#0
(ss)nop
stc.u32 c[0], r48.x, 3
(sy)(ss)shpe
l9:
(jp)(eogm)nop
(rpt1)bary.f r3.x, (r)1, r0.x
bary.f r2.y, 5, r0.x
bary.f r2.w, 0, r0.x
bary.f r2.z, 6, r0.x
bary.f r2.x, 4, r0.x
(rpt1)bary.f r1.z, (r)13, r0.x
bary.f r1.y, 12, (last)r0.x
flat.b (ei)r4.y, 16, 16
add.f r3.w, (2.0), (last)(neg)r3.x
add.f r4.x, c0.x, (last)(neg)r3.y
mul.f r4.z, r2.y, r2.y
add.f r3.z, (1.0), (last)(neg)r2.w
mul.f r4.w, r3.w, r3.w
mad.f32 r4.z, r2.z, r2.z, (last)r4.z
mad.f32 r4.w, r4.x, r4.x, (last)r4.w
mad.f32 r4.z, r2.x, r2.x, (last)r4.z
mad.f32 r4.w, r3.z, r3.z, (last)r4.w
(sy)(rpt1)mul.f r0.w, (last)(r)r0.w, (last)(r)r1.z
mul.f r0.z, (last)r0.z, (last)r1.y
and.b r4.y, (last)r4.y, 1
rsq r4.z, (last)r4.z
nop
rsq r4.w, (last)r4.w
nop
cov.u32f32 r2.w, (last)r4.y
(ss)mul.f r5.y, (last)r2.y, r4.z
mul.f r1.z, (last)r3.w, r4.w
mul.f r5.z, (last)r2.z, r4.z
mul.f r1.w, (last)r4.x, r4.w
mul.f r5.x, (last)r2.x, (last)r4.z
mul.f r1.y, (last)r3.z, (last)r4.w
(nop1) mul.f r5.y, (last)r5.y, (last)r1.z
(nop1) mad.f32 r5.z, (last)r5.z, r1.w, (last)r5.y
(nop2) mad.f32 r5.x, (last)r5.x, r1.y, (last)r5.z
(nop2) max.f r5.x, (last)r5.x, (0.0)
(nop2) mad.f32 r5.x, c0.z, r5.x, c0.y
(rpt2)mul.f r2.x, (last)(r)r0.z, (last)r5.x
end
nop
nop
nop
nop
; FRAG: outputs: r2.x (FRAG_RESULT_DATA0)
; FRAG: inputs: r2.w (VARYING_SLOT_VAR0 slot=32 cm=7,il=0,b=1) r2.x (VARYING_SLOT_VAR1 slot=33 cm=7,il=4,b=1) r63.x (VARYING_SLOT_VAR3 slot=35 cm=3,il=8,b=1) r1.y (VARYING_SLOT_VAR4 slot=36 cm=7,il=12,b=1) r4.y (VARYING_SLOT_VAR5 slot=37 cm=1,il=16,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)
; FRAG prog 24/1: 52 instr, 11 nops, 41 non-nops, 0 mov, 1 cov, 104 dwords
; FRAG prog 24/1: 10 last-baryf, 0 last-helper, 0 half, 6 full, 4 constlen
; FRAG prog 24/1: 12 cat0, 1 cat1, 30 cat2, 7 cat3, 2 cat4, 0 cat5, 0 cat6, 0 cat7
; FRAG prog 24/1: 8 sstall, 1 (ss), 0 systall, 1 (sy), 0 loops
; FRAG prog 24/1: 16 max_waves, 1 double_threadsize
; 9 preamble-instr, 1 early-preamble
; pos (ij_pixel): r0.x
; data0: r2.x

