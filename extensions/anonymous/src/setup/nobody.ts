/** The sender of what arrived anonymously. */
export const nobody = -1;
