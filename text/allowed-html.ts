// The HTML that a description may contain. The service cleans with it on write, and the web app again before it shows a description.

export const allowedElements: readonly string[] =
  'a b blockquote br caption code del em h1 h2 h3 h4 hr i li ol p pre s strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  )

export const allowed: ReadonlySet<string> = new Set(allowedElements)

/** Elements that start and end a line. */
export const allowedBlocks: ReadonlySet<string> = new Set(
  'blockquote caption h1 h2 h3 h4 hr li ol p pre table tbody td tfoot th thead tr ul'.split(' '),
)

/** The schemes of links; a link without one leads to a page of ours. */
export const allowedSchemes = /^(?:https?|mailto):/i

export const allowedAttributes: readonly string[] = ['href', 'rel', 'colspan', 'rowspan', 'start', 'value']
