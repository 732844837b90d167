/*
 * Products in Fp and Fp2 of BLS12-381 by wide arithmetic: 6 limbs of 64 bits, two of which are multiplied into 128 bits
 * by one instruction.
 *
 * A product is computed by rows: one limb of a factor times the other factor is added to what there is, and carried on
 * at once. Columns of digits that need no carries, as in digits.h, would need 7 digits of 56 bits, so 49
 * multiplications for 36; that was measured to be a quarter slower.
 *
 * Montgomery's reduction adds multiples of p until the low limbs are zero. The first five need no multiplication to
 * find the multiple: what is added is a limb times a multiple of p that is -1 mod 2^64, so that the limb goes and
 * nothing is left below. That multiple is about 2^63 p, so the last row uses p itself: the result would be too large
 * otherwise.
 *
 * scripts/lane-bounds.mjs derives the bounds that this file states. No branch and no address depends on a value.
 */

#pragma once

#include "words.h"

typedef unsigned __int128 wide_word;
typedef __int128 wide_sum;
/* A product, of 12 limbs, and one in Fp2. */
typedef limb_t wide_product[2 * TUTTI_WORDS];
typedef wide_product wide_product_x[2];

#define WIDE_EASY 5

/* ((-1/p mod 2^64) p + 1) / 2^64: a limb times this goes into the limbs above when the limb is cleared. */
static const limb_t wide_above[TUTTI_WORDS] = {
    0x6a4aaa14be07a408, 0x5d4f098d2923b9a3, 0x622385e49d0feeb0,
    0x5fb6d192233b3b63, 0x2cffcd0f221a175b, 0x0e035b9b1e00bc8e
};

/* -1/p mod 2^64. */
#define WIDE_P_INVERSE 0x89f3fffcfffcfffdULL

/* t[0..5] += a * factor; returns the carry into t[6]. */
TUTTI_INLINE limb_t wide_row(limb_t t[], const limb_t a[], limb_t factor)
{
    wide_word sum = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        sum = (wide_word)a[i] * factor + t[i] + (limb_t)(sum >> 64);
        t[i] = (limb_t)sum;
    }
    return (limb_t)(sum >> 64);
}

/* t[0..6] = a * factor. */
TUTTI_INLINE void wide_first_row(limb_t t[], const limb_t a[], limb_t factor)
{
    wide_word sum = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        sum = (wide_word)a[i] * factor + (limb_t)(sum >> 64);
        t[i] = (limb_t)sum;
    }
    t[TUTTI_WORDS] = (limb_t)(sum >> 64);
}

/* ret = value if it is under p, else value - p; the value is under 2p. */
TUTTI_INLINE void wide_store(limb_t ret[], const limb_t value[])
{
    limb_t reduced[TUTTI_WORDS];
    wide_sum sum = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        sum = sum + value[i] - tutti_p_words[i];
        reduced[i] = (limb_t)sum;
        sum >>= 64;
    }
    limb_t mask = (limb_t)sum;
    launder(mask);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++)
        ret[i] = reduced[i] ^ ((reduced[i] ^ value[i]) & mask);
}

/*
 * ret = (a * b + c * d) / 2^384 mod p, or without c and d; each row is reduced as soon as it is added. The sum is under
 * 9 p^2, so that what is stored is under 2p, and between the rows there are never more than 7 limbs.
 */
TUTTI_INLINE void wide_mul_sum(limb_t ret[], const limb_t a[], const limb_t b[], const limb_t c[], const limb_t d[])
{
    wide_product t;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        if (i == 0)
            wide_first_row(t, a, b[0]);
        else
            t[i + TUTTI_WORDS] += wide_row(t + i, a, b[i]);
        if (c != 0)
            t[i + TUTTI_WORDS] += wide_row(t + i, c, d[i]);
        if (i < WIDE_EASY)
            t[i + TUTTI_WORDS + 1] = wide_row(t + i + 1, wide_above, t[i]);
        else
            t[i + TUTTI_WORDS] += wide_row(t + i, tutti_p_words, t[i] * WIDE_P_INVERSE);
    }
    wide_store(ret, t + TUTTI_WORDS);
}

/* t[6..11] = t / 2^384 mod p, under t / 2^384 + 1.54p. */
TUTTI_INLINE void wide_reduce(wide_product t)
{
    limb_t carry = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        int easy = i < WIDE_EASY, at = i + easy;
        limb_t more = easy ? wide_row(t + at, wide_above, t[i])
                           : wide_row(t + at, tutti_p_words, t[i] * WIDE_P_INVERSE);
        wide_word sum = (wide_word)t[at + TUTTI_WORDS] + more + carry;

        t[at + TUTTI_WORDS] = (limb_t)sum;
        carry = (limb_t)(sum >> 64);
    }
}

/* t = a * b. */
TUTTI_INLINE void wide_multiply(wide_product t, const limb_t a[], const limb_t b[])
{
    wide_first_row(t, a, b[0]);
    TUTTI_UNROLL
    for (int i = 1; i < TUTTI_WORDS; i++)
        t[i + TUTTI_WORDS] = wide_row(t + i, a, b[i]);
}

/* t = a * a: each pair of different limbs is multiplied once. */
TUTTI_INLINE void wide_square(wide_product t, const limb_t a[])
{
    wide_word sum = 0;

    TUTTI_UNROLL
    for (int i = 1; i < TUTTI_WORDS; i++) {
        sum = (wide_word)a[i] * a[0] + (limb_t)(sum >> 64);
        t[i] = (limb_t)sum;
    }
    t[TUTTI_WORDS] = (limb_t)(sum >> 64);
    TUTTI_UNROLL
    for (int i = 1; i < TUTTI_WORDS - 1; i++) {
        sum = 0;
        TUTTI_UNROLL
        for (int j = i + 1; j < TUTTI_WORDS; j++) {
            sum = (wide_word)a[j] * a[i] + t[i + j] + (limb_t)(sum >> 64);
            t[i + j] = (limb_t)sum;
        }
        t[i + TUTTI_WORDS] = (limb_t)(sum >> 64);
    }
    t[2 * TUTTI_WORDS - 1] = t[2 * TUTTI_WORDS - 2] >> 63;
    TUTTI_UNROLL
    for (int i = 2 * TUTTI_WORDS - 2; i > 1; i--)
        t[i] = t[i] << 1 | t[i - 1] >> 63;
    t[1] <<= 1;
    t[0] = 0;
    limb_t carry = 0;
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        wide_word square = (wide_word)a[i] * a[i];
        sum = (wide_word)t[2 * i] + (limb_t)square + carry;
        t[2 * i] = (limb_t)sum;
        sum = (wide_word)t[2 * i + 1] + (limb_t)(square >> 64) + (limb_t)(sum >> 64);
        t[2 * i + 1] = (limb_t)sum;
        carry = (limb_t)(sum >> 64);
    }
}

/* a + b, and a - b + p, not reduced. */
TUTTI_INLINE void wide_plus(limb_t ret[], const limb_t a[], const limb_t b[])
{
    wide_word sum = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        sum = sum + a[i] + b[i];
        ret[i] = (limb_t)sum;
        sum >>= 64;
    }
}

TUTTI_INLINE void wide_minus(limb_t ret[], const limb_t a[], const limb_t b[])
{
    wide_sum sum = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        sum = sum + a[i] + tutti_p_words[i] - b[i];
        ret[i] = (limb_t)sum;
        sum >>= 64;
    }
}

TUTTI_INLINE void wide_mul(limb_t ret[], const limb_t a[], const limb_t b[])
{   wide_mul_sum(ret, a, b, 0, 0);   }

TUTTI_INLINE void wide_sqr(limb_t ret[], const limb_t a[])
{
    wide_product t;

    wide_square(t, a);
    wide_reduce(t);
    wide_store(ret, t + TUTTI_WORDS);
}

/* Not inlined, so that the kernel stays small. */
static __attribute__((noinline)) void wide_mul_two(limb_t ret[], const limb_t a[], const limb_t b[], const limb_t c[],
                                                   const limb_t d[])
{   wide_mul_sum(ret, a, b, c, d);   }

/* x0 y0 + x1 (p - y1) + (x0 y1 + x1 y0) u: four products, two reductions. */
TUTTI_INLINE void wide_mul_x(vec384x ret, const vec384x a, const vec384x b)
{
    static const vec384 zero;
    vec384 negative, imaginary;

    wide_minus(negative, zero, b[1]);
    wide_mul_two(imaginary, a[0], b[1], a[1], b[0]);
    wide_mul_two(ret[0], a[0], b[0], a[1], negative);
    vec_copy(ret[1], imaginary, sizeof imaginary);
}

/* (x0 + x1)(x0 - x1 + p) + 2 x0 x1 u. */
TUTTI_INLINE void wide_sqr_x(vec384x ret, const vec384x a)
{
    vec384 sum, difference, twice, imaginary;

    wide_plus(sum, a[0], a[1]);
    wide_minus(difference, a[0], a[1]);
    wide_plus(twice, a[0], a[0]);
    vec_copy(imaginary, a[1], sizeof imaginary);
    wide_mul(ret[0], sum, difference);
    wide_mul(ret[1], twice, imaginary);
}

TUTTI_INLINE void wide_add(limb_t ret[], const limb_t a[], const limb_t b[])
{
    vec384 sum;

    wide_plus(sum, a, b);
    wide_store(ret, sum);
}

TUTTI_INLINE void wide_sub(limb_t ret[], const limb_t a[], const limb_t b[])
{
    limb_t difference[TUTTI_WORDS];
    wide_sum sum = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        sum = sum + a[i] - b[i];
        difference[i] = (limb_t)sum;
        sum >>= 64;
    }
    limb_t mask = (limb_t)sum;
    launder(mask);
    wide_word carry = 0;
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        carry = carry + difference[i] + (tutti_p_words[i] & mask);
        ret[i] = (limb_t)carry;
        carry >>= 64;
    }
}

TUTTI_INLINE void wide_double(limb_t ret[], const limb_t a[])
{   wide_add(ret, a, a);   }
