import { loadNetwork } from '@tutti/simulation';

// Commands that run scenarios import this file, which loads the networks of cities (60 kB).
await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);
