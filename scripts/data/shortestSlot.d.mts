import type { SlotMap } from '@tutti/lab/drawing';

export function shortestSlot(frontier: SlotMap): string;
