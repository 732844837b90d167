import { loadNetwork } from '@tutti/simulation';

// Import this where scenarios are run: the command has all networks at hand, for 60 kB of its files.
await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);
