BB0:
	s_setprio 3                                                 ; bf8f0003
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx4 s[8:11], s[2:3], 0x0                         ; c00a0201 00000000
	v_add_u32_e32 v0, s0, v0                                    ; 68000000
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 idxen            ; e05c2000 80020400
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_rcp_f32_e32 v0, v7                                        ; 7e004507
	exp pos0 v4, v5, v6, v7 done                                ; c40008cf 07060504
	v_add_u32_e32 v1, s4, v1                                    ; 68020204
	v_mul_f32_e32 v3, v4, v0                                    ; 0a060104
	v_mul_f32_e32 v0, v5, v0                                    ; 0a000105
	v_mul_f32_e32 v8, 0x41000000, v4                            ; 0a1008ff 41000000
	v_mul_f32_e32 v9, 0x41000000, v5                            ; 0a120aff 41000000
	v_cvt_i32_f32_e32 v8, v8                                    ; 7e101108
	v_cvt_i32_f32_e32 v9, v9                                    ; 7e121109
	exp param0 v2, off, off, off                                ; c4000201 80808002
	exp param1 v4, v5, off, off                                 ; c4000213 80800504
	exp param2 v3, v0, off, off                                 ; c4000223 80800003
	exp param3 v4, v5, v6, off                                  ; c4000237 80060504
	exp param4 v1, v8, v9, off                                  ; c4000247 80090801
	s_endpgm                                                    ; bf810000
