export interface LaneBounds {
  readonly digits: { readonly column: number };
  readonly lanes: { readonly lowest: number; readonly highest: number };
  readonly tower: {
    readonly product: number;
    readonly column: number;
    readonly value: number;
    readonly quotient: number;
    readonly multiple: number;
    readonly left: number;
  };
  readonly wide: { readonly result: number };
  readonly wideTower: { readonly value: number; readonly reduced: number; readonly left: number };
}
export function readHeaders(): Record<string, string>;
export function laneBounds(headers?: Record<string, string>): LaneBounds;
export function describeBounds(bounds: LaneBounds): string[];
