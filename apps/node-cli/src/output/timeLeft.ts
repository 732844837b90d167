/** How long the rest will take if it goes on as it went, for a line to a person; nothing is said before there is something to go by. */
export function timeLeft(elapsedMs: number, costDone: number, costLeft: number): string {
  if (costDone <= 0) return '';
  const leftS = (elapsedMs / 1000) * (costLeft / costDone);
  if (leftS < 90) return `, about ${Math.ceil(leftS)} s left`;
  if (leftS < 90 * 60) return `, about ${Math.round(leftS / 60)} min left`;
  return `, about ${(leftS / 3600).toFixed(1)} h left`;
}
