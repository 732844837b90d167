/** How events between the nodes can be shown: on a ring in tree order or by region, on the globe, or level by level. */
export const betweenViews = ['tree', 'region', 'map', 'levels'] as const;
export type BetweenView = (typeof betweenViews)[number];
