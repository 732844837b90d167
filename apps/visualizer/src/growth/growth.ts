import { thresholdText } from '@tutti/core';
import { type PublishedPoint, published, publishedPoints } from '@tutti/lab';
import { type Fit, fitLine, type RunResult, type Scenario } from '@tutti/simulation';
import { count } from '../formatNumber.ts';

/** Measurements of Handel by the paper's authors: times to the threshold by number of nodes, ms. */
export const publishedTimes: readonly PublishedPoint[] = publishedPoints(published.handel, 'timeMs');

/** Law of section 4.1 (time grows with log N), fitted to the published means: ms against log2 N. */
export const publishedLaw: Fit = fitLine(publishedTimes.map(({ x, mean }) => [Math.log2(x), mean]));

/** Returns the law as a formula. */
export function lawWords({ intercept, slope, r2 }: Fit): string {
  const sign = intercept < 0 ? '\u2212' : '';
  return `${sign}${Math.abs(intercept).toFixed(0)} + ${slope.toFixed(0)} log\u2082 N ms, R\u00b2 ${r2.toFixed(2)}`;
}

/** Returns a run's point in the chart, or undefined if none of its nodes reached the threshold. */
export function runPoint({ nodes, reached, timeToThresholdMs }: RunResult): PublishedPoint | undefined {
  if (reached === 0) return undefined;
  const { min, mean, max } = timeToThresholdMs;
  return { x: nodes, min, mean, max };
}

/** Returns the differences between a scenario and the published ones; empty if there are none. */
export function unlikePublished(scenario: Scenario): readonly string[] {
  const { network, threshold, dead, attacks, faults, periodMs } = scenario;
  const unlike: string[] = [];
  if (network !== 'aws') unlike.push(`another network, ${network}`);
  if (threshold !== 0.99) unlike.push(`a threshold of ${thresholdText(threshold).replace(' ', '\u00a0')}`);
  if (dead > 0) unlike.push(`${count(dead * 100)}\u00a0% dead`);
  if (attacks.length > 0) unlike.push('an attack');
  if (faults.length > 0) unlike.push('faults');
  if (periodMs !== published.handel[0]!.periodMs)
    unlike.push(
      `${count(periodMs)}\u00a0ms between the messages of a level (paper: ${published.handel[0]!.periodMs}\u00a0ms)`,
    );
  return unlike;
}

/** Describes the chart. */
export function growthWords(scenario: Scenario, result: RunResult | undefined): string {
  const law = `The time to 99\u00a0% grows with log\u00a0N (section 4.1). Grey marks show min, mean and max, measured by the paper’s authors on up to 2,000 machines in ten AWS regions, most of them with two nodes (section 7.1). The line is a fit through the means: ${lawWords(publishedLaw)}.`;
  const point = result && runPoint(result);
  if (!result) return `${law} This run appears when it has finished.`;
  if (!point) return `${law} In this run, no node reached the threshold.`;
  const expected = publishedLaw.at(Math.log2(point.x));
  const unlike = unlikePublished(scenario);
  const published =
    expected > 0
      ? `; the fitted line gives ${count(Math.round(expected))}\u00a0ms`
      : '; the fitted line is not defined for so few nodes';
  const alone = scenario.cpu.nodesPerCore === 0 ? ['each node has its own machine, and messages need no CPU time'] : [];
  const has = unlike.length === 0 ? [] : [`the run has ${unlike.join(', ')}`];
  const reasons = [...alone, ...has];
  const setting =
    reasons.length === 0 ? '' : ` It may differ from the line: in this simulation, ${reasons.join(', and ')}.`;
  return `${law} The mark “this run” shows ${count(point.x)} nodes with a mean time over nodes of ${count(Math.round(point.mean))}\u00a0ms${published}.${setting}`;
}
