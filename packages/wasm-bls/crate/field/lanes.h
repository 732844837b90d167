/*
 * Products in Fp2 of BLS12-381 by fused multiply-add, in two lanes of doubles: one for the real half, one for the
 * imaginary. Only for an engine that fuses, which src/fuses.ts tries out beforehand: one that rounds twice would
 * compute wrong products.
 *
 * An element is 8 digits of 48 bits, each exact in a double. Digits start at whole bytes, and reduce by 2^384, blst's
 * own radix. A product of two digits is computed in two halves. Added to a number whose last place is worth 2^48, it is
 * rounded to a multiple of 2^48: the high half. The low half is the product minus the high half, exactly. Both are read
 * from the last places of a double of known exponent, so that columns are sums of the doubles' bits as integers; the
 * sum of the exponents is known beforehand and subtracted at the start.
 *
 * scripts/lane-bounds.mjs derives the bounds that this file states.
 *
 * All factors are under p. No branch and no address depends on a value.
 */

#pragma once

#include "digits.h"
#include <wasm_simd128.h>

typedef double tutti_pair __attribute__((vector_size(16)));
typedef tutti_word tutti_words __attribute__((vector_size(16)));

#define LANES_DIGITS 8
#define LANES_BITS 48
#define LANES_COLUMNS (2 * LANES_DIGITS)
/*
 * How many digits of the quotient need no multiplication: for these a multiple of p is added that is -1 mod 2^48. It is
 * about 2^48 p, so the last two digits use p itself: the result would be too large otherwise.
 */
#define LANES_EASY 6

#define LANES_BOTH(x) ((tutti_pair){ (x), (x) })
#define LANES_WORDS(x) ((tutti_words){ (x), (x) })
#define LANES_MASK LANES_WORDS((1ULL << LANES_BITS) - 1)
/* Between 2^100 and 2^101 the last place of a double is worth 2^48; between 2^52 and 2^53, 1. */
#define LANES_HIGH 0x1.8p100
#define LANES_LOW 0x1.8p52
#define LANES_HIGH_BITS 0x4638000000000000ULL
#define LANES_LOW_BITS 0x4338000000000000ULL
#define LANES_ONE_BITS 0x4330000000000000ULL
/* Makes a column positive; a multiple of 2^48, so that its carry is known. */
#define LANES_LIFT (1ULL << 62)

static const double lanes_p[LANES_DIGITS] = {
    281474976688811.0, 194974335351294.0, 270634993844222.0, 113459389855408.0,
    83034393350847.0, 73992301405303.0, 253550359455670.0, 28591897852287.0
};

/* ((-1/p mod 2^48) p + 1) / 2^48: a digit times this goes into the columns above when the digit is cleared. */
static const double lanes_above[LANES_DIGITS] = {
    208940797492399.0, 126338879170055.0, 110620645645691.0, 125157666525437.0,
    85443492849723.0, 201240868723947.0, 200492110997012.0, 28590588999101.0
};

/* -1/p mod 2^48. */
#define LANES_P_INVERSE 281462091612157.0

/*
 * Ends a basic block for the engine's compiler. V8's reorders what is in one block, and with all columns in one it
 * keeps so many sums open that it runs out of registers. The branch is never taken, which no compiler can know.
 */
static volatile int lanes_never;
#define LANES_BREAK() do { if (__builtin_expect(lanes_never, 0)) __builtin_trap(); } while (0)

#define LANES_MADD(a, b, c) ((tutti_pair)__builtin_wasm_relaxed_madd_f64x2((a), (b), (c)))

/* A column that is being summed, and what goes into the next one. */
struct lanes_column { tutti_words sum, next; };

/* The column += a * b. */
TUTTI_INLINE void lanes_accumulate(struct lanes_column *column, tutti_pair a, tutti_pair b)
{
    tutti_pair high = LANES_MADD(a, b, LANES_BOTH(LANES_HIGH));
    tutti_pair low = LANES_MADD(a, b, LANES_BOTH(LANES_HIGH + LANES_LOW) - high);

    column->next += (tutti_words)high;
    column->sum += (tutti_words)low;
}

/* The low half of a * b: between -2^47 and 2^47. */
TUTTI_INLINE tutti_pair lanes_low_product(tutti_pair a, tutti_pair b)
{   return LANES_MADD(a, b, LANES_BOTH(LANES_HIGH) - LANES_MADD(a, b, LANES_BOTH(LANES_HIGH)));   }

/* How many of the rows first..last-1 have a product in a column, where row k starts in column k + shift. */
TUTTI_INLINE tutti_word lanes_rows(int column, int first, int last, int shift)
{
    tutti_word rows = 0;

    TUTTI_UNROLL
    for (int k = first; k < last; k++)
        rows += column >= k + shift && column < k + shift + LANES_DIGITS;
    return rows;
}

/* What column k starts with: its lift, minus the lift of the column below and the exponents of all its summands. */
TUTTI_INLINE tutti_words lanes_start(int k, tutti_word products)
{
    tutti_word low = products * lanes_rows(k, 0, LANES_DIGITS, 0) + lanes_rows(k, 0, LANES_EASY, 1)
                   + lanes_rows(k, LANES_EASY, LANES_DIGITS, 0);
    tutti_word high = products * lanes_rows(k - 1, 0, LANES_DIGITS, 0) + lanes_rows(k - 1, 0, LANES_EASY, 1)
                    + lanes_rows(k - 1, LANES_EASY, LANES_DIGITS, 0);
    tutti_word lift = (k < LANES_COLUMNS - 1 ? LANES_LIFT : 0) - (k > 0 ? LANES_LIFT >> LANES_BITS : 0);

    return LANES_WORDS(lift - low * LANES_LOW_BITS - high * LANES_HIGH_BITS);
}

/* A number under 2^52 as a double. */
TUTTI_INLINE tutti_pair lanes_double(tutti_words value)
{   return (tutti_pair)(value | LANES_WORDS(LANES_ONE_BITS)) - LANES_BOTH(0x1p52);   }

TUTTI_INLINE tutti_words lanes_load(const limb_t low[], const limb_t high[], int at)
{
    v128_t word = wasm_v128_load64_zero((const byte *)low + at);
    return (tutti_words)wasm_v128_load64_lane((const byte *)high + at, word, 1);
}

/* Digit i of two elements of Fp, a lane each, as integers. */
TUTTI_INLINE tutti_words lanes_digit(const limb_t low[], const limb_t high[], int i)
{
    return i < LANES_DIGITS - 1 ? lanes_load(low, high, 6 * i) & LANES_MASK : lanes_load(low, high, 40) >> 16;
}

/* The digits of two elements of Fp, a lane each. */
TUTTI_INLINE void lanes_unpack(tutti_pair digits[LANES_DIGITS], const limb_t low[], const limb_t high[])
{
    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++)
        digits[i] = lanes_double(lanes_digit(low, high, i));
}

TUTTI_INLINE void lanes_store(limb_t low[], limb_t high[], int at, tutti_words word)
{
    wasm_v128_store64_lane((byte *)low + at, (v128_t)word, 0);
    wasm_v128_store64_lane((byte *)high + at, (v128_t)word, 1);
}

/* Stores values between -p and p, whose digits but the top one lie in 0..2^48-1, as the equal values in 0..p-1. */
TUTTI_INLINE void lanes_pack(limb_t low[], limb_t high[], tutti_words d[LANES_DIGITS])
{
    tutti_words negative = (tutti_words)wasm_i64x2_lt((v128_t)d[LANES_DIGITS - 1], (v128_t)LANES_WORDS(0));

    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++) {
        d[i] += LANES_WORDS((tutti_word)lanes_p[i]) & negative;
        if (i > 0) {
            d[i] += d[i - 1] >> LANES_BITS;
            d[i - 1] &= LANES_MASK;
        }
    }
    lanes_store(low, high, 0, d[0] | d[1] << 48);
    lanes_store(low, high, 8, d[1] >> 16 | d[2] << 32);
    lanes_store(low, high, 16, d[2] >> 32 | d[3] << 16);
    lanes_store(low, high, 24, d[4] | d[5] << 48);
    lanes_store(low, high, 32, d[5] >> 16 | d[6] << 32);
    lanes_store(low, high, 40, d[6] >> 32 | d[7] << 16);
}

/*
 * digits = the columns of both lanes / 2^384 mod p: `add(column, k)` adds to column k what it has of `products`
 * products of elements. The multiples of p that are added lie between -0.51p and 0.51p times 2^384; for products that
 * sum to between -p^2 and 2p^2 the result lies between -0.61p and 0.71p. All digits but the top one lie in 0..2^48-1.
 */
#define LANES_REDUCE(digits, products, add)                                                          \
    do {                                                                                             \
        tutti_pair quotient[LANES_DIGITS];                                                           \
        struct lanes_column column = { LANES_WORDS(0), LANES_WORDS(0) };                             \
        TUTTI_UNROLL                                                                                 \
        for (int k = 0; k < LANES_COLUMNS; k++) {                                                    \
            LANES_BREAK();                                                                           \
            column.sum += lanes_start(k, products);                                                  \
            add(&column, k);                                                                         \
            TUTTI_UNROLL                                                                             \
            for (int i = 0; i < LANES_EASY; i++)                                                     \
                if (k - 1 - i >= 0 && k - 1 - i < LANES_DIGITS)                                      \
                    lanes_accumulate(&column, quotient[i], LANES_BOTH(lanes_above[k - 1 - i]));      \
            TUTTI_UNROLL                                                                             \
            for (int i = LANES_EASY; i < LANES_DIGITS; i++)                                          \
                if (k - i > 0 && k - i < LANES_DIGITS)                                               \
                    lanes_accumulate(&column, quotient[i], LANES_BOTH(lanes_p[k - i]));              \
            if (k < LANES_DIGITS) {                                                                  \
                quotient[k] = lanes_double(column.sum & LANES_MASK);                                 \
                if (k >= LANES_EASY) {                                                               \
                    quotient[k] = lanes_low_product(quotient[k], LANES_BOTH(LANES_P_INVERSE));       \
                    lanes_accumulate(&column, quotient[k], LANES_BOTH(lanes_p[0]));                  \
                }                                                                                    \
            } else                                                                                   \
                digits[k - LANES_DIGITS] = k < LANES_COLUMNS - 1 ? column.sum & LANES_MASK : column.sum; \
            column.next += column.sum >> LANES_BITS;                                                 \
            column.sum = column.next;                                                                \
            column.next = LANES_WORDS(0);                                                            \
        }                                                                                            \
    } while (0)

#define LANES_FIRST(k) ((k) < LANES_DIGITS ? 0 : (k) - LANES_DIGITS + 1)

/* Column k of a * b. */
TUTTI_INLINE void lanes_product(struct lanes_column *column, const tutti_pair a[], const tutti_pair b[], int k)
{
    TUTTI_UNROLL
    for (int i = LANES_FIRST(k); i <= k - LANES_FIRST(k); i++)
        lanes_accumulate(column, a[i], b[k - i]);
}

/* Lanes x0 y0 - x1 y1 and x0 y1 + x1 y0: four products, two reductions. */
TUTTI_INLINE void lanes_mul_x(vec384x ret, const vec384x a, const vec384x b)
{
    tutti_pair real[LANES_DIGITS], imaginary[LANES_DIGITS], y[LANES_DIGITS], turned[LANES_DIGITS];
    tutti_words digits[LANES_DIGITS];

    lanes_unpack(imaginary, a[0], a[1]);
    lanes_unpack(y, b[0], b[1]);
    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++) {
        real[i] = __builtin_shufflevector(imaginary[i], imaginary[i], 0, 0);
        imaginary[i] = __builtin_shufflevector(imaginary[i], imaginary[i], 1, 1);
        turned[i] = __builtin_shufflevector(y[i], y[i], 1, 0) * (tutti_pair){ -1.0, 1.0 };
    }
#define add(column, k) \
    do { \
        lanes_product(column, real, y, k); \
        lanes_product(column, imaginary, turned, k); \
    } while (0)
    LANES_REDUCE(digits, 2, add);
#undef add
    lanes_pack(ret[0], ret[1], digits);
}

/* Makes x and y the factors of a square: their product is (x0 + x1)(x0 - x1) in one lane, 2 x0 x1 in the other. */
TUTTI_INLINE void lanes_square_factors(tutti_pair x[LANES_DIGITS], tutti_pair y[LANES_DIGITS])
{
    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++) {
        tutti_pair real = __builtin_shufflevector(x[i], x[i], 0, 0);
        tutti_pair turned = __builtin_shufflevector(x[i], x[i], 1, 0) * (tutti_pair){ -1.0, 1.0 };
        y[i] = (tutti_pair)wasm_i64x2_shuffle((v128_t)(x[i] + turned), (v128_t)x[i], 0, 3);
        x[i] = real + __builtin_shufflevector(x[i], x[i], 1, 0);
    }
}

TUTTI_INLINE void lanes_sqr_x(vec384x ret, const vec384x a)
{
    tutti_pair x[LANES_DIGITS], y[LANES_DIGITS];
    tutti_words digits[LANES_DIGITS];

    lanes_unpack(x, a[0], a[1]);
    lanes_square_factors(x, y);
#define add(column, k) lanes_product(column, x, y, k)
    LANES_REDUCE(digits, 1, add);
#undef add
    lanes_pack(ret[0], ret[1], digits);
}
