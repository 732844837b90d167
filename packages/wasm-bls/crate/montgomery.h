/*
 * Multiplication in Fp for WebAssembly, where three quarters of a verification are spent.
 *
 * blst's portable code multiplies any number of 32-bit limbs, and reduces in a pass of its own. This is an overload of that function for
 * exactly the 12 limbs of Fp: every call with that constant picks it, and blst's source stays as it is. One pass with two independent
 * carries, its inner loop unrolled: a verification takes a third less time (measured in V8 on x86-64). The outer loop is not unrolled:
 * more live values than registers undo the gain.
 *
 * Included before blst's sources by scripts/build-kernel.mjs. If blst renames its function, the build fails rather than slows down.
 */
#ifdef __wasm32__

typedef unsigned int tutti_limb;
typedef unsigned long long tutti_wide;

#define TUTTI_LIMBS 12
#define TUTTI_MULTIPLY \
    mul_mont_n(tutti_limb ret[], const tutti_limb a[], const tutti_limb b[], const tutti_limb p[], tutti_limb n0, __SIZE_TYPE__ n)

/* blst's own, declared first: of all the overloads, one may do without the attribute. */
static void TUTTI_MULTIPLY;
static inline void TUTTI_MULTIPLY __attribute__((overloadable, enable_if(n == TUTTI_LIMBS, "in Fp")));

/* sum = (sum + a * digit + p * quotient) / 2^32, with the quotient that makes the division exact. */
static inline __attribute__((always_inline)) void tutti_row(tutti_limb sum[], const tutti_limb a[], tutti_limb digit,
                                                            const tutti_limb p[], tutti_limb n0)
{
    tutti_wide product = (tutti_wide)a[0] * digit + sum[0];
    tutti_limb quotient = n0 * (tutti_limb)product;
    tutti_wide reduced = (tutti_wide)p[0] * quotient + (tutti_limb)product;
    tutti_wide product_carry = product >> 32;
    tutti_wide reduced_carry = reduced >> 32;

    #pragma clang loop unroll(full)
    for (int i = 1; i < TUTTI_LIMBS; i++) {
        product = (tutti_wide)a[i] * digit + product_carry + sum[i];
        product_carry = product >> 32;
        reduced = (tutti_wide)p[i] * quotient + (tutti_limb)product + reduced_carry;
        reduced_carry = reduced >> 32;
        sum[i - 1] = (tutti_limb)reduced;
    }
    sum[TUTTI_LIMBS - 1] = (tutti_limb)(product_carry + reduced_carry);
}

/* ret = a * b / 2^384 mod p, for a and b under 2p, p under 2^381, n0 = -1/p mod 2^32. No branch and no address depends on a or b. */
static inline void TUTTI_MULTIPLY __attribute__((overloadable, enable_if(n == TUTTI_LIMBS, "in Fp")))
{
    tutti_limb sum[TUTTI_LIMBS] = {0};
    /* Apart from the others: the compiler sees that its sum is zero. */
    tutti_row(sum, a, b[0], p, n0);
    #pragma clang loop unroll(disable)
    for (int j = 1; j < TUTTI_LIMBS; j++)
        tutti_row(sum, a, b[j], p, n0);

    tutti_limb borrow = 0;
    for (int i = 0; i < TUTTI_LIMBS; i++) {
        tutti_wide difference = (tutti_wide)sum[i] - p[i] - borrow;
        ret[i] = (tutti_limb)difference;
        borrow = (tutti_limb)(difference >> 32) & 1;
    }
    tutti_limb keep = 0 - borrow;
    for (int i = 0; i < TUTTI_LIMBS; i++)
        ret[i] = (ret[i] & ~keep) | (sum[i] & keep);
}

#endif
