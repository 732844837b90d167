/** How long the rest will take at the pace so far, in words; empty as long as there is nothing to judge the pace by. */
export function timeLeft(elapsedMs: number, costDone: number, costLeft: number): string {
  if (costDone <= 0) return '';
  const leftS = (elapsedMs / 1000) * (costLeft / costDone);
  if (leftS < 90) return `, about ${Math.ceil(leftS)} s left`;
  if (leftS < 90 * 60) return `, about ${Math.round(leftS / 60)} min left`;
  return `, about ${(leftS / 3600).toFixed(1)} h left`;
}
