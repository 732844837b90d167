/**
 * Colours of the figures, for pages that contain them. The colours are separate from the drawing code, so that a
 * command's help does not load that code.
 *
 * @packageDocumentation
 */
/**
 * Colours of the visualiser, with two series colours in addition to its blue and gold. The colours remain
 * distinguishable with every kind of colour blindness, and the marks of different series also differ in shape.
 */
const light = {
  paper: '#faf9f6',
  ink: '#1b1e24',
  muted: '#5a606b',
  line: '#dcd9d1',
  s0: '#2f66b3',
  s1: '#b06f00',
  s2: '#8a3b6b',
  s3: '#2c7a62',
};

const dark: typeof light = {
  paper: '#121419',
  ink: '#e9e7e2',
  muted: '#a0a6b1',
  line: '#2d313a',
  s0: '#6ea3e6',
  s1: '#f0b03a',
  s2: '#d78fbb',
  s3: '#6cc3a5',
};

/** Number of different colours of series. Further series reuse the colours of earlier ones. */
export const seriesColours = 4;

/** Returns the style rules of a drawing's classes. @param colour returns the CSS of a colour's name. */
function rules(colour: (name: keyof typeof light) => string): string {
  const series = Array.from({ length: seriesColours }, (_, index) => {
    // Marks inherit this colour, because some renderers do not support descendant selectors.
    return `.s${index}{color:${colour(`s${index}` as keyof typeof light)}}`;
  });
  return [
    `text{fill:${colour('muted')};font-size:13px}`,
    `.ink{fill:${colour('ink')}}`,
    `.grid{stroke:${colour('line')};stroke-width:1}`,
    `.axis{stroke:${colour('muted')};stroke-width:1}`,
    '.fill{fill:currentColor}',
    '.stroke{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}',
    `.mark{stroke:${colour('paper')};stroke-width:1.5}`,
    `.open{fill:${colour('paper')};stroke-width:1.75}`,
    '.band{fill-opacity:.15}',
    '.range{stroke-width:7;stroke-opacity:.3;stroke-linecap:round}',
    '.whisker{stroke-width:1.5}',
    '.interval{stroke-width:1.25}',
    '.curve{stroke-width:1.75;stroke-dasharray:5 4}',
    ...series,
  ].join('');
}

/** Backgrounds of a standalone drawing. */
export const backgrounds = ['paper', 'white', 'transparent'] as const;
/** One of {@link backgrounds}. */
export type Background = (typeof backgrounds)[number];

/**
 * Returns the style of a standalone drawing: light, with only features that plain renderers support. Hollow marks are
 * white on a transparent background.
 */
export function standaloneStyle(background: Background): string {
  return rules((name) => (name === 'paper' && background !== 'paper' ? 'white' : light[name]));
}

/** Returns the fill of a background; undefined for a transparent one. */
export function standalonePaper(background: Background): string | undefined {
  return { paper: light.paper, white: 'white', transparent: undefined }[background];
}

/** Style of drawings inside a page that defines the colours as variables. */
export const pageStyle = rules((name) => `var(--${name})`).replaceAll(/([^{}]+)\{/g, '.chart $1{');

/** Variables of {@link pageStyle} for the light theme. */
export const lightVariables = variables(light);
/** Variables of {@link pageStyle} for the dark theme. */
export const darkVariables = variables(dark);

function variables(colours: typeof light): string {
  return Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}
