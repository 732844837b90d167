/** The sender of what came on an anonymous way. */
export const NOBODY = -1;
