//! Lane-instructions per second, for arithmetic and for memory, at each wave size; and stepping back.

#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanescope_interpreter::debugger::Debugger;
use lanescope_interpreter::{Buffer, Checks, Dispatch, Inputs, LaneMap, Machine, Options, Program};
use support::Shader;

/// A loop of `count` iterations around instructions on the float `%x` and the integer `%n`, which end as `%y` and `%m`.
fn looped(count: u32, body: &str) -> Shader {
    looped_in(64, count, body)
}

/// The same in workgroups of a size.
fn looped_in(size: u32, count: u32, body: &str) -> Shader {
    Shader::new(
        size,
        &format!(
            "%start = OpConvertUToF %float %index
             OpBranch %head
             %head = OpLabel
             %i = OpPhi %uint %u:0 %entry %next %continue
             %x = OpPhi %float %start %entry %y %continue
             %n = OpPhi %uint %index %entry %m %continue
             OpLoopMerge %merge %continue None
             OpBranch %body
             %body = OpLabel
             {body}
             OpBranch %continue
             %continue = OpLabel
             %next = OpIAdd %uint %i %u:1
             %less = OpULessThan %bool %next %u:{count}
             OpBranchConditional %less %head %merge
             %merge = OpLabel
             %bits = OpBitcast %uint %x
             %both = OpBitwiseXor %uint %bits %n
             store %index %both"
        ),
    )
}

fn arithmetic() -> Shader {
    let lines: Vec<String> = (0..16)
        .map(|at| {
            let (x, n) = if at == 0 { ("x".into(), "n".into()) } else { (format!("x{at}"), format!("n{at}")) };
            let (y, m) =
                if at == 15 { ("y".into(), "m".into()) } else { (format!("x{}", at + 1), format!("n{}", at + 1)) };
            format!(
                "%a{at} = OpFMul %float %{x} %f:0.999
                 %{y} = OpFAdd %float %a{at} %f:0.25
                 %b{at} = OpIMul %uint %{n} %u:1664525
                 %{m} = OpIAdd %uint %b{at} %u:1013904223"
            )
        })
        .collect();
    looped(1000, &lines.join("\n"))
}

fn memory() -> Shader {
    looped(
        1000,
        "%y = OpFAdd %float %x %f:1.0
         %at = OpBitwiseAnd %uint %n %u:63
         %old = fetch %at
         %slot = OpIAdd %uint %index %u:64
         store %slot %old
         %again = fetch %index
         %m = OpIAdd %uint %n %again",
    )
}

/// Two barriers around reads of workgroup memory.
fn barriers() -> Shader {
    looped_in(
        1024,
        50,
        "barrier
         %own = OpBitwiseAnd %uint %index %u:255
         %seen = shared %own
         barrier
         %m = OpIAdd %uint %n %seen
         %y = OpFAdd %float %x %f:1.0",
    )
}

/// Relaxed atomics on workgroup memory: a histogram.
fn atomics() -> Shader {
    looped_in(
        1024,
        50,
        "%sum = OpIAdd %uint %index %i
         %bin = OpBitwiseAnd %uint %sum %u:15
         %p = OpAccessChain %ptr_Workgroup_uint %shared %bin
         %m = OpAtomicIAdd %uint %p %u:2 %u:0 %u:1
         %y = OpFAdd %float %x %f:1.0",
    )
}

/// Each workgroup tells the device with a release, and acquires.
fn last() -> Shader {
    looped_in(
        64,
        1,
        "store %global %n
         OpMemoryBarrier %u:1 %u:72
         barrier
         %p = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:1000
         %one = OpIEqual %bool %index %u:0
         OpSelectionMerge %told None
         OpBranchConditional %one %tell %told
         %tell = OpLabel
         %old = OpAtomicIAdd %uint %p %u:1 %u:72 %u:1
         OpBranch %told
         %told = OpLabel
         %m = OpIAdd %uint %n %u:1
         %y = OpFAdd %float %x %f:1.0",
    )
}

/// Workgroup memory that all write and all read in turn.
fn tiled() -> Shader {
    looped_in(
        256,
        8,
        &format!(
            "share %index %n
             barrier
             %s0 = OpIAdd %uint %index %u:1
             {}
             barrier
             %m = OpIAdd %uint %n %s32
             %y = OpFAdd %float %x %f:1.0",
            (0..32)
                .map(|at| {
                    format!(
                        "%k{at} = OpIAdd %uint %index %u:{at}
                         %a{at} = OpBitwiseAnd %uint %k{at} %u:255
                         %v{at} = shared %a{at}
                         %s{} = OpIAdd %uint %s{at} %v{at}\n",
                        at + 1
                    )
                })
                .collect::<String>()
        ),
    )
}

/// Programs whose invocations synchronize, in several workgroups.
fn synchronization(c: &mut Criterion) {
    let mut group = c.benchmark_group("synchronization");
    group.sample_size(20);
    let programs = [
        ("barriers", barriers(), 1024, 1),
        ("atomics", atomics(), 1024, 2),
        ("tiled", tiled(), 256, 8),
        ("last", last(), 64, 200),
    ];
    for (name, shader, invocations, groups) in programs {
        let fresh = grid(&shader, (64, invocations), groups, true);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut machine = fresh.clone();
                machine.run();
                machine.steps()
            });
        });
    }
    group.finish();
}

fn machine(shader: &Shader, size: u32, checks: bool) -> Machine {
    grid(shader, (size, 64), 1, checks)
}

fn grid(shader: &Shader, (size, invocations): (u32, u32), groups: u32, checks: bool) -> Machine {
    let module = shader.module();
    let program = Program::decode(&module, &module.entry_points()[0]).expect("decodes");
    let bytes = vec![0; 4096];
    let inputs = Inputs {
        buffers: vec![
            Buffer { bytes: bytes.clone(), ..Buffer::default() },
            Buffer { binding: 1, bytes, ..Buffer::default() },
        ],
        ..Inputs::default()
    };
    let dispatch = Dispatch { groups: [groups, 1, 1], only: None, lanes: LaneMap::linear(size, invocations) };
    let checks = Checks { races: checks, uninitialized: checks, nan: checks };
    let options = Options { checks, ..Options::default() };
    Machine::new(Arc::new(program), &inputs, &dispatch, &options).expect("a machine")
}

fn throughput(c: &mut Criterion) {
    let mut group = c.benchmark_group("interpret");
    group.sample_size(20);
    for (name, shader) in [("arithmetic", arithmetic()), ("memory", memory())] {
        for size in [8, 32, 64] {
            for checks in [false, true] {
                let fresh = machine(&shader, size, checks);
                let mut counted = fresh.clone();
                counted.run();
                group.throughput(Throughput::Elements(counted.lane_steps()));
                let label = if checks { "checked" } else { "unchecked" };
                group.bench_function(format!("{name}/{size}/{label}"), |b| {
                    b.iter(|| {
                        let mut machine = fresh.clone();
                        machine.run();
                        machine.steps()
                    });
                });
            }
        }
    }
    group.finish();
}

/// Going back from the end of a long run by steps of all waves: the time until the earlier state is there.
fn stepping_back(c: &mut Criterion) {
    let mut group = c.benchmark_group("debugger");
    group.sample_size(10);
    let lines = (0..64).map(|at| {
        let (n, m) = if at == 0 { ("n".into(), "n1".into()) } else { (format!("n{at}"), format!("n{}", at + 1)) };
        let m = if at == 63 { "m".to_owned() } else { m };
        format!("%b{at} = OpIMul %uint %{n} %u:1664525\n%{m} = OpIAdd %uint %b{at} %u:1013904223")
    });
    let body = format!("{}\n%y = OpFAdd %float %x %f:1.0", lines.collect::<Vec<_>>().join("\n"));
    for size in [8, 64] {
        let waves = 64 / size;
        // Some five million steps.
        let shader = looped(5_000_000 / 134 / waves, &body);
        let mut debugger = Debugger::new(machine(&shader, size, true));
        debugger.resume();
        let end = debugger.position();
        assert!(end > 4_000_000, "{end}");
        for steps in [1, 1000, 1_000_000, 4_000_000] {
            group.bench_function(format!("back/{size}/{steps}"), |b| {
                b.iter_custom(|iterations| {
                    let mut time = Duration::ZERO;
                    for _ in 0..iterations {
                        debugger.seek(end);
                        let start = Instant::now();
                        debugger.back(steps);
                        time += start.elapsed();
                    }
                    time
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, throughput, synchronization, stepping_back);
criterion_main!(benches);
