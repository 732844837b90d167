import { part } from '../page.ts';
import { themeSwitch } from '../state/theme.ts';
import { copyOnPress } from '../views/copy.ts';

themeSwitch(part<HTMLButtonElement>('#theme'), () => {});
copyOnPress(part<HTMLButtonElement>('#copy-link'), () => location.href);
document.documentElement.dataset.state = 'ready';
