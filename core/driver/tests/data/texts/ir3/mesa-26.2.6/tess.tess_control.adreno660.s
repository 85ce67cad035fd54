Native code for unnamed TCS shader  with blake3 58792514e3d06a147397513263d0ea72cc495f4f33bae6a8ea16c577df1f25a4:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   primitive_param            c0.x (2 vec4)
;   primitive_map              c2.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x1)
@in(r0.y)	in1 (wrmask=0x1)
@in(r0.z)	in2 (wrmask=0x1)
@const(c6.x)	0x0000000c, 0x0000000d, 0x00000001, 0x00000002
@const(c7.x)	0x00000003, 0x00000005, 0x00000004, 0xd0d0d0d0
(sy)(ss)shrm r0.w, 11, r0.x, 31
bar
(sy)(ss)(nop2) shrm r0.x, 16, r0.x, 63
(nop3) cmps.u.lt p0.y, r0.w, 3
(rpt2)nop
br !p0.y, #l63
mul.s24 r1.x, r0.w, c0.y
cmps.s.eq p0.x, r0.w, 0
mad.s24 r0.x, c0.x, r0.x, r1.x
mul.s24 r1.y, r0.y, c0.z
shl.b r0.w, r0.w, 2
mov.u32u32 r1.z, c1.x
add.u r2.x, r0.x, c2.x
add.u r0.x, r0.x, c5.y
mov.u32u32 r1.w, c1.y
(rpt1)sad.s32 r2.y, (r)c6.x, r1.y, r0.w
mad.s24 r3.y, c0.z, r0.y, r0.w
sad.s32 r2.w, c6.z, r1.y, r0.w
ldl.u32 r3.z, l[r2.x], 1
ldl.u32 r3.w, l[r2.x+4], 1
ldl.u32 r4.x, l[r2.x+8], 1
ldl.u32 r4.y, l[r2.x+12], 1
sad.s32 r3.x, c6.w, r1.y, r0.w
ldl.u32 r4.z, l[r0.x], 1
ldl.u32 r4.w, l[r0.x+4], 1
sad.s32 r1.y, c7.x, r1.y, r0.w
(ss)nop
stg.a.u32 g[r1.z+(r2.y<<2)], r3.z, 1
nop
stg.a.u32 g[r1.z+(r2.z<<2)], r3.w, 1
nop
stg.a.u32 g[r1.z+(r3.y<<2)], r4.x, 1
nop
stg.a.u32 g[r1.z+(r2.w<<2)], r4.y, 1
nop
stg.a.u32 g[r1.z+(r3.x<<2)], r4.z, 1
nop
stg.a.u32 g[r1.z+(r1.y<<2)], r4.w, 1
predt
mov.u32u32 r5.x, 0x40400000
mad.s24 r5.y, c7.y, r0.y, c6.z
mov.u32u32 r6.y, c1.z
mov.u32u32 r6.z, c1.w
mad.s24 r5.z, c7.y, r0.y, c6.w
mov.u32u32 r6.w, 0x40800000
mad.s24 r5.w, c7.y, r0.y, c7.x
mov.u32u32 r7.x, 0x40a00000
mad.s24 r6.x, c7.y, r0.y, c7.z
mov.u32u32 r7.y, 0x40000000
stg.a.u32 g[r6.y+(r5.y<<2)], r5.x, 1
(rpt1)nop
stg.a.u32 g[r6.y+(r5.z<<2)], r6.w, 1
(rpt1)nop
stg.a.u32 g[r6.y+(r5.w<<2)], r7.x, 1
(rpt1)nop
stg.a.u32 g[r6.y+(r6.x<<2)], r7.y, 1
prede
(rpt6)nop
mul.s24 r0.y, r0.y, 5
mov.u32u32 r7.z, c1.z
mov.u32u32 r7.w, c1.w
(rpt5)nop
stg.a.u32 g[r7.z+(r0.y<<2)], r0.z, 1
l63:
(jp)end
nop
nop
nop
nop
; TCS: outputs:
; TCS: inputs: r0.x (SYSTEM_VALUE_TCS_HEADER_IR3 slot=88 cm=1,il=0,b=0) r0.y (SYSTEM_VALUE_REL_PATCH_ID_IR3 slot=89 cm=1,il=0,b=0) r0.z (SYSTEM_VALUE_PRIMITIVE_ID slot=37 cm=1,il=0,b=0)
; TCS prog 22/1: 86 instr, 33 nops, 53 non-nops, 10 mov, 0 cov, 136 dwords
; TCS prog 22/1: 0 last-baryf, 0 last-helper, 0 half, 8 full, 8 constlen
; TCS prog 22/1: 37 cat0, 10 cat1, 8 cat2, 13 cat3, 0 cat4, 0 cat5, 17 cat6, 1 cat7
; TCS prog 22/1: 9 sstall, 3 (ss), 0 systall, 2 (sy), 0 loops
; TCS prog 22/1: 16 max_waves, 0 double_threadsize

