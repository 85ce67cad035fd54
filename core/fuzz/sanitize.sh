#!/bin/sh
# Builds the targets and the terminal form with AddressSanitizer and UndefinedBehaviorSanitizer in the C++ libraries. Then
# inspects every sample, and runs the targets that call these libraries: sanitize.sh SECONDS [TARGET ...]
# Rust is built as for fuzzing: no checks of its own, but its heap and its calls are watched as the libraries' are.
set -eu
cd "$(dirname "$0")"
seconds=${1:-60}
[ $# -eq 0 ] || shift
targets=${*:-spvasm module glsl hlsl dxil}
target=$(realpath -m "${CARGO_TARGET_DIR:-../../target}")/sanitize
triple=$(rustc -vV | sed -n 's/^host: //p')
name=$(echo "$triple" | tr 'a-z-' 'A-Z_')

# dxil-spirv needs clang 16. `vptr` needs RTTI, which SPIRV-Tools and dxil-spirv are built without.
version=${CLANG_VERSION:-19}
flags="-DNDEBUG -O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=vptr \
-fno-sanitize-recover=undefined -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp \
-fsanitize-ignorelist=$PWD/sanitize.ignore -fsanitize-coverage-ignorelist=$PWD/sanitize.ignore"
# With a target named, build scripts and macros are built without the runtime of the sanitizers.
env CC="clang-$version" CXX="clang++-$version" CFLAGS="$flags" CXXFLAGS="$flags" CARGO_TARGET_DIR="$target" \
    "CARGO_TARGET_${name}_LINKER=clang++-$version" \
    "CARGO_TARGET_${name}_RUSTFLAGS=-Clink-arg=-fsanitize=address,undefined" \
    cargo build --release --target "$triple" --config profile.release.package.lanescope.opt-level=0 \
    -p lanescope-fuzz -p lanescope --no-default-features --features lanescope-fuzz/fuzzer,lanescope/tui \
    --bin readers --bin seeds --bin lanescope
built=$target/$triple/release

common=exitcode=99:allocator_may_return_null=1
symbolizer=/usr/lib/llvm-$version/bin/llvm-symbolizer
[ ! -x "$symbolizer" ] || export ASAN_SYMBOLIZER_PATH="$symbolizer"
export UBSAN_OPTIONS="$common:print_stacktrace=1"
export ASAN_OPTIONS="$common:detect_stack_use_after_return=1:detect_leaks=${LEAKS:-0}"
failed=0
opened=0
cd ../../samples
for file in $(find . -type f ! -name '*.md' ! -path '*/inputs/*' | sort); do
    code=0
    "$built/lanescope" inspect --in-process "$file" >/dev/null 2>"$target/log" || code=$?
    opened=$((opened + 1))
    # 1 and 2: a finding, or a file that is not opened alone.
    [ "$code" -le 2 ] || { failed=$((failed + 1)) && echo "$file: exit code $code" && cat "$target/log"; }
done
cd ../core/fuzz
echo "$opened samples inspected, $failed failed"
[ "$failed" = 0 ]

"$built/seeds"
READERS=$built/readers RSS_MB=4096 ./run_all.sh "$seconds" $targets
[ -z "$(for one in $targets; do find "artifacts/$one" -type f; done)" ]
