Native code for unnamed VERT shader  with blake3 9cd5f80900788a883c55b521c93d72de985f9331e125b4ee028757a7f0d3829f:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0xf)
@in(r1.x)	in1 (wrmask=0x1)
@const(c0.x)	0x40400000, 0xd0d0d0d0, 0xd0d0d0d0, 0xd0d0d0d0
shps #l6
getone #l6
mov.u32u32 r48.x, 0x40400000
(ss)nop
stc.u32 c[0], r48.x, 1
(sy)(ss)shpe
l6:
(jp)(rpt1)mul.f r1.z, (r)r0.z, c0.x
cov.s32f32 r1.x, (last)r1.x
mov.u32u32 r1.y, r0.x
end
nop
nop
nop
nop
nop
nop
; VERT: outputs: r0.x (VARYING_SLOT_POS) r1.y (VARYING_SLOT_VAR0) r1.x (VARYING_SLOT_VAR1)
; VERT: inputs: r0.x (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0) r1.x (SYSTEM_VALUE_VERTEX_ID slot=9 cm=1,il=0,b=0)
; VERT prog 21/1: 5 instr, 0 nops, 5 non-nops, 1 mov, 1 cov, 32 dwords
; VERT prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 2 full, 8 constlen
; VERT prog 21/1: 1 cat0, 2 cat1, 2 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 21/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 21/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble
; pos: r0.x

