/*
 * Replaces blst's vect.h when the kernel is built for wide arithmetic, as no_asm.h replaces its portable C. blst takes
 * limbs of 64 bits where it sees a 64-bit processor, which is what this engine is then: it multiplies 64 by 64 bits.
 */

#ifdef __wasm_wide_arithmetic__
# define __x86_64__
# include "blst_vect.h"
# undef __x86_64__
#else
# include "blst_vect.h"
#endif
