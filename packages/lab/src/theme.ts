/**
 * The colours of the figures, for whoever makes a page around them. Apart from the drawing, so that a command's help
 * loads none of it.
 *
 * @packageDocumentation
 */
export { type Background, backgrounds, darkVariables, lightVariables, pageStyle } from './drawing/theme.ts';
