BB0:
	s_setprio 3                                                 ; bf8f0003
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx4 s[16:19], s[2:3], 0x0                        ; c00a0401 00000000
	v_add_u32_e32 v0, s0, v0                                    ; 68000000
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	buffer_load_dwordx3 v[3:5], v0, s[16:19], 0 idxen           ; e0582000 80040300
	buffer_load_dwordx3 v[6:8], v0, s[16:19], 0 idxen offset:16 ; e0582010 80040600
	buffer_load_dwordx2 v[10:11], v0, s[16:19], 0 idxen offset:48 ; e0542030 80040a00
	s_mov_b32 s0, s5                                            ; be800005
	s_movk_i32 s1, 0x8000                                       ; b0018000
	s_load_dwordx4 s[16:19], s[0:1], 0x40                       ; c00a0400 00000040
	s_load_dwordx4 s[20:23], s[0:1], 0x50                       ; c00a0500 00000050
	s_load_dwordx4 s[24:27], s[0:1], 0x60                       ; c00a0600 00000060
	s_load_dwordx4 s[28:31], s[0:1], 0x70                       ; c00a0700 00000070
	s_load_dwordx4 s[32:35], s[0:1], 0x20                       ; c00a0800 00000020
	s_load_dwordx4 s[0:3], s[0:1], 0x30                         ; c00a0000 00000030
	s_waitcnt vmcnt(2) lgkmcnt(0)                               ; bf8c0072
	v_mul_f32_e32 v0, s24, v5                                   ; 0a000a18
	v_mul_f32_e32 v9, s25, v5                                   ; 0a120a19
	v_mul_f32_e32 v12, s26, v5                                  ; 0a180a1a
	v_mul_f32_e32 v5, s27, v5                                   ; 0a0a0a1b
	v_add_f32_e32 v0, s28, v0                                   ; 0200001c
	v_add_f32_e32 v9, s29, v9                                   ; 0212121d
	v_add_f32_e32 v12, s30, v12                                 ; 0218181e
	v_add_f32_e32 v5, s31, v5                                   ; 020a0a1f
	v_mac_f32_e32 v0, s20, v4                                   ; 2c000814
	v_mac_f32_e32 v9, s21, v4                                   ; 2c120815
	v_mac_f32_e32 v12, s22, v4                                  ; 2c180816
	v_mac_f32_e32 v5, s23, v4                                   ; 2c0a0817
	v_mac_f32_e32 v0, s16, v3                                   ; 2c000610
	v_mac_f32_e32 v9, s17, v3                                   ; 2c120611
	v_mac_f32_e32 v12, s18, v3                                  ; 2c180612
	v_mac_f32_e32 v5, s19, v3                                   ; 2c0a0613
	v_mul_f32_e32 v3, s0, v5                                    ; 0a060a00
	v_mul_f32_e32 v4, s1, v5                                    ; 0a080a01
	v_mul_f32_e32 v13, s2, v5                                   ; 0a1a0a02
	v_mul_f32_e32 v5, s3, v5                                    ; 0a0a0a03
	v_mac_f32_e32 v3, s32, v12                                  ; 2c061820
	v_mac_f32_e32 v4, s33, v12                                  ; 2c081821
	v_mac_f32_e32 v13, s34, v12                                 ; 2c1a1822
	v_mac_f32_e32 v5, s35, v12                                  ; 2c0a1823
	v_mac_f32_e32 v3, s10, v9                                   ; 2c06120a
	v_mac_f32_e32 v4, s11, v9                                   ; 2c08120b
	v_mac_f32_e32 v13, s12, v9                                  ; 2c1a120c
	v_mac_f32_e32 v5, s13, v9                                   ; 2c0a120d
	v_mac_f32_e32 v3, s6, v0                                    ; 2c060006
	v_mac_f32_e32 v4, s7, v0                                    ; 2c080007
	v_mac_f32_e32 v13, s8, v0                                   ; 2c1a0008
	v_mac_f32_e32 v5, s9, v0                                    ; 2c0a0009
	exp pos0 v3, v4, v13, v5 done                               ; c40008cf 050d0403
	v_add_u32_e32 v1, s4, v1                                    ; 68020204
	v_mov_b32_e32 v14, 1.0                                      ; 7e1c02f2
	s_waitcnt vmcnt(1)                                          ; bf8c3f71
	v_mul_f32_e32 v15, s24, v8                                  ; 0a1e1018
	v_mul_f32_e32 v16, s25, v8                                  ; 0a201019
	v_mul_f32_e32 v8, s26, v8                                   ; 0a10101a
	v_mac_f32_e32 v15, s20, v7                                  ; 2c1e0e14
	v_mac_f32_e32 v16, s21, v7                                  ; 2c200e15
	v_mac_f32_e32 v8, s22, v7                                   ; 2c100e16
	v_mac_f32_e32 v15, s16, v6                                  ; 2c1e0c10
	v_mac_f32_e32 v16, s17, v6                                  ; 2c200c11
	v_mac_f32_e32 v8, s18, v6                                   ; 2c100c12
	exp param0 v2, off, off, off                                ; c4000201 80808002
	exp param1 v0, v9, v12, v15                                 ; c400021f 0f0c0900
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	exp param2 v16, v8, v10, v11                                ; c400022f 0b0a0810
	exp param3 v14, v14, v14, off                               ; c4000237 800e0e0e
	exp param4 v1, off, off, off                                ; c4000241 80808001
	s_endpgm                                                    ; bf810000
