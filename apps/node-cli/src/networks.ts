import { loadNetwork } from '@tutti/simulation';

// A module that runs scenarios imports this one. It loads the tables of all networks, 60 kB of files.
await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);
