Native code for unnamed FRAG shader  with blake3 1e762110729f9c19076d95d246c579e7d729928bd4a5f46907fd896a8103b624:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
@in(r0.z)	in1 (wrmask=0x3)
@in(r1.x)	in2 (wrmask=0x3)
(rpt1)bary.f r1.z, (r)0, (last)r0.x
bary.f r2.w, 8, r0.z
(rpt2)bary.f r2.x, (r)4, (last)r1.x
flat.b r3.y, 12, 12
bary.f r3.x, 9, (last)r0.z
(rpt1)flat.b (ei)r3.z, (r)13, (r)13
(rpt1)add.f r1.z, (last)(r)r1.z, (last)(r)r2.x
add.f r2.w, (last)r2.w, (last)r2.z
add.f r3.x, (last)r3.x, r3.y
(rpt1)add.f r1.z, (last)(r)r1.z, r3.y
add.f r2.w, (last)r2.w, (last)r3.y
add.f r4.w, (last)r3.x, r3.w
(rpt1)add.f r4.x, (last)(r)r1.z, (r)r3.z
add.f r4.z, (last)r2.w, (last)r3.z
end
nop
nop
nop
nop
; FRAG: outputs: r4.x (FRAG_RESULT_DATA0)
; FRAG: inputs: r1.z (VARYING_SLOT_VAR0 slot=32 cm=3,il=0,b=1) r2.x (VARYING_SLOT_VAR1 slot=33 cm=7,il=4,b=1) r2.w (VARYING_SLOT_VAR2 slot=34 cm=3,il=8,b=1) r3.y (VARYING_SLOT_VAR3 slot=35 cm=7,il=12,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0) r0.z (SYSTEM_VALUE_BARYCENTRIC_LINEAR_PIXEL slot=63 cm=3,il=0,b=0) r1.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_CENTROID slot=61 cm=3,il=0,b=0)
; FRAG prog 30/1: 22 instr, 0 nops, 22 non-nops, 0 mov, 0 cov, 38 dwords
; FRAG prog 30/1: 8 last-baryf, 0 last-helper, 0 half, 5 full, 0 constlen
; FRAG prog 30/1: 1 cat0, 0 cat1, 21 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; FRAG prog 30/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; FRAG prog 30/1: 16 max_waves, 1 double_threadsize
; pos (ij_pixel): r0.x
; pos (ij_centroid): r1.x
; data0: r4.x

