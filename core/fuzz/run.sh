#!/bin/sh
# Runs one target: run.sh TARGET RUNS [libFuzzer's options]
set -eu
cd "$(dirname "$0")"
target=$1
runs=$2
shift 2
# Long enough for most samples, short enough for thousands of executions in a second.
case $target in
    whole | container) length=6144 ;;
    bitstream) length=3072 ;;
    *) length=1024 ;;
esac
mkdir -p "corpus/$target" "artifacts/$target"
exec nice -n 19 "target/x86_64-unknown-linux-gnu/release/$target" "corpus/$target" -artifact_prefix="artifacts/$target/" \
    -runs="$runs" -max_len="$length" -timeout=8 -rss_limit_mb=1024 -print_final_stats=1 "$@"
