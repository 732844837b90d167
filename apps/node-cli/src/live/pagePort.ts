/** Where the page is unless somebody says otherwise: `tutti serve` and `npm start` listen there, `tutti open` links there. */
export const pagePort = 8080;
