BB0:
	s_setprio 3                                                 ; bf8f0003
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx4 s[4:7], s[2:3], 0x0                          ; c00a0101 00000000
	v_add_u32_e32 v0, s0, v0                                    ; 68000000
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 idxen             ; e05c2000 80010400
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_cvt_f16_f32_e32 v3, v6                                    ; 7e061506
	v_cvt_f16_f32_e32 v0, v7                                    ; 7e001507
	exp pos0 v4, v5, v6, v7 done                                ; c40008cf 07060504
	v_cvt_f16_f32_e32 v1, v4                                    ; 7e021504
	v_cvt_f16_f32_e32 v8, v5                                    ; 7e101505
	exp param0 v2, off, off, off                                ; c4000201 80808002
	exp param1 v4, v5, off, off                                 ; c4000213 80800504
	exp param2 v1, v8, v3, v0                                   ; c400022f 00030801
	exp param3 v1, v8, v3, v0                                   ; c400023f 00030801
	exp param4 v1, off, off, off                                ; c4000241 80808001
	exp param5 v1, v8, off, off                                 ; c4000253 80800801
	s_endpgm                                                    ; bf810000
