export function wrapMarkdown(text: string): string;
