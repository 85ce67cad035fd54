Native code for unnamed CL shader  with blake3 d4b0a52c1af244a0c813e6c82a775135991e1ecac09fc7b08c763ab5a3491a2e:
; num_ubos:           0
; num_driver_params:  8
; offsets:
;   driver_params              c0.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r48.x)	in0 (wrmask=0x7)
@in(r0.x)	in1 (wrmask=0x7)
shps #l6
getone #l6
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 0
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 1
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 2
(sy)(ss)shpe
l6:
(jp)add.u r48.x, r48.x, c1.x
shl.b r48.x, r48.x, 6
mov.u32u32 r0.w, 0
mov.u32u32 r1.x, 1
mov.u32u32 r1.z, 0
mov.u32u32 r2.y, r0.w
mov.u32u32 r3.y, r0.w
mov.u32u32 r2.z, r1.x
(ss)add.u r1.y, r48.x, (last)r0.x
mov.u32u32 r3.z, r1.x
mov.u32u32 r2.x, 2
add.u r2.w, 1, r1.y
mov.u32u32 r1.w, r1.y
add.u r3.x, 2, r1.y
atomic.b.add.typed.1d.u32.1.imm.base0 r2.y, r1.y, 0
nop
atomic.b.add.typed.1d.u32.1.imm.base0 r3.y, r1.y, 1
atomic.b.add.typed.2d.u32.1.imm.base0 r0.w, r1.y, 2
(rpt1)nop
ldib.b.typed.1d.u32.4.imm.base0 r3.w, r2.w, 0
ldib.b.typed.1d.u32.4.imm.base0 r4.w, r2.w, 1
(sy)(nop2) sad.s32 r2.y, (last)r2.y, r3.y, (last)r0.w
(nop3) sad.s32 r2.y, (last)r2.y, r3.w, (last)r4.w
(rpt1)nop
stib.b.typed.1d.u32.1.imm.base0 r2.y, r3.x, 0
stib.b.typed.1d.u32.1.imm.base0 r2.y, r3.x, 1
stib.b.typed.2d.u32.1.imm.base0 r2.y, r1.w, 2
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
nop
nop
; CL: outputs:
; CL: inputs: r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47 cm=7,il=0,b=0) r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 cm=7,il=0,b=0)
; CL prog 21/1: 35 instr, 10 nops, 25 non-nops, 9 mov, 0 cov, 96 dwords
; CL prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 6 full, 4 constlen
; CL prog 21/1: 11 cat0, 9 cat1, 5 cat2, 2 cat3, 0 cat4, 0 cat5, 8 cat6, 0 cat7
; CL prog 21/1: 0 sstall, 1 (ss), 88 systall, 1 (sy), 0 loops
; CL prog 21/1: 16 max_waves, 0 double_threadsize
; 6 preamble-instr, 1 early-preamble
