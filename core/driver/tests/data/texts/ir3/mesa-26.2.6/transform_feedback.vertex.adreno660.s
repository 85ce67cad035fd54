Native code for unnamed VERT shader  with blake3 3a4347bb1a502a8633a60a062bb85fdb9362a59d12fadb7f182c13583af842ec:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   primitive_param            c0.x (1 vec4)
; ubo_state:
;   num_enabled:      0
@in(r0.z)	in0 (wrmask=0xf)
mov.u32u32 r0.x, r0.z
mov.u32u32 r0.y, r0.w
mov.u32u32 r1.z, r0.z
mov.u32u32 r1.w, r0.w
mov.u32u32 r2.x, r1.x
mov.u32u32 r2.y, r1.y
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
; VERT: outputs: r1.z (VARYING_SLOT_POS) r0.x (VARYING_SLOT_VAR0) r1.x (VARYING_SLOT_VAR1)
; VERT: inputs: r0.z (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0)
; VERT prog 21/1: 7 instr, 0 nops, 7 non-nops, 6 mov, 0 cov, 32 dwords
; VERT prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 3 full, 8 constlen
; VERT prog 21/1: 1 cat0, 6 cat1, 0 cat2, 0 cat3, 0 cat4, 0 cat5, 0 cat6, 0 cat7
; VERT prog 21/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 21/1: 16 max_waves, 0 double_threadsize
; streamout 32 offset 0 components 2
; streamout 33 offset 2 components 2
; pos: r1.z

