export interface Case {
  readonly name: string;
  readonly accepts: 'accepted' | 'refused';
  readonly form: string | undefined;
  readonly except: Readonly<Record<string, 'accepted' | 'refused'>>;
}

export type Question = { readonly one: Case } & Readonly<
  Record<string, { readonly ours: string; readonly code?: string; readonly line: string }>
>;

export const cases: readonly Case[];
export function questions(): Question[];
