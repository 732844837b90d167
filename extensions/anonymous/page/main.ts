import { AnonymousStage } from './anonymousStage.ts';

new AnonymousStage().open();
