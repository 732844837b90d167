import { join } from 'node:path';
import type { Plugin } from 'vite';
import { cyclesIn } from '../../scripts/architecture.mjs';

/** The bundler's module graph: the imports of each module. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Modules of a tier: some roots with all their dependencies. */
class Tier {
  readonly roots: readonly string[];
  #modules: Set<string> | undefined;

  constructor(...roots: readonly string[]) {
    this.roots = roots.map((name) => join(import.meta.dirname, name));
  }

  has(id: string, graph: Graph): boolean {
    if (this.#modules === undefined) {
      this.#modules = new Set(this.roots);
      for (const one of this.#modules)
        for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) this.#modules.add(imported);
    }
    return this.#modules.has(id);
  }
}

/**
 * Chunks that several pages share. Each chunk contains the listed modules and their dependencies, except those of
 * earlier chunks, so a chunk needs only itself and earlier chunks.
 */
const tiers: Readonly<Record<string, Tier>> = {
  // The frame of every stage, with the modules that most stages need.
  page: new Tier(
    ...[
      'src/player/present.ts',
      'src/worker/task.ts',
      'src/links/fields.ts',
      'src/views/drawing.ts',
      'src/html.ts',
      'src/formatNumber.ts',
    ],
    ...['errors', 'random', 'shares'].map((name) => `../../packages/core/src/${name}.ts`),
  ),
  player: new Tier('src/player/player.ts'),
  drawing: new Tier('src/views/canvas.ts'),
};
/** Modules by the end of their path. Most of them are exported by an entry point that also exports other modules. */
const pathEnds: Readonly<Record<string, readonly string[]>> = {
  // A name that is also a tier adds modules to this tier.
  page: ['/lit-html.js'],
  select: ['/d3-selection.mjs'],
  shape: ['/d3-shape.mjs', '/d3-path.mjs'],
  drawing: ['/d3-color.mjs', '/d3-interpolate.mjs'],
  scale: ['/d3-array.mjs', '/d3-format.mjs', '/d3-scale.mjs'],
  slot: [
    ...['parameters', 'committees'].map((name) => `core/src/horn/${name}.ts`),
    ...['horn/attacks', 'slots/slotScenario'].map((name) => `ethereum/src/${name}.ts`),
    ...['slotChoice', 'slotState'].map((name) => `visualizer/src/horn/${name}.ts`),
  ],
  files: [...['version', 'codeName', 'setting'].map((name) => `core/src/${name}.ts`), 'visualizer/src/files.ts'],
  runs: [
    ...['scenarioLink', 'scenarioFields'].map((name) => `simulation/src/scenario/${name}.ts`),
    ...['flights', 'grids', 'runIndex'].map((name) => `visualizer/src/timeline/${name}.ts`),
    ...['guide/chapters', 'race/raceField', 'race/raceFile'].map((name) => `visualizer/src/${name}.ts`),
    ...['run/runMarks', 'state/pageState', 'views/messages'].map((name) => `visualizer/src/${name}.ts`),
  ],
};

/**
 * Chunks for the pages' modules. A browser loads all chunks of a page in one task, so there are only a few chunks.
 * Modules outside these chunks are grouped by the pages that use them.
 */
export const pieces = [
  {
    debugName: 'pieces',
    name: (id: string, graph: Graph): string | null => {
      // These modules, which every page uses, have no dependencies.
      if (/modulepreload-polyfill|\/src\/style\/page\.css/.test(id)) return 'every';
      // If a style sheet shared a chunk with others, pages would get rules that they do not use.
      const sheet = /\/([\w-]+)\.css/.exec(id)?.[1];
      if (sheet !== undefined) return sheet;
      if (/preload-helper/.test(id)) return 'page';
      const isIn = (name: string) => !id.includes('/node_modules/') && tiers[name]!.has(id, graph);
      const tier = Object.keys(tiers).find(isIn);
      return tier ?? Object.keys(pathEnds).find((name) => pathEnds[name]!.some((end) => id.endsWith(end))) ?? null;
    },
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
];

/** Name of a chunk: the first word of the bundler's name, which combines the names of all pages that use the chunk. */
export function pieceName(name: string): string {
  return name.replace(/\.[a-z0-9]+$/, '').split('~')[0]!;
}

/**
 * Reports an error for names of modules that do not exist, and for chunks that import each other in a cycle. A browser
 * runs such chunks before their dependencies, so the page fails.
 */
export const checkedPieces: Plugin = {
  name: 'checked-pieces',
  generateBundle(_options, bundle) {
    const modules = [...this.getModuleIds()];
    const roots = Object.values(tiers).flatMap((tier) => tier.roots);
    for (const end of [...roots, ...Object.values(pathEnds).flat()])
      if (!modules.some((id) => id.endsWith(end)))
        this.error(`pieces.ts: expected the name of a module of the pages, got ${end}; remove it`);
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const [cycle] = cyclesIn(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])));
    if (cycle)
      this.error(`expected no chunks that import each other in a cycle, got ${cycle.join(', ')}; see pieces.ts`);
  },
};
