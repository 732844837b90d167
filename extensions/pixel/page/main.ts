import { PixelStage } from './pixelStage.ts';

new PixelStage().open();
