export function pagesWithNumbers(): string[];
