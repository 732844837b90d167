/** Bounds of the field arithmetic with 64-bit limbs, for lane-bounds.mjs. */
import { array, constant, ensure, p, ratio, two } from './field-headers.mjs';
import { add, boundOf, hull, interval, productOf, size, sumOf, symbol } from './intervals.mjs';

/** wide.h: bounds of the rows of limb products, and of the remainder modulo p. */
export function wideBounds(headers) {
  const limb = two(64) - 1n;
  const count = Number(constant(headers['words.h'], 'TUTTI_WORDS'));
  const easy = Number(constant(headers['wide.h'], 'WIDE_EASY'));
  const inverse = constant(headers['wide.h'], 'WIDE_P_INVERSE');
  const whole = (limbs) => limbs.reduce((sum, word, i) => sum + (word << BigInt(64 * i)), 0n);
  const above = whole(array(headers['wide.h'], 'wide_above'));
  ensure(whole(array(headers['words.h'], 'tutti_p_words')) === p, 'tutti_p_words is not p');
  ensure((inverse * p + 1n) % two(64) === 0n, 'WIDE_P_INVERSE is not -1/p');
  ensure(above === (inverse * p + 1n) >> 64n, 'wide_above is not ((-1/p mod 2^64) p + 1) / 2^64');

  /** Sum of the added multiples of p. */
  let added = 0n;
  for (let i = 0; i < count; i++) added += (limb * (i < easy ? inverse : 1n) * p) << BigInt(64 * i);
  let result = 0n;
  for (const products of [
    [[p, p]],
    [
      [p, p],
      [p, p],
    ],
    [[2n * p, 2n * p]],
  ]) {
    let running = 0n;
    for (let i = 0; i < count; i++) {
      for (const [factor] of products) running += factor * limb;
      if (i >= easy) running += limb * p;
      ensure(running < two(64 * (count + 1)), `wide.h: row ${i} leaves ${count + 1} limbs`);
      running = (running >> 64n) + (i < easy ? limb * above : 0n);
      ensure(running < two(64 * (count + 1)), `wide.h: row ${i} leaves ${count + 1} limbs`);
    }
    const value = products.reduce((sum, [x, y]) => sum + x * y, added);
    if (value > result) result = value;
  }
  const unit = p << 384n;
  ensure(result < 2n * unit, 'wide.h: a result is not under 2p');
  return { result: ratio(result, unit), added };
}

/**
 * wide_tower.h: bounds of the sums of products in Fp12, computed as in the header's functions. Each element and each
 * reduced sum is a symbol.
 */
export function wideTowerBounds(headers, added) {
  const element = (name) => [symbol(`${name}r`), symbol(`${name}i`)];
  const plus = (a, b, factor = 1n) => a.map((x, i) => sumOf([x, 1n], [b[i], factor]));
  const mul = ([a, b], [c, d]) => [
    sumOf([productOf(a, c), 1n], [productOf(b, d), -1n]),
    sumOf([productOf(a, d), 1n], [productOf(b, c), 1n]),
  ];
  const turned = ([a, b]) => [sumOf([a, 1n], [b, -1n]), sumOf([a, 1n], [b, 1n])];
  const nothing = [new Map(), new Map()];
  const fp6 = (name) => ['x', 'y', 'z'].map((at) => element(name + at));
  const mulFp6 = (x, y) => [
    plus(mul(x[0], y[0]), turned(plus(mul(x[1], y[2]), mul(x[2], y[1])))),
    plus(plus(mul(x[0], y[1]), mul(x[1], y[0])), turned(mul(x[2], y[2]))),
    plus(plus(mul(x[0], y[2]), mul(x[2], y[0])), mul(x[1], y[1])),
  ];
  const byV = ([a, b, c]) => [turned(c), a, b];
  const all = (a, b, factor) => a.map((x, i) => plus(x, b[i], factor));
  const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map(fp6);
  const line = (x) => [x[0], x[1], nothing];
  const finished = (p6, q6, s6) => [...all(p6, byV(q6), 1n), ...all(all(s6, p6, -1n), q6, -1n)];
  const [r, s] = [mulFp6(a, b), mulFp6(c, d)];
  const sums = [
    ...finished(r, s, mulFp6(e, f)),
    ...finished(mulFp6(a, line(c)), mulFp6(b, [nothing, d[0], nothing]), mulFp6(e, line(f))),
    ...all(all(s, r, -1n), byV(r), -1n),
    ...all(r, r, 1n),
  ].flat();
  // The halves of a square are (x0 + x1) times a reduced difference, and 2 x0 x1.
  const square = (name) => {
    const [real, imaginary] = element(name);
    return [productOf(sumOf([real, 1n], [imaginary, 1n]), symbol(`${name}d`)), sumOf([productOf(real, imaginary), 2n])];
  };
  const [t0, t1, both] = [square('a'), square('b'), square('c')];
  const one = plus(t0, turned(t1));
  const other = plus(plus(both, t0, -1n), t1, -1n);
  const range = (polynomial) => boundOf(polynomial, () => interval(0n, p * p));
  const thrice = (halves, more) => halves.map((half) => add(range(sumOf([half, 3n])), more));
  const twice = 2n * (p << 384n);
  const values = [
    ...sums.map(range),
    ...thrice(one, interval(-twice, 0n)),
    ...thrice([...other, ...turned(other)], interval(0n, twice)),
  ].reduce(hull);
  const largest = size(values);
  ensure(4n * p < two(384), 'wide_tower.h: a factor leaves 6 limbs');
  ensure(-values.low < 4n * (p << 384n), 'wide_tower.h: four times p * 2^384 does not make a sum positive');
  const reduced = ((values.high + added) >> 384n) + 4n * p;
  ensure(reduced < two(384), 'wide_tower.h: what is reduced leaves 6 limbs');
  const perP = constant(headers['wide_tower.h'], 'TOWER_PER_P');
  ensure(perP === two(124) / ((p >> 320n) + 1n), 'TOWER_PER_P is not 2^124 over the top limb of p');
  // (top + 1) 2^320 / p minus the multiple of p that top determines. That multiple may be one too small, because its
  // factor is rounded down.
  const top = reduced >> 320n;
  const left = ((top + 1n) << 444n) - top * perP * p + (p << 124n);
  ensure(left < 2n * (p << 124n), 'wide_tower.h: what is left is not under 2p');
  return { value: ratio(largest, p * p), reduced: ratio(reduced, p), left: ratio(left, p << 124n) };
}
