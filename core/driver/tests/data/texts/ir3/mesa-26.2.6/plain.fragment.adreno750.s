Native code for unnamed FRAG shader  with blake3 8efff9959b7ab7c743e2de3718e370ed83ae55169b9cd02923a6ff612a3b9756:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
flat.b r0.w, 4, 4
bary.f r0.z, 0, r0.x
(rpt1)bary.f (ei)r1.x, (r)1, (last)r0.x
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
; FRAG: outputs: r0.z (FRAG_RESULT_DATA0)
; FRAG: inputs: r0.z (VARYING_SLOT_VAR0 slot=32 cm=7,il=0,b=1) r0.w (VARYING_SLOT_VAR1 slot=33 cm=1,il=4,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)
; FRAG prog 22/1: 5 instr, 0 nops, 5 non-nops, 0 mov, 0 cov, 32 dwords
; FRAG prog 22/1: 2 last-baryf, 0 last-helper, 0 half, 2 full, 0 constlen
; FRAG prog 22/1: 1 cat0, 0 cat1, 4 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; FRAG prog 22/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; FRAG prog 22/1: 16 max_waves, 1 double_threadsize
; pos (ij_pixel): r0.x
; data0: r0.z

