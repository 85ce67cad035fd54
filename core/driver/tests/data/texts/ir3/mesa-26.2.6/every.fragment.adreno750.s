Native code for unnamed FRAG shader  with blake3 26438723045b9e737d8a0fde9b5b3ae35a7d93729ba684d8f6a304164bd561f4:
; num_ubos:           0
; num_driver_params:  0
; offsets:
;   preamble                   c0.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r0.x)	in0 (wrmask=0x3)
@in(r0.z)	in1 (wrmask=0x3)
@in(r1.x)	in2 (wrmask=0x3)
@in(r1.z)	in3 (wrmask=0x3)
@in(r2.x)	in4 (wrmask=0x1)
@in(hr4.z)	in5 (wrmask=0x1)
@in(hr4.w)	in6 (wrmask=0x1)
@in(r2.z)	in7 (wrmask=0xf)
@in(r3.z)	in8 (wrmask=0x1)
@tex(r3.w)	src=4, bindless=1, samp=2, tex=1, wrmask=0xf, opc=sam
@const(c4.x)	0x3b800000, 0x00000003, 0x0000ffff, 0x00005555
@const(c5.x)	0x00005556, 0x3e800000, 0x3d800000, 0xd0d0d0d0
shps #l31
getone #l31
getinfo.base0 (s32)(z)r5.y, t#1
alias.tex.b32.0 r40.x, (0x0)
getsize.base0 (s32)(xy)r4.w, r40.x, t#1
mov.u32u32 r48.x, 0x3b800000
mov.u32u32 r48.y, 3
mov.u32u32 r48.z, 0xffff
mov.u32u32 r48.w, 0x5555
mov.u32u32 r49.x, 0x5556
mov.u32u32 r49.y, 0x3e800000
mov.u32u32 r49.z, 0x3d800000
sam.base0 (f32)(xyzw)r63.x, r48.x, s#2, t#1
sam.base0 (f32)(xyzw)r63.x, r48.x, s#4, t#3
sam.base0 (f32)(xyzw)r63.x, r48.x, s#6, t#5
sam.base0 (f32)(xyzw)r63.x, r48.x, s#8, t#7
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 9
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 11
(ss)nop
stc.u32 c[16], r48.x, 4
stc.u32 c[20], r49.x, 3
(sy)mov.u32u32 r50.y, (last)r5.w
mov.u32u32 r49.w, (last)r4.w
mov.u32u32 r50.x, (last)r5.x
(ss)cov.s32f32 r50.y, r50.y
(rpt1)cov.s32f32 r50.z, (r)r49.w
(ss)nop
stc.u32 c[2], r50.y, 1
stc.u32 c[0], r50.z, 1
stc.u32 c[1], r50.w, 1
(sy)(ss)shpe
l31:
(jp)(rpt2)bary.f r4.w, (r)4, r0.x
(rpt2)bary.f r8.z, (r)28, (last)r0.z
bary.f r5.z, 7, r0.x
(rpt3)bary.f r5.w, (r)8, r0.x
(rpt2)bary.f r6.w, (r)12, r0.x
flat.b r9.y, 32, 32
bary.f r7.z, 15, r0.x
(rpt2)bary.f r7.w, (r)16, r0.x
(rpt3)bary.f r14.w, (r)20, (last)r1.x
(rpt1)bary.f r0.w, (r)24, (last)r1.z
flat.b r9.z, 33, 33
rcp r2.x, (last)r2.x
saml.base0 (f32)(xyzw)r13.w, r4.w, r5.y, s#2, t#1
mov.u32u32 r9.w, (last)r5.z
mov.u32u32 r10.x, (last)r5.w
mov.u32u32 r10.y, (last)r6.x
mov.u32u32 r10.z, (last)r6.y
alias.tex.b32.5 r5.y, (0x0)
alias.tex.b32.0 r5.z, (0x0)
alias.tex.b32.0 r5.w, r8.z
alias.tex.b32.0 r6.x, r8.w
alias.tex.b32.0 r6.y, r8.w
alias.tex.b32.0 r6.z, r9.x
samgq.base0 (f32)(xyzw)r5.z, r4.w, s#2, t#1
mov.u32u32 r10.w, (last)r6.z
bary.f r6.z, 0, r0.x
mov.u32u32 r11.x, (last)r6.w
bary.f r6.w, 1, r0.x
(ss)nop
dsx (f32)(x)r13.y, r2.x
dsy (f32)(x)r13.z, r2.x
mov.u32u32 r11.y, (last)r7.x
mov.u32u32 r11.z, (last)r7.y
and.b r7.y, r9.y, c4.z
mov.u32u32 r11.w, (last)r7.z
ashr.b r7.z, r9.y, 16
mov.u32u32 r12.x, (last)r7.w
mov.u32u32 r12.y, (last)r8.x
mull.u r8.x, r7.y, c5.x
mul.f r13.x, (last)r0.x, r2.x
mull.u r0.x, r7.z, c5.x
shr.b r8.x, (last)r8.x, 16
madsh.m16 r0.x, c5.x, r7.z, (last)r0.x
mul.f r12.w, (last)r0.y, r2.x
(eq)nop
mov.u32u32 r12.z, (last)r8.y
dsx (f32)(x)r1.y, r13.x
dsy (f32)(x)r1.z, r13.x
add.u r0.x, (last)r0.x, (last)r8.x
mull.u r8.y, (last)r7.y, c4.w
mull.u r0.y, r7.z, c4.w
and.b r1.w, r0.x, c4.z
dsx (f32)(x)r15.w, r12.w
dsy (f32)(x)r0.z, r12.w
cov.u32f32 r2.z, (last)r2.z
madsh.m16 r0.y, c4.w, r7.z, (last)r0.y
add.u r8.y, (last)r8.y, (last)r1.w
ashr.b r0.x, (last)r0.x, 16
mul.f r2.z, (last)r2.z, c5.z
ashr.b r8.y, (last)r8.y, 16
cov.u32f32 r2.w, (last)r2.w
add.f r6.z, (last)r6.z, (last)r2.z
sad.s32 r8.y, (last)r8.y, r0.x, (last)r0.y
mul.f r2.w, (last)r2.w, c5.z
cmps.s.ge hr15.z, r9.y, 0
shr.b r2.z, r8.y, 31
add.f r6.w, (last)r6.w, (last)r2.w
cov.u16u32 r7.x, (last)hr4.z
add.u r8.y, (last)r8.y, (last)r2.z
and.b r3.z, (last)r3.z, r9.z
cmps.s.eq r2.y, (last)hr4.w, h(0)
(nop1) mull.u r2.w, r8.y, 3
(nop2) madsh.m16 r8.y, c4.y, r8.y, (last)r2.w
(nop2) sub.u r8.y, r9.y, (last)r8.y
cmps.s.eq hr6.x, r8.y, 0
(nop1) add.u r7.y, r8.y, 3
(nop2) or.b r3.y, (last)hr6.x, (last)hr15.z
sel.b32 r8.y, (last)r8.y, r3.y, (last)r7.y
isam.base0.1d (f32)(xyzw)r2.z, r9.y, s#0, t#1
(rpt1)nop
cov.u32s16 hr16.z, (last)r8.y
(rpt1)nop
(nop2) shl.b hr16.z, (last)hr16.z, h(2)
mova a0.x, (last)hr16.z
alias.tex.b32.0 r5.z, (0x3fc00000)
sam.a.s.base0 (f32)(x)r8.y, r4.w, s#6, t#5
(sy)(rpt3)add.f r3.w, (last)(r)r3.w, (last)(r)r13.w
sam.3d.base0 (f32)(xyzw)r13.w, r8.z, s#4, t#3
add.f r3.w, (last)r3.w, (last)r5.z
mov.u32u32 r7.z, r<a0.x + 39>
(rpt2)add.f r4.x, (last)(r)r4.x, (last)(r)r5.w
alias.tex.b32.1 r40.x, (0x1)
alias.tex.b32.0 r40.y, (0xfffffffe)
sam.o.base0 (f32)(xyzw)r5.z, r4.w, r40.x, s#2, t#1
mov.u32u32 r7.w, r<a0.x + 40>
mad.f32 r15.w, c5.y, r15.w, (last)r12.w
(rpt1)add.f r14.w, (last)(r)r14.w, (last)(r)r7.z
gather4g.base0 (f32)(xyzw)r7.y, r4.w, s#2, t#1
mad.f32 r0.z, c5.y, r0.z, (last)r15.w
mad.f32 r1.y, c5.y, r1.y, (last)r13.x
(rpt1)add.f r14.w, (last)(r)r14.w, (last)(r)r0.w
mad.f32 r1.z, c5.y, r1.z, (last)r1.y
mov.u32u32 r1.x, (last)r0.z
alias.tex.b32.0 r9.w, r7.x
isamm.base0 (f32)(xyzw)r0.x, r9.y, s#0, t#9
mad.f32 r13.y, c5.y, r13.y, (last)r2.x
(ss)mov.u32u32 r7.x, (last)r1.z
alias.tex.b32.0 r9.z, (0x0)
isam.base0.1d (f32)(xyzw)r1.y, r9.y, s#0, t#11
(ss)nop
getlod.base0 (s32)(xy)r9.y, r4.w, s#2, t#1
mov.u32u32 r12.w, r<a0.x + 41>
(ul)mov.u32u32 r13.x, r<a0.x + 42>
dsy (f32)(x)r10.y, r4.w
dsx (f32)(x)r10.z, r4.w
mad.f32 r13.z, c5.y, r13.z, (last)r13.y
(rpt1)add.f r15.y, (last)(r)r15.y, (last)(r)r12.w
(rpt2)nop
rcp r13.z, (last)r13.z
(sy)add.f r3.w, (last)r3.w, (last)r13.w
cov.s32f32 r9.y, (last)r9.y
add.f r10.z, (last)(abs)r10.z, (last)(abs)r10.y
add.f r3.w, (last)r3.w, (last)r2.z
mul.f r9.y, (last)r9.y, c4.x
add.f r14.w, (last)r14.w, (last)r10.z
add.f r3.w, (last)r3.w, (last)r5.z
add.f r9.y, c0.x, (last)r9.y
add.f r4.x, (last)r4.x, (last)r14.x
add.f r3.w, (last)r3.w, (last)r7.y
add.f r9.y, (last)r9.y, c0.z
(ss)mul.f r13.x, (last)r7.x, r13.z
add.f r3.w, (last)r3.w, (last)r0.x
(nop1) mul.f r13.y, (last)r1.x, (last)r13.z
(rpt1)bary.f (ei)r9.w, (r)4, (last)r13.x
add.f r3.w, (last)r3.w, (last)r1.y
add.f r4.x, (last)r4.x, (last)r2.w
add.f r4.y, (last)r4.y, (last)r14.y
add.f r3.w, (last)r3.w, (last)r8.y
add.f r4.z, (last)r4.z, (last)r14.z
cov.s32f32 r9.z, (last)r9.z
add.f r3.w, (last)r3.w, (last)r9.y
add.f r4.x, (last)r4.x, (last)r5.w
add.f r4.y, (last)r4.y, (last)r3.x
add.f r3.w, (last)r3.w, (last)r14.w
add.f r4.z, (last)r4.z, (last)r3.y
mul.f r9.z, (last)r9.z, c4.x
cmps.f.lt p0.x, r3.w, (0.0)
add.f r4.x, (last)r4.x, (last)r7.z
(rpt1)add.f r4.y, (last)(r)r4.y, (last)(r)r6.x
add.f r9.z, c0.y, (last)r9.z
add.f r4.x, (last)r4.x, (last)r0.y
kill p0.x
dsy (f32)(x)r12.y, r5.x
dsx (f32)(x)r12.z, r5.x
dsx (f32)(x)r11.w, r5.y
dsypp.1 (x)r12.x, r5.y
dsypp.1.p (x)r12.x, r5.y
sam.3d.base0 (u32)(xyzw)r10.w, r8.z, s#8, t#7
(eogm)nop
(rpt1)add.f r4.y, (last)(r)r4.y, (last)(r)r7.w
add.f r9.z, (last)r9.z, c0.z
add.f r4.x, (last)r4.x, (last)r1.z
(rpt1)add.f r4.y, (last)(r)r4.y, (last)(r)r0.z
add.f r4.x, (last)r4.x, (last)r9.z
(rpt1)add.f r4.y, (last)(r)r4.y, (last)(r)r1.w
(nop2) sel.b32 r3.w, (neg)(last)r3.w, r2.y, r3.w
add.f r12.w, (last)r3.w, (last)r6.z
(sy)add.f r12.z, (last)(abs)r12.z, (last)(abs)r12.y
add.f r15.y, (last)r15.y, (last)r11.w
add.f r15.z, (last)r15.z, (last)r12.x
add.f r15.x, (last)r15.x, (last)r12.z
add.f r15.y, (last)r15.y, (last)r9.w
add.f r15.z, (last)r15.z, (last)r10.x
add.f r4.x, (last)r4.x, (last)r15.x
add.f r4.y, (last)r4.y, (last)r15.y
add.f r4.z, (last)r4.z, (last)r15.z
sel.b32 r4.x, (neg)(last)r4.x, r2.y, r4.x
sel.b32 r13.y, (neg)(last)r4.y, r2.y, r4.y
sel.b32 r13.z, (neg)(last)r4.z, r2.y, r4.z
add.f r13.x, (last)r4.x, (last)r6.w
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
; FRAG: outputs: r13.z (FRAG_RESULT_DEPTH) r3.z (FRAG_RESULT_SAMPLE_MASK) r12.w (FRAG_RESULT_DATA0) r10.w (FRAG_RESULT_DATA1)
; FRAG: inputs: r6.z (VARYING_SLOT_PNTC slot=25 cm=3,il=0,b=1) r4.w (VARYING_SLOT_VAR0 slot=32 cm=f,il=4,b=1) r5.w (VARYING_SLOT_VAR1 slot=33 cm=f,il=8,b=1) r6.w (VARYING_SLOT_VAR2 slot=34 cm=f,il=12,b=1) r7.w (VARYING_SLOT_VAR3 slot=35 cm=7,il=16,b=1) r14.w (VARYING_SLOT_VAR4 slot=36 cm=f,il=20,b=1) r0.w (VARYING_SLOT_VAR5 slot=37 cm=3,il=24,b=1) r8.z (VARYING_SLOT_VAR6 slot=38 cm=7,il=28,b=1) r9.y (VARYING_SLOT_VAR7 slot=39 cm=3,il=32,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0) r0.z (SYSTEM_VALUE_BARYCENTRIC_LINEAR_PIXEL slot=63 cm=3,il=0,b=0) r1.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_CENTROID slot=61 cm=3,il=0,b=0) r1.z (SYSTEM_VALUE_BARYCENTRIC_PERSP_SAMPLE slot=60 cm=3,il=0,b=0) r2.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_CENTER_RHW slot=62 cm=1,il=0,b=0) r4.z (SYSTEM_VALUE_SAMPLE_ID slot=29 cm=1,il=0,b=0) r4.w (SYSTEM_VALUE_FRONT_FACE slot=27 cm=1,il=0,b=0) r2.z (SYSTEM_VALUE_FRAG_COORD slot=19 cm=f,il=0,b=0) r3.z (SYSTEM_VALUE_SAMPLE_MASK_IN slot=32 cm=1,il=0,b=0)
; FRAG prog 22/1: 226 instr, 24 nops, 202 non-nops, 19 mov, 6 cov, 448 dwords
; FRAG prog 22/1: 171 last-baryf, 59 last-helper, 0 half, 16 full, 8 constlen
; FRAG prog 22/1: 26 cat0, 25 cat1, 123 cat2, 15 cat3, 2 cat4, 24 cat5, 0 cat6, 11 cat7
; FRAG prog 22/1: 0 sstall, 4 (ss), 76 systall, 3 (sy), 0 loops
; FRAG prog 22/1: 12 max_waves, 0 double_threadsize
; 32 preamble-instr, 0 early-preamble
; pos (ij_pixel): r0.x
; pos (ij_centroid): r1.x
; pos (center_rhw): r2.x
; posz: r13.z
; data0: r12.w
; data1: r10.w
; fragcoord: r2.z
; fragface: r4.w

