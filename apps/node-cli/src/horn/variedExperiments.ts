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
    'as it stands': {},
    'copies leave side by side': withGossip({ sharesUpload: true }),
    'connections open a window': withGossip({ windowBytes: quicWindowBytes }),
    'both of these': withGossip({ sharesUpload: true, windowBytes: quicWindowBytes }),
    'no IDONTWANT': withGossip({ idontwantBytes: undefined }),
    'no IHAVE': withGossip({ dLazy: 0 }),
    'half the mesh peers': withGossip({ d, dLow: d, dHigh: Math.max(d, Math.round(gossip.dHigh / 2)) }),
    'links half as fast': { superMbps: part(superMbps, 2), homeMbps: part(homeMbps, 2) },
    'links a tenth as fast': { superMbps: part(superMbps, 10), homeMbps: part(homeMbps, 10) },
    'a copy in ten is lost': withGossip({ lostShare: 0.1 }),
    'three copies in ten are lost': withGossip({ lostShare: 0.3 }),
    'a batch takes 30 ms more': { batchMs: batchMs + 30 },
  };
  return Object.entries(cases).map(([assumption, changes]) => ({
    assumption,
    experiment: { ...experiment, ...changes },
  }));
}
