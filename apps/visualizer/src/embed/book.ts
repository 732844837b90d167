import { present } from '../player/present.ts';

present({});
document.documentElement.dataset.state = 'ready';
