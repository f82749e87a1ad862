const laterThanV1 = new Set(['description_format'])

/** What v2 shows, as v1 does: without the fields that came later. */
export const inV1 = <Thing>(thing: Thing): Thing =>
  JSON.parse(JSON.stringify(thing, (key, value) => (laterThanV1.has(key) ? undefined : value)))
