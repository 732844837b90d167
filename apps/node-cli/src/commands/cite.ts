import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { bibtex, provenance } from '../figures/document.ts';
import { jsonOption } from '../flags.ts';

export function citeCommand(context: Context): Command {
  return new Command('cite')
    .description('Print BibTeX entries for this version of Tutti and for the Handel paper.')
    .addOption(jsonOption)
    .action(({ json }: { readonly json?: boolean }) => {
      const from = provenance();
      answer(context, json, { ...from, bibtex: bibtex(from) }, bibtex(from));
    });
}
