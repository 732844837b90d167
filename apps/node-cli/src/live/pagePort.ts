/** Default port of the page: `tutti serve` and `npm start` listen there, `tutti open` links there. */
export const pagePort = 8080;
