/*
 * Products in Fp of BLS12-381 by digits: 13 of 30 bits, signed, summed in 64 bits without carries until the end.
 *
 * WebAssembly has no product of 64 by 64 bits into 128, and no carry flag. So a product is computed by columns: column
 * k is the sum of digit i of one factor times digit k - i of the other. Digits lie between -2^29 and 2^29, and the top
 * one of a value under p is small. So a column of two products, with the multiples of p that Montgomery's reduction
 * subtracts, stays under 0.95 * 2^63 (scripts/lane-bounds.mjs derives it), and costs its multiplications and additions
 * and one shift. That makes a product in Fp2 cheap: sums of digits need no carries, sums of columns may pass 2^64 on
 * the way, and each of the two halves is reduced once.
 *
 * Elements are stored as blst stores them: 12 words of 32 bits, R = 2^384. Thirteen digits reduce by 2^390, so both
 * factors are multiplied by 8, which unpacking does at no cost.
 *
 * All factors are under p. No branch and no address depends on a value.
 */

#pragma once

#include "words.h"

typedef long long tutti_sum;

#define TUTTI_DIGITS 13
#define TUTTI_DIGIT_BITS 30
#define TUTTI_DIGIT_MASK ((1LL << TUTTI_DIGIT_BITS) - 1)

/* p in signed digits. */
static const tutti_sum tutti_p[TUTTI_DIGITS] = {
    -21845, -402915328, 356515836, -352321620, -252304353, 55215067, 288093811,
    316751073, -321428361, 517541167, -375082566, -91332614, 1704210
};

/* 1/p mod 2^30. */
#define TUTTI_P_INVERSE 0x30003

/* The low 30 bits of a sum as a signed digit: between -2^29 and 2^29 - 1. */
TUTTI_INLINE tutti_sum tutti_signed(tutti_sum sum)
{   return (tutti_sum)((tutti_word)sum << 34) >> 34;   }

/*
 * The digits of 8a, each between -2^29 and 2^29. A digit is its 30 bits, read as signed, plus one if the top bit of the
 * 30 below is set, so that no digit waits for another.
 */
TUTTI_INLINE void tutti_unpack(tutti_sum digits[TUTTI_DIGITS], const limb_t a[])
{
    const byte *bytes = (const byte *)a;

    digits[0] = tutti_signed((tutti_sum)(*(const tutti_unaligned *)bytes << 3));
    TUTTI_UNROLL
    for (int i = 1; i < TUTTI_DIGITS - 1; i++) {
        int lowest = 30 * i - 4; /* the bit of a that is the sign of the digit below */
        int from = lowest / 8 < 40 ? lowest / 8 : 40;
        tutti_word word = *(const tutti_unaligned *)(bytes + from);
        digits[i] = (((tutti_sum)(word << (33 - (lowest - 8 * from))) >> 33) + 1) >> 1;
    }
    digits[12] = (tutti_sum)(((*(const tutti_unaligned *)(bytes + 40) >> 36) + 1) >> 1);
}

/* Stores a value between -p and p, given by its digits, as the equal value in 0..p-1. */
TUTTI_INLINE void tutti_pack(limb_t ret[], const tutti_sum digits[TUTTI_DIGITS])
{
    tutti_word negative = (tutti_word)(digits[12] >> 63);
    tutti_word d[TUTTI_DIGITS], words[TUTTI_WORDS];
    tutti_word carry = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_DIGITS; i++)
        d[i] = (tutti_word)digits[i];
    words[0] = d[0] | d[1] << 30 | d[2] << 60;
    words[1] = d[2] >> 4 | d[3] << 26 | d[4] << 56;
    words[2] = d[4] >> 8 | d[5] << 22 | d[6] << 52;
    words[3] = d[6] >> 12 | d[7] << 18 | d[8] << 48;
    words[4] = d[8] >> 16 | d[9] << 14 | d[10] << 44;
    words[5] = d[10] >> 20 | d[11] << 10 | d[12] << 40;
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        tutti_word sum = words[i] + (tutti_p_words[i] & negative);
        tutti_word next = sum < words[i];
        sum += carry;
        carry = next + (sum < carry);
        *(tutti_unaligned *)((byte *)ret + 8 * i) = sum;
    }
}

/* ret = the value of the columns / 2^390 mod p: `column(k)` is column k, for k in 0..24. */
#define TUTTI_REDUCE(ret, column)                                              \
    do {                                                                       \
        tutti_sum quotient[TUTTI_DIGITS], digits[TUTTI_DIGITS], running = 0;\
        TUTTI_UNROLL                                                           \
        for (int k = 0; k < TUTTI_DIGITS; k++) {                               \
            running += column(k);                                                  \
            TUTTI_UNROLL                                                       \
            for (int i = 0; i < k; i++)                                        \
                running -= quotient[i] * tutti_p[k - i];                           \
            quotient[k] = tutti_signed(running * TUTTI_P_INVERSE);                 \
            running = (running - quotient[k] * tutti_p[0]) >> TUTTI_DIGIT_BITS;        \
        }                                                                      \
        TUTTI_UNROLL                                                           \
        for (int k = TUTTI_DIGITS; k < 2 * TUTTI_DIGITS - 1; k++) {            \
            running += column(k);                                                  \
            TUTTI_UNROLL                                                       \
            for (int i = k - TUTTI_DIGITS + 1; i < TUTTI_DIGITS; i++)          \
                running -= quotient[i] * tutti_p[k - i];                           \
            digits[k - TUTTI_DIGITS] = running & TUTTI_DIGIT_MASK;                 \
            running >>= TUTTI_DIGIT_BITS;                                          \
        }                                                                      \
        digits[TUTTI_DIGITS - 1] = running;                                        \
        tutti_pack(ret, digits);                                               \
    } while (0)

#define TUTTI_FIRST(k) ((k) < TUTTI_DIGITS ? 0 : (k) - TUTTI_DIGITS + 1)

/* Column k of a * b. */
TUTTI_INLINE tutti_sum tutti_product(const tutti_sum a[], const tutti_sum b[], int k)
{
    tutti_sum sum = 0;

    TUTTI_UNROLL
    for (int i = TUTTI_FIRST(k); i <= k - TUTTI_FIRST(k); i++)
        sum += a[i] * b[k - i];
    return sum;
}

/* Column k of a * a, where `twice` is 2a: each pair of different digits is multiplied once. */
TUTTI_INLINE tutti_sum tutti_square(const tutti_sum a[], const tutti_sum twice[], int k)
{
    tutti_sum sum = k % 2 ? 0 : a[k / 2] * a[k / 2];

    TUTTI_UNROLL
    for (int i = TUTTI_FIRST(k); 2 * i < k; i++)
        sum += a[i] * twice[k - i];
    return sum;
}

TUTTI_INLINE void tutti_mul(limb_t ret[], const limb_t a[], const limb_t b[])
{
    tutti_sum x[TUTTI_DIGITS], y[TUTTI_DIGITS];

    tutti_unpack(x, a);
    tutti_unpack(y, b);
#define column(k) tutti_product(x, y, k)
    TUTTI_REDUCE(ret, column);
#undef column
}

TUTTI_INLINE void tutti_sqr(limb_t ret[], const limb_t a[])
{
    tutti_sum x[TUTTI_DIGITS], twice[TUTTI_DIGITS];

    tutti_unpack(x, a);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_DIGITS; i++)
        twice[i] = 2 * x[i];
#define column(k) tutti_square(x, twice, k)
    TUTTI_REDUCE(ret, column);
#undef column
}

/* (x0 + x1 u)(y0 + y1 u) = x0 y0 - x1 y1 + ((x0 + x1)(y0 + y1) - x0 y0 - x1 y1) u: three products, two reductions. */
TUTTI_INLINE void tutti_mul_x(vec384x ret, const vec384x a, const vec384x b)
{
    tutti_sum x0[TUTTI_DIGITS], x1[TUTTI_DIGITS], y0[TUTTI_DIGITS], y1[TUTTI_DIGITS];
    tutti_sum x[TUTTI_DIGITS], y[TUTTI_DIGITS], imaginary[2 * TUTTI_DIGITS - 1];

    tutti_unpack(x0, a[0]);
    tutti_unpack(x1, a[1]);
    tutti_unpack(y0, b[0]);
    tutti_unpack(y1, b[1]);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_DIGITS; i++) {
        x[i] = x0[i] + x1[i];
        y[i] = y0[i] + y1[i];
    }
#define column(k) ({                                                           \
        tutti_sum real0 = tutti_product(x0, y0, k);                            \
        tutti_sum real1 = tutti_product(x1, y1, k);                            \
        imaginary[k] = -real0 - real1;                                         \
        real0 - real1;                                                         \
    })
    TUTTI_REDUCE(ret[0], column);
#undef column
#define column(k) (imaginary[k] + tutti_product(x, y, k))
    TUTTI_REDUCE(ret[1], column);
#undef column
}

/* (x0 + x1 u)^2 = (x0 + x1)(x0 - x1) + 2 x0 x1 u. */
TUTTI_INLINE void tutti_sqr_x(vec384x ret, const vec384x a)
{
    tutti_sum x0[TUTTI_DIGITS], x1[TUTTI_DIGITS], sum[TUTTI_DIGITS], difference[TUTTI_DIGITS];

    tutti_unpack(x0, a[0]);
    tutti_unpack(x1, a[1]);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_DIGITS; i++) {
        sum[i] = x0[i] + x1[i];
        difference[i] = x0[i] - x1[i];
        x0[i] *= 2;
    }
#define column(k) tutti_product(sum, difference, k)
    TUTTI_REDUCE(ret[0], column);
#undef column
#define column(k) tutti_product(x0, x1, k)
    TUTTI_REDUCE(ret[1], column);
#undef column
}
