export const givenFile: string;
export function givenIn(page: string, text: string): string[];
export function givenNow(): Record<string, string>;
export declare function keptOf(page: string, text: string): string;
export function pagesWithNumbers(): string[];
