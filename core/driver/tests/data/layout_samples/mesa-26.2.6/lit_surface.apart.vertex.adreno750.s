Native code for unnamed VERT shader  with blake3 d105103b25343501636a0c53de43f5756cb61a4fabeb02b57feb11a91dd88624:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   push_consts                c0.x (8 vec4)
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x7)
@in(r0.w)	in1 (wrmask=0x7)
@in(r1.z)	in2 (wrmask=0xf)
@in(r2.z)	in3 (wrmask=0x3)
@in(r3.x)	in4 (wrmask=0x1)
shps #l4
getone #l4
stsc.u32 c[0], 0, 32
(sy)(ss)shpe
l4:
(jp)mad.f32 r4.x, c6.w, r0.z, c7.w
mad.f32 r3.w, c6.z, r0.z, c7.z
mad.f32 r4.x, c5.w, r0.y, (last)r4.x
mad.f32 r3.z, c6.y, r0.z, c7.y
mad.f32 r3.w, c5.z, r0.y, (last)r3.w
mad.f32 r5.x, c4.w, r0.x, (last)r4.x
mad.f32 r3.y, c6.x, r0.z, c7.x
mad.f32 r3.z, c5.y, r0.y, (last)r3.z
mad.f32 r4.w, c4.z, r0.x, (last)r3.w
(rpt3)mul.f r5.y, (r)c3.x, (last)r5.x
mad.f32 r3.y, c5.x, r0.y, (last)r3.y
mad.f32 r4.z, c4.y, r0.x, (last)r3.z
(rpt2)mul.f r6.y, (r)c6.x, (last)r1.y
(rpt2)mul.f r7.x, (r)c6.x, (last)r2.x
(rpt3)mad.f32 r5.y, (r)c2.x, r4.w, (r)(last)r5.y
mad.f32 r4.y, c4.x, r0.x, (last)r3.y
(rpt2)mad.f32 r6.y, (r)c5.x, r1.x, (r)(last)r6.y
(rpt2)mad.f32 r7.x, (r)c5.x, r1.w, (r)(last)r7.x
(rpt3)mad.f32 r5.y, (r)c1.x, r4.z, (r)(last)r5.y
mov.u32u32 r8.z, (last)r2.y
mov.u32u32 r8.w, 0x3f800000
mov.u32u32 r9.x, 0x3f800000
mov.u32u32 r9.y, 0x3f800000
mov.u32u32 r9.z, 0x3f800000
(rpt2)mad.f32 r10.w, (r)c4.x, r0.w, (r)(last)r6.y
(rpt2)mad.f32 r7.w, (r)c4.x, r1.z, (r)(last)r7.x
(rpt3)mad.f32 r9.w, (r)c0.x, r4.y, (r)(last)r5.y
end
nop
nop
nop
nop
; VERT: outputs: r9.w (VARYING_SLOT_POS) r4.y (VARYING_SLOT_VAR0) r10.w (VARYING_SLOT_VAR1) r7.w (VARYING_SLOT_VAR2) r2.z (VARYING_SLOT_VAR3) r8.w (VARYING_SLOT_VAR4) r3.x (VARYING_SLOT_VAR5)
; VERT: inputs: r0.x (VERT_ATTRIB_GENERIC0 slot=15 cm=7,il=0,b=0) r0.w (VERT_ATTRIB_GENERIC1 slot=16 cm=7,il=0,b=0) r1.z (VERT_ATTRIB_GENERIC2 slot=17 cm=f,il=0,b=0) r2.z (VERT_ATTRIB_GENERIC3 slot=18 cm=3,il=0,b=0) r3.x (SYSTEM_VALUE_INSTANCE_ID slot=10 cm=1,il=0,b=0)
; VERT prog 23/1: 52 instr, 0 nops, 52 non-nops, 5 mov, 0 cov, 72 dwords
; VERT prog 23/1: 0 last-baryf, 0 last-helper, 0 half, 12 full, 8 constlen
; VERT prog 23/1: 1 cat0, 5 cat1, 10 cat2, 36 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 23/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 23/1: 16 max_waves, 0 double_threadsize
; 4 preamble-instr, 1 early-preamble
; pos: r9.w

