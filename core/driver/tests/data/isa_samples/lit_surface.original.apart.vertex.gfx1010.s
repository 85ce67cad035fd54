BB0:
	s_mov_b64 exec, -1                                          ; befe04c1
	s_setprio 3                                                 ; bf8f0003
	s_barrier                                                   ; bf8a0000
	s_bfe_u32 s0, s3, 0x40018                                   ; 9380ff03 00040018
	s_cmp_eq_i32 s0, 0                                          ; bf008000
	s_cbranch_scc0 BB3                                          ; bf840007
BB1:
	s_bfe_u32 s1, s2, 0x9000c                                   ; 9381ff02 0009000c
	s_bfe_u32 s2, s2, 0x90016                                   ; 9382ff02 00090016
	s_lshl_b32 s2, s2, 12                                       ; 8f028c02
	s_or_b32 m0, s2, s1                                         ; 887c0102
	s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)                         ; bf900009
BB3:
	v_lshlrev_b32_sdwa v3, 10, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1 ; 340600f9 0586068a
	v_or_b32_sdwa v3, v0, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD ; 380606f9 06040600
	v_lshl_or_b32 v1, v1, 20, v3                                ; d76f0001 040d2901
	s_lshr_b32 s1, s3, 8                                        ; 90018803
	s_bfm_b64 s[4:5], s1, 0                                     ; 92848001
	s_bitcmp1_b32 s1, 6                                         ; bf0d8601
	s_cselect_b64 exec, -1, s[4:5]                              ; 85fe04c1
	s_mov_b64 s[4:5], exec                                      ; be84047e
	s_cbranch_execz BB9                                         ; bf880004
BB4:
	v_lshlrev_b32_sdwa v0, 2, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0 ; 340000f9 04860682
	ds_write_b32 v0, v2                                         ; d8340000 00000200
BB9:
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_barrier                                                   ; bf8a0000
	s_bfm_b64 s[6:7], s3, 0                                     ; 92868003
	s_bitcmp1_b32 s3, 6                                         ; bf0d8603
	s_cselect_b64 exec, -1, s[6:7]                              ; 85fe06c1
	s_cbranch_execz BB15                                        ; bf880072
BB10:
	s_mov_b32 s6, s9                                            ; be860309
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_load_dwordx4 s[20:23], s[8:9], null                       ; f4080504 fa000000
	v_add_nc_u32_e32 v0, s6, v5                                 ; 4a000a06
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_waitcnt_vscnt null, 0x0                                   ; bbfd0000
	s_clause 0x3                                                ; bfa10003
	buffer_load_dwordx3 v[2:4], v0, s[20:23], 0 idxen           ; e03c2000 80050200
	buffer_load_dwordx3 v[5:7], v0, s[20:23], 0 idxen offset:16 ; e03c2010 80050500
	buffer_load_dwordx4 v[12:15], v0, s[20:23], 0 idxen offset:32 ; e0382020 80050c00
	buffer_load_dwordx2 v[10:11], v0, s[20:23], 0 idxen offset:48 ; e0342030 80050a00
	s_mov_b32 s2, s11                                           ; be82030b
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_waitcnt_depctr 0xffe3                                     ; bfa3ffe3
	s_clause 0x5                                                ; bfa10005
	s_load_dwordx4 s[20:23], s[2:3], 0x40                       ; f4080501 fa000040
	s_load_dwordx4 s[24:27], s[2:3], 0x50                       ; f4080601 fa000050
	s_load_dwordx4 s[28:31], s[2:3], 0x60                       ; f4080701 fa000060
	s_load_dwordx4 s[32:35], s[2:3], 0x70                       ; f4080801 fa000070
	s_load_dwordx4 s[36:39], s[2:3], 0x20                       ; f4080901 fa000020
	s_load_dwordx4 s[40:43], s[2:3], 0x30                       ; f4080a01 fa000030
	s_waitcnt vmcnt(3) lgkmcnt(0)                               ; bf8c0073
	v_mad_f32 v0, s28, v4, s32                                  ; d5410000 0082081c
	v_mad_f32 v9, s29, v4, s33                                  ; d5410009 0086081d
	v_mad_f32 v16, s30, v4, s34                                 ; d5410010 008a081e
	v_mad_f32 v4, s31, v4, s35                                  ; d5410004 008e081f
	v_mac_f32_e32 v0, s24, v3                                   ; 3e000618
	v_mac_f32_e32 v9, s25, v3                                   ; 3e120619
	v_mac_f32_e32 v16, s26, v3                                  ; 3e20061a
	v_mac_f32_e32 v4, s27, v3                                   ; 3e08061b
	v_mac_f32_e32 v0, s20, v2                                   ; 3e000414
	v_mac_f32_e32 v9, s21, v2                                   ; 3e120415
	v_mac_f32_e32 v16, s22, v2                                  ; 3e200416
	v_mac_f32_e32 v4, s23, v2                                   ; 3e080417
	v_mul_f32_e32 v2, s40, v4                                   ; 10040828
	v_mul_f32_e32 v3, s41, v4                                   ; 10060829
	v_mul_f32_e32 v17, s42, v4                                  ; 1022082a
	v_mul_f32_e32 v4, s43, v4                                   ; 1008082b
	v_mac_f32_e32 v2, s36, v16                                  ; 3e042024
	v_mac_f32_e32 v3, s37, v16                                  ; 3e062025
	v_mac_f32_e32 v17, s38, v16                                 ; 3e222026
	v_mac_f32_e32 v4, s39, v16                                  ; 3e082027
	v_mac_f32_e32 v2, s16, v9                                   ; 3e041210
	v_mac_f32_e32 v3, s17, v9                                   ; 3e061211
	v_mac_f32_e32 v17, s18, v9                                  ; 3e221212
	v_mac_f32_e32 v4, s19, v9                                   ; 3e081213
	v_mac_f32_e32 v2, s12, v0                                   ; 3e04000c
	v_mac_f32_e32 v3, s13, v0                                   ; 3e06000d
	v_mac_f32_e32 v17, s14, v0                                  ; 3e22000e
	v_mac_f32_e32 v4, s15, v0                                   ; 3e08000f
	exp pos0 v2, v3, v17, v4 done vm                            ; f80018cf 04110302
	v_add_nc_u32_e32 v8, s10, v8                                ; 4a10100a
	v_mov_b32_e32 v18, 1.0                                      ; 7e2402f2
	v_mbcnt_lo_u32_b32 v19, -1, 0                               ; d7650013 000100c1
	v_mbcnt_hi_u32_b32 v19, -1, v19                             ; d7660013 000226c1
	v_lshl_add_u32 v19, s0, 6, v19                              ; d7460013 044d0c00
	v_lshlrev_b32_e32 v19, 2, v19                               ; 34262682
	ds_read_b32 v19, v19                                        ; d8d80000 13000013
	s_waitcnt vmcnt(2)                                          ; bf8c3f72
	v_mul_f32_e32 v20, s28, v7                                  ; 10280e1c
	v_mul_f32_e32 v21, s29, v7                                  ; 102a0e1d
	v_mul_f32_e32 v7, s30, v7                                   ; 100e0e1e
	v_mac_f32_e32 v20, s24, v6                                  ; 3e280c18
	v_mac_f32_e32 v21, s25, v6                                  ; 3e2a0c19
	v_mac_f32_e32 v7, s26, v6                                   ; 3e0e0c1a
	v_mac_f32_e32 v20, s20, v5                                  ; 3e280a14
	v_mac_f32_e32 v21, s21, v5                                  ; 3e2a0a15
	v_mac_f32_e32 v7, s22, v5                                   ; 3e0e0a16
	s_waitcnt vmcnt(1)                                          ; bf8c3f71
	v_mul_f32_e32 v5, s28, v14                                  ; 100a1c1c
	v_mul_f32_e32 v6, s29, v14                                  ; 100c1c1d
	v_mul_f32_e32 v14, s30, v14                                 ; 101c1c1e
	v_mac_f32_e32 v5, s24, v13                                  ; 3e0a1a18
	v_mac_f32_e32 v6, s25, v13                                  ; 3e0c1a19
	v_mac_f32_e32 v14, s26, v13                                 ; 3e1c1a1a
	v_mac_f32_e32 v5, s20, v12                                  ; 3e0a1814
	v_mac_f32_e32 v6, s21, v12                                  ; 3e0c1815
	v_mac_f32_e32 v14, s22, v12                                 ; 3e1c1816
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	exp param6 v19, off, off, off                               ; f8000261 80808013
	exp param0 v0, v9, v16, off                                 ; f8000207 80100900
	exp param1 v20, v21, v7, off                                ; f8000217 80071514
	exp param2 v5, v6, v14, v15                                 ; f800022f 0f0e0605
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	exp param3 v10, v11, off, off                               ; f8000233 80800b0a
	exp param4 v18, v18, v18, v18                               ; f800024f 12121212
	exp param5 v8, off, off, off                                ; f8000251 80808008
BB15:
	s_waitcnt expcnt(0)                                         ; bf8cff0f
	s_mov_b64 exec, s[4:5]                                      ; befe0404
	s_cbranch_execz BB21                                        ; bf880002
BB16:
	exp prim v1, off, off, off done                             ; f8000941 80808001
BB21:
	s_endpgm                                                    ; bf810000
