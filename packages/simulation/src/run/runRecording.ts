import { type AggregationScheme, type Contribution, type ScreeningRefusal, TraceKind } from '@tutti/core';
import { requireNumber } from '@tutti/core/input';
import { refusalNumber } from '@tutti/core/packed';
import {
  LineKind,
  NodeRole,
  type RecordedLines,
  Recorder,
  type Recording,
  type RecordingOptions,
} from '../recording/recording.ts';
import type { RunResult } from '../scenario/result.ts';
import type { World } from '../world/world.ts';

/** Records, as lines, the steps of a run that the options select. */
export class RunRecording {
  readonly #scheme: AggregationScheme;
  readonly #recorder = new Recorder();
  readonly #keepsSends: boolean;
  /** Maximum number of peers of a level whose sets are recorded. */
  readonly #setsUpTo: number;

  /** @throws RangeError for a `setsUpTo` out of its range. */
  constructor(scheme: AggregationScheme, { sends = true, setsUpTo = scheme.tree.nodes }: RecordingOptions) {
    requireNumber('setsUpTo', setsUpTo, 0, 2 ** 20);
    this.#scheme = scheme;
    this.#keepsSends = sends;
    this.#setsUpTo = setsUpTo;
  }

  start(nowUs: number, id: number): void {
    this.#recorder.line(nowUs, LineKind.start, id, -1, 0, 0, -1);
  }

  /** Records a message. @param arrivalUs arrival time, or -1 for a lost message. */
  send(nowUs: number, from: number, to: number, level: number, aggregate: Contribution, arrivalUs: number): void {
    if (!this.#keepsSends) return;
    this.#recorder.line(nowUs, LineKind.send, from, to, level, this.#scheme.weight(aggregate), arrivalUs);
  }

  /** Records a verification as if the contribution were valid. @returns the line's index, for {@link provedInvalid}. */
  check(nowUs: number, id: number, sender: number, level: number, weight: number, endUs: number): number {
    return this.#recorder.line(nowUs, LineKind.check, id, sender, level, weight, endUs);
  }

  /** Changes a verification's line to show that the contribution is invalid. */
  provedInvalid(line: number, weight: number): void {
    this.#recorder.setValue(line, -weight);
  }

  output(nowUs: number, id: number, weight: number): void {
    this.#recorder.line(nowUs, LineKind.output, id, -1, 0, weight, -1);
  }

  refuse(nowUs: number, id: number, peer: number, level: number, code: ScreeningRefusal): void {
    this.#recorder.line(nowUs, LineKind.refuse, id, peer, level, refusalNumber(code), -1);
  }

  /** Records an improvement or a blacklisting, and ignores other traces. */
  trace(nowUs: number, id: number, kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    const scheme = this.#scheme;
    if (kind === TraceKind.levelImproved) {
      const weight = scheme.weight(contribution);
      const peers = scheme.tree.size(scheme.block(contribution));
      const hasSet = weight < peers && peers <= this.#setsUpTo;
      const set = hasSet ? this.#recorder.keep(scheme.setWords(contribution)) : -1;
      this.#recorder.line(nowUs, LineKind.improve, id, peer, level, weight, -1, set);
    } else if (kind === TraceKind.blacklisted) {
      this.#recorder.line(nowUs, LineKind.blacklist, id, peer, level, 0, -1);
    }
  }

  /** Returns a function that creates the recording. The returned function references only the lines, not the run. */
  later(result: RunResult, world: World): () => Recording {
    const { network, alive, attack, startUs, cpuFactor, threshold } = world;
    const { scenario } = result;
    return recordingOf(this.#recorder, {
      scenario,
      result,
      world: {
        nodes: scenario.nodes,
        levels: this.#scheme.tree.levels,
        threshold,
        role: alive.map((lives, id) => (attack[id]! >= 0 ? NodeRole.byzantine : lives)),
        startUs: startUs.slice(),
        region: Uint8Array.from(network.region),
        regionNames: network.regionNames,
        cpuFactor: cpuFactor.slice(),
      },
      sends: this.#keepsSends,
    });
  }
}

/** Returns a function that creates the recording and holds no reference to the run. */
function recordingOf(recorder: Recorder, rest: Omit<Recording, keyof RecordedLines>): () => Recording {
  return () => ({ ...rest, ...recorder.columns() });
}
