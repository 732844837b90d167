export function namedSources(folder?: string): string[];
export function codeName(folder?: string): string;
export function writeCodeName(): void;
export function compiledName(): string | undefined;
