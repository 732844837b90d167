import { describeSecurity } from '../../test/security.ts';
import { openBroadcast } from './broadcast.ts';

let names = 0;
describeSecurity('broadcast between threads', {
  open: async () => openBroadcast({ group: 'security', name: `end ${++names}` }),
});
