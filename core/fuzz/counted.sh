#!/bin/sh
# Compiler wrapper. Compilers of the stable channel accept these flags too.
case " $* " in
    *" --crate-name lanescope_"* | *" --crate-name readers "*)
        exec "$@" --cfg=fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
            -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
            -Cllvm-args=-sanitizer-coverage-trace-compares ;;
    *) exec "$@" ;;
esac
