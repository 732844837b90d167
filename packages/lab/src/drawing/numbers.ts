/** A tick's label: thousands as k, millions as M. @param greatest on its axis: over 10,000, all thousands are k. */
export function tick(value: number, greatest = value): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${trimmed(value / 1e6)} M`;
  if (magnitude >= (Math.abs(greatest) >= 1e4 ? 1e3 : 1e4)) return `${trimmed(value / 1e3)} k`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** About how wide a text is, pixels: a drawing without a DOM cannot ask. */
export function textWidth(text: string): number {
  return text.length * 13 * 0.58;
}
