/** As an enum of strings has it: its values are assignable to themselves. */
export const PointFormat = { compressed: 'compressed', uncompressed: 'uncompressed' } as const;
export type PointFormat = (typeof PointFormat)[keyof typeof PointFormat];

/** How a point is held; taken and not looked at. */
export const CoordType = { affine: 0, jacobian: 1 } as const;
export type CoordType = (typeof CoordType)[keyof typeof CoordType];
