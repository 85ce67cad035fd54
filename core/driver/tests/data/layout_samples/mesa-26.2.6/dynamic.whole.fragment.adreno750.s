Native code for unnamed FRAG shader  with blake3 56f0fddb93577ff1a837cbddcdfe8c95ae4bfe36d3238902d517b85ba0144d25:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
flat.b r1.w, 8, 8
bary.f r0.w, 0, r0.x
bary.f r1.z, 1, r0.x
bary.f r1.y, 2, r0.x
bary.f r0.z, 3, r0.x
bary.f (ei)r1.x, 4, (last)r0.x
cov.u32s16 hr3.z, (last)r1.w
mov.u32u32 r2.x, 0
mov.u32u32 r2.y, r0.w
mova a0.x, (last)hr3.z
mov.u32u32 r2.z, (last)r1.z
mov.u32u32 r2.w, (last)r1.y
(rpt2)nop
(ul)mov.u32u32 r1.y, r<a0.x + 8>
end
nop
nop
nop
nop
; FRAG: outputs: r0.z (FRAG_RESULT_DATA0)
; FRAG: inputs: r0.w (VARYING_SLOT_VAR0 slot=32 cm=f,il=0,b=1) r1.x (VARYING_SLOT_VAR1 slot=33 cm=1,il=4,b=1) r1.w (VARYING_SLOT_VAR2 slot=34 cm=1,il=8,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)
; FRAG prog 26/1: 17 instr, 3 nops, 14 non-nops, 6 mov, 1 cov, 38 dwords
; FRAG prog 26/1: 5 last-baryf, 0 last-helper, 0 half, 3 full, 0 constlen
; FRAG prog 26/1: 4 cat0, 7 cat1, 6 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; FRAG prog 26/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; FRAG prog 26/1: 16 max_waves, 1 double_threadsize
; pos (ij_pixel): r0.x
; data0: r0.z

