/** New names of removed commands, by their former names. Errors about a former name state the new one. */
export const renamedCommands: Readonly<Record<string, string>> = {
  keygen: 'registry keygen',
  status: 'node status',
  log: 'node log',
  signal: 'serve signal',
  explore: 'claims check',
  'model-check': 'claims check',
  swarm: 'claims swarm',
  'sweep-worker': 'distributed-sweeps worker',
  'attack-search': 'attack search',
  'attack-table': 'attack table',
  'horn network': 'slots network',
  'horn map': 'slots map',
  'horn proposals': 'slots proposals',
  'horn arrivals': 'slots arrivals',
  'horn assumptions': 'slots sensitivity',
  'horn beside': 'slots compare-simulators',
  'horn compare': 'horn systems',
  'horn verify': 'bench collections',
  'slots assumptions': 'slots sensitivity',
  'slots beside': 'slots compare-simulators',
  'lean play': 'lean slot',
  'lean compare': 'lean strategies',
  'lean check': 'lean rules',
};

/** Commands that were removed without a replacement. Errors about them name the page with the reason. */
export const removedCommands: readonly string[] = ['lean read', 'lean calibration', 'lean search'];

/** Flags that were removed without a replacement, by their commands. */
export const removedFlags: readonly string[] = ['verify --drand'];
