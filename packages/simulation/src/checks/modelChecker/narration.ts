import { checkingOf } from '@tutti/core/packed';
import { aboutOf, ChoiceKind, kindOf, contributionCode, contributionText, decodeMessageCode, messageText } from './codes.ts';
import type { SmallWorld } from './smallWorld.ts';

/** One line for people that says what a choice is, in the world that is about to make it. */
export function narrate(world: SmallWorld, chosen: number): string {
  const about = aboutOf(chosen);
  const { scheme } = world;
  const { to } = decodeMessageCode(about);
  switch (kindOf(chosen)) {
    case ChoiceKind.cast:
      return `node ${about} is Byzantine`;
    case ChoiceKind.start:
      return `node ${about} starts`;
    case ChoiceKind.deliver:
      return `node ${to} receives ${messageText(scheme, about)}`;
    case ChoiceKind.repeat:
      return `node ${to} receives, and will again, ${messageText(scheme, about)}`;
    case ChoiceKind.lose:
      return `lost on the way to node ${to}: ${messageText(scheme, about)}`;
    case ChoiceKind.timer:
      return `node ${about}: its dissemination period is over`;
    case ChoiceKind.verified: {
      const verdicts = checkingOf(world.records[about]!.node!).map(({ level, sender, contribution }) => {
        const text = contributionText(scheme, contributionCode(scheme, contribution));
        return `${text} from ${sender}, level ${level}: ${scheme.verify(contribution) ? 'valid' : 'invalid'}`;
      });
      return `node ${about} has verified ${verdicts.join('; together with ')}`;
    }
    case ChoiceKind.inject:
      return `node ${to} receives, made up, ${messageText(scheme, about)}`;
  }
}
