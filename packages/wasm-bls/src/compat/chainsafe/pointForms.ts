/** Encodings of a point. As in a string enum, each value is assignable to the type of the same name. */
export const PointFormat = { compressed: 'compressed', uncompressed: 'uncompressed' } as const;
export type PointFormat = (typeof PointFormat)[keyof typeof PointFormat];

/** Representations of a point. They are accepted and ignored. */
export const CoordType = { affine: 0, jacobian: 1 } as const;
export type CoordType = (typeof CoordType)[keyof typeof CoordType];
