Native code for unnamed CL shader  with blake3 502c44f5fd41fb8957d5953d45a94bab5f5f09d56d14c88c6c7ed11b94c94c74:
; num_ubos:           0
; num_driver_params:  8
; offsets:
;   driver_params              c0.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r48.x)	in0 (wrmask=0x7)
@in(r0.x)	in1 (wrmask=0x7)
shps #l4
getone #l4
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 0
(sy)(ss)shpe
l4:
(jp)add.u r48.x, r48.x, c1.x
shl.b r48.x, r48.x, 6
mov.u32u32 r48.w, 0
mov.u32u32 r0.w, 0
(rpt1)nop
mov.u32u32 r1.y, r0.w
mov.u32u32 r1.z, r0.w
(ss)(nop3) add.u r0.x, r48.x, (last)r0.x
(rpt1)nop
ldib.b.untyped.1d.u32.1.imm.base0 r1.x, r0.x, 0
(sy)brcst.active.w2 (u32)(x)r1.y, r1.x
mov.u32u32 r49.x, r1.x
movs.u32u32 r49.y, r1.x, 3
cmps.u.lt p0.x, 3, r1.x
(sy)(ss)(nop3) add.u r1.x, (last)r1.x, (last)r1.y
(rpt1)nop
brcst.active.w4 (u32)(x)r1.z, r1.x
(rpt3)mov.u32u32 r49.z, 0
br !p0.x, #l24
(ss)movmsk.w128 r49.z
l24:
(sy)(jp)(nop3) add.u r1.x, (last)r1.x, (last)r1.z
(rpt1)nop
brcst.active.w8 (u32)(x)r0.w, r1.x
(sy)add.u r1.x, (last)r1.x, (last)r0.w
l28:
(ss)mov.u32u32 r1.w, r48.w
(rpt1)nop
add.u r1.w, r1.x, (last)r1.w
getlast.w8 #l35
nop
mov.u32u32 r48.w, (last)r1.w
getone #l28
l35:
(ss)(jp)add.u r49.z, r49.z, r49.w
add.u r49.z, r49.z, r49.x
add.u r49.z, r49.z, r48.w
add.u r49.z, r49.z, r49.y
(ss)mov.u32u32 r2.x, r49.z
(rpt4)nop
stib.b.untyped.1d.u32.1.imm.base0 r2.x, r0.x, 0
end
nop
nop
nop
nop
nop
; CL: outputs:
; CL: inputs: r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47 cm=7,il=0,b=0) r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 cm=7,il=0,b=0)
; CL prog 21/1: 63 instr, 25 nops, 38 non-nops, 12 mov, 0 cov, 96 dwords
; CL prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 3 full, 4 constlen
; CL prog 21/1: 29 cat0, 17 cat1, 12 cat2, 0 cat3, 0 cat4, 3 cat5, 2 cat6, 0 cat7
; CL prog 21/1: 22 sstall, 6 (ss), 165 systall, 4 (sy), 0 loops
; CL prog 21/1: 16 max_waves, 0 double_threadsize
; 4 preamble-instr, 1 early-preamble
