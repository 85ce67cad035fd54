Native code for unnamed CL shader  with blake3 f2e53acee59dad4d234529bfa8cbe5ec8c28f55f562e563ef76823eae50cd8c6:
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
getfiberid.u32 r1.x
mov.u32u32 r0.w, 0x80000000
(rpt1)nop
mov.u32u32 r1.z, r0.w
(ss)add.u r0.x, r48.x, (last)r0.x
cmps.u.lt p0.x, r1.x, 4
cmps.u.lt p0.y, r1.x, 8
cmps.u.lt p0.z, r1.x, 12
(nop1) cmps.u.lt p0.w, r1.x, 16
ldib.b.untyped.1d.u32.1.imm.base0 r1.y, r0.x, 0
(sy)brcst.active.w2 (u32)(x)r1.z, r1.y
(sy)(nop3) max.s r1.z, r1.y, (last)r1.z
(rpt1)nop
brcst.active.w4 (u32)(x)r0.w, r1.z
(sy)max.s r1.z, (last)r1.z, (last)r0.w
br !p0.x, #l27
getlast.w8 #l25
nop
mov.u32u32 r48.w, r1.z
l25:
(ss)(jp)mov.u32u32 r1.w, r48.w
jump #l230
l27:
(jp)br !p0.y, #l33
getlast.w8 #l31
nop
mov.u32u32 r49.x, r1.z
l31:
(ss)(jp)mov.u32u32 r1.w, r49.x
jump #l230
l33:
(jp)br !p0.z, #l39
getlast.w8 #l37
nop
mov.u32u32 r49.y, r1.z
l37:
(ss)(jp)mov.u32u32 r1.w, r49.y
jump #l230
l39:
(jp)br !p0.w, #l45
getlast.w8 #l43
nop
mov.u32u32 r49.z, r1.z
l43:
(ss)(jp)mov.u32u32 r1.w, r49.z
jump #l230
l45:
(jp)cmps.u.lt p0.x, r1.x, 20
cmps.u.lt p0.y, r1.x, 24
cmps.u.lt p0.z, r1.x, 28
(nop2) cmps.u.lt p0.w, r1.x, 32
br !p0.x, #l54
getlast.w8 #l52
mov.u32u32 r49.w, r1.z
l52:
(ss)(jp)mov.u32u32 r1.w, r49.w
jump #l230
l54:
(jp)nop
br !p0.y, #l60
getlast.w8 #l58
mov.u32u32 r50.x, r1.z
l58:
(ss)(jp)mov.u32u32 r1.w, r50.x
jump #l230
l60:
(jp)nop
br !p0.z, #l66
getlast.w8 #l64
mov.u32u32 r50.y, r1.z
l64:
(ss)(jp)mov.u32u32 r1.w, r50.y
jump #l230
l66:
(jp)nop
br !p0.w, #l72
getlast.w8 #l70
mov.u32u32 r50.z, r1.z
l70:
(ss)(jp)mov.u32u32 r1.w, r50.z
jump #l230
l72:
(jp)cmps.u.lt p0.x, r1.x, 36
cmps.u.lt p0.y, r1.x, 40
cmps.u.lt p0.z, r1.x, 44
(nop2) cmps.u.lt p0.w, r1.x, 48
br !p0.x, #l81
getlast.w8 #l79
mov.u32u32 r50.w, r1.z
l79:
(ss)(jp)mov.u32u32 r1.w, r50.w
jump #l230
l81:
(jp)nop
br !p0.y, #l87
getlast.w8 #l85
mov.u32u32 r51.x, r1.z
l85:
(ss)(jp)mov.u32u32 r1.w, r51.x
jump #l230
l87:
(jp)nop
br !p0.z, #l93
getlast.w8 #l91
mov.u32u32 r51.y, r1.z
l91:
(ss)(jp)mov.u32u32 r1.w, r51.y
jump #l230
l93:
(jp)nop
br !p0.w, #l99
getlast.w8 #l97
mov.u32u32 r51.z, r1.z
l97:
(ss)(jp)mov.u32u32 r1.w, r51.z
jump #l230
l99:
(jp)cmps.u.lt p0.x, r1.x, 52
cmps.u.lt p0.y, r1.x, 56
cmps.u.lt p0.z, r1.x, 60
(nop2) cmps.u.lt p0.w, r1.x, 64
br !p0.x, #l108
getlast.w8 #l106
mov.u32u32 r51.w, r1.z
l106:
(ss)(jp)mov.u32u32 r1.w, r51.w
jump #l230
l108:
(jp)nop
br !p0.y, #l114
getlast.w8 #l112
mov.u32u32 r52.x, r1.z
l112:
(ss)(jp)mov.u32u32 r1.w, r52.x
jump #l230
l114:
(jp)nop
br !p0.z, #l120
getlast.w8 #l118
mov.u32u32 r52.y, r1.z
l118:
(ss)(jp)mov.u32u32 r1.w, r52.y
jump #l230
l120:
(jp)nop
br !p0.w, #l126
getlast.w8 #l124
mov.u32u32 r52.z, r1.z
l124:
(ss)(jp)mov.u32u32 r1.w, r52.z
jump #l230
l126:
(jp)cmps.u.lt p0.x, r1.x, 68
cmps.u.lt p0.y, r1.x, 72
cmps.u.lt p0.z, r1.x, 76
(nop2) cmps.u.lt p0.w, r1.x, 80
br !p0.x, #l135
getlast.w8 #l133
mov.u32u32 r52.w, r1.z
l133:
(ss)(jp)mov.u32u32 r1.w, r52.w
jump #l230
l135:
(jp)nop
br !p0.y, #l141
getlast.w8 #l139
mov.u32u32 r53.x, r1.z
l139:
(ss)(jp)mov.u32u32 r1.w, r53.x
jump #l230
l141:
(jp)nop
br !p0.z, #l147
getlast.w8 #l145
mov.u32u32 r53.y, r1.z
l145:
(ss)(jp)mov.u32u32 r1.w, r53.y
jump #l230
l147:
(jp)nop
br !p0.w, #l153
getlast.w8 #l151
mov.u32u32 r53.z, r1.z
l151:
(ss)(jp)mov.u32u32 r1.w, r53.z
jump #l230
l153:
(jp)cmps.u.lt p0.x, r1.x, 84
cmps.u.lt p0.y, r1.x, 88
cmps.u.lt p0.z, r1.x, 92
(nop2) cmps.u.lt p0.w, r1.x, 96
br !p0.x, #l162
getlast.w8 #l160
mov.u32u32 r53.w, r1.z
l160:
(ss)(jp)mov.u32u32 r1.w, r53.w
jump #l230
l162:
(jp)nop
br !p0.y, #l168
getlast.w8 #l166
mov.u32u32 r54.x, r1.z
l166:
(ss)(jp)mov.u32u32 r1.w, r54.x
jump #l230
l168:
(jp)nop
br !p0.z, #l174
getlast.w8 #l172
mov.u32u32 r54.y, r1.z
l172:
(ss)(jp)mov.u32u32 r1.w, r54.y
jump #l230
l174:
(jp)nop
br !p0.w, #l180
getlast.w8 #l178
mov.u32u32 r54.z, r1.z
l178:
(ss)(jp)mov.u32u32 r1.w, r54.z
jump #l230
l180:
(jp)cmps.u.lt p0.x, r1.x, 100
cmps.u.lt p0.y, r1.x, 104
cmps.u.lt p0.z, r1.x, 108
(nop2) cmps.u.lt p0.w, r1.x, 112
br !p0.x, #l189
getlast.w8 #l187
mov.u32u32 r54.w, r1.z
l187:
(ss)(jp)mov.u32u32 r1.w, r54.w
jump #l230
l189:
(jp)nop
br !p0.y, #l195
getlast.w8 #l193
mov.u32u32 r55.x, r1.z
l193:
(ss)(jp)mov.u32u32 r1.w, r55.x
jump #l230
l195:
(jp)nop
br !p0.z, #l201
getlast.w8 #l199
mov.u32u32 r55.y, r1.z
l199:
(ss)(jp)mov.u32u32 r1.w, r55.y
jump #l230
l201:
(jp)nop
br !p0.w, #l207
getlast.w8 #l205
mov.u32u32 r55.z, r1.z
l205:
(ss)(jp)mov.u32u32 r1.w, r55.z
jump #l230
l207:
(jp)cmps.u.lt p0.x, r1.x, 116
cmps.u.lt p0.y, r1.x, 120
(nop3) cmps.u.lt p0.z, (last)r1.x, 124
br !p0.x, #l215
getlast.w8 #l213
mov.u32u32 r55.w, r1.z
l213:
(ss)(jp)mov.u32u32 r1.w, r55.w
jump #l230
l215:
(jp)nop
br !p0.y, #l221
getlast.w8 #l219
mov.u32u32 r48.x, r1.z
l219:
(ss)(jp)mov.u32u32 r1.w, r48.x
jump #l230
l221:
(jp)nop
br !p0.z, #l227
getlast.w8 #l225
mov.u32u32 r48.y, r1.z
l225:
(ss)(jp)mov.u32u32 r1.w, r48.y
jump #l230
l227:
(jp)getlast.w8 #l229
mov.u32u32 r48.z, (last)r1.z
l229:
(ss)(jp)mov.u32u32 r1.w, r48.z
l230:
(jp)(rpt1)nop
(nop3) add.u r1.w, (last)r1.w, (last)r1.y
(rpt1)nop
stib.b.untyped.1d.u32.1.imm.base0 r1.w, r0.x, 0
end
nop
nop
nop
nop
nop
; CL: outputs:
; CL: inputs: r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47 cm=7,il=0,b=0) r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 cm=7,il=0,b=0)
; CL prog 21/1: 257 instr, 54 nops, 203 non-nops, 66 mov, 0 cov, 480 dwords
; CL prog 21/1: 0 last-baryf, 0 last-helper, 0 half, 2 full, 4 constlen
; CL prog 21/1: 149 cat0, 66 cat1, 37 cat2, 0 cat3, 0 cat4, 2 cat5, 3 cat6, 0 cat7
; CL prog 21/1: 198 sstall, 33 (ss), 144 systall, 3 (sy), 0 loops
; CL prog 21/1: 16 max_waves, 0 double_threadsize
; 4 preamble-instr, 1 early-preamble
