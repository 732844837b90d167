/** The letters that the page's typefaces have: ASCII, the accented letters of names and cities, and the page's signs. */
export const fontLetters = [
  String.fromCodePoint(...Array.from({ length: 0x7f - 0x20 }, (_, at) => 0x20 + at)),
  'ÁÄÅÇÉÍÎÑÓÖØÚÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ',
  '\u00a0§«»°±²³µ·×÷–—‘’“”•…′−',
].join('');
