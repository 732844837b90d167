import { expect, it } from 'vitest';
import { askedFor } from './figures.ts';

const libraries = ['pdfkit', 'svg-to-pdfkit'];
const absent = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' });

it('names the libraries in one line if one of them is missing', async () => {
  await expect(askedFor(() => Promise.reject(absent('svg-to-pdfkit')), '--pdf', libraries)).rejects.toMatchObject({
    code: 'library-missing',
    message: expect.stringMatching(/^--pdf: needs [^\n]*'npm install pdfkit svg-to-pdfkit' first$/),
  });
});

it('rethrows other errors', async () => {
  for (const fault of [absent('./own.js'), new SyntaxError("no 'pdfkit'")])
    await expect(askedFor(() => Promise.reject(fault), '--pdf', libraries)).rejects.toBe(fault);
});
