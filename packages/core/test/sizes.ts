import fc from 'fast-check';

/** Registry sizes at which trees change their shape. */
export const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];

/** Any of the listed {@link sizes}, or any other size up to 300. */
export const anySize: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(...sizes), fc.integer({ min: 1, max: 300 }));

/** Returns 0, 1, ..., count - 1. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
