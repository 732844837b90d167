/** The letters that the page's typefaces have. */
export const fontLetters: string;
