export const mostLines: { readonly function: number; readonly class: number };
export function tooLong(path: string, text: string): { name: string; kind: 'function' | 'class'; lines: number }[];
