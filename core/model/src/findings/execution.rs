//! Codes: what the interpreter finds while a program runs.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: EXECUTION = "E", "Execution in the interpreter";

    DATA_RACE = "E001", Error, "two invocations access the same bytes without an order" {
        meaning: "At least one of the accesses writes, not both are atomic with a scope that includes both, and the \
            Vulkan memory model does not order them. It orders them if a release after the first synchronizes with an \
            acquire before the second (control barriers, memory barriers around atomics, atomics with semantics), if \
            scopes and storage class semantics include both, and if both are non-private. A read sees a write only if \
            that is made available and visible. Lockstep within a wave orders nothing.",
        example: Example::Command("debug race.comp"),
        remedy: "Put a control barrier with the right scope and semantics between the accesses, declare the memory \
            coherent, or make both atomic.",
    }

    BARRIER_NOT_REACHED = "E002", Error, "control barrier is not reached by all invocations of the workgroup" {
        meaning: "A control barrier with workgroup scope must be reached by each invocation of the workgroup, in the \
            same dynamic instance. On a device the program may hang.",
        example: Example::Described("A `barrier()` in a branch that half of the workgroup takes."),
        remedy: "Move the barrier out of divergent control flow.",
    }

    UNINITIALIZED_READ = "E003", Warning, "value is read before anything is written to it" {
        meaning: "Function, private and workgroup memory without an initializer is undefined until it is written. \
            The interpreter reads 0; a device may read anything.",
        example: Example::Described("A `shared` array that is summed before it is filled."),
        remedy: "Write the variable on each path before it is read.",
    }

    DIVERGENT_DERIVATIVE = "E004", Warning, "derivative or quad operation while a lane of the quad is inactive" {
        meaning: "Derivatives, quad operations and samples with an implicit level of detail read other lanes of the \
            quad. Values of inactive lanes are undefined.",
        example: Example::Command("debug divergent_derivative.comp"),
        remedy: "Compute the derivative before the branch, or sample with an explicit level of detail.",
    }

    OUT_OF_BOUNDS = "E005", Error, "access is out of bounds" {
        meaning: "The access is beyond the buffer, image, array or vector. The interpreter reads 0 and drops writes. \
            A device without robust access may do anything.",
        example: Example::Described("An index of `gl_GlobalInvocationID.x` into a buffer that is shorter than the \
            dispatch."),
        remedy: "Compare the index with the length first, or bind a larger buffer (`--buffer`).",
    }

    NULL_POINTER = "E006", Error, "access through a null pointer or an unbound descriptor" {
        meaning: "The pointer is null, or its descriptor is not bound. The interpreter reads 0 and drops writes.",
        example: Example::Described("A load through a physical storage buffer address of 0."),
        remedy: "Bind the descriptor, or give the address of a buffer.",
    }

    MISALIGNED = "E007", Error, "address is not a multiple of its declared alignment" {
        meaning: "A load or store has an `Aligned` operand that its address is not a multiple of.",
        example: Example::Described("A `buffer_reference_align = 16` reference to an address that ends in 8."),
        remedy: "Declare the alignment that addresses have, or align them.",
    }

    DIVISION_BY_ZERO = "E008", Warning, "integer division or remainder by 0" {
        meaning: "The result is undefined. The interpreter gives all bits set for a quotient, and the dividend for a \
            remainder.",
        example: Example::Described("A division by a value from a buffer that is filled with zeros (`--zeros`)."),
        remedy: "Test the divisor first.",
    }

    NAN_APPEARS = "E009", Note, "NaN appears" {
        meaning: "The result of the instruction is NaN, and none of its operands is.",
        example: Example::Described("`sqrt` of a negative number, or 0.0 / 0.0."),
        remedy: "Check the operands' range, if a NaN is not intended.",
    }

    WAVE_SIZE_DEPENDENCE = "E010", Note, "value that depends on the wave size is read" {
        meaning: "`SubgroupSize`, `NumSubgroups` and `SubgroupId` differ between devices and compile options.",
        example: Example::Command("debug wave_size.comp"),
        remedy: "Run with `--wave 32` and `--wave 64`, and compare what the program writes.",
    }

    INACTIVE_LANE = "E011", Warning, "subgroup operation reads an inactive lane" {
        meaning: "The lane is inactive, or beyond the subgroup. The value is undefined; the interpreter gives 0.",
        example: Example::Described("A `subgroupShuffleXor` in a branch that half of the lanes take."),
        remedy: "Move the operation out of divergent control flow, or clamp the lane index.",
    }

    UNREACHABLE_REACHED = "E012", Error, "OpUnreachable is reached" {
        meaning: "The behaviour of the program is undefined from there on. The interpreter ends the invocations.",
        example: Example::Described("A function that returns a value on some paths only."),
        remedy: "Return a value on each path.",
    }

    EVENTS_TRUNCATED = "E013", Note, "some findings of the run are not kept" {
        meaning: "More places than are kept had findings, or more memory was accessed than is watched for data races.",
        example: Example::Described("A dispatch that writes hundreds of megabytes."),
        remedy: "Run fewer workgroups (`--groups`).",
    }

    SIZE_CHANGES_RESULT = "E014", Warning, "contents differ between waves of 32 and of 64 lanes" {
        meaning: "The program ran twice more in the interpreter, with row-major waves of 32 and of 64 lanes, and wrote \
            other bytes. Only programs with subgroup operations or built-ins are compared. A data race can have the \
            same effect.",
        example: Example::Command("run wave_size.comp --device interpreter"),
        remedy: "Require a subgroup size, or combine the results of subgroups in workgroup memory.",
    }

    EQUAL_WRITES = "E015", Error, "two invocations write the same value without an order" {
        meaning: "Both write the same bytes with the same values, and the Vulkan memory model does not order them. It \
            calls this a data race, and leaves the result undefined. Whichever write is last, memory has this value: the \
            checks of an Amber script hold in spite of it.",
        example: Example::Described("Workgroups that each store the same flag."),
        remedy: "Let one invocation write, or make the stores atomic.",
    }
}
