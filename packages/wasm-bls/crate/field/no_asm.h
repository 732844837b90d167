/*
 * Replaces blst's no_asm.h, its arithmetic in portable C, when the kernel is built: scripts/build-kernel.mjs shows the
 * compiler this file under that name, and blst's own as blst_no_asm.h. No line of blst is edited.
 *
 * All of blst's own is included, under its name or, where this file has faster code for Fp, under another.
 */

#define mul_mont_384 blst_mul_mont_384
#define sqr_mont_384 blst_sqr_mont_384
#define add_mod_384 blst_add_mod_384
#define sub_mod_384 blst_sub_mod_384
#define lshift_mod_384 blst_lshift_mod_384
#define mul_by_3_mod_384 blst_mul_by_3_mod_384
#define mul_mont_384x blst_mul_mont_384x
#define sqr_n_mul_mont_383 blst_sqr_n_mul_mont_383
#define redc_mont_384 blst_redc_mont_384

#ifdef __wasm_wide_arithmetic__
typedef unsigned __int128 llimb_t;
/*
 * quot_rem_n assumes that limbs come in even numbers, which is not so of a divisor of one limb of 64 bits: it traps in
 * signing. Without blst's assumptions it computes what it should.
 */
# define __builtin_assume(condition) ((void)0)
#endif

#include "blst_no_asm.h"

#ifdef __wasm_wide_arithmetic__
# undef __builtin_assume
#endif

#undef mul_mont_384
#undef sqr_mont_384
#undef add_mod_384
#undef sub_mod_384
#undef lshift_mod_384
#undef mul_by_3_mod_384
#undef mul_mont_384x
#undef sqr_n_mul_mont_383
#undef redc_mont_384

/* Defined so that vect.c, which would otherwise use a function of its own, makes it of additions. */
#define mul_by_3_mod_384 mul_by_3_mod_384
/* blst's no_asm.h defined these in the same way; this file has functions for them. */
#undef add_mod_384x
#undef sub_mod_384x
#undef sqr_mont_384x

#ifdef __wasm_wide_arithmetic__
# include "wide.h"
# define TUTTI_FIELD(operation) wide_##operation
#else
# include "digits.h"
# define TUTTI_FIELD(operation) tutti_##operation
#endif
#ifdef __wasm_relaxed_simd__
# include "lanes.h"
# define TUTTI_FIELD_X(operation) lanes_##operation
#else
# define TUTTI_FIELD_X TUTTI_FIELD
#endif

/* Not inlined into each caller, so that the kernel stays small. */
#define TUTTI_SHARED __attribute__((noinline))

/*
 * blst passes p and -1/p to each function. Its only modulus of 384 bits is p of Fp, which is a constant of this
 * arithmetic, so they are ignored.
 */

TUTTI_SHARED void mul_mont_384(vec384 ret, const vec384 a, const vec384 b, const vec384 p, limb_t n0)
{   (void)p; (void)n0; TUTTI_FIELD(mul)(ret, a, b);   }

TUTTI_SHARED void sqr_mont_384(vec384 ret, const vec384 a, const vec384 p, limb_t n0)
{   (void)p; (void)n0; TUTTI_FIELD(sqr)(ret, a);   }

TUTTI_SHARED void mul_mont_384x(vec384x ret, const vec384x a, const vec384x b, const vec384 p, limb_t n0)
{   (void)p; (void)n0; TUTTI_FIELD_X(mul_x)(ret, a, b);   }

TUTTI_SHARED void sqr_mont_384x(vec384x ret, const vec384x a, const vec384 p, limb_t n0)
{   (void)p; (void)n0; TUTTI_FIELD_X(sqr_x)(ret, a);   }

TUTTI_SHARED void sqr_n_mul_mont_383(vec384 ret, const vec384 a, size_t count, const vec384 p, limb_t n0,
                                     const vec384 b)
{
    while (count--) {
        sqr_mont_384(ret, a, p, n0);
        a = ret;
    }
    mul_mont_384(ret, ret, b, p, n0);
}

/*
 * blst's own, then reduced to under p: an inversion passes up to 8p * 2^384, of which blst's own leaves up to 8p, and
 * this arithmetic takes only factors under p.
 */
TUTTI_SHARED void redc_mont_384(vec384 ret, const vec768 a, const vec384 p, limb_t n0)
{
    tutti_word words[TUTTI_WORDS];

    blst_redc_mont_384(ret, a, p, n0);
    /* Under 2^384 + p before, which is under 11p. */
    for (int i = 0; i < 10; i++) {
        tutti_load(words, ret);
        tutti_store_once_reduced(ret, words);
    }
}

TUTTI_SHARED void add_mod_384(vec384 ret, const vec384 a, const vec384 b, const vec384 p)
{   (void)p; TUTTI_FIELD(add)(ret, a, b);   }

TUTTI_SHARED void sub_mod_384(vec384 ret, const vec384 a, const vec384 b, const vec384 p)
{   (void)p; TUTTI_FIELD(sub)(ret, a, b);   }

TUTTI_SHARED void add_mod_384x(vec384x ret, const vec384x a, const vec384x b, const vec384 p)
{
    (void)p;
    TUTTI_FIELD(add)(ret[0], a[0], b[0]);
    TUTTI_FIELD(add)(ret[1], a[1], b[1]);
}

TUTTI_SHARED void sub_mod_384x(vec384x ret, const vec384x a, const vec384x b, const vec384 p)
{
    (void)p;
    TUTTI_FIELD(sub)(ret[0], a[0], b[0]);
    TUTTI_FIELD(sub)(ret[1], a[1], b[1]);
}

TUTTI_SHARED void lshift_mod_384(vec384 ret, const vec384 a, size_t count, const vec384 p)
{
    (void)p;
    while (count--) {
        TUTTI_FIELD(double)(ret, a);
        a = ret;
    }
}
