/*
 * Sums and differences in Fp of BLS12-381 by 6 words of 64 bits, half as many words as in blst's portable code.
 *
 * No branch and no address depends on a value.
 */

#pragma once

typedef unsigned long long tutti_word;
typedef tutti_word tutti_unaligned __attribute__((aligned(1), may_alias));

#define TUTTI_WORDS 6
#define TUTTI_INLINE static inline __attribute__((always_inline))
#define TUTTI_UNROLL _Pragma("clang loop unroll(full)")

static const tutti_word tutti_p_words[TUTTI_WORDS] = {
    0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
    0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a
};

TUTTI_INLINE void tutti_load(tutti_word words[TUTTI_WORDS], const limb_t a[])
{
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++)
        words[i] = *(const tutti_unaligned *)((const byte *)a + 8 * i);
}

/* ret = value if it is under p, else value - p; the value is under 2p. */
TUTTI_INLINE void tutti_store_once_reduced(limb_t ret[], const tutti_word value[TUTTI_WORDS])
{
    tutti_word reduced[TUTTI_WORDS], borrow = 0;

    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        tutti_word difference = value[i] - tutti_p_words[i];
        tutti_word next = value[i] < tutti_p_words[i];
        reduced[i] = difference - borrow;
        borrow = next + (difference < borrow);
    }
    tutti_word mask = 0 - borrow;
    launder(mask);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++)
        *(tutti_unaligned *)((byte *)ret + 8 * i) = reduced[i] ^ ((reduced[i] ^ value[i]) & mask);
}

TUTTI_INLINE void tutti_add(limb_t ret[], const limb_t a[], const limb_t b[])
{
    tutti_word x[TUTTI_WORDS], y[TUTTI_WORDS], carry = 0;

    tutti_load(x, a);
    tutti_load(y, b);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        tutti_word sum = x[i] + y[i];
        tutti_word next = sum < y[i];
        x[i] = sum + carry;
        carry = next + (x[i] < carry);
    }
    tutti_store_once_reduced(ret, x);
}

TUTTI_INLINE void tutti_double(limb_t ret[], const limb_t a[])
{
    tutti_word x[TUTTI_WORDS];

    tutti_load(x, a);
    TUTTI_UNROLL
    for (int i = TUTTI_WORDS - 1; i > 0; i--)
        x[i] = x[i] << 1 | x[i - 1] >> 63;
    x[0] <<= 1;
    tutti_store_once_reduced(ret, x);
}

TUTTI_INLINE void tutti_sub(limb_t ret[], const limb_t a[], const limb_t b[])
{
    tutti_word x[TUTTI_WORDS], y[TUTTI_WORDS], borrow = 0, carry = 0;

    tutti_load(x, a);
    tutti_load(y, b);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        tutti_word difference = x[i] - y[i];
        tutti_word next = x[i] < y[i];
        x[i] = difference - borrow;
        borrow = next + (difference < borrow);
    }
    tutti_word mask = 0 - borrow;
    launder(mask);
    TUTTI_UNROLL
    for (int i = 0; i < TUTTI_WORDS; i++) {
        tutti_word p = tutti_p_words[i] & mask;
        tutti_word sum = x[i] + p;
        tutti_word next = sum < p;
        sum += carry;
        carry = next + (sum < carry);
        *(tutti_unaligned *)((byte *)ret + 8 * i) = sum;
    }
}
