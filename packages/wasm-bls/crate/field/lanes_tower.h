/*
 * Products in Fp12 by lanes (lanes.h), in which each coordinate is reduced once: products are summed as columns, and
 * sums of elements that are only multiplied are sums of digits, without carries.
 *
 * The lanes hold two products in Fp6 of the same shape, or the two halves of a square in Fp2. A factor's digits are
 * sums of several elements' digits, so that a product of two may reach 2^100.4, where lanes.h allows 2^99: its high
 * half is a multiple of 2^51, not of 2^48.
 *
 * scripts/lane-bounds.mjs derives the bounds that this file states.
 *
 * The tower is blst's: Fp6 = Fp2[v] / (v^3 - u - 1), Fp12 = Fp6[w] / (w^2 - v). No branch and no address depends on a
 * value.
 */

#include "lanes.h"

#define TOWER_SHIFT 3
/* As LANES_HIGH: between 2^103 and 2^104 the last place of a double is worth 2^51. */
#define TOWER_HIGH 0x1.8p103
#define TOWER_HIGH_BITS 0x4668000000000000ULL

/* Not inlined, and with loops kept, so that the kernel stays small and fits an engine's few registers. */
#define TOWER_SHARED static __attribute__((noinline))
#define TOWER_LOOP _Pragma("clang loop unroll(disable)")

/* An element of Fp in each lane, by digits; and of Fp2, real half and imaginary. */
typedef tutti_pair tower_digits[LANES_DIGITS];
typedef tower_digits tower_fp2[2];
/* A sum of products in each lane, by columns; and the same in Fp2. Columns are signed. */
typedef tutti_words tower_columns[LANES_COLUMNS];
typedef tower_columns tower_wide[2];

#define TOWER_SWAPPED(x) __builtin_shufflevector((x), (x), 1, 0)
/* The upper lane of x in the lower one, and zero in the upper. */
#define TOWER_LOWERED(x) __builtin_shufflevector((x), (x) - (x), 1, 2)
/* The lower lane of x, and the upper one of y. */
#define TOWER_EITHER(x, y) __builtin_shufflevector((x), (y), 0, 3)

/* The column += a * b. */
TUTTI_INLINE void tower_accumulate(struct lanes_column *column, tutti_pair a, tutti_pair b)
{
    tutti_pair high = LANES_MADD(a, b, LANES_BOTH(TOWER_HIGH));
    tutti_pair low = LANES_MADD(a, b, LANES_BOTH(TOWER_HIGH + LANES_LOW) - high);

    column->next += (tutti_words)high;
    column->sum += (tutti_words)low;
}

/* How many products of digits column k of a product has. */
#define TOWER_PRODUCTS(k) ((tutti_word)((k) < LANES_DIGITS ? (k) + 1 : LANES_COLUMNS - 1 - (k)))

/*
 * ret = x * y in Fp2: x0 y0 - x1 y1 and (x0 + x1)(y0 + y1) - x0 y0 - x1 y1. No product of two digits may pass 2^102.
 */
TOWER_SHARED void tower_mul(tower_wide ret, const tower_fp2 x, const tower_fp2 y)
{
    tower_digits xs, ys;
    tutti_words real = LANES_WORDS(0), imaginary = LANES_WORDS(0);

    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++) {
        xs[i] = x[0][i] + x[1][i];
        ys[i] = y[0][i] + y[1][i];
    }
    TOWER_LOOP
    for (int k = 0; k < LANES_COLUMNS - 1; k++) {
        struct lanes_column none = { LANES_WORDS(0), LANES_WORDS(0) }, both = none, low = none, high = none;
        int first = LANES_FIRST(k);
        tutti_word products = TOWER_PRODUCTS(k);

        TOWER_LOOP
        for (int i = first; i <= k - first; i++) {
            tower_accumulate(&both, xs[i], ys[k - i]);
            tower_accumulate(&low, x[0][i], y[0][k - i]);
            tower_accumulate(&high, x[1][i], y[1][k - i]);
        }
        ret[0][k] = real + low.sum - high.sum;
        real = (low.next - high.next) << TOWER_SHIFT;
        ret[1][k] = imaginary + both.sum - low.sum - high.sum + LANES_WORDS(products * LANES_LOW_BITS);
        imaginary = (both.next - low.next - high.next + LANES_WORDS(products * TOWER_HIGH_BITS)) << TOWER_SHIFT;
    }
    ret[0][LANES_COLUMNS - 1] = real;
    ret[1][LANES_COLUMNS - 1] = imaginary;
}

/* ret = the square of an element of Fp2 with a half in each lane. Its digits must be at most 2^49. */
TOWER_SHARED void tower_square(tower_columns ret, const tower_digits a)
{
    tower_digits x, y;
    tutti_words next = LANES_WORDS(0);

    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++)
        x[i] = a[i];
    lanes_square_factors(x, y);
    TUTTI_UNROLL
    for (int k = 0; k < LANES_COLUMNS - 1; k++) {
        struct lanes_column column = { LANES_WORDS(0), LANES_WORDS(0) };

        LANES_BREAK();
        TUTTI_UNROLL
        for (int i = LANES_FIRST(k); i <= k - LANES_FIRST(k); i++)
            tower_accumulate(&column, x[i], y[k - i]);
        ret[k] = next + column.sum - LANES_WORDS(TOWER_PRODUCTS(k) * LANES_LOW_BITS);
        next = (column.next - LANES_WORDS(TOWER_PRODUCTS(k) * TOWER_HIGH_BITS)) << TOWER_SHIFT;
    }
    ret[LANES_COLUMNS - 1] = next;
}

/*
 * low and high = the columns of the lanes / 2^384 mod p. A column is under 2^60. The value of all columns is between
 * -38p^2 and 38p^2, that is 3.9p * 2^384, so that the multiple of p nearest to the quotient is one of -4..4, and the
 * top digit tells it closely enough that what is left lies between -p and p.
 */
TOWER_SHARED void tower_reduce(limb_t low[], limb_t high[], const tower_columns a)
{
    tutti_words digits[LANES_DIGITS], carry = LANES_WORDS(0);

#define add(column, k) ((column)->sum += a[k])
    LANES_REDUCE(digits, 0, add);
#undef add
    tutti_pair top = (tutti_pair)(digits[LANES_DIGITS - 1] + LANES_WORDS(LANES_LOW_BITS)) - LANES_BOTH(LANES_LOW);
    tutti_pair multiple = (tutti_pair)wasm_f64x2_nearest((v128_t)(top * LANES_BOTH(1.0 / lanes_p[LANES_DIGITS - 1])));
    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++) {
        tutti_word lift = (i < LANES_DIGITS - 1 ? LANES_LIFT : 0) - (i > 0 ? LANES_LIFT >> LANES_BITS : 0);
        tutti_pair taken = LANES_MADD(multiple, LANES_BOTH(lanes_p[i]), LANES_BOTH(LANES_LOW));

        digits[i] += carry + LANES_WORDS(lift + LANES_LOW_BITS) - (tutti_words)taken;
        carry = digits[i] >> LANES_BITS;
        if (i < LANES_DIGITS - 1)
            digits[i] &= LANES_MASK;
    }
    lanes_pack(low, high, digits);
}

/* The difference of two elements of Fp2. */
TUTTI_INLINE void tower_sub(tower_fp2 ret, const tower_fp2 a, const tower_fp2 b)
{
    TOWER_LOOP
    for (int half = 0; half < 2; half++)
        TOWER_LOOP
        for (int i = 0; i < LANES_DIGITS; i++)
            ret[half][i] = a[half][i] - b[half][i];
}

/* ret = (x_i - x_j)(y_i - y_j). */
TUTTI_INLINE void tower_mul_differences(tower_wide ret, const tower_fp2 x[3], const tower_fp2 y[3], int i, int j)
{
    tower_fp2 dx, dy;

    tower_sub(dx, x[i], x[j]);
    tower_sub(dy, y[i], y[j]);
    tower_mul(ret, dx, dy);
}

/* ret = x * y in Fp6: x_i y_j + x_j y_i is x_i y_i + x_j y_j - (x_i - x_j)(y_i - y_j). */
TOWER_SHARED void tower_mul_fp6(tower_wide ret[3], const tower_fp2 x[3], const tower_fp2 y[3])
{
    tower_wide d01, d02, d12;

    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        tower_mul(ret[i], x[i], y[i]);
    tower_mul_differences(d01, x, y, 0, 1);
    tower_mul_differences(d02, x, y, 0, 2);
    tower_mul_differences(d12, x, y, 1, 2);
    TOWER_LOOP
    for (int k = 0; k < LANES_COLUMNS; k++) {
        tutti_words r0 = ret[0][0][k], i0 = ret[0][1][k];
        tutti_words r1 = ret[1][0][k], i1 = ret[1][1][k];
        tutti_words r2 = ret[2][0][k], i2 = ret[2][1][k];
        tutti_words r12 = r1 + r2 - d12[0][k], i12 = i1 + i2 - d12[1][k];

        ret[0][0][k] = r0 + r12 - i12;
        ret[0][1][k] = i0 + r12 + i12;
        ret[1][0][k] = r0 + r1 - d01[0][k] + r2 - i2;
        ret[1][1][k] = i0 + i1 - d01[1][k] + r2 + i2;
        ret[2][0][k] = r0 + r2 - d02[0][k] + r1;
        ret[2][1][k] = i0 + i2 - d02[1][k] + i1;
    }
}

/* The digits of two elements of Fp6, a lane each. */
TOWER_SHARED void tower_load(tower_fp2 ret[3], const vec384fp6 low, const vec384fp6 high)
{
    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        TOWER_LOOP
        for (int half = 0; half < 2; half++)
            lanes_unpack(ret[i][half], low[i][half], high[i][half]);
}

/* Column or digit k of a coordinate of t * v: the last coordinate comes first, times u + 1. */
#define TOWER_BY_V(t, coordinate, half, k)                            \
    ((coordinate) > 0 ? (t)[((coordinate) + 2) % 3][half][k]          \
                      : (half) == 0 ? (t)[2][0][k] - (t)[2][1][k] : (t)[2][0][k] + (t)[2][1][k])

/* ret = p.low + q.high v and p.high + q.low, where p and q are a0, in the low lane, and a1 times elements of Fp6. */
TOWER_SHARED void tower_finish(vec384fp12 ret, const tower_wide p[3], const tower_wide q[3])
{
    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        TOWER_LOOP
        for (int half = 0; half < 2; half++) {
            tower_columns sum;

            TOWER_LOOP
            for (int k = 0; k < LANES_COLUMNS; k++)
                sum[k] = p[i][half][k]
                       + TOWER_SWAPPED(TOWER_EITHER(q[i][half][k], TOWER_BY_V(q, i, half, k)));
            tower_reduce(ret[0][i][half], ret[1][i][half], sum);
        }
}

static void mul_fp12(vec384fp12 ret, const vec384fp12 a, const vec384fp12 b)
{
    tower_fp2 x[3], y[3];
    tower_wide p[3], q[3];

    tower_load(x, a[0], a[1]);
    tower_load(y, b[0], b[0]);
    tower_mul_fp6(p, x, y);
    tower_load(y, b[1], b[1]);
    tower_mul_fp6(q, x, y);
    tower_finish(ret, p, q);
}

/* ret = a * (x + y v + z v w): the product with a line. */
static void mul_by_xy00z0_fp12(vec384fp12 ret, const vec384fp12 a, const vec384fp6 xy00z0)
{
    tower_fp2 x[3], y[3];
    tower_wide p[3], q[3], d01, over;

    tower_load(x, a[0], a[1]);
    tower_load(y, xy00z0, xy00z0);
    tower_mul(p[0], x[0], y[0]);
    tower_mul(p[1], x[1], y[1]);
    tower_mul(p[2], x[2], y[0]);
    tower_mul(over, x[2], y[1]);
    tower_mul_differences(d01, x, y, 0, 1);
    TOWER_LOOP
    for (int k = 0; k < LANES_COLUMNS; k++) {
        TOWER_LOOP
        for (int half = 0; half < 2; half++) {
            tutti_words p0 = p[0][half][k], p1 = p[1][half][k];

            p[0][half][k] = p0 + (half == 0 ? over[0][k] - over[1][k] : over[0][k] + over[1][k]);
            p[1][half][k] = p0 + p1 - d01[half][k];
            p[2][half][k] += p1;
        }
    }
    tower_mul(q[1], x[0], y[2]);
    tower_mul(q[2], x[1], y[2]);
    tower_mul(over, x[2], y[2]);
    TOWER_LOOP
    for (int k = 0; k < LANES_COLUMNS; k++) {
        q[0][0][k] = over[0][k] - over[1][k];
        q[0][1][k] = over[0][k] + over[1][k];
    }
    tower_finish(ret, p, q);
}

/* Lanes t = (a0 + a1)(a0 + a1 v) and s = a0 a1: ret = t - s - s v + 2 s w. */
static void sqr_fp12(vec384fp12 ret, const vec384fp12 a)
{
    tower_fp2 both[3], x[3], y[3];
    tower_wide t[3];

    tower_load(both, a[0], a[1]);
    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        TOWER_LOOP
        for (int half = 0; half < 2; half++)
            TOWER_LOOP
            for (int k = 0; k < LANES_DIGITS; k++) {
                tutti_pair digit = both[i][half][k];

                x[i][half][k] = __builtin_shufflevector(digit, digit, 0, 0) + TOWER_LOWERED(digit);
                y[i][half][k] = digit + TOWER_LOWERED(TOWER_BY_V(both, i, half, k));
            }
    tower_mul_fp6(t, x, y);
    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        TOWER_LOOP
        for (int half = 0; half < 2; half++) {
            tower_columns sum;

            TOWER_LOOP
            for (int k = 0; k < LANES_COLUMNS; k++) {
                tutti_words both = t[i][half][k];

                sum[k] = TOWER_EITHER(both - TOWER_SWAPPED(both + TOWER_BY_V(t, i, half, k)), both + both);
            }
            tower_reduce(ret[0][i][half], ret[1][i][half], sum);
        }
}

/* (u + 1) t, with a half in each lane. */
TUTTI_INLINE tutti_words tower_turned(tutti_words t)
{
    tutti_words negative = { ~0ULL, 0 };

    return t + ((TOWER_SWAPPED(t) ^ negative) - negative);
}

/* ret = 3 (a0 + a1 s)^2, where s^2 = u + 1: its two coordinates, each with a lane for each half. */
TOWER_SHARED void tower_square_fp4(tower_columns ret0, tower_columns ret1, const vec384x a0, const vec384x a1)
{
    tower_digits x0, x1;
    tower_columns t0, t1, both;

    lanes_unpack(x0, a0[0], a0[1]);
    lanes_unpack(x1, a1[0], a1[1]);
    tower_square(t0, x0);
    tower_square(t1, x1);
    TOWER_LOOP
    for (int i = 0; i < LANES_DIGITS; i++)
        x0[i] += x1[i];
    tower_square(both, x0);
    TOWER_LOOP
    for (int k = 0; k < LANES_COLUMNS; k++) {
        tutti_words one = t0[k] + tower_turned(t1[k]), other = both[k] - t0[k] - t1[k];

        ret0[k] = one + one + one;
        ret1[k] = other + other + other;
    }
}

/* ret = columns / 2^384 - 2a, or + 2a, in Fp2 with a lane for each half. */
TOWER_SHARED void tower_reduce_with(vec384x ret, tower_columns columns, const vec384x a, int plus)
{
    TUTTI_UNROLL
    for (int i = 0; i < LANES_DIGITS; i++) {
        tutti_words twice = lanes_digit(a[0], a[1], i) << 1;

        columns[LANES_DIGITS + i] += plus ? twice : -twice;
    }
    tower_reduce(ret[0], ret[1], columns);
}

/* Granger and Scott's square in the subgroup of order p^4 - p^2 + 1 (https://eprint.iacr.org/2009/565, section 3.2). */
static void cyclotomic_sqr_fp12(vec384fp12 ret, const vec384fp12 a)
{
    tower_columns t[6];

    tower_square_fp4(t[0], t[1], a[0][0], a[1][1]);
    tower_square_fp4(t[2], t[3], a[1][0], a[0][2]);
    tower_square_fp4(t[4], t[5], a[0][1], a[1][2]);
    TOWER_LOOP
    for (int k = 0; k < LANES_COLUMNS; k++)
        t[5][k] = tower_turned(t[5][k]);
    tower_reduce_with(ret[0][0], t[0], a[0][0], 0);
    tower_reduce_with(ret[0][1], t[2], a[0][1], 0);
    tower_reduce_with(ret[0][2], t[4], a[0][2], 0);
    tower_reduce_with(ret[1][0], t[5], a[1][0], 1);
    tower_reduce_with(ret[1][1], t[1], a[1][1], 1);
    tower_reduce_with(ret[1][2], t[3], a[1][2], 1);
}
