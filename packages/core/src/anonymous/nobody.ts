/** The sender of what came on an anonymous way. */
export const nobody = -1;
