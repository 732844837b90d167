/**
 * Checks the bounds on which the arithmetic in crate/field depends. The script derives the bounds from the constants in
 * the headers and from the way in which the functions combine digits, and throws an error if a bound is exceeded. The
 * tests run this script, so that a changed constant or an additional product in a column fails a test before any
 * element can overflow.
 *
 *     node scripts/lane-bounds.mjs
 *
 * The script computes with two kinds of values. Digits and columns are integer intervals; each operation has a separate
 * bound. Values are expanded polynomials in a function's input elements, so that terms can cancel out; each monomial is
 * between 0 and p^2. The results are the numbers stated in the headers. test/field.mjs runs the arithmetic itself on
 * extreme digits.
 */
import { fileURLToPath } from 'node:url';
import { array, constant, ensure, log2, p, ratio, readHeaders, two } from './field-headers.mjs';
import {
  add,
  boundOf,
  hull,
  interval,
  multiply,
  point,
  productOf,
  scale,
  shift,
  size,
  subtract,
  sumOf,
  symbol,
  zero,
} from './intervals.mjs';
import { wideBounds, wideTowerBounds } from './wide-bounds.mjs';

/*
 * digits.h: 13 signed digits of 30 bits, with columns in 64-bit integers. Intermediate sums may wrap. Only the final
 * value of a column, including the subtracted multiples of p, must fit.
 */
function scalarBounds(text) {
  const count = Number(constant(text, 'TUTTI_DIGITS'));
  const bits = Number(constant(text, 'TUTTI_DIGIT_BITS'));
  const digitsOfP = array(text, 'tutti_p');
  ensure(digitsOfP.reduce((sum, digit, i) => sum + (digit << BigInt(bits * i)), 0n) === p, 'tutti_p is not p');
  ensure((constant(text, 'TUTTI_P_INVERSE') * p) % two(bits) === 1n, 'TUTTI_P_INVERSE is not 1/p');
  const digit = interval(-two(bits - 1), two(bits - 1));
  // Top digit of 8p, plus one for the sign of the next lower digit.
  const digits = Array.from({ length: count }, (_, i) =>
    i < count - 1 ? digit : interval(0n, ((8n * p) >> BigInt(bits * i)) + 1n),
  );
  const element = (name) => digits.map((_, i) => symbol(`${name}${i}`));
  const bound = (monomial) =>
    monomial
      .split('*')
      .map((name) => digits[Number(name.slice(1))])
      .reduce(multiply);
  const combine = (a, b, factor) => a.map((x, i) => sumOf([x, 1n], [b[i], factor]));
  const column = (a, b, k) => {
    const terms = [];
    for (let i = 0; i < count; i++) if (k - i >= 0 && k - i < count) terms.push([productOf(a[i], b[k - i]), 1n]);
    return sumOf(...terms);
  };
  const [x0, x1, y0, y1] = ['a', 'b', 'c', 'd'].map(element);
  const sums = [combine(x0, x1, 1n), combine(y0, y1, 1n)];
  const forms = {
    mul: (k) => column(x0, y0, k),
    sqr: (k) => column(x0, x0, k),
    'mul in Fp2, real': (k) => sumOf([column(x0, y0, k), 1n], [column(x1, y1, k), -1n]),
    'mul in Fp2, imaginary': (k) => sumOf([column(...sums, k), 1n], [column(x0, y0, k), -1n], [column(x1, y1, k), -1n]),
    'sqr in Fp2, real': (k) => column(combine(x0, x1, 1n), combine(x0, x1, -1n), k),
    'sqr in Fp2, imaginary': (k) => sumOf([column(x0, x1, k), 2n]),
  };
  let largest = 0n;
  for (const [name, form] of Object.entries(forms)) {
    let running = zero;
    for (let k = 0; k < 2 * count - 1; k++) {
      running = add(running, boundOf(form(k), bound));
      for (let i = 0; i < count; i++)
        if (k - i >= 0 && k - i < count) running = subtract(running, scale(digit, digitsOfP[k - i]));
      if (size(running) > largest) largest = size(running);
      ensure(size(running) < two(63), `digits.h: column ${k} of ${name} may pass 2^63`);
      running = shift(running, bits);
    }
  }
  return { column: ratio(largest, two(63)) };
}

/*
 * lanes.h and lanes_tower.h: 8 digits of 48 bits in doubles. The high half of a product of digits is the product
 * rounded to a multiple of 2^48 or 2^51. The low half is the exact remainder. Both halves are read from the bits of a
 * double whose exponent is known.
 */
const COUNT = 8;
const COLUMNS = 2 * COUNT;

function lanes(text, tower) {
  const bits = Number(constant(text, 'LANES_BITS'));
  const easy = Number(constant(text, 'LANES_EASY'));
  const digitsOfP = array(text, 'lanes_p');
  const above = array(text, 'lanes_above');
  const inverse = constant(text, 'LANES_P_INVERSE');
  const numberOf = (digits) => digits.reduce((sum, digit, i) => sum + (digit << BigInt(bits * i)), 0n);
  ensure(numberOf(digitsOfP) === p, 'lanes_p is not p');
  ensure((inverse * p + 1n) % two(bits) === 0n, 'LANES_P_INVERSE is not -1/p');
  ensure(numberOf(above) << BigInt(bits) === inverse * p + 1n, 'lanes_above is not what lanes_p asks for');
  const lift = two(62);
  ensure(/LANES_LIFT \(1ULL << 62\)/.test(text), 'LANES_LIFT is not 2^62');

  const low = constant(text, 'LANES_LOW');
  const split = (name, high) => {
    // Unit in the last place of values in the upper half of the binade of `high`: 53 bits below the binade's end.
    const place = high / 3n / two(51);
    return (a, b, what) => {
      const product = multiply(a, b);
      ensure(size(a) <= two(53) && size(b) <= two(53), `${what}: a digit is not exact in a double`);
      ensure(size(product) + place / 2n <= high / 3n, `${what}: a product leaves the binade of ${name}`);
      ensure(place / 2n <= low / 3n, `${what}: a low half leaves the binade of LANES_LOW`);
      const half = interval(-place / 2n, place / 2n);
      return {
        low: half,
        high: interval((product.low - place / 2n) / place - 1n, (product.high + place / 2n) / place + 1n),
        place,
      };
    };
  };
  const lanesProduct = split('LANES_HIGH', constant(text, 'LANES_HIGH'));
  const towerProduct = split('TOWER_HIGH', constant(tower, 'TOWER_HIGH'));
  ensure(
    two(bits + Number(constant(tower, 'TOWER_SHIFT'))) === towerProduct(zero, zero, '').place,
    'TOWER_SHIFT is not the last place of TOWER_HIGH',
  );
  ensure(lanesProduct(zero, zero, '').place === two(bits), "a digit is not LANES_HIGH's last place");

  const digit = interval(0n, two(bits) - 1n);
  const digits = Array.from({ length: COUNT }, (_, i) => (i < COUNT - 1 ? digit : interval(0n, p >> BigInt(bits * i))));
  /** Returns an input element of Fp. */
  const element = (name) => ({ digits, value: symbol(name) });
  const combine = (a, b, factor) => ({
    digits: a.digits.map((x, i) => add(x, scale(b.digits[i], factor))),
    value: sumOf([a.value, 1n], [b.value, factor]),
  });
  /**
   * Returns the columns of a product of elements. The high half of a digit product is in units of `place`, 2^48 or
   * 2^51. It is added to the next column, whose unit is 2^48.
   */
  const product = (a, b, what, of) => {
    const columns = Array.from({ length: COLUMNS }, () => zero);
    for (let i = 0; i < COUNT; i++)
      for (let j = 0; j < COUNT; j++) {
        const halves = of(a.digits[i], b.digits[j], what);
        columns[i + j] = add(columns[i + j], halves.low);
        columns[i + j + 1] = add(columns[i + j + 1], scale(halves.high, halves.place / two(bits)));
      }
    return { columns, value: productOf(a.value, b.value) };
  };
  const combineColumns = (...terms) => ({
    columns: Array.from({ length: COLUMNS }, (_, k) => add(...terms.map(([a, factor]) => scale(a.columns[k], factor)))),
    value: sumOf(...terms.map(([a, factor]) => [a.value, factor])),
    more: terms.reduce((sum, [a, factor]) => add(sum, scale(a.more ?? zero, factor)), zero),
  });

  const seen = { column: 0n, value: 0n, result: zero };
  const monomial = () => interval(0n, p * p);
  /**
   * Returns the bounds of LANES_REDUCE: the value of the columns divided by 2^384, mod p, before a multiple of p is
   * subtracted.
   */
  function reduce(a, what) {
    let carry = zero;
    let added = zero;
    const quotient = [];
    for (let k = 0; k < COLUMNS; k++) {
      let next = zero;
      let sum = add(
        a.columns[k],
        carry,
        point(k < COLUMNS - 1 ? lift : 0n),
        point(k > 0 ? -(lift >> BigInt(bits)) : 0n),
      );
      const accumulate = (x, y) => {
        const halves = lanesProduct(x, y, what);
        sum = add(sum, halves.low);
        next = add(next, halves.high);
      };
      for (let i = 0; i < easy; i++)
        if (k - 1 - i >= 0 && k - 1 - i < COUNT) accumulate(quotient[i], point(above[k - 1 - i]));
      for (let i = easy; i < COUNT; i++)
        if (k - i > 0 && k - i < COUNT) accumulate(quotient[i], point(digitsOfP[k - i]));
      if (k < COUNT) {
        quotient[k] = digit;
        if (k >= easy) {
          quotient[k] = lanesProduct(digit, point(inverse), what).low;
          accumulate(quotient[k], point(digitsOfP[0]));
        }
        const multiple = k < easy ? inverse * p : p;
        added = add(added, scale(quotient[k], multiple << BigInt(bits * k)));
      }
      if (k < COLUMNS - 1) ensure(sum.low >= 0n && sum.high < two(64), `${what}: column ${k} leaves 0..2^64-1`);
      else ensure(size(sum) < two(63), `${what}: the top column leaves -2^63..2^63`);
      const alone = size(a.columns[k]);
      if (alone > seen.column) seen.column = alone;
      carry = add(next, shift(sum, bits));
    }
    const value = add(boundOf(a.value, monomial), a.more ?? zero);
    if (size(value) > seen.value) seen.value = size(value);
    // The bounds are in units of p / 2^44.
    const result = add(value, added);
    seen.result = hull(seen.result, result);
    return result;
  }
  return { bits, digitsOfP, low, element, combine, combineColumns, lanesProduct, towerProduct, product, reduce, seen };
}

/** lanes.h: bounds of a product and a square in Fp2. */
function lanesBounds(headers) {
  const { element, combine, combineColumns, lanesProduct, product, reduce, seen } = lanes(
    headers['lanes.h'],
    headers['lanes_tower.h'],
  );
  const [x0, x1, y0, y1] = ['a', 'b', 'c', 'd'].map(element);
  const times = (a, b) => product(a, b, 'lanes.h', lanesProduct);
  const results = [
    combineColumns([times(x0, y0), 1n], [times(x1, y1), -1n]),
    combineColumns([times(x0, y1), 1n], [times(x1, y0), 1n]),
    times(combine(x0, x1, 1n), combine(x0, x1, -1n)),
    times(combine(x0, x0, 1n), x1),
  ];
  for (const columns of results) reduce(columns, 'lanes.h');
  const unit = p << 384n;
  ensure(size(seen.result) < unit, 'lanes.h: a result leaves -p..p');
  return { lowest: ratio(seen.result.low, unit), highest: ratio(seen.result.high, unit) };
}

/** lanes_tower.h: bounds of the products in Fp12, computed as in the header's functions. */
function towerBounds(headers) {
  const arithmetic = lanes(headers['lanes.h'], headers['lanes_tower.h']);
  const { element, combine, combineColumns, towerProduct, product, reduce, seen } = arithmetic;
  let largestProduct = 0n;
  const what = 'lanes_tower.h';
  const times = (a, b) =>
    product(a, b, what, (x, y) => {
      const bound = size(multiply(x, y));
      if (bound > largestProduct) largestProduct = bound;
      return towerProduct(x, y, what);
    });
  /** Adds two elements of Fp2, each a pair. */
  const plus = (a, b) => a.map((x, i) => combine(x, b[i], 1n));
  const minus = (a, b) => a.map((x, i) => combine(x, b[i], -1n));
  const wide = (...terms) => [0, 1].map((half) => combineColumns(...terms.map(([a, c]) => [a[half], c])));
  const mul = (x, y) => {
    const [lows, highs] = [times(x[0], y[0]), times(x[1], y[1])];
    const both = times(combine(x[0], x[1], 1n), combine(y[0], y[1], 1n));
    return [combineColumns([lows, 1n], [highs, -1n]), combineColumns([both, 1n], [lows, -1n], [highs, -1n])];
  };
  /** Multiplies an element of Fp2 by u + 1. */
  const turned = ([real, imaginary]) => [
    combineColumns([real, 1n], [imaginary, -1n]),
    combineColumns([real, 1n], [imaginary, 1n]),
  ];
  const byV = ([a, b, c]) => [turned(c), a, b];
  const mulFp6 = (x, y) => {
    const r = x.map((_, i) => mul(x[i], y[i]));
    const d = (i, j) => mul(minus(x[i], x[j]), minus(y[i], y[j]));
    const r12 = wide([r[1], 1n], [r[2], 1n], [d(1, 2), -1n]);
    return [
      wide([r[0], 1n], [turned(r12), 1n]),
      wide([r[0], 1n], [r[1], 1n], [d(0, 1), -1n], [turned(r[2]), 1n]),
      wide([r[0], 1n], [r[2], 1n], [d(0, 2), -1n], [r[1], 1n]),
    ];
  };
  const fp2 = (name) => [element(`${name}r`), element(`${name}i`)];
  const fp6 = (name) => ['x', 'y', 'z'].map((at) => fp2(name + at));
  const reduceAll = (p6, q6) => {
    for (let i = 0; i < 3; i++)
      for (let half = 0; half < 2; half++) reduce(combineColumns([p6[i][half], 1n], [q6[i][half], 1n]), what);
  };

  // mul_fp12: the low half p.low + q.high v, and the high half p.high + q.low.
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(fp6);
  reduceAll(mulFp6(a, c), byV(mulFp6(b, d)));
  reduceAll(mulFp6(b, c), mulFp6(a, d));

  // mul_by_xy00z0_fp12: the same product by a line, whose other coordinates are zero.
  const [x, y, z] = ['x', 'y', 'z'].map(fp2);
  const line = (e) => {
    const [first, second] = [mul(e[0], x), mul(e[1], y)];
    const p6 = [
      wide([first, 1n], [turned(mul(e[2], y)), 1n]),
      wide([first, 1n], [second, 1n], [mul(minus(e[0], e[1]), minus(x, y)), -1n]),
      wide([mul(e[2], x), 1n], [second, 1n]),
    ];
    return { p6, q6: [turned(mul(e[2], z)), mul(e[0], z), mul(e[1], z)] };
  };
  const [lowLine, highLine] = [line(a), line(b)];
  reduceAll(lowLine.p6, byV(highLine.q6));
  reduceAll(highLine.p6, lowLine.q6);

  // sqr_fp12: t = (a0 + a1)(a0 + a1 v) and s = a0 a1; t - s - s v, and 2 s.
  const turnedElement = ([real, imaginary]) => [combine(real, imaginary, -1n), combine(real, imaginary, 1n)];
  const times6 = ([e, f, g]) => [turnedElement(g), e, f];
  const sums = a.map((e, i) => plus(e, b[i]));
  const t = mulFp6(
    sums,
    times6(b).map((e, i) => plus(a[i], e)),
  );
  const s = mulFp6(a, b);
  const minusAll = (terms) => terms.map((term) => wide([term, -1n]));
  reduceAll(
    t,
    minusAll(s).map((term, i) => wide([term, 1n], [byV(s)[i], -1n])),
  );
  reduceAll(s, s);

  // cyclotomic_sqr_fp12: 3 (e + f s)^2 with s^2 = u + 1, minus or plus two times an element.
  const square = ([real, imaginary]) => [
    times(combine(real, imaginary, 1n), combine(real, imaginary, -1n)),
    times(combine(real, real, 1n), imaginary),
  ];
  const [e, f] = [fp2('e'), fp2('f')];
  const [t0, t1, both] = [square(e), square(f), square(plus(e, f))];
  const one = wide([t0, 3n], [turned(t1), 3n]);
  const other = wide([both, 3n], [t0, -3n], [t1, -3n]);
  const twice = (of, sign) =>
    of.map((half) => ({
      ...half,
      columns: half.columns.map((column, k) =>
        k < COUNT ? column : add(column, scale(element('').digits[k - COUNT], 2n * sign)),
      ),
      more: scale(interval(0n, p << 384n), 2n * sign),
    }));
  for (const [of, sign] of [
    [one, -1n],
    [other, 1n],
    [turned(other), 1n],
  ])
    for (const half of twice(of, sign)) reduce(half, what);

  return {
    product: log2(largestProduct),
    column: log2(seen.column),
    value: ratio(seen.value, p * p),
    quotient: ratio(seen.value, p << 384n),
    ...towerReduceBounds(arithmetic),
  };
}

/** tower_reduce: subtracts the nearest multiple of p, which the top digit of the result determines. */
function towerReduceBounds({ bits, digitsOfP, low, seen: { result } }) {
  const unit = p << 384n;
  const top = shift(interval(result.low >> 384n, result.high >> 384n), bits * (COUNT - 1));
  ensure(size(top) < low / 3n, 'lanes_tower.h: the top digit leaves the binade of LANES_LOW');
  // Error of the quotient: |v / p - top / p_top| for v = top * 2^336 + rest, plus three roundings.
  const error =
    2n ** 60n / digitsOfP[COUNT - 1] +
    (2n ** 60n * size(top)) / digitsOfP[COUNT - 1] ** 2n +
    size(top) / digitsOfP[COUNT - 1] +
    16n * 2n ** 8n;
  const multiple = (size(result) * 2n ** 60n) / unit + error;
  const maxMultiple = (multiple + two(59)) / two(60);
  const left = two(59) + error;
  ensure(left < two(60), 'lanes_tower.h: what is left leaves -p..p');
  ensure(
    maxMultiple * two(bits) < low / 3n,
    'lanes_tower.h: a multiple of a digit of p leaves the binade of LANES_LOW',
  );
  return { multiple: Number(maxMultiple), left: ratio(left, two(60)) };
}

/** Returns all bounds, as in the headers' comments. @throws Error if a bound is exceeded. */
export function laneBounds(headers = readHeaders()) {
  const { added, ...wide } = wideBounds(headers);
  const wideTower = wideTowerBounds(headers, added);
  return {
    digits: scalarBounds(headers['digits.h']),
    lanes: lanesBounds(headers),
    tower: towerBounds(headers),
    wide,
    wideTower,
  };
}

/** Returns the lines that the headers quote from this script. */
export function describeBounds({ digits, lanes, tower, wide, wideTower }) {
  return [
    `digits.h: a column comes to at most ${digits.column.toFixed(2)} * 2^63`,
    `lanes.h: a result lies between ${lanes.lowest.toFixed(2)} p and ${lanes.highest.toFixed(2)} p`,
    `lanes_tower.h: a product of digits is under 2^${tower.product.toFixed(1)}, a column under 2^${tower.column.toFixed(1)}`,
    `lanes_tower.h: columns come to at most ${tower.value.toFixed(1)} p^2, ${tower.quotient.toFixed(1)} p * 2^384`,
    `lanes_tower.h: the multiple of p is one of -${tower.multiple}..${tower.multiple}, and leaves ${tower.left.toFixed(2)} p`,
    `wide.h: what is stored is under ${wide.result.toFixed(2)} p`,
    `wide_tower.h: sums come to at most ${wideTower.value.toFixed(1)} p^2; under ${wideTower.reduced.toFixed(2)} p is reduced, under ${wideTower.left.toFixed(2)} p left`,
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const line of describeBounds(laneBounds())) console.log(line);
