/** Sender of a message that arrived anonymously. */
export const nobody = -1;
