/** `@tutti/node-cli/drawing`: figures of a command, in the same style as those of the laboratory. */
export { Figure } from '@tutti/lab';
export { standaloneSvg } from '@tutti/lab/drawing';
