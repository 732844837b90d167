/*
 * Replaces blst's fp12_tower.c in the kernels with SIMD and with wide arithmetic, as no_asm.h replaces its field
 * arithmetic: all of blst's own is included, and the products that a pairing consists of are those of lanes_tower.h or
 * wide_tower.h. No line of blst is edited.
 */

#if !defined(__wasm_relaxed_simd__) && !defined(__wasm_wide_arithmetic__)
# include "blst_fp12_tower.c"
#else

/* blst's own functions, and those that export them, get names that nothing uses. */
# define mul_fp12 blst_own_mul_fp12
# define sqr_fp12 blst_own_sqr_fp12
# define cyclotomic_sqr_fp12 blst_own_cyclotomic_sqr_fp12
# define mul_by_xy00z0_fp12 blst_own_mul_by_xy00z0_fp12
# define blst_fp12_mul blst_own_fp12_mul
# define blst_fp12_sqr blst_own_fp12_sqr
# define blst_fp12_cyclotomic_sqr blst_own_fp12_cyclotomic_sqr
# define blst_fp12_mul_by_xy00z0 blst_own_fp12_mul_by_xy00z0

# include "blst_fp12_tower.c"

# undef mul_fp12
# undef sqr_fp12
# undef cyclotomic_sqr_fp12
# undef mul_by_xy00z0_fp12
# undef blst_fp12_mul
# undef blst_fp12_sqr
# undef blst_fp12_cyclotomic_sqr
# undef blst_fp12_mul_by_xy00z0

# ifdef __wasm_wide_arithmetic__
#  include "wide_tower.h"
# else
#  include "lanes_tower.h"
# endif

void blst_fp12_mul(vec384fp12 ret, const vec384fp12 a, const vec384fp12 b)
{   mul_fp12(ret, a, b);   }

void blst_fp12_sqr(vec384fp12 ret, const vec384fp12 a)
{   sqr_fp12(ret, a);   }

void blst_fp12_cyclotomic_sqr(vec384fp12 ret, const vec384fp12 a)
{   cyclotomic_sqr_fp12(ret, a);   }

void blst_fp12_mul_by_xy00z0(vec384fp12 ret, const vec384fp12 a, const vec384fp6 xy00z0)
{   mul_by_xy00z0_fp12(ret, a, xy00z0);   }

#endif
