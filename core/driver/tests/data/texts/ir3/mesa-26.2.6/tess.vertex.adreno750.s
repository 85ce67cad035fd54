Native code for unnamed VERT shader  with blake3 729edd579f95e816464b2871849cf93f3ff07ae67fa9b85b017a9f134a021e0b:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   ubo_ranges                 c0.x (1 vec4)
; ubo_state:
;   num_enabled:      1
;   range[0]:
;     block:          1
;     offset:         c0.x
;     size:           1 vec4 (0b -> 16b)
@in(r0.x)	in0 (wrmask=0x1)
@in(r0.y)	in1 (wrmask=0x1)
@in(r0.z)	in2 (wrmask=0x1)
@in(r0.w)	in3 (wrmask=0x3)
@in(r1.y)	in4 (wrmask=0xf)
shps #l6
getone #l6
mova1.u a1.x, 0
(ss)nop
ldc.1.k.imm c[a1.x], 0, 1
(sy)(ss)shpe
l6:
(jp)shrm r2.y, 6, r0.x, 31
(nop1) and.b r2.z, r0.x, 63
(nop1) shl.b r2.y, (last)r2.y, 5
(nop3) mad.s24 r2.z, c0.x, r2.z, (last)r2.y
(rpt1)nop
stl.u32 l[r2.z], r0.w, 4
stl.u32 l[r2.z+16], r1.w, 2
chmask
chsh
nop
nop
nop
nop
; VERT: outputs: r0.z (VARYING_SLOT_PRIMITIVE_ID) r0.y (VARYING_SLOT_PATCH1) r0.x (TCS_HEADER)
; VERT: inputs: r1.y (VERT_ATTRIB_GENERIC0 slot=15 cm=f,il=0,b=0) r0.w (VERT_ATTRIB_GENERIC1 slot=16 cm=3,il=0,b=0) r0.x (SYSTEM_VALUE_TCS_HEADER_IR3 slot=88 cm=1,il=0,b=0) r0.y (SYSTEM_VALUE_REL_PATCH_ID_IR3 slot=89 cm=1,il=0,b=0) r0.z (SYSTEM_VALUE_PRIMITIVE_ID slot=37 cm=1,il=0,b=0)
; VERT prog 21/1: 15 instr, 7 nops, 8 non-nops, 0 mov, 0 cov, 38 dwords
; VERT prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 3 full, 8 constlen
; VERT prog 21/1: 9 cat0, 0 cat1, 2 cat2, 2 cat3, 0 cat4, 0 cat5, 2 cat6, 0 cat7
; VERT prog 21/1: 0 sstall, 0 (ss), 0 systall, 0 (sy), 0 loops
; VERT prog 21/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble

