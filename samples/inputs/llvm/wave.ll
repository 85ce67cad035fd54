; A test as compilers of DXIL have them: what is expected, then the program.
; RUN: dxc-opt %s | FileCheck %s
; CHECK: call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)
; CHECK: call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)

define void @main() {
  %wave = call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)  ; GetGroupWaveIndex()
  %x = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  call void @dx.op.barrier(i32 80, i32 1)
  ret void
}

declare i32 @dx.op.getGroupWaveIndex(i32)
declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)
declare void @dx.op.barrier(i32, i32)
