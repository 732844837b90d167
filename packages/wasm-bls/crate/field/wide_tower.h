/*
 * Products in Fp12 by wide arithmetic (wide.h), in which each coordinate is reduced once: products of 768 bits are added
 * up and subtracted as they are.
 *
 * Sums of products are computed mod 2^768 and read as signed: what they come to is between -38 p^2 and 38 p^2, and
 * 2^768 is 98 p^2, so that what is larger on the way does no harm. Factors are sums of at most four elements, under
 * 2^384, which is 9.8 p.
 *
 * scripts/lane-bounds.mjs derives the bounds that this file states.
 *
 * The tower is blst's: Fp6 = Fp2[v] / (v^3 - u - 1), Fp12 = Fp6[w] / (w^2 - v). No branch and no address depends on a
 * value.
 */

#include "wide.h"

/* Not inlined, and with loops kept, so that the kernel stays small. */
#define TOWER_SHARED static __attribute__((noinline))
#define TOWER_LOOP _Pragma("clang loop unroll(disable)")
#define TOWER_LIMBS (2 * TUTTI_WORDS)

/* floor(2^124 / (the top limb of p + 1)). */
#define TOWER_PER_P 0x9d835d2f3cc9e458ULL

/* The next limb of a result: what is carried, and the sum of the limbs that the result consists of. */
#define TOWER_LIMB(limb, carried, sum)      \
    do {                                    \
        (carried) += (sum);                 \
        (limb) = (limb_t)(carried);         \
        (carried) >>= 64;                   \
    } while (0)

TOWER_SHARED void tower_multiply(wide_product ret, const limb_t a[], const limb_t b[])
{   wide_multiply(ret, a, b);   }

/* ret = x * y in Fp2: x0 y0 - x1 y1 and (x0 + x1)(y0 + y1) - x0 y0 - x1 y1. */
TOWER_SHARED void tower_mul(wide_product_x ret, const vec384x x, const vec384x y)
{
    vec384 xs, ys;
    wide_product low, high;
    wide_sum real = 0, imaginary = 0;

    wide_plus(xs, x[0], x[1]);
    wide_plus(ys, y[0], y[1]);
    tower_multiply(low, x[0], y[0]);
    tower_multiply(high, x[1], y[1]);
    tower_multiply(ret[1], xs, ys);
    TUTTI_UNROLL
    for (int k = 0; k < TOWER_LIMBS; k++) {
        TOWER_LIMB(ret[0][k], real, (wide_sum)low[k] - high[k]);
        TOWER_LIMB(ret[1][k], imaginary, (wide_sum)ret[1][k] - low[k] - high[k]);
    }
}

/* ret = the square of an element of Fp2. */
TOWER_SHARED void tower_square(wide_product_x ret, const vec384x x)
{
    vec384 sum, difference, twice;

    wide_plus(sum, x[0], x[1]);
    wide_sub(difference, x[0], x[1]);
    wide_plus(twice, x[0], x[0]);
    tower_multiply(ret[0], sum, difference);
    tower_multiply(ret[1], twice, x[1]);
}

/* ret = (x_i + x_j)(y_i + y_j). */
TOWER_SHARED void tower_mul_sums(wide_product_x ret, const vec384fp6 x, const vec384fp6 y, int i, int j)
{
    vec384x xs, ys;

    TOWER_LOOP
    for (int half = 0; half < 2; half++) {
        wide_plus(xs[half], x[i][half], x[j][half]);
        wide_plus(ys[half], y[i][half], y[j][half]);
    }
    tower_mul(ret, xs, ys);
}

/* ret = x * y in Fp6: x_i y_j + x_j y_i is (x_i + x_j)(y_i + y_j) - x_i y_i - x_j y_j. */
TOWER_SHARED void tower_mul_fp6(wide_product_x ret[3], const vec384fp6 x, const vec384fp6 y)
{
    wide_product_x d01, d02, d12;
    wide_sum carried[3][2] = { { 0 } };

    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        tower_mul(ret[i], x[i], y[i]);
    tower_mul_sums(d01, x, y, 0, 1);
    tower_mul_sums(d02, x, y, 0, 2);
    tower_mul_sums(d12, x, y, 1, 2);
    TOWER_LOOP
    for (int k = 0; k < TOWER_LIMBS; k++) {
        limb_t r0 = ret[0][0][k], i0 = ret[0][1][k];
        limb_t r1 = ret[1][0][k], i1 = ret[1][1][k];
        limb_t r2 = ret[2][0][k], i2 = ret[2][1][k];
        wide_sum r12 = (wide_sum)d12[0][k] - r1 - r2, i12 = (wide_sum)d12[1][k] - i1 - i2;

        TOWER_LIMB(ret[0][0][k], carried[0][0], r12 - i12 + r0);
        TOWER_LIMB(ret[0][1][k], carried[0][1], r12 + i12 + i0);
        TOWER_LIMB(ret[1][0][k], carried[1][0], (wide_sum)d01[0][k] - r0 - r1 + r2 - i2);
        TOWER_LIMB(ret[1][1][k], carried[1][1], (wide_sum)d01[1][k] - i0 - i1 + r2 + i2);
        TOWER_LIMB(ret[2][0][k], carried[2][0], (wide_sum)d02[0][k] - r0 - r2 + r1);
        TOWER_LIMB(ret[2][1][k], carried[2][1], (wide_sum)d02[1][k] - i0 - i2 + i1);
    }
}

/*
 * ret = t / 2^384 mod p. Four times p * 2^384 makes t positive; what is reduced is under 9.4p, and the top limb tells
 * the multiple of p that leaves less than 2p.
 */
TOWER_SHARED void tower_reduce(limb_t ret[], wide_product t)
{
    wide_word lifted = 0;
    wide_sum left = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        limb_t four = tutti_p_words[i] << 2 | (i > 0 ? tutti_p_words[i - 1] >> 62 : 0);

        lifted = lifted + t[TUTTI_WORDS + i] + four;
        t[TUTTI_WORDS + i] = (limb_t)lifted;
        lifted >>= 64;
    }
    wide_reduce(t);
    limb_t multiple = (limb_t)(((wide_word)t[TOWER_LIMBS - 1] * TOWER_PER_P) >> 124);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++)
        TOWER_LIMB(t[TUTTI_WORDS + i], left, t[TUTTI_WORDS + i] - (wide_sum)((wide_word)tutti_p_words[i] * multiple));
    wide_store(ret, t + TUTTI_WORDS);
}

/* Limb k of a coordinate of t * v, where the last coordinate comes first, times u + 1. */
#define TOWER_BY_V(t, coordinate, half, k)                                         \
    ((coordinate) > 0 ? (wide_sum)(t)[(coordinate) - 1][half][k]                   \
                      : (half) == 0 ? (wide_sum)(t)[2][0][k] - (t)[2][1][k] : (wide_sum)(t)[2][0][k] + (t)[2][1][k])

/* ret = low + high w for high = s - p - q and low = p + q v, or, of a square, low = s - p - p v and high = 2p. */
TOWER_SHARED void tower_finish(vec384fp12 ret, const wide_product_x p[3], const wide_product_x q[3],
                               const wide_product_x s[3])
{
    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        TOWER_LOOP
        for (int half = 0; half < 2; half++) {
            wide_product low, high;
            wide_sum below = 0, above = 0;

            TOWER_LOOP
            for (int k = 0; k < TOWER_LIMBS; k++) {
                limb_t pk = p[i][half][k];

                if (q != 0) {
                    TOWER_LIMB(low[k], below, TOWER_BY_V(q, i, half, k) + pk);
                    TOWER_LIMB(high[k], above, (wide_sum)s[i][half][k] - pk - q[i][half][k]);
                } else {
                    TOWER_LIMB(low[k], below, (wide_sum)s[i][half][k] - pk - TOWER_BY_V(p, i, half, k));
                    TOWER_LIMB(high[k], above, (wide_sum)pk + pk);
                }
            }
            tower_reduce(ret[0][i][half], low);
            tower_reduce(ret[1][i][half], high);
        }
}

/* ret = a + b in Fp6, reduced: the sums of their coordinates are factors. */
TOWER_SHARED void tower_plus(vec384fp6 ret, const vec384fp6 a, const vec384fp6 b)
{
    TOWER_LOOP
    for (int i = 0; i < 3; i++)
        TOWER_LOOP
        for (int half = 0; half < 2; half++)
            wide_add(ret[i][half], a[i][half], b[i][half]);
}

/* a = a0 + a1 w times b = b0 + b1 w, by p = a0 b0, q = a1 b1 and s = (a0 + a1)(b0 + b1). */
static void mul_fp12(vec384fp12 ret, const vec384fp12 a, const vec384fp12 b)
{
    vec384fp6 x, y;
    wide_product_x p[3], q[3], s[3];

    tower_plus(x, a[0], a[1]);
    tower_plus(y, b[0], b[1]);
    tower_mul_fp6(p, a[0], b[0]);
    tower_mul_fp6(q, a[1], b[1]);
    tower_mul_fp6(s, x, y);
    tower_finish(ret, p, q, s);
}

/* ret = a * (x + y v) in Fp6. */
TOWER_SHARED void tower_mul_line(wide_product_x ret[3], const vec384fp6 a, const vec384fp6 xy)
{
    wide_product_x first, second, d01, over;
    wide_sum carried[3][2] = { { 0 } };

    tower_mul(first, a[0], xy[0]);
    tower_mul(second, a[1], xy[1]);
    tower_mul_sums(d01, a, xy, 0, 1);
    tower_mul(over, a[2], xy[1]);
    tower_mul(ret[2], a[2], xy[0]);
    TOWER_LOOP
    for (int k = 0; k < TOWER_LIMBS; k++) {
        limb_t r0 = first[0][k], i0 = first[1][k], r1 = second[0][k], i1 = second[1][k];
        limb_t r2 = over[0][k], i2 = over[1][k];

        TOWER_LIMB(ret[0][0][k], carried[0][0], (wide_sum)r0 + r2 - i2);
        TOWER_LIMB(ret[0][1][k], carried[0][1], (wide_sum)i0 + r2 + i2);
        TOWER_LIMB(ret[1][0][k], carried[1][0], (wide_sum)d01[0][k] - r0 - r1);
        TOWER_LIMB(ret[1][1][k], carried[1][1], (wide_sum)d01[1][k] - i0 - i1);
        TOWER_LIMB(ret[2][0][k], carried[2][0], (wide_sum)ret[2][0][k] + r1);
        TOWER_LIMB(ret[2][1][k], carried[2][1], (wide_sum)ret[2][1][k] + i1);
    }
}

/* ret = a * (x + y v + z v w), the product with a line, by p = a0 (x + y v), q = a1 z v and s = (a0 + a1)(x + (y + z) v). */
static void mul_by_xy00z0_fp12(vec384fp12 ret, const vec384fp12 a, const vec384fp6 xy00z0)
{
    vec384fp6 both, line;
    wide_product_x p[3], q[3], s[3], over;
    wide_sum real = 0, imaginary = 0;

    tower_plus(both, a[0], a[1]);
    vec_copy(line[0], xy00z0[0], sizeof line[0]);
    wide_add(line[1][0], xy00z0[1][0], xy00z0[2][0]);
    wide_add(line[1][1], xy00z0[1][1], xy00z0[2][1]);
    tower_mul_line(p, a[0], xy00z0);
    tower_mul(q[1], a[1][0], xy00z0[2]);
    tower_mul(q[2], a[1][1], xy00z0[2]);
    tower_mul(over, a[1][2], xy00z0[2]);
    tower_mul_line(s, both, line);
    TOWER_LOOP
    for (int k = 0; k < TOWER_LIMBS; k++) {
        TOWER_LIMB(q[0][0][k], real, (wide_sum)over[0][k] - over[1][k]);
        TOWER_LIMB(q[0][1][k], imaginary, (wide_sum)over[0][k] + over[1][k]);
    }
    tower_finish(ret, p, q, s);
}

/* The square of a = a0 + a1 w by p = a0 a1 and s = (a0 + a1)(a0 + a1 v): s - p - p v + 2 p w. */
static void sqr_fp12(vec384fp12 ret, const vec384fp12 a)
{
    vec384fp6 x, y;
    wide_product_x p[3], s[3];

    tower_plus(x, a[0], a[1]);
    wide_sub(y[0][0], a[1][2][0], a[1][2][1]);
    wide_add(y[0][1], a[1][2][0], a[1][2][1]);
    vec_copy(y[1], a[1][0], 2 * sizeof y[1]);
    tower_plus(y, y, a[0]);
    tower_mul_fp6(p, a[0], a[1]);
    tower_mul_fp6(s, x, y);
    tower_finish(ret, p, 0, s);
}

/*
 * ret0 = 3 t0 - 2 r0 and ret1 = 3 t1 + 2 r1, where (a0 + a1 s)^2 = t0 + t1 s for s^2 = u + 1; with `turned`, t1 is
 * multiplied by u + 1 before.
 */
TOWER_SHARED void tower_square_fp4(vec384x ret0, vec384x ret1, const vec384x a0, const vec384x a1, const vec384x r0,
                                   const vec384x r1, int turned)
{
    vec384x sum;
    wide_product_x t0, t1, both;
    wide_sum carried[2][2] = { { 0 } };

    wide_add(sum[0], a0[0], a1[0]);
    wide_add(sum[1], a0[1], a1[1]);
    tower_square(t0, a0);
    tower_square(t1, a1);
    tower_square(both, sum);
    TOWER_LOOP
    for (int k = 0; k < TOWER_LIMBS; k++) {
        wide_sum real = (wide_sum)both[0][k] - t0[0][k] - t1[0][k];
        wide_sum imaginary = (wide_sum)both[1][k] - t0[1][k] - t1[1][k];
        wide_sum one[2] = { (wide_sum)t0[0][k] + t1[0][k] - t1[1][k], (wide_sum)t0[1][k] + t1[0][k] + t1[1][k] };
        wide_sum other[2] = { turned ? real - imaginary : real, turned ? real + imaginary : imaginary };

        TUTTI_UNROLL
        for (int half = 0; half < 2; half++) {
            limb_t less = k < TUTTI_WORDS ? 0 : r0[half][k - TUTTI_WORDS];
            limb_t more = k < TUTTI_WORDS ? 0 : r1[half][k - TUTTI_WORDS];

            TOWER_LIMB(t0[half][k], carried[0][half], one[half] + one[half] + one[half] - less - less);
            TOWER_LIMB(t1[half][k], carried[1][half], other[half] + other[half] + other[half] + more + more);
        }
    }
    TOWER_LOOP
    for (int half = 0; half < 2; half++) {
        tower_reduce(ret0[half], t0[half]);
        tower_reduce(ret1[half], t1[half]);
    }
}

/* Granger and Scott's square in the subgroup of order p^4 - p^2 + 1 (https://eprint.iacr.org/2009/565, section 3.2). */
static void cyclotomic_sqr_fp12(vec384fp12 ret, const vec384fp12 a)
{
    vec384fp12 t;

    tower_square_fp4(t[0][0], t[1][1], a[0][0], a[1][1], a[0][0], a[1][1], 0);
    tower_square_fp4(t[0][1], t[1][2], a[1][0], a[0][2], a[0][1], a[1][2], 0);
    tower_square_fp4(t[0][2], t[1][0], a[0][1], a[1][2], a[0][2], a[1][0], 1);
    vec_copy(ret, t, sizeof t);
}
