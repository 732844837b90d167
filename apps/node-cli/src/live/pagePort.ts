/** Default port of the page. `tutti serve` and `npm start` listen on it, and links of `tutti open` lead to it. */
export const pagePort = 8080;
