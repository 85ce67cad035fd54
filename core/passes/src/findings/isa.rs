//! Codes: driver compilers.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: ISA = "I", "Driver compilers";

    COMPILER_DIED = "I001", Error, "driver compiler crashed on a shader" {
        meaning: "The compiler's process ended while it compiled: by a signal, or by itself and without an answer. The compiler runs in \
            a process of its own, so other results are not affected.",
        example: Example::Described("Any program with `--chip`, where the driver fails an assertion."),
        remedy: "Report it to the driver's project. `--save-repro DIR` writes the shader, the environment and the \
            command line.",
    }

    COMPILER_HUNG = "I002", Error, "driver compiler did not finish a shader in time" {
        meaning: "The compiler ran into the time limit and was stopped.",
        example: Example::Described("A program with `--chip navi21 --timeout 1` and a very large loop nest."),
        remedy: "Raise `--timeout`. If it never ends, report it: `--save-repro DIR` writes what is needed.",
    }

    COMPILER_MEMORY = "I003", Error, "driver compiler exceeded its memory limit" {
        meaning: "The compiler asked for more memory than `--memory` allows and was stopped.",
        example: Example::Described("A program with `--chip navi21 --memory 64M`."),
        remedy: "Raise `--memory`. If the demand is unreasonable, report it: `--save-repro DIR` writes what is \
            needed.",
    }

    NOT_COMPILED = "I004", Warning, "driver did not compile this version of the program" {
        meaning: "The driver refused the pipeline, or the pipeline needs a feature that the driver lacks. The \
            message has the driver's answer.",
        example: Example::Described("A packed or swizzled version whose input types the driver does not support, \
            with `--chip`."),
        remedy: "Read the driver's message. Compile another version with `--of`, or for another target.",
    }

    NOT_UNDERSTOOD = "I005", Warning, "driver's disassembly is not fully understood" {
        meaning: "Some lines of the disassembly have a form that Lanescope does not know, or the driver version was \
            not verified. Facts that need these lines are left out.",
        example: Example::Described("A program with `--chip`, compiled by a Mesa release newer than this build."),
        remedy: "No action is needed for the shader. `lanescope help drivers` lists the verified driver versions.",
    }

    HANDED_ON = "I006", Note, "driver was given a capability or an execution mode that is not known" {
        meaning: "It is not known which feature of Vulkan enables the capability or the execution mode, so none was \
            checked and none was enabled. The driver compiled the module all the same: another version of it may \
            refuse it or crash.",
        example: Example::Described("A module for `isa --no-validate` with a capability that is newer than this \
            build."),
        remedy: "No action is needed if the result is plausible. An application has to enable the feature that the \
            capability's specification names.",
    }
}
