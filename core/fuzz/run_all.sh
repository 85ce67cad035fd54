#!/bin/sh
# Runs all targets in parallel on all cores: run_all.sh SECONDS [TARGET ...]
set -eu
cd "$(dirname "$0")"
seconds=$1
shift
targets=${*:-container bitstream runtime whole opcodes spirv spvasm module glsl hlsl wgsl shader_test amber dxil interpret pipe foz report run stored session records csv overrides roots condition isa rows filter commands}
mkdir -p logs
echo "$targets" | tr ' ' '\n' | xargs -P "$(nproc)" -I{} sh -c \
    './run.sh {} -1 -max_total_time='"$seconds"' >logs/{}.log 2>&1 || true'
printf '%-10s %12s %8s %10s %10s %s\n' target executions finds slowest_s memory_MB last
for target in $targets; do
    log=logs/$target.log
    stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -1; }
    finds=$(find "artifacts/$target" -type f | wc -l)
    last=$(grep -aE "panicked at|ERROR|SUMMARY" "$log" | head -1 | cut -c1-120)
    printf '%-10s %12s %8s %10s %10s %s\n' "$target" "$(stat number_of_executed_units)" "$finds" \
        "$(stat slowest_unit_time_sec)" "$(stat peak_rss_mb)" "$last"
done
