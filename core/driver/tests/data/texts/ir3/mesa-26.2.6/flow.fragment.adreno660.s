Native code for unnamed FRAG shader  with blake3 32f2ce4d6e0ca4120c14deb7c53e28f30dbcc91608140a2e34fa821b6fd4f9e3:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
@const(c0.x)	0xc0400000, 0xd0d0d0d0, 0xd0d0d0d0, 0xd0d0d0d0
flat.b r0.z, 4, 4
bary.f r1.x, 1, r0.x
bary.f (ei)r0.w, 0, r0.x
mov.u32u32 r48.x, 0
mov.u32u32 r1.y, 0
mov.u32u32 r1.z, 0
mov.u32u32 r1.w, 0
mov.u32u32 r2.x, 0
l8:
(ss)(nop3) cmps.s.ge p0.y, r48.x, r0.z
(rpt2)nop
br p0.y, #l34
(nop3) cmps.f.lt p0.x, r1.x, r1.y
(rpt2)nop
predt
cov.s32f32 r48.y, r48.x
(ss)(rpt1)mul.f r2.y, (r)r0.w, r48.y
(rpt5)nop
sam.base0 (f32)(xyzw)r2.w, r2.y, s#1, t#0
(sy)(rpt1)add.f r1.y, (r)r1.y, (r)r2.w
(rpt1)add.f r1.w, (r)r1.w, (r)r3.y
predf
(rpt4)nop
(nop3) shl.b r3.w, r48.x, 2
(rpt2)nop
isam.v.base0 (u32)(xyzw)r2.y, r3.w, s#0, t#2
(sy)(rpt1)add.f r1.y, (r)r1.y, (neg)(r)r2.y
(rpt1)add.f r1.w, (r)r1.w, (neg)(r)r2.w
prede
(rpt6)nop
(nop3) add.u r48.x, r48.x, 1
(nop3) cmps.f.lt p0.x, r2.x, c0.x
(rpt2)nop
kill p0.x
jump #l8
l34:
(eq)(jp)nop
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
; FRAG: outputs: r1.y (FRAG_RESULT_DATA0)
; FRAG: inputs: r0.w (VARYING_SLOT_VAR0 slot=32 cm=3,il=0,b=1) r0.z (VARYING_SLOT_VAR1 slot=33 cm=1,il=4,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)
; FRAG prog 21/1: 79 instr, 46 nops, 33 non-nops, 5 mov, 1 cov, 96 dwords
; FRAG prog 21/1: 2 last-baryf, 77 last-helper, 0 half, 4 full, 4 constlen
; FRAG prog 21/1: 53 cat0, 6 cat1, 18 cat2, 0 cat3, 0 cat4, 2 cat5, 0 cat6, 0 cat7
; FRAG prog 21/1: 8 sstall, 2 (ss), 78 systall, 2 (sy), 1 loops
; FRAG prog 21/1: 16 max_waves, 1 double_threadsize
; pos (ij_pixel): r0.x
; data0: r1.y

