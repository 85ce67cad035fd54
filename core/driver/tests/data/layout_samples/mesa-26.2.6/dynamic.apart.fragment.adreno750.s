Native code for unnamed FRAG shader  with blake3 bed97d1928a6ad0bb26a27919a58155b4544a48f1f72bfd829abf4026e62d315:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
flat.b r1.y, 0, 0
bary.f r0.z, 5, r0.x
bary.f r0.w, 9, r0.x
bary.f r1.x, 13, r0.x
bary.f r1.z, 17, r0.x
(rpt2)bary.f (ei)r2.w, (r)20, (last)r0.x
cov.u32s16 hr2.z, (last)r1.y
mov.u32u32 r1.w, (last)r0.z
mov.u32u32 r2.x, (last)r0.w
mova a0.x, (last)hr2.z
mov.u32u32 r2.y, (last)r1.x
mov.u32u32 r2.z, (last)r1.z
(rpt2)nop
(ul)mov.u32u32 r3.z, r<a0.x + 7>
end
nop
nop
nop
nop
; FRAG: outputs: r2.w (FRAG_RESULT_DATA0)
; FRAG: inputs: r1.y (VARYING_SLOT_VAR0 slot=32 cm=1,il=0,b=1) r0.z (VARYING_SLOT_VAR1 slot=33 cm=3,il=4,b=1) r0.w (VARYING_SLOT_VAR2 slot=34 cm=3,il=8,b=1) r1.x (VARYING_SLOT_VAR3 slot=35 cm=3,il=12,b=1) r1.z (VARYING_SLOT_VAR4 slot=36 cm=3,il=16,b=1) r2.w (VARYING_SLOT_VAR5 slot=37 cm=7,il=20,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)
; FRAG prog 28/1: 19 instr, 3 nops, 16 non-nops, 6 mov, 1 cov, 38 dwords
; FRAG prog 28/1: 5 last-baryf, 0 last-helper, 0 half, 4 full, 0 constlen
; FRAG prog 28/1: 4 cat0, 7 cat1, 8 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; FRAG prog 28/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; FRAG prog 28/1: 16 max_waves, 1 double_threadsize
; pos (ij_pixel): r0.x
; data0: r2.w

