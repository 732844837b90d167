import { say } from '../page.ts';
import { freshTabsLink, readLiveLink } from './liveLink.ts';
import { LivePage } from './livePage.ts';

if (location.hash === '') history.replaceState(null, '', freshTabsLink());
const link = readLiveLink(location.href);
if (link === undefined || link === 'bad')
  say('error', 'The link names no live room: expected #live=ROOM or #live=tabs:ROOM, with letters, digits, - and _.');
else await new LivePage(link).open();
