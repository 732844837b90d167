import { mergeConfig } from 'vitest/config';
import { project } from '../../tests/compiled.ts';
import { handelSource } from './traced.ts';

export default mergeConfig(project('visualizer'), { plugins: [handelSource] });
