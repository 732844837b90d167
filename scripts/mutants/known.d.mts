export class Known {
  constructor(fresh: boolean, file?: string);
  killed(key: string, path: string): 'test' | 'time' | undefined;
  add(key: string, path: string, test: string, how: 'test' | 'time'): void;
}
