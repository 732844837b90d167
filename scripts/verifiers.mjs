/**
 * `npm run verifiers`: builds other people's verifiers, asks them about every certificate of the corpus, and prints what
 * each said; `-- --write` records it in tests/vectors/verdicts.json, where it serves machines without their languages.
 */
import { writeFileSync } from 'node:fs';
import { questions } from '../tests/verifiers/corpus.mjs';
import {
  built,
  contractVerdict,
  digestOf,
  programs,
  vectorFile,
  verdictOf,
  verdictsOf,
} from '../tests/verifiers/foreign.mjs';

const asked = questions();
const accepted = {};
const told = (form, verdicts) => {
  accepted[form] = asked.filter((_, index) => verdicts[index] === 'accepted').map(({ one }) => one.name);
  console.log(`${form}: ${accepted[form].length} of ${asked.length} accepted`);
};
for (const program of programs) {
  const why = built(program);
  if (why !== undefined) throw new Error(why);
  for (const form of program.forms)
    told(
      form,
      verdictsOf(
        program,
        asked.map((one) => one[form].line),
      ).map(verdictOf),
    );
}
for (const variant of ['min-pk', 'min-sig']) {
  const verdicts = [];
  for (const { one } of asked) verdicts.push(await contractVerdict(one, variant));
  told(`contract ${variant}`, verdicts);
}
if (process.argv.includes('--write'))
  writeFileSync(vectorFile, `${JSON.stringify({ corpus: digestOf(asked), accepted }, undefined, 2)}\n`);
