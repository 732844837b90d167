export const kernelFolder: string;
/** Why the committed kernel is not the one that its sources ask for, or undefined when it is. */
export function staleness(): string | undefined;
