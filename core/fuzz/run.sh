#!/bin/sh
# Runs one target: run.sh TARGET RUNS [libFuzzer's options]
set -eu
cd "$(dirname "$0")"
target=$1
runs=$2
shift 2
# Long enough for most samples, short enough for thousands of executions in a second.
case $target in
    report | session | run) length=65536 ;;
    sodb) length=131072 ;;
    foz | isa | opcodes | optable) length=16384 ;;
    whole | container | spirv | spvasm | module | glsl | hlsl | wgsl | shader_test | amber | dxil | interpret | pipe | code_object) length=6144 ;;
    bitstream | stored) length=3072 ;;
    *) length=1024 ;;
esac
mkdir -p "corpus/$target" "artifacts/$target"
# The name selects the target.
readers=${READERS:-../../target/release/readers}
[ ! -x readers ] || readers=readers
ln -sf "$(realpath "$readers")" "artifacts/$target/$target"
exec nice -n 19 "artifacts/$target/$target" "corpus/$target" -artifact_prefix="artifacts/$target/" \
    -runs="$runs" -max_len="$length" -timeout=8 -rss_limit_mb="${RSS_MB:-1024}" -print_final_stats=1 "$@"
