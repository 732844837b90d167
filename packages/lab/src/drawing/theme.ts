/**
 * The visualiser's colours, and two more for series in addition to its blue and gold, which remain distinguishable with
 * every kind of colour blindness; series also differ in the shape of their marks.
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

export const seriesColours = 4;

/** What a drawing's classes look like, given how a colour is named. */
function rules(colour: (name: keyof typeof light) => string): string {
  const series = Array.from({ length: seriesColours }, (_, index) => {
    // Inherited, not by a selector of descendants, which not every renderer knows.
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

/** What a drawing that stands alone is drawn on. */
export const backgrounds = ['paper', 'white', 'transparent'] as const;
export type Background = (typeof backgrounds)[number];

/**
 * For a drawing that stands alone: light, with nothing that a plain renderer does not know. Hollow marks are white
 * where nothing is behind them.
 */
export function standaloneStyle(background: Background): string {
  return rules((name) => (name === 'paper' && background !== 'paper' ? 'white' : light[name]));
}

/** What fills it; nothing if what is behind it should be seen. */
export function standalonePaper(background: Background): string | undefined {
  return { paper: light.paper, white: 'white', transparent: undefined }[background];
}

/** For drawings inside a page that has the colours as variables. */
export const pageStyle = rules((name) => `var(--${name})`).replaceAll(/([^{}]+)\{/g, '.chart $1{');

/** The variables of {@link pageStyle}, for either theme. */
export const lightVariables = variables(light);
export const darkVariables = variables(dark);

function variables(colours: typeof light): string {
  return Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}
