/** A tick's label: thousands as k, millions as M. */
export function tick(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${trimmed(value / 1e6)} M`;
  if (magnitude >= 1e4) return `${trimmed(value / 1e3)} k`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** About how wide a text is, pixels: a drawing without a DOM cannot ask. */
export function textWidth(text: string, fontSize = 13): number {
  return text.length * fontSize * 0.58;
}
