/**
 * Colours of the figures, for pages that contain them. They are separate from the drawing, so that a command's help
 * does not load it.
 *
 * @packageDocumentation
 */
export { type Background, backgrounds, darkVariables, lightVariables, pageStyle } from './drawing/theme.ts';
