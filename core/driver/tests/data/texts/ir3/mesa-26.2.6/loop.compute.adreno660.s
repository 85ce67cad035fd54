Native code for unnamed CL shader  with blake3 d0a6b7259cb00961b7fae695e2351a749fd9da0c0c9c8553f2b199f590533e3a:
; num_ubos:           0
; num_driver_params:  8
; offsets:
;   driver_params              c0.x (4 vec4)
;   preamble                   c4.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r48.x)	in0 (wrmask=0x7)
@in(r0.x)	in1 (wrmask=0x7)
@const(c8.x)	0x4f7ffffe, 0x0000ffff, 0x447a0000, 0x40c90fdb
@const(c9.x)	0x3e22f983, 0x3f000000, 0xc0490fdb, 0xd0d0d0d0
shps #l94
getone #l94
absneg.s r51.x, (abs)c504.y
cov.u32f32 r52.x, c504.x
cov.u32f32 r51.y, r51.x
and.b r48.w, c504.x, 3
cmps.s.eq hr50.x, r48.w, 0
cmps.s.eq hr50.y, r48.w, 1
cmps.s.eq hr50.z, r48.w, 2
cmps.u.lt hr52.z, 2, r48.w
add.u r50.w, c1.w, -1
absneg.s r51.w, (absneg)c504.y
shr.b r52.y, c504.x, 16
absneg.s r52.z, (neg)c504.x
shr.b r51.z, r51.x, 16
(rpt2)cov.u16s32 r49.z, (r)hr50.x
or.b hr52.z, hr52.z, hr50.z
cov.u16s32 r50.z, hr52.z
(ss)rcp r52.x, r52.x
rcp r51.y, r51.y
stc.u32 c[21], r51.x, 1
stc.u32 c[20], r50.w, 1
stc.u32 c[24], r51.w, 1
stc.u32 c[27], r52.z, 1
stc.u32 c[16], r49.z, 1
stc.u32 c[17], r49.w, 1
stc.u32 c[18], r50.x, 1
stc.u32 c[19], r50.z, 1
(ss)mul.f r52.x, r52.x, c8.x
mul.f r51.y, r51.y, c8.x
cov.f32u32 r52.x, r52.x
cov.f32u32 r51.y, r51.y
mull.u r52.y, r52.x, r52.y
shr.b r54.z, r52.x, 16
mull.u r54.w, c504.x, r52.x
and.b r55.x, r52.x, c8.y
shr.b r55.z, r52.x, 16
mull.u r51.z, r51.y, r51.z
shr.b r52.w, r51.y, 16
and.b r53.x, r51.y, c8.y
shr.b r53.z, r51.y, 16
shl.b r52.y, r52.y, 16
mull.u r54.z, c504.x, r54.z
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
and.b r55.y, r52.y, c8.y
and.b r53.y, r51.z, c8.y
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
and.b r48.w, r55.y, c8.y
and.b r54.x, r53.y, c8.y
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
and.b r49.x, r55.z, c8.y
and.b r54.y, r53.z, c8.y
shr.b r55.z, r55.z, 16
shr.b r53.z, r53.z, 16
(ss)nop
stc.u32 c[25], r49.x, 1
stc.u32 c[22], r54.y, 1
stc.u32 c[26], r55.z, 1
stc.u32 c[23], r53.z, 1
(sy)(ss)shpe
l94:
(jp)add.u r48.x, r48.x, c1.x
shl.b r48.x, r48.x, 6
mov.u32u32 r49.y, 0
mov.u32u32 r0.w, 0
mov.u32u32 r1.w, 0
(ss)add.u r1.y, r48.x, r0.x
l100:
mov.u32u32 r2.x, 0
(rpt5)nop
ldib.b.untyped.1d.u32.1.imm.base0 r2.y, r2.x, 0
(sy)(ss)(nop3) cmps.u.ge p0.x, r49.y, r2.y
(rpt2)nop
br p0.x, #l145
(nop3) shl.b r2.z, r1.y, 6
(nop3) add.u r2.z, r2.z, r49.y
(rpt2)nop
ldib.b.untyped.1d.u32.1.imm.base0 r2.w, r2.z+1, 0
(sy)(nop3) cmps.f.lt p0.x, r2.w, (0.0)
(rpt2)nop
br p0.x, #l143
(nop3) cmps.f.lt p0.x, c8.z, r2.w
(rpt2)nop
br p0.x, #l145
exp2 r3.y, r2.w
sqrt r3.z, r2.w
mad.f32 r3.x, c9.x, r2.w, c9.y
mov.f32f32 r4.x, c4.x
mov.f32f32 r4.y, c4.y
mov.f32f32 r4.z, c4.z
floor.f r3.w, r3.x
mov.f32f32 r4.w, c4.w
(rpt1)nop
(nop3) add.f r3.x, r3.x, (neg)r3.w
mad.f32 r3.x, c8.w, r3.x, c9.z
(ss)(nop3) add.f r2.w, r2.w, (1.0)
(rpt1)nop
sin r3.x, r3.x
nop
log2 r2.w, r2.w
(ss)(nop3) mad.f32 r3.x, r3.x, r3.y, r3.z
(nop3) add.f r3.x, r3.x, r2.w
(nop3) add.f r1.w, r1.w, r3.x
(nop3) mul.f r5.x, r1.w, (2.0)
(nop3) sel.b32 r5.x, r5.x, r4.x, r1.w
(nop3) floor.f r5.y, r5.x
(nop3) add.f r5.y, r5.x, (neg)r5.y
(nop3) sel.b32 r5.y, r5.y, r4.y, r5.x
(nop3) floor.f r5.z, r5.y
(nop3) sel.b32 r5.z, r5.z, r4.z, r5.y
sel.b32 r1.w, (neg)r5.z, r4.w, r5.z
l143:
(jp)add.u r49.y, r49.y, 1
jump #l100
l145:
(jp)mov.u32u32 r49.z, 0
add.u r6.x, 1, r0.x
shl.b r5.w, r0.x, 2
mov.u32u32 r7.x, r0.w
mov.u32u32 r7.y, r0.w
and.b r6.x, r6.x, 63
and.b r0.x, r0.x, c5.x
mov.u32u32 r6.z, 1
mov.f32f32 r6.w, c504.x
shl.b r6.x, r6.x, 2
stl.u32 l[r5.w], r1.w, 1
fence.r.w
(sy)(ss)bar.g
(sy)(ss)mov.u16u16 hr0.z, 0
(nop3) sub.u r0.x, c504.x, r0.x
nop
ldl.u32 r6.y, l[r6.x], 1
(ss)(nop3) add.f r1.w, r1.w, r6.y
(rpt2)nop
brcst.active.w2 (u32)(x)r7.x, r1.w
(sy)(nop3) add.f r7.x, r1.w, r7.x
(rpt2)nop
brcst.active.w4 (u32)(x)r7.y, r7.x
(sy)(nop3) add.f r7.x, r7.x, r7.y
(rpt2)nop
brcst.active.w8 (u32)(x)r0.w, r7.x
(sy)add.f r7.x, r7.x, r0.w
l172:
(ss)mov.u32u32 r7.z, r49.z
(rpt2)nop
add.f r7.z, r7.x, r7.z
getlast.w8 #l179
(rpt1)nop
mov.u32u32 r49.z, r7.z
getone #l172
l179:
(jp)(nop3) sub.u hr0.w, h(1), hr0.z
(nop3) cmps.s.ne p0.x, hr0.w, h(0)
(rpt2)nop
br !p0.x, #l184
mov.u32u32 r49.w, r0.x
l184:
(ss)(jp)cmps.s.eq hr1.x, r0.x, r49.w
shfl.rdown.u32 r0.w, r1.w, r49.w
(rpt2)nop
cov.u16u32 r1.x, hr1.x
or.b p0.x, hr1.x, hr0.z
(nop1) or.b hr0.z, hr1.x, hr0.z
(ss)(nop3) sel.b32 r7.w, r0.w, r1.x, r7.w
ball p0.x, #l193
jump #l179
l193:
shfl.xor.u32 r1.z, r1.w, 1
mov.u32u32 r2.w, r1.y
mov.u32u32 r2.x, 0
add.f r7.w, r49.z, r7.w
mov.u32u32 r2.y, 1
absneg.s r5.z, (abs)r2.w
and.b r6.x, r2.w, c8.y
(ss)nop
quad_shuffle.horiz (u32)(x)r1.w, r1.w
shr.b r6.y, r2.w, 16
add.f r7.w, r7.w, r1.z
and.b r7.x, r5.z, c8.y
shr.b r7.y, r5.z, 16
mull.u r7.z, r6.x, c6.y
mull.u r0.z, r6.y, c6.y
mull.u r0.x, r7.x, c5.z
mull.u r0.y, r7.y, c5.z
shr.b r7.z, r7.z, 16
mull.u r6.x, r6.x, c6.z
shr.b r0.x, r0.x, 16
mull.u r7.x, r7.x, c5.w
add.u r0.z, r0.z, r7.z
mull.u r6.y, r6.y, c6.z
add.u r0.y, r0.y, r0.x
mull.u r7.y, r7.y, c5.w
and.b r1.x, r0.z, c8.y
shr.b r0.z, r0.z, 16
and.b r0.w, r0.y, c8.y
shr.b r0.y, r0.y, 16
add.u r6.x, r6.x, r1.x
mov.u32u32 r2.z, 0
add.u r7.x, r7.x, r0.w
mov.u32u32 r3.x, 3
shr.b r6.x, r6.x, 16
mov.f32f32 r5.w, c5.y
shr.b r7.x, r7.x, 16
mov.u32u32 r1.x, 0
sad.s32 r6.x, r6.x, r0.z, r6.y
(sy)add.f r7.w, r7.w, r1.w
sad.s32 r7.x, r7.x, r0.y, r7.y
mov.u32u32 r3.z, 0
mull.u r1.w, r6.x, c504.x
cmps.f.lt p0.x, (1.0), r7.w
mull.u r1.y, r7.x, c5.y
madsh.m16 r6.w, r6.x, r6.w, r1.w
madsh.m16 r5.w, r7.x, r5.w, r1.y
mov.u32u32 r1.w, r3.x
mov.u32u32 r1.y, r2.z
madsh.m16 r5.w, c5.y, r7.x, r5.w
(rpt3)mov.u32u32 r50.x, 0
br !p0.x, #l245
(ss)movmsk.w128 r50.x
l245:
(jp)mov.u32u32 r3.y, r2.w
(nop1) madsh.m16 r6.x, c504.x, r6.x, r6.w
sub.u r5.z, r5.z, r5.w
mov.u32u32 r3.w, 1
mov.u32u32 r4.x, 2
mov.u32u32 r4.y, r2.w
(ss)and.b r1.z, r50.x, 15
sub.u r6.x, r2.w, r6.x
xor.b r5.y, r2.w, c504.y
bfrev.b r5.w, r2.w
mov.u32u32 r4.w, 1
cmps.u.ge r7.z, r6.x, c504.x
add.u r0.x, r6.x, c6.w
atomic.b.add.untyped.1d.u32.1.imm.base0 r2.x, r1.z, 1
(ss)mov.u32u32 r1.z, r2.w
cmps.s.lt r5.y, r5.y, 0
cov.u32f32 r5.w, r5.w
sel.b32 r0.x, r0.x, r7.z, r6.x
mov.u32u32 r5.x, 2
mov.u32u32 r4.z, r2.w
nop
atomic.b.cmpxchg.untyped.1d.u32.1.imm.base0 r1.y, r6.z, 1
cmps.u.ge r0.z, r0.x, c504.x
add.u r0.w, r0.x, c6.w
fence.g.l.r.w
(sy)(ss)cmps.u.ge hr4.x, r5.z, c5.y
(nop1) add.u r2.y, r5.z, c6.x
sel.b32 r0.w, r0.w, r0.z, r0.x
cov.u16u32 r6.y, hr4.x
cov.u16s32 r6.w, hr4.x
mov.u32u32 r2.x, r1.x
cov.u32f32 r0.w, r0.w
(nop3) sel.b32 r2.y, r2.y, r6.y, r5.z
(nop3) cmps.u.ge hr4.z, r2.y, c5.y
cov.u16s32 r7.y, hr4.z
mov.u32u32 r2.y, r1.y
(rpt1)nop
(nop3) sad.s32 r7.x, r7.x, r6.w, r7.y
atomic.b.max.typed.2d.u32.1.imm.base0 r2.x, r3.y, 2
(ss)nop
ldib.b.typed.3d.f32.4.imm.base0 r3.x, r3.w, 3
(nop3) absneg.s r0.y, (neg)r7.x
(nop3) sel.b32 r0.y, r0.y, r5.y, r7.x
cov.s32f32 r0.y, r0.y
(sy)add.u r1.y, r1.y, r2.x
(rpt2)mul.f r6.x, (r)r3.x, r7.w
cov.u32f32 r7.x, r1.y
shr.b hr14.z, r1.y, 16
cov.u32u16 hr14.w, r1.y
mul.f r6.w, r3.w, r7.w
clz.b r0.x, r1.y
cbits.b hr14.z, hr14.z
cbits.b hr14.w, hr14.w
(nop2) add.f r7.w, r7.w, r7.x
add.u r7.z, hr14.z, hr14.w
add.f r7.w, r7.w, r0.y
sub.u r0.y, 31, r0.x
stib.b.typed.3d.f32.4.imm.base0 r6.x, r4.z, 3
nop
cov.s32f32 r7.z, r7.z
add.f r7.w, r7.w, r0.w
(nop2) sel.b32 r0.y, r0.y, r1.y, r0.x
add.f r7.w, r7.w, r7.z
cov.s32f32 r0.y, r0.y
(rpt2)nop
(nop3) add.f r7.w, r7.w, r0.y
(nop3) add.f r7.w, r7.w, r5.w
(rpt2)nop
stib.b.untyped.1d.u32.1.imm.base0 r7.w, r2.w+1, 0
end
nop
nop
nop
nop
nop
; CL: outputs:
; CL: inputs: r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47 cm=7,il=0,b=0) r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 cm=7,il=0,b=0)
; CL prog 21/1: 362 instr, 156 nops, 206 non-nops, 41 mov, 11 cov, 640 dwords
; CL prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 8 full, 12 constlen
; CL prog 21/1: 167 cat0, 56 cat1, 96 cat2, 20 cat3, 4 cat4, 4 cat5, 12 cat6, 3 cat7
; CL prog 21/1: 35 sstall, 16 (ss), 422 systall, 10 (sy), 2 loops
; CL prog 21/1: 16 max_waves, 0 double_threadsize
; 96 preamble-instr, 0 early-preamble

