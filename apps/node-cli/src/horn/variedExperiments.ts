import type { MeshExperiment } from '@tutti/ethereum';

/** An experiment, and the name of its changed assumption, if any. */
export interface AssumedExperiment {
  readonly assumption?: string;
  readonly experiment: MeshExperiment;
}

/** Initial window of quic-go: 32 packets of 1,280 bytes. */
const quicWindowBytes = 32 * 1280;

/**
 * Returns the experiment itself, and copies in which one assumption at a time is changed to that of another simulator.
 * The results show how much of a difference each assumption explains.
 */
export function variedExperiments(experiment: MeshExperiment): AssumedExperiment[] {
  const { gossip, superMbps, homeMbps, batchMs } = experiment;
  const withGossip = (changes: Partial<MeshExperiment['gossip']>) => ({ gossip: { ...gossip, ...changes } });
  const part = ([down, up]: readonly [number, number], of: number) => [down / of, up / of] as const;
  const d = Math.max(1, Math.round(gossip.d / 2));
  const cases: Readonly<Record<string, Partial<MeshExperiment>>> = {
    unchanged: {},
    'copies sent in parallel': withGossip({ sharesUpload: true }),
    'congestion windows': withGossip({ windowBytes: quicWindowBytes }),
    'both of the above changes': withGossip({ sharesUpload: true, windowBytes: quicWindowBytes }),
    'no IDONTWANT': withGossip({ idontwantBytes: undefined }),
    'no IHAVE': withGossip({ dLazy: 0 }),
    'half as many mesh peers': withGossip({ d, dLow: d, dHigh: Math.max(d, Math.round(gossip.dHigh / 2)) }),
    'links at half the bandwidth': { superMbps: part(superMbps, 2), homeMbps: part(homeMbps, 2) },
    'links at a tenth of the bandwidth': { superMbps: part(superMbps, 10), homeMbps: part(homeMbps, 10) },
    '10 % of the copies lost': withGossip({ lostShare: 0.1 }),
    '30 % of the copies lost': withGossip({ lostShare: 0.3 }),
    '30 ms more per batch': { batchMs: batchMs + 30 },
  };
  return Object.entries(cases).map(([assumption, changes]) => ({
    assumption,
    experiment: { ...experiment, ...changes },
  }));
}
