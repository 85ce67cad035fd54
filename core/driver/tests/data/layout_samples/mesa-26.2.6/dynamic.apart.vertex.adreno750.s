Native code for unnamed VERT shader  with blake3 25689a8397e40e3335298591763a4ca0413d81db5bcc389c04a77476363f8285:
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
(jp)and.b r1.x, (last)r1.x, 3
mov.u32u32 r1.y, 0
mov.u32u32 r1.z, 0
mov.u32u32 r1.w, r0.x
mov.u32u32 r2.x, r0.y
mov.u32u32 r2.y, r0.z
mov.u32u32 r2.z, r0.x
mov.u32u32 r2.w, r0.y
mov.u32u32 r3.x, (last)r0.z
mov.u32u32 r3.y, (last)r0.w
(rpt1)mul.f r3.z, (r)r0.x, (2.0)
(rpt1)mul.f r4.x, (r)r0.x, c0.x
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
; VERT: outputs: r2.z (VARYING_SLOT_POS) r1.x (VARYING_SLOT_VAR0) r1.y (VARYING_SLOT_VAR1) r0.x (VARYING_SLOT_VAR2) r3.z (VARYING_SLOT_VAR3) r4.x (VARYING_SLOT_VAR4) r1.w (VARYING_SLOT_VAR5)
; VERT: inputs: r0.x (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0) r1.x (SYSTEM_VALUE_INSTANCE_ID slot=10 cm=1,il=0,b=0)
; VERT prog 27/1: 15 instr, 0 nops, 15 non-nops, 9 mov, 0 cov, 64 dwords
; VERT prog 27/1: 0 last-baryf, 0 last-helper, 0 half, 5 full, 8 constlen
; VERT prog 27/1: 1 cat0, 9 cat1, 5 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 27/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 27/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble
; pos: r2.z

