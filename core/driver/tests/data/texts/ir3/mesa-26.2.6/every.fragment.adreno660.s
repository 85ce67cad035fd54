Native code for unnamed FRAG shader  with blake3 4d84a6f6ac6741f5985ebbda31fd3a31b7e37f5dd571558aa92033f9ce57e755:
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
shps #l16
getone #l16
getinfo.base0 (s32)(z)r5.x, t#1
mov.u32u32 r4.w, 0
(rpt5)nop
getsize.base0 (s32)(xy)r5.w, r4.w, t#1
(sy)mov.u32u32 r48.x, r5.z
mov.u32u32 r48.y, r5.w
mov.u32u32 r48.z, r6.x
(ss)cov.s32f32 r48.x, r48.x
(rpt1)cov.s32f32 r48.y, (r)r48.y
(ss)nop
stc.u32 c[2], r48.x, 1
stc.u32 c[0], r48.y, 1
stc.u32 c[1], r48.z, 1
(sy)(ss)shpe
l16:
(jp)(rpt1)bary.f r4.w, (r)4, r0.x
bary.f r9.x, 6, r0.x
bary.f r10.w, 29, r0.z
bary.f r10.z, 28, r0.z
bary.f r11.y, 30, r0.z
flat.b r11.z, 32, 32
bary.f r5.z, 7, r0.x
(rpt3)bary.f r5.w, (r)8, r0.x
(rpt3)bary.f r6.w, (r)12, r0.x
(rpt2)bary.f r7.w, (r)16, r0.x
flat.b r11.w, 33, 33
(rpt3)bary.f r18.w, (r)20, r1.x
(rpt1)bary.f r19.w, (r)24, r1.z
(rpt1)bary.f r0.w, (r)0, r0.x
saml.base0 (f32)(xyzw)r16.w, r4.w, r9.x, s#2, t#1
rcp r2.x, r2.x
mov.u32u32 r10.x, 0
mov.u32u32 r10.y, 0
mov.u32u32 r9.z, r4.w
mov.u32u32 r9.w, r5.x
mov.u32u32 r11.x, r10.w
and.b r3.x, r11.z, c4.z
mov.u32u32 r9.y, 0x3fc00000
mov.u32u32 r8.z, r4.w
mov.u32u32 r8.w, r5.x
ashr.b r3.y, r11.z, 16
(ss)nop
dsx (f32)(x)r16.y, r2.x
dsy (f32)(x)r16.z, r2.x
mul.f r15.w, r0.y, r2.x
samgq.base0 (f32)(xyzw)r17.w, r9.z, s#2, t#1
mul.f r16.x, r0.x, r2.x
(ss)mov.u32u32 r11.x, r11.y
(eq)nop
mov.u32u32 r12.w, r5.z
mov.u32u32 r13.x, r5.w
mull.u r5.w, r3.x, c5.x
mov.u32u32 r13.y, r6.x
dsx (f32)(x)r20.z, r15.w
dsy (f32)(x)r0.z, r15.w
mov.u32u32 r13.z, r6.y
dsx (f32)(x)r20.y, r16.x
dsy (f32)(x)r20.w, r16.x
mull.u r6.y, r3.y, c5.x
shr.b r5.w, r5.w, 16
madsh.m16 r6.y, c5.x, r3.y, r6.y
mov.u32u32 r1.y, 1
mov.u32u32 r1.z, 0xfffffffe
mov.u32u32 r13.w, r6.z
mov.u32u32 r14.x, r6.w
mov.u32u32 r14.y, r7.x
mov.u32u32 r14.z, r7.y
mov.u32u32 r14.w, r7.z
sam.a.s.base0 (f32)(x)r7.z, r8.z, s#6, t#5
(ss)nop
isam.base0.1d (f32)(xyzw)r9.y, r11.z, s#0, t#1
mov.u32u32 r15.x, r7.w
mov.u32u32 r15.y, r8.x
mov.u32u32 r15.z, r8.y
sam.3d.base0 (f32)(xyzw)r7.w, r10.z, s#4, t#3
add.u r6.y, r6.y, r5.w
(rpt1)cov.u32f32 r2.z, (r)r2.z
mull.u r6.x, r3.x, c4.w
and.b r6.w, r6.y, c4.z
cov.u16u32 r12.z, hr4.z
mov.u32u32 r12.x, r11.z
mov.u32u32 r12.y, r11.w
(rpt1)mul.f r2.z, (r)r2.z, c5.z
add.u r6.x, r6.x, r6.w
mull.u r6.z, r3.y, c4.w
(rpt1)add.f r0.w, (r)r0.w, (r)r2.z
mov.u32u32 r2.z, r11.z
mov.u32u32 r2.w, 0
ashr.b r6.y, r6.y, 16
ashr.b r6.x, r6.x, 16
madsh.m16 r6.z, c4.w, r3.y, r6.z
cmps.s.eq r5.z, hr4.w, h(0)
cmps.s.ge hr10.z, r11.z, 0
and.b r3.z, r3.z, r11.w
isam.base0.1d (f32)(xyzw)r2.y, r2.z, s#0, t#11
(nop3) sad.s32 r6.x, r6.x, r6.y, r6.z
(nop3) shr.b r7.x, r6.x, 31
(nop3) add.u r6.x, r6.x, r7.x
(nop1) mull.u r7.y, r6.x, 3
(nop3) madsh.m16 r6.x, c4.y, r6.x, r7.y
(nop3) sub.u r6.x, r11.z, r6.x
cmps.s.eq hr6.z, r6.x, 0
(nop2) add.u r5.w, r6.x, 3
(nop3) or.b r5.y, hr6.z, hr10.z
(nop3) sel.b32 r6.x, r6.x, r5.y, r5.w
cov.u32s16 hr12.x, r6.x
(rpt2)nop
(nop3) shl.b hr12.x, hr12.x, h(2)
mova a0.x, hr12.x
(sy)(rpt3)add.f r3.w, (r)r3.w, (r)r16.w
sam.o.base0 (f32)(xyzw)r16.w, r4.w, r1.y, s#2, t#1
(rpt3)add.f r3.w, (r)r3.w, (r)r17.w
gather4g.base0 (f32)(xyzw)r17.w, r4.w, s#2, t#1
mad.f32 r16.y, c5.y, r16.y, r2.x
(ss)nop
isamm.base0 (f32)(xyzw)r1.y, r12.x, s#0, t#9
(ss)nop
dsy (f32)(x)r12.y, r4.w
dsx (f32)(x)r12.z, r4.w
mad.f32 r20.z, c5.y, r20.z, r15.w
mad.f32 r20.y, c5.y, r20.y, r16.x
mad.f32 r0.z, c5.y, r0.z, r20.z
mad.f32 r20.w, c5.y, r20.w, r20.y
getlod.base0 (s32)(xy)r20.y, r4.w, s#2, t#1
add.f r3.w, r3.w, r7.w
mov.u32u32 r11.y, r<a0.x + 51>
mad.f32 r16.z, c5.y, r16.z, r16.y
mov.u32u32 r11.z, r<a0.x + 52>
add.f r3.w, r3.w, r9.y
add.f r18.w, r18.w, r11.y
mov.u32u32 r11.w, r<a0.x + 53>
(ul)mov.u32u32 r12.x, r<a0.x + 54>
add.f r4.x, r4.x, r8.x
rcp r16.z, r16.z
add.f r18.w, r18.w, r19.w
(rpt1)add.f r4.y, (r)r4.y, (r)r8.y
add.f r4.x, r4.x, r9.z
add.f r19.x, r19.x, r11.z
(rpt1)add.f r4.y, (r)r4.y, (r)r9.w
(rpt1)add.f r19.y, (r)r19.y, (r)r11.w
add.f r19.x, r19.x, r20.x
(ss)mul.f r6.x, r20.w, r16.z
(nop2) mul.f r6.y, r0.z, r16.z
(rpt1)bary.f (ei)r6.z, (r)4, r6.x
(sy)add.f r3.w, r3.w, r16.w
cov.s32f32 r20.y, r20.y
add.f r12.z, (abs)r12.z, (abs)r12.y
cov.s32f32 r20.z, r20.z
add.f r3.w, r3.w, r17.w
mul.f r20.y, r20.y, c4.x
add.f r18.w, r18.w, r12.z
add.f r4.x, r4.x, r17.x
add.f r3.w, r3.w, r1.y
add.f r20.y, c0.x, r20.y
mul.f r20.z, r20.z, c4.x
add.f r4.x, r4.x, r18.x
add.f r3.w, r3.w, r2.y
add.f r20.y, r20.y, c0.z
(rpt1)add.f r4.y, (r)r4.y, (r)r17.y
add.f r3.w, r3.w, r7.z
add.f r20.z, c0.y, r20.z
add.f r4.x, r4.x, r1.z
add.f r4.y, r4.y, r18.y
add.f r3.w, r3.w, r20.y
add.f r4.z, r4.z, r18.z
add.f r20.z, r20.z, c0.z
add.f r4.x, r4.x, r2.z
add.f r3.w, r3.w, r18.w
(rpt1)add.f r4.y, (r)r4.y, (r)r1.w
add.f r4.x, r4.x, r20.z
cmps.f.lt p0.x, r3.w, (0.0)
(rpt1)add.f r4.y, (r)r4.y, (r)r2.w
(nop3) sel.b32 r3.w, (neg)r3.w, r5.z, r3.w
kill p0.x
dsy (f32)(x)r14.y, r5.x
dsx (f32)(x)r14.z, r5.x
dsx (f32)(x)r13.w, r9.x
dsypp.1 (x)r14.x, r9.x
dsypp.1.p (x)r14.x, r9.x
sam.3d.base0 (u32)(xyzw)r12.w, r10.z, s#8, t#7
add.f r14.w, r3.w, r0.w
(sy)add.f r14.z, (abs)r14.z, (abs)r14.y
add.f r19.y, r19.y, r13.w
(nop1) add.f r19.z, r19.z, r14.x
add.f r19.x, r19.x, r14.z
add.f r19.y, r19.y, r6.z
(nop1) add.f r19.z, r19.z, r6.w
add.f r4.x, r4.x, r19.x
add.f r4.y, r4.y, r19.y
(nop1) add.f r4.z, r4.z, r19.z
sel.b32 r4.x, (neg)r4.x, r5.z, r4.x
sel.b32 r15.y, (neg)r4.y, r5.z, r4.y
(nop1) sel.b32 r15.z, (neg)r4.z, r5.z, r4.z
add.f r15.x, r4.x, r1.x
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
; FRAG: outputs: r15.z (FRAG_RESULT_DEPTH) r3.z (FRAG_RESULT_SAMPLE_MASK) r14.w (FRAG_RESULT_DATA0) r12.w (FRAG_RESULT_DATA1)
; FRAG: inputs: r0.w (VARYING_SLOT_PNTC slot=25 cm=3,il=0,b=1) r4.w (VARYING_SLOT_VAR0 slot=32 cm=f,il=4,b=1) r5.w (VARYING_SLOT_VAR1 slot=33 cm=f,il=8,b=1) r6.w (VARYING_SLOT_VAR2 slot=34 cm=f,il=12,b=1) r7.w (VARYING_SLOT_VAR3 slot=35 cm=7,il=16,b=1) r18.w (VARYING_SLOT_VAR4 slot=36 cm=f,il=20,b=1) r19.w (VARYING_SLOT_VAR5 slot=37 cm=3,il=24,b=1) r10.z (VARYING_SLOT_VAR6 slot=38 cm=7,il=28,b=1) r11.z (VARYING_SLOT_VAR7 slot=39 cm=3,il=32,b=1) r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0) r0.z (SYSTEM_VALUE_BARYCENTRIC_LINEAR_PIXEL slot=63 cm=3,il=0,b=0) r1.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_CENTROID slot=61 cm=3,il=0,b=0) r1.z (SYSTEM_VALUE_BARYCENTRIC_PERSP_SAMPLE slot=60 cm=3,il=0,b=0) r2.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_CENTER_RHW slot=62 cm=1,il=0,b=0) r4.z (SYSTEM_VALUE_SAMPLE_ID slot=29 cm=1,il=0,b=0) r4.w (SYSTEM_VALUE_FRONT_FACE slot=27 cm=1,il=0,b=0) r2.z (SYSTEM_VALUE_FRAG_COORD slot=19 cm=f,il=0,b=0) r3.z (SYSTEM_VALUE_SAMPLE_MASK_IN slot=32 cm=1,il=0,b=0)
; FRAG prog 22/1: 248 instr, 44 nops, 204 non-nops, 32 mov, 6 cov, 416 dwords
; FRAG prog 22/1: 185 last-baryf, 47 last-helper, 0 half, 21 full, 8 constlen
; FRAG prog 22/1: 46 cat0, 38 cat1, 123 cat2, 15 cat3, 2 cat4, 24 cat5, 0 cat6, 0 cat7
; FRAG prog 22/1: 0 sstall, 6 (ss), 42 systall, 3 (sy), 0 loops
; FRAG prog 22/1: 6 max_waves, 0 double_threadsize
; 22 preamble-instr, 0 early-preamble
; pos (ij_pixel): r0.x
; pos (ij_centroid): r1.x
; pos (center_rhw): r2.x
; posz: r15.z
; data0: r14.w
; data1: r12.w
; fragcoord: r2.z
; fragface: r4.w

