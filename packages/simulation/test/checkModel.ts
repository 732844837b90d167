import { createModelChecker, type ModelCheckResult } from '../src/checks/modelChecker/modelChecker.ts';
import type { ModelCheckerOptions } from '../src/checks/modelChecker/setting.ts';

/** Checks a small model exhaustively. */
export function checkModel(options: ModelCheckerOptions): ModelCheckResult {
  const checker = createModelChecker(options);
  while (checker.advance(1 << 20));
  return checker.result();
}
