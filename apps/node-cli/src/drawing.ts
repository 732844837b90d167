/** `@tutti/node-cli/drawing`: figures of a command, drawn like those of the laboratory. */
export { Figure } from '@tutti/lab';
export { standaloneSvg } from '@tutti/lab/drawing';
