#!/bin/sh
# Compares the public API of the library's crates with that of a revision: semver.sh REVISION [VERSION-CHANGE]
# A removed or changed item is an error, an added one is not. It needs cargo-semver-checks, and no nightly toolchain.
# A crate's re-exports of other crates are not compared: rustdoc's JSON has them by name only.
set -eu
cd "$(dirname "$0")/.."
revision=$1
change=${2:-minor}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/semver
rm -rf "$work"
mkdir -p "$work/base" "$work/tree"

# The stable channel's rustdoc writes JSON where RUSTC_BOOTSTRAP is set. Set for cargo, it would rebuild the C++ libraries.
printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' >"$work/rustdoc"
chmod +x "$work/rustdoc"
# Features and flags as in `make lint`, so that dependencies are not built again. cargo reads .cargo of this folder.
documented() {
    RUSTDOC=$work/rustdoc RUSTDOCFLAGS="-Zunstable-options --output-format json --cap-lints allow" CARGO_TARGET_DIR=$target \
        cargo --config .cargo/unoptimized.toml doc --quiet --release --workspace --lib --no-deps --manifest-path "$1/Cargo.toml"
}
git archive "$revision" | tar -x -C "$work/tree"
documented "$work/tree"
cp "$target"/doc/lanescope_*.json "$work/base/"
rm "$target"/doc/lanescope_*.json
documented .

failed=""
# lanescope-core and the crates that it re-exports.
for crate in base amber spirv interpreter dxil pipeline sodb model passes codeobject driver report reduce hunt run load exec core; do
    echo "lanescope-$crate"
    [ -e "$work/base/lanescope_$crate.json" ] || { echo "is not in $revision"; continue; }
    cargo semver-checks --release-type "$change" --baseline-rustdoc "$work/base/lanescope_$crate.json" \
        --current-rustdoc "$target/doc/lanescope_$crate.json" || failed="$failed lanescope-$crate"
done
rm -r "$work"
[ -z "$failed" ] || { echo "The public API of$failed has breaking changes since $revision"; exit 1; }
echo "The public API has no breaking changes since $revision"
