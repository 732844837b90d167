import { refusalName } from '@tutti/core';
import { html, render } from 'lit-html';
import { type NodeStory, type StoryStep, stepsUntil } from '../timeline/nodeStory.ts';
import { figure, ms } from '../words.ts';

const shownSteps = 4;

/** The last few things that happened to the node, in words, the newest first. */
export function drawSteps(host: HTMLElement, story: NodeStory, timeUs: number): void {
  const until = stepsUntil(story, timeUs);
  if (host.dataset.until === `${story.node}/${until}`) return;
  host.dataset.until = `${story.node}/${until}`;
  const steps = Array.from({ length: shownSteps }, (_, back) => story.steps[until - 1 - back]);
  render(
    steps.map((step) => html`<li>${step && html`<time>${ms(step.timeUs)}</time>${stepWords(story, step)}`}</li>`),
    host,
  );
}

function stepWords({ recording }: NodeStory, { what, line }: StoryStep): string {
  const [node, peer] = [figure(recording.node[line]!), figure(recording.peer[line]!)];
  // Only where there are levels.
  const level = recording.level[line]! > 0 ? `level ${recording.level[line]}` : '';
  const at = level && `, ${level}`;
  const value = recording.value[line]!;
  const weight = figure(Math.abs(value));
  switch (what) {
    case 'start':
      return 'starts, with its own contribution';
    case 'arrival':
      return `hears from node ${node}${at}, weight ${weight}`;
    case 'check':
      return `checks node ${peer}${at}, weight ${weight}${value < 0 ? ': invalid' : ''}`;
    case 'improve':
      return level ? `has weight ${weight} on ${level}` : `has weight ${weight}`;
    case 'output':
      return `gives an output of weight ${weight}`;
    case 'refuse':
      return `refuses a message of node ${peer}: ${refusalName(value)}`;
    case 'blacklist':
      return `blacklists node ${peer}`;
  }
}
