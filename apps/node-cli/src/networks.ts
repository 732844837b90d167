import { loadNetwork } from '@tutti/simulation';

// Import this where scenarios are run: it gives the command all networks, for 60 kB of its files.
await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);
