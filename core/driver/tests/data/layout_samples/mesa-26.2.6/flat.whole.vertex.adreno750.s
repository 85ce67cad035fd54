Native code for unnamed VERT shader  with blake3 7ef88ad0f4f16ed6f1f89c29a6a47eacbeee1488313c3e8f560ba79f077a50bb:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0xf)
@in(r1.x)	in1 (wrmask=0x1)
@const(c0.x)	0x41000000, 0xd0d0d0d0, 0xd0d0d0d0, 0xd0d0d0d0
shps #l6
getone #l6
mov.u32u32 r48.x, 0x41000000
(ss)nop
stc.u32 c[0], r48.x, 1
(sy)(ss)shpe
l6:
(jp)rcp r1.y, r0.w
(rpt1)mul.f r1.z, (r)r0.x, c0.x
mov.u32u32 r2.x, r0.x
mov.u32u32 r2.y, r0.y
mov.u32u32 r2.z, r0.z
mov.u32u32 r2.w, (last)r0.w
mov.u32u32 r3.x, r0.x
mov.u32u32 r3.y, r0.y
mov.u32u32 r3.z, (last)r0.z
cov.u32f32 r4.y, (last)r1.x
(ss)(rpt1)mul.f r3.w, (r)r0.x, (last)r1.y
(rpt1)trunc.f r4.z, (last)(r)r1.z
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
; VERT: outputs: r2.x (VARYING_SLOT_POS) r0.x (VARYING_SLOT_VAR0) r3.x (VARYING_SLOT_VAR1) r3.w (VARYING_SLOT_VAR2) r4.y (VARYING_SLOT_VAR3)
; VERT: inputs: r0.x (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0) r1.x (SYSTEM_VALUE_INSTANCE_ID slot=10 cm=1,il=0,b=0)
; VERT prog 29/1: 16 instr, 0 nops, 16 non-nops, 7 mov, 1 cov, 64 dwords
; VERT prog 29/1: 0 last-baryf, 0 last-helper, 0 half, 5 full, 8 constlen
; VERT prog 29/1: 1 cat0, 8 cat1, 6 cat2, 0 cat3, 1 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 29/1: 0 sstall, 1 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 29/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble
; pos: r2.x

