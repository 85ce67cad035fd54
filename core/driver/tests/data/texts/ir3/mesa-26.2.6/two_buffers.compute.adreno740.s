Native code for unnamed CL shader  with blake3 b861c5236f7c54018c0193e2b8a9902e7e3da1ed2f13bd1a1717faa549d73ada:
; num_ubos:           0
; num_driver_params:  8
; offsets:
;   driver_params              c0.x (4 vec4)
; ubo_state:
;   num_enabled:      0
@in(r48.x)	in0 (wrmask=0x7)
@in(r0.x)	in1 (wrmask=0x7)
shps #l5
getone #l5
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 0
resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 2
(sy)(ss)shpe
l5:
(jp)add.u r48.x, r48.x, c1.x
shl.b r48.x, r48.x, 6
(ss)(nop2) add.u r0.x, r48.x, (last)r0.x
(nop3) shl.b r0.x, (last)r0.x, 2
(rpt1)nop
isam.v.base0 (u32)(xyzw)r0.w, r0.x, s#0, t#0
(sy)(rpt3)mul.f r1.w, (last)(r)r0.w, (2.0)
(rpt4)nop
stib.b.untyped.1d.u32.4.imm.base0 r1.w, r0.x, 2
end
nop
nop
nop
nop
; CL: outputs:
; CL: inputs: r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47 cm=7,il=0,b=0) r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 cm=7,il=0,b=0)
; CL prog 21/1: 23 instr, 12 nops, 11 non-nops, 0 mov, 0 cov, 38 dwords
; CL prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 3 full, 4 constlen
; CL prog 21/1: 13 cat0, 0 cat1, 8 cat2, 0 cat3, 0 cat4, 1 cat5, 1 cat6, 0 cat7
; CL prog 21/1: 6 sstall, 1 (ss), 39 systall, 1 (sy), 0 loops
; CL prog 21/1: 16 max_waves, 0 double_threadsize
; 5 preamble-instr, 1 early-preamble
