/** Intervals of integers, and polynomials whose symbols are in such intervals, for lane-bounds.mjs. */

/** Returns an interval of integers that includes both ends. */
export const interval = (low, high) => ({ low, high });
export const point = (value) => interval(value, value);
export const zero = point(0n);
export const add = (...terms) => terms.reduce((a, b) => interval(a.low + b.low, a.high + b.high), zero);
const negative = (a) => interval(-a.high, -a.low);
export const subtract = (a, b) => add(a, negative(b));
export const scale = (a, factor) =>
  factor < 0n ? scale(negative(a), -factor) : interval(a.low * factor, a.high * factor);
export const multiply = (a, b) => {
  const ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return interval(
    ends.reduce((x, y) => (x < y ? x : y)),
    ends.reduce((x, y) => (x > y ? x : y)),
  );
};
/** Returns the largest absolute value in an interval. */
export const size = (a) => (-a.low > a.high ? -a.low : a.high);
/** Returns the interval after an arithmetic shift to the right. */
export const shift = (a, bits) => interval(a.low >> BigInt(bits), a.high >> BigInt(bits));
/** Returns the smallest interval that includes both intervals. */
export const hull = (a, b) => interval(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);

/**
 * Returns the polynomial of a single symbol. A polynomial is a map from products of symbols, with their names sorted,
 * to the products' coefficients.
 */
export const symbol = (name) => new Map([[name, 1n]]);
/** Returns the sum of several polynomials, each multiplied by its own factor. */
export const sumOf = (...terms) => {
  const sum = new Map();
  for (const [a, factor] of terms) for (const [name, c] of a) sum.set(name, (sum.get(name) ?? 0n) + c * factor);
  return sum;
};
export const productOf = (a, b) => {
  const product = new Map();
  for (const [x, c] of a)
    for (const [y, d] of b) {
      const name = [x, y].sort().join('*');
      product.set(name, (product.get(name) ?? 0n) + c * d);
    }
  return product;
};
/** Returns the interval of a polynomial, given the interval `bound` of each monomial. */
export const boundOf = (polynomial, bound) => add(...[...polynomial].map(([name, c]) => scale(bound(name), c)));
