Native code for unnamed VERT shader  with blake3 da0ac9dcf61a351dca42474c6fafa8c0788ac9599dff8bc6a151d4ff78479822:
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
(jp)mul.f r1.z, r0.y, (2.0)
mul.f r1.w, r0.y, c0.x
and.b r1.x, (last)r1.x, 3
mov.u32u32 r1.y, r0.y
mov.u32u32 r2.x, r0.x
end
nop
nop
nop
nop
; VERT: outputs: r0.x (VARYING_SLOT_POS) r1.y (VARYING_SLOT_VAR0) r0.z (VARYING_SLOT_VAR1) r1.x (VARYING_SLOT_VAR2)
; VERT: inputs: r0.x (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0) r1.x (SYSTEM_VALUE_INSTANCE_ID slot=10 cm=1,il=0,b=0)
; VERT prog 25/1: 6 instr, 0 nops, 6 non-nops, 2 mov, 0 cov, 32 dwords
; VERT prog 25/1: 0 last-baryf, 0 last-helper, 0 half, 3 full, 8 constlen
; VERT prog 25/1: 1 cat0, 2 cat1, 3 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 25/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 25/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble
; pos: r0.x

