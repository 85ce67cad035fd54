Native code for unnamed FRAG shader  with blake3 e4878389ea8165ea6004b4e4df1515d641dada450ca180e663ee28d54a989575:
; num_ubos:           0
; num_driver_params:  0
; offsets:
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
@const(c0.x)	0xc0400000, 0xd0d0d0d0, 0xd0d0d0d0, 0xd0d0d0d0
shps #l8
getone #l8
mov.u32u32 r48.x, 0xc0400000
sam.base0 (f32)(xyzw)r63.x, r48.x, s#1, t#0
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 2
(ss)nop
stc.u32 c[0], r48.x, 1
(sy)(ss)shpe
l8:
(jp)flat.b r0.z, 4, 4
bary.f r1.x, 1, r0.x
bary.f (ei)r0.w, 0, (last)r0.x
mov.u32u32 r48.x, 0
mov.u32u32 r1.y, 0
mov.u32u32 r1.z, 0
mov.u32u32 r1.w, 0
mov.u32u32 r2.x, 0
l16:
(ss)(nop3) cmps.s.ge p0.y, r48.x, r0.z
(rpt1)nop
br p0.y, #l42
(nop3) cmps.f.lt p0.x, r1.x, r1.y
(rpt1)nop
predt
cov.s32f32 r48.y, r48.x
(ss)(rpt1)mul.f r2.y, (r)r0.w, r48.y
(rpt4)nop
sam.base0 (f32)(xyzw)r2.w, r2.y, s#1, t#0
(sy)(rpt1)add.f r1.y, (last)(r)r1.y, (last)(r)r2.w
(rpt1)add.f r1.w, (last)(r)r1.w, (last)(r)r3.y
predf
(rpt4)nop
(nop3) shl.b r3.w, r48.x, 2
(rpt1)nop
isam.v.base0 (u32)(xyzw)r4.x, r3.w, s#0, t#2
(sy)(rpt1)add.f r1.y, (last)(r)r1.y, (last)(neg)(r)r4.x
(rpt1)add.f r1.w, (last)(r)r1.w, (last)(neg)(r)r4.z
prede
(rpt6)nop
(nop2) add.u r48.x, r48.x, 1
(nop3) cmps.f.lt p0.x, r2.x, c0.x
(rpt1)nop
kill p0.x
jump #l16
l42:
(eq)(jp)(eogm)nop
end
nop
nop
nop
nop
; FRAG: outputs: r1.y (FRAG_RESULT_DATA0)
; FRAG: inputs: r0.w (VARYING_SLOT_VAR0 slot=32 cm=3,il=0,b=1) r0.z (VARYING_SLOT_VAR1 slot=33 cm=1,il=4,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)
; FRAG prog 21/1: 73 instr, 40 nops, 33 non-nops, 5 mov, 1 cov, 96 dwords
; FRAG prog 21/1: 2 last-baryf, 71 last-helper, 0 half, 5 full, 4 constlen
; FRAG prog 21/1: 47 cat0, 6 cat1, 18 cat2, 0 cat3, 0 cat4, 2 cat5, 0 cat6, 0 cat7
; FRAG prog 21/1: 8 sstall, 2 (ss), 78 systall, 2 (sy), 1 loops
; FRAG prog 21/1: 16 max_waves, 1 double_threadsize
; 8 preamble-instr, 1 early-preamble
; pos (ij_pixel): r0.x
; data0: r1.y

