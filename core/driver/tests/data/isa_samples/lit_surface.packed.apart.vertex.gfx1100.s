BB0:
	s_mov_b64 exec, -1                                          ; befe01c1
	s_setprio 3                                                 ; bfb50003
	v_bfe_u32 v3, v0, 0, 16                                     ; d6100003 02410100
	v_lshrrev_b32_e32 v0, 16, v0                                ; 32000090
	v_bfe_u32 v1, v1, 0, 16                                     ; d6100001 02410101
	s_bfe_u32 s4, s3, 0x40018                                   ; 9304ff03 00040018
	s_cmp_eq_i32 s4, 0                                          ; bf008004
	s_cbranch_scc0 BB3                                          ; bfa10007
BB1:
	s_bfe_u32 s6, s2, 0x9000c                                   ; 9306ff02 0009000c
	s_bfe_u32 s2, s2, 0x90016                                   ; 9302ff02 00090016
	s_lshl_b32 s2, s2, 12                                       ; 84028c02
	s_or_b32 m0, s2, s6                                         ; 8c7d0602
	s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)                         ; bfb60009
BB3:
	v_lshl_or_b32 v0, v0, 10, v3                                ; d6560000 040d1500
	v_lshl_or_b32 v4, v1, 20, v0                                ; d6560004 04012901
	s_lshr_b32 s2, s3, 8                                        ; 85028803
	s_bfm_b64 s[6:7], s2, 0                                     ; 95868002
	s_bitcmp1_b32 s2, 6                                         ; bf0d8602
	s_cselect_b64 exec, -1, s[6:7]                              ; 98fe06c1
	s_mov_b64 s[6:7], exec                                      ; be86017e
	s_cbranch_execz BB9                                         ; bfa50003
BB4:
	v_lshlrev_b32_e32 v3, 2, v3                                 ; 30060682
	ds_store_b32 v3, v2                                         ; d8340000 00000203
BB9:
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	s_barrier                                                   ; bfbd0000
	s_bfm_b64 s[20:21], s3, 0                                   ; 95948003
	s_bitcmp1_b32 s3, 6                                         ; bf0d8603
	s_cselect_b64 exec, -1, s[20:21]                            ; 98fe14c1
	s_cbranch_execz BB15                                        ; bfa50054
BB10:
	s_mov_b32 s2, s9                                            ; be820009
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_load_b128 s[20:23], s[8:9], null                          ; f4080504 f8000000
	v_add_nc_u32_e32 v5, s2, v5                                 ; 4a0a0a02
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	s_clause 0x2                                                ; bf850002
	buffer_load_b96 v[0:2], v5, s[20:23], 0 idxen               ; e0580000 80850005
	buffer_load_b96 v[9:11], v5, s[20:23], 0 idxen offset:16    ; e0580010 80850905
	buffer_load_b64 v[6:7], v5, s[20:23], 0 idxen offset:48     ; e0540030 80850605
	s_mov_b32 s8, s11                                           ; be88000b
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_clause 0x5                                                ; bf850005
	s_load_b128 s[20:23], s[8:9], 0x40                          ; f4080504 f8000040
	s_load_b128 s[24:27], s[8:9], 0x50                          ; f4080604 f8000050
	s_load_b128 s[28:31], s[8:9], 0x60                          ; f4080704 f8000060
	s_load_b128 s[32:35], s[8:9], 0x70                          ; f4080804 f8000070
	s_load_b128 s[36:39], s[8:9], 0x20                          ; f4080904 f8000020
	s_load_b128 s[40:43], s[8:9], 0x30                          ; f4080a04 f8000030
	s_waitcnt vmcnt(2) lgkmcnt(0)                               ; bf890807
	v_fma_f32 v3, s28, v2, s32                                  ; d6130003 0082041c
	v_fma_f32 v5, s29, v2, s33                                  ; d6130005 0086041d
	v_fma_f32 v12, s30, v2, s34                                 ; d613000c 008a041e
	v_fma_f32 v2, s31, v2, s35                                  ; d6130002 008e041f
	v_fmac_f32_e32 v3, s24, v1                                  ; 56060218
	v_fmac_f32_e32 v5, s25, v1                                  ; 560a0219
	v_fmac_f32_e32 v12, s26, v1                                 ; 5618021a
	v_fmac_f32_e32 v2, s27, v1                                  ; 5604021b
	v_fmac_f32_e32 v3, s20, v0                                  ; 56060014
	v_fmac_f32_e32 v5, s21, v0                                  ; 560a0015
	v_fmac_f32_e32 v12, s22, v0                                 ; 56180016
	v_fmac_f32_e32 v2, s23, v0                                  ; 56040017
	v_mul_f32_e32 v0, s40, v2                                   ; 10000428
	v_mul_f32_e32 v1, s41, v2                                   ; 10020429
	v_mul_f32_e32 v13, s42, v2                                  ; 101a042a
	v_mul_f32_e32 v2, s43, v2                                   ; 1004042b
	v_fmac_f32_e32 v0, s36, v12                                 ; 56001824
	v_fmac_f32_e32 v1, s37, v12                                 ; 56021825
	v_fmac_f32_e32 v13, s38, v12                                ; 561a1826
	v_fmac_f32_e32 v2, s39, v12                                 ; 56041827
	v_fmac_f32_e32 v0, s16, v5                                  ; 56000a10
	v_fmac_f32_e32 v1, s17, v5                                  ; 56020a11
	v_fmac_f32_e32 v13, s18, v5                                 ; 561a0a12
	v_fmac_f32_e32 v2, s19, v5                                  ; 56040a13
	v_fmac_f32_e32 v0, s12, v3                                  ; 5600060c
	v_fmac_f32_e32 v1, s13, v3                                  ; 5602060d
	v_fmac_f32_e32 v13, s14, v3                                 ; 561a060e
	v_fmac_f32_e32 v2, s15, v3                                  ; 5604060f
	exp pos0 v0, v1, v13, v2 done                               ; f80008cf 020d0100
	v_add_nc_u32_e32 v8, s10, v8                                ; 4a10100a
	v_mbcnt_lo_u32_b32 v14, -1, 0                               ; d71f000e 000100c1
	v_mbcnt_hi_u32_b32 v14, -1, v14                             ; d720000e 00021cc1
	v_lshl_add_u32 v14, s4, 6, v14                              ; d646000e 04390c04
	v_lshlrev_b32_e32 v14, 2, v14                               ; 301c1c82
	ds_load_b32 v14, v14                                        ; d8d80000 0e00000e
	s_waitcnt vmcnt(1)                                          ; bf8907f7
	v_mul_f32_e32 v15, s28, v11                                 ; 101e161c
	v_mul_f32_e32 v16, s29, v11                                 ; 1020161d
	v_mul_f32_e32 v11, s30, v11                                 ; 1016161e
	v_fmac_f32_e32 v15, s24, v10                                ; 561e1418
	v_fmac_f32_e32 v16, s25, v10                                ; 56201419
	v_fmac_f32_e32 v11, s26, v10                                ; 5616141a
	v_fmac_f32_e32 v15, s20, v9                                 ; 561e1214
	v_fmac_f32_e32 v16, s21, v9                                 ; 56201215
	v_fmac_f32_e32 v11, s22, v9                                 ; 56161216
	s_mov_b32 s2, 1.0                                           ; be8200f2
BB15:
	s_waitcnt expcnt(0)                                         ; bf89fff0
	s_mov_b64 exec, s[6:7]                                      ; befe0106
	s_cbranch_execz BB21                                        ; bfa50002
BB16:
	exp prim v4, off, off, off done                             ; f8000941 80808004
BB21:
	s_load_b128 s[8:11], s[0:1], 0xa0                           ; f4080200 f80000a0
	s_add_u32 s3, s3, 7                                         ; 80038703
	s_and_b32 s3, s3, -8                                        ; 8b03c803
	s_bfm_b64 s[0:1], s3, 0                                     ; 95808003
	s_bitcmp1_b32 s3, 6                                         ; bf0d8603
	s_waitcnt expcnt(0)                                         ; bf89fff0
	s_cselect_b64 exec, -1, s[0:1]                              ; 98fe00c1
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	s_or_b32 s9, s9, 0x500000                                   ; 8c09ff09 00500000
	s_cbranch_execz BB27                                        ; bfa5002b
BB22:
	s_and_b32 s3, s5, 0x7fff                                    ; 8b03ff05 00007fff
	s_lshl_b32 s3, s3, 9                                        ; 84038903
	v_mbcnt_lo_u32_b32 v4, -1, 0                                ; d71f0004 000100c1
	v_mbcnt_hi_u32_b32 v4, -1, v4                               ; d7200004 000208c1
	v_lshl_add_u32 v4, s4, 6, v4                                ; d6460004 04110c04
	s_add_i32 s0, s3, 0x800                                     ; 8100ff03 00000800
	v_mov_b32_e32 v20, v14                                      ; 7e28030e
	v_lshrrev_b64 v[21:22], 0, 0                                ; d73d0015 00010080
	v_mov_b32_e32 v23, 0                                        ; 7e2e0280
	buffer_store_b128 v[20:23], v4, s[8:11], s0 idxen           ; e0740000 00821404
	v_mov_b32_e32 v14, v12                                      ; 7e1c030c
	v_mov_b32_e32 v12, v3                                       ; 7e180303
	v_mov_b32_e32 v13, v5                                       ; 7e1a0305
	buffer_store_b128 v[12:15], v4, s[8:11], s3 idxen           ; e0740000 03820c04
	s_add_i32 s0, s3, 0x200                                     ; 8100ff03 00000200
	v_swap_b32 v4, v16                                          ; 7e08cb10
	v_mov_b32_e32 v5, v11                                       ; 7e0a030b
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	buffer_store_b128 v[4:7], v16, s[8:11], s0 idxen            ; e0740000 00820410
	s_add_i32 s0, s3, 0x400                                     ; 8100ff03 00000400
	v_mov_b32_e32 v0, s2                                        ; 7e000202
	v_mov_b32_e32 v1, s2                                        ; 7e020202
	v_mov_b32_e32 v2, s2                                        ; 7e040202
	v_mov_b32_e32 v3, 0                                         ; 7e060280
	buffer_store_b128 v[0:3], v16, s[8:11], s0 idxen            ; e0740000 00820010
	s_addk_i32 s3, 0x600                                        ; b7830600
	v_lshrrev_b64 v[9:10], 0, 0                                 ; d73d0009 00010080
	v_mov_b32_e32 v11, 0                                        ; 7e160280
	buffer_store_b128 v[8:11], v16, s[8:11], s3 idxen           ; e0740000 03820810
BB27:
	s_endpgm                                                    ; bfb00000
