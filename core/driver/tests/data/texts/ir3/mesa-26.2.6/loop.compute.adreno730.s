Native code for unnamed CL shader  with blake3 81b8d16f4ae27f52a7c3e874f3e9c34491c1c7f4b299b2cd86dc077b2afbc969:
; num_ubos:           0
; num_driver_params:  8
; offsets:
;   push_consts                c0.x (4 vec4)
;   driver_params              c4.x (4 vec4)
;   preamble                   c8.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r48.x)	in0 (wrmask=0x7)
@in(r0.x)	in1 (wrmask=0x7)
@const(c12.x)	0x4f7ffffe, 0x0000ffff, 0x447a0000, 0x40c90fdb
@const(c13.x)	0x3e22f983, 0x3f000000, 0xc0490fdb, 0xd0d0d0d0
shps #l99
getone #l99
stsc.u32 c[0], 0, 4
(ss)absneg.s r51.x, (abs)c0.y
cov.u32f32 r52.x, c0.x
cov.u32f32 r51.y, r51.x
and.b r48.w, c0.x, 3
cmps.s.eq hr50.x, r48.w, 0
cmps.s.eq hr50.y, r48.w, 1
cmps.s.eq hr50.z, r48.w, 2
cmps.u.lt hr52.z, 2, r48.w
add.u r50.w, c5.w, -1
absneg.s r51.w, (absneg)c0.y
shr.b r52.y, c0.x, 16
absneg.s r52.z, (neg)c0.x
shr.b r51.z, r51.x, 16
(rpt2)cov.u16s32 r49.z, (r)hr50.x
or.b hr52.z, hr52.z, hr50.z
cov.u16s32 r50.z, hr52.z
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 0
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 2
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 4
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 5
(ss)rcp r52.x, r52.x
rcp r51.y, r51.y
stc.u32 c[37], r51.x, 1
stc.u32 c[36], r50.w, 1
stc.u32 c[40], r51.w, 1
stc.u32 c[43], r52.z, 1
stc.u32 c[32], r49.z, 1
stc.u32 c[33], r49.w, 1
stc.u32 c[34], r50.x, 1
stc.u32 c[35], r50.z, 1
(ss)mul.f r52.x, r52.x, c12.x
mul.f r51.y, r51.y, c12.x
cov.f32u32 r52.x, r52.x
cov.f32u32 r51.y, r51.y
mull.u r52.y, r52.x, r52.y
shr.b r54.z, r52.x, 16
mull.u r54.w, c0.x, r52.x
and.b r55.x, r52.x, c12.y
shr.b r55.z, r52.x, 16
mull.u r51.z, r51.y, r51.z
shr.b r52.w, r51.y, 16
and.b r53.x, r51.y, c12.y
shr.b r53.z, r51.y, 16
shl.b r52.y, r52.y, 16
mull.u r54.z, c0.x, r54.z
shl.b r51.z, r51.z, 16
mull.u r52.w, r51.x, r52.w
shl.b r54.z, r54.z, 16
shl.b r52.w, r52.w, 16
mull.u r51.x, r51.x, r51.y
add.u r54.z, r54.z, r54.w
add.u r52.w, r52.w, r51.x
add.u r52.y, r52.y, r54.z
add.u r51.z, r51.z, r52.w
absneg.s r52.y, (neg)r52.y
absneg.s r51.z, (neg)r51.z
and.b r55.y, r52.y, c12.y
and.b r53.y, r51.z, c12.y
mull.u r55.w, r55.x, r55.y
shr.b r52.y, r52.y, 16
mull.u r53.w, r53.x, r53.y
shr.b r51.z, r51.z, 16
shr.b r55.w, r55.w, 16
mull.u r55.y, r55.z, r55.y
mull.u r55.x, r55.x, r52.y
shr.b r53.w, r53.w, 16
mull.u r53.y, r53.z, r53.y
mull.u r53.x, r53.x, r51.z
add.u r55.y, r55.y, r55.w
mull.u r55.z, r55.z, r52.y
add.u r53.y, r53.y, r53.w
mull.u r53.z, r53.z, r51.z
and.b r48.w, r55.y, c12.y
and.b r54.x, r53.y, c12.y
add.u r55.x, r55.x, r48.w
shr.b r55.y, r55.y, 16
add.u r53.x, r53.x, r54.x
shr.b r53.y, r53.y, 16
shr.b r55.x, r55.x, 16
shr.b r53.x, r53.x, 16
add.u r55.x, r55.x, r55.y
add.u r53.x, r53.x, r53.y
add.u r55.z, r55.z, r55.x
add.u r53.z, r53.z, r53.x
add.u r55.z, r55.z, r52.x
add.u r53.z, r53.z, r51.y
and.b r49.x, r55.z, c12.y
and.b r54.y, r53.z, c12.y
shr.b r55.z, r55.z, 16
shr.b r53.z, r53.z, 16
(ss)nop
stc.u32 c[41], r49.x, 1
stc.u32 c[38], r54.y, 1
stc.u32 c[42], r55.z, 1
stc.u32 c[39], r53.z, 1
(sy)(ss)shpe
l99:
(jp)add.u r48.x, r48.x, c5.x
shl.b r48.x, r48.x, 6
mov.u32u32 r49.y, 0
mov.u32u32 r0.w, 0
mov.u32u32 r1.w, 0
(ss)add.u r1.y, r48.x, r0.x
l105:
mov.u32u32 r2.x, 0
mov.u32u32 r2.z, 1
(rpt3)nop
ldib.b.untyped.1d.u32.1.imm.base0 r2.y, r2.x, 0
(sy)(ss)(nop3) cmps.u.ge p0.x, r49.y, (last)r2.y
(rpt1)nop
br p0.x, #l150
(nop2) shl.b r2.w, r1.y, 6
(nop3) add.u r2.w, (last)r2.w, r49.y
(rpt1)nop
ldib.b.untyped.1d.u32.1.imm.base0 r3.x, r2.w+1, 0
(sy)(nop3) cmps.f.lt p0.x, r3.x, (0.0)
(rpt1)nop
br p0.x, #l148
(nop3) cmps.f.lt p0.x, c12.z, r3.x
(rpt1)nop
br p0.x, #l150
exp2 r3.z, r3.x
sqrt r3.w, r3.x
mad.f32 r3.y, c13.x, r3.x, c13.y
mov.f32f32 r4.y, c8.x
mov.f32f32 r4.z, c8.y
floor.f r4.x, r3.y
mov.f32f32 r4.w, c8.z
mov.f32f32 r5.x, c8.w
(nop2) add.f r3.y, (last)r3.y, (last)(neg)r4.x
mad.f32 r3.y, c12.w, r3.y, c13.z
(ss)(nop3) add.f r3.x, (last)r3.x, (1.0)
nop
sin r3.y, (last)r3.y
nop
log2 r3.x, (last)r3.x
(ss)(nop2) mad.f32 r3.y, (last)r3.y, r3.z, (last)r3.w
(nop2) add.f r3.y, (last)r3.y, (last)r3.x
(nop2) add.f r1.w, (last)r1.w, (last)r3.y
(nop2) mul.f r5.y, r1.w, (2.0)
(nop2) sel.b32 r5.y, (last)r5.y, r4.y, (last)r1.w
(nop2) floor.f r5.z, r5.y
(nop2) add.f r5.z, r5.y, (last)(neg)r5.z
(nop2) sel.b32 r5.z, (last)r5.z, r4.z, (last)r5.y
(nop2) floor.f r5.w, r5.z
(nop2) sel.b32 r5.w, (last)r5.w, r4.w, (last)r5.z
sel.b32 r1.w, (neg)(last)r5.w, r5.x, r5.w
l148:
(jp)add.u r49.y, r49.y, 1
jump #l105
l150:
(jp)mov.u32u32 r49.z, 0
add.u r6.y, 1, r0.x
shl.b r6.x, r0.x, 2
mov.u32u32 r7.x, r0.w
and.b r6.y, (last)r6.y, 63
mov.u32u32 r7.y, r0.w
and.b r0.x, (last)r0.x, c9.x
shl.b r6.y, (last)r6.y, 2
stl.u32 l[r6.x], r1.w, 1
fence.r.w
(sy)(ss)bar.g
(sy)(ss)mov.f32f32 r6.w, c0.x
mov.u16u16 hr16.x, 0
(nop2) sub.u r0.x, c0.x, (last)r0.x
ldl.u32 r6.z, l[r6.y], 1
(eolm)nop
(ss)(nop3) add.f r1.w, (last)r1.w, (last)r6.z
(rpt1)nop
brcst.active.w2 (u32)(x)r7.x, r1.w
(sy)(nop3) add.f r7.x, r1.w, (last)r7.x
(rpt1)nop
brcst.active.w4 (u32)(x)r7.y, r7.x
(sy)(nop3) add.f r7.x, (last)r7.x, (last)r7.y
(rpt1)nop
brcst.active.w8 (u32)(x)r0.w, r7.x
(sy)add.f r7.x, (last)r7.x, (last)r0.w
l176:
(ss)mov.u32u32 r7.z, r49.z
(rpt1)nop
add.f r7.z, r7.x, (last)r7.z
getlast.w8 #l183
nop
mov.u32u32 r49.z, (last)r7.z
getone #l176
l183:
(jp)(nop2) sub.u hr16.y, h(1), hr16.x
(nop3) cmps.s.ne p0.x, (last)hr16.y, h(0)
(rpt1)nop
br !p0.x, #l188
mov.u32u32 r49.w, r0.x
l188:
(ss)(jp)nop
shfl.rdown.u32 r8.z, r1.w, r49.w
(nop2) cmps.s.eq hr16.z, r0.x, r49.w
cov.u16u32 r8.w, hr16.z
or.b p0.x, hr16.z, hr16.x
or.b hr16.x, (last)hr16.z, (last)hr16.x
(ss)(nop3) sel.b32 r7.w, (last)r8.z, r8.w, (last)r7.w
ball p0.x, #l197
jump #l183
l197:
quad_shuffle.horiz (u32)(x)r9.y, r1.w
shfl.xor.u32 r9.x, r1.w, 1
mov.u32u32 r1.x, 0
add.f r7.w, r49.z, (last)r7.w
mov.u32u32 r1.z, 3
mov.u32u32 r9.z, 0
mov.u32u32 r9.w, 1
mov.u32u32 r8.z, r1.y
(ss)add.f r7.w, (last)r7.w, (last)r9.x
mov.u32u32 r8.y, (last)r1.x
mov.u32u32 r8.w, (last)r1.z
mov.u32u32 r8.x, 0
mov.u32u32 r10.x, r1.y
mov.u32u32 r10.y, 0
mov.u32u32 r9.x, (last)r8.x
mov.u32u32 r10.z, 1
mov.u32u32 r10.w, 2
mov.u32u32 r11.x, r1.y
absneg.s r0.y, (abs)r1.y
and.b r0.w, r1.y, c12.y
shr.b r2.y, r1.y, 16
and.b r1.w, r0.y, c12.y
shr.b r2.x, r0.y, 16
mull.u r3.y, r0.w, c10.y
mull.u r2.w, r1.w, c9.z
mull.u r3.x, r2.x, c9.z
mull.u r1.w, (last)r1.w, c9.w
shr.b r2.w, (last)r2.w, 16
mull.u r2.x, (last)r2.x, c9.w
mull.u r3.w, r2.y, c10.y
(sy)add.f r7.w, (last)r7.w, (last)r9.y
add.u r3.x, (last)r3.x, (last)r2.w
shr.b r3.y, (last)r3.y, 16
cmps.f.lt p0.x, (1.0), r7.w
and.b r3.z, r3.x, c12.y
shr.b r3.x, (last)r3.x, 16
mov.f32f32 r0.z, c9.y
add.u r1.w, (last)r1.w, (last)r3.z
add.u r3.w, (last)r3.w, (last)r3.y
(rpt3)mov.u32u32 r50.x, 0
br !p0.x, #l239
(ss)movmsk.w128 r50.x
l239:
(jp)nop
shr.b r1.w, (last)r1.w, 16
mull.u r0.w, (last)r0.w, c10.z
and.b r4.y, r3.w, c12.y
sad.s32 r1.w, (last)r1.w, r3.x, (last)r2.x
mull.u r2.y, (last)r2.y, c10.z
add.u r0.w, (last)r0.w, (last)r4.y
(ss)and.b r4.z, r50.x, 15
mull.u r4.x, r1.w, c9.y
shr.b r3.w, (last)r3.w, 16
madsh.m16 r0.z, r1.w, r0.z, (last)r4.x
shr.b r0.w, (last)r0.w, 16
madsh.m16 r0.z, c9.y, r1.w, (last)r0.z
atomic.b.add.untyped.1d.u32.1.imm.base0 r9.z, r4.z, 2
atomic.b.cmpxchg.untyped.1d.u32.1.imm.base0 r8.y, r2.z, 2
xor.b r0.x, r1.y, c0.y
sad.s32 r0.w, (last)r0.w, r3.w, (last)r2.y
sub.u r0.y, (last)r0.y, (last)r0.z
cmps.s.lt r0.x, (last)r0.x, 0
mull.u r5.y, r0.w, c0.x
cmps.u.ge hr9.z, r0.y, c9.y
add.u r5.x, r0.y, c10.x
madsh.m16 r6.w, r0.w, r6.w, (last)r5.y
cov.u16u32 r5.z, hr9.z
madsh.m16 r0.w, c0.x, r0.w, (last)r6.w
cov.u16s32 r5.w, (last)hr9.z
sel.b32 r5.x, (last)r5.x, r5.z, (last)r0.y
sub.u r0.w, r1.y, (last)r0.w
bfrev.b r7.z, r1.y
cmps.u.ge hr10.x, (last)r5.x, c9.y
cmps.u.ge r6.y, r0.w, c0.x
add.u r6.z, r0.w, c10.w
cov.u16s32 r6.x, (last)hr10.x
cov.u32f32 r7.z, (last)r7.z
sel.b32 r6.z, (last)r6.z, r6.y, (last)r0.w
sad.s32 r1.w, (last)r1.w, r5.w, (last)r6.x
mov.u32u32 r11.y, r1.y
cmps.u.ge r7.x, r6.z, c0.x
absneg.s r6.w, (neg)r1.w
add.u r7.y, r6.z, c10.w
mov.u32u32 r11.z, 1
sel.b32 r6.w, (last)r6.w, r0.x, (last)r1.w
sel.b32 r7.y, (last)r7.y, r7.x, (last)r6.z
mov.u32u32 r11.w, 2
cov.s32f32 r6.w, (last)r6.w
cov.u32f32 r7.y, (last)r7.y
fence.g.w
(sy)(ss)mov.u32u32 r9.y, r8.y
ccinv
(ss)(rpt4)nop
(sy)atomic.b.max.typed.2d.u32.1.imm.base0 r9.x, r10.x, 4
(ss)nop
ldib.b.typed.3d.f32.4.imm.base0 r9.z, r10.z, 5
(sy)add.u r8.y, (last)r8.y, (last)r9.x
(rpt1)mul.f r0.x, (last)(r)r9.z, r7.w
cov.u32f32 r1.x, r8.y
shr.b hr3.x, r8.y, 16
cov.u32u16 hr3.y, r8.y
(rpt1)mul.f r0.z, (last)(r)r10.x, r7.w
clz.b r2.x, r8.y
cbits.b hr3.x, (last)hr3.x
cbits.b hr3.y, (last)hr3.y
add.f r7.w, (last)r7.w, (last)r1.x
sub.u r2.y, 31, r2.x
add.u r1.w, (last)hr3.x, (last)hr3.y
add.f r7.w, (last)r7.w, (last)r6.w
sel.b32 r2.y, (last)r2.y, r8.y, (last)r2.x
cov.s32f32 r1.w, (last)r1.w
add.f r7.w, (last)r7.w, (last)r7.y
cov.s32f32 r2.y, (last)r2.y
stib.b.typed.3d.f32.4.imm.base0 r0.x, r11.y, 5
nop
(nop2) add.f r7.w, (last)r7.w, (last)r1.w
(nop2) add.f r7.w, (last)r7.w, (last)r2.y
(nop3) add.f r7.w, (last)r7.w, (last)r7.z
(rpt1)nop
stib.b.untyped.1d.u32.1.imm.base0 r7.w, r1.y+1, 0
(sy)(ss)(jp)lock
unlock
end
nop
nop
nop
nop
; CL: outputs:
; CL: inputs: r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47 cm=7,il=0,b=0) r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 cm=7,il=0,b=0)
; CL prog 21/1: 312 instr, 104 nops, 208 non-nops, 40 mov, 11 cov, 646 dwords
; CL prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 12 full, 16 constlen
; CL prog 21/1: 115 cat0, 55 cat1, 96 cat2, 20 cat3, 4 cat4, 4 cat5, 12 cat6, 6 cat7
; CL prog 21/1: 34 sstall, 17 (ss), 402 systall, 12 (sy), 2 loops
; CL prog 21/1: 16 max_waves, 0 double_threadsize
; 101 preamble-instr, 1 early-preamble

