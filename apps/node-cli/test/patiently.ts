import { vi } from 'vitest';

/** Waits for an action that may take a long time on a busy machine. */
export const patiently = <T>(act: () => T) => vi.waitFor(act, { timeout: 60_000 });
