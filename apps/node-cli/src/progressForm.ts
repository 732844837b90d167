import type { ProgressForm } from './context.ts';
import { UsageError } from './usageError.ts';

/**
 * The form that a process's progress takes.
 *
 * @throws {@link UsageError} where TUTTI_PROGRESS names no form.
 */
export function progressForm(isTerminal: boolean, environment: NodeJS.ProcessEnv = process.env): ProgressForm {
  const asked = environment.TUTTI_PROGRESS || (isTerminal ? 'line' : 'log');
  if (asked === 'line' || asked === 'log' || asked === 'none') return asked;
  throw new UsageError(`TUTTI_PROGRESS: expected line, log or none, got ${JSON.stringify(asked)}`);
}
