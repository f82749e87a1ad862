// What a description in HTML may be made of. The service cleans with it, and the web app once more before it shows anything.

export const allowedElements: readonly string[] =
  'a b blockquote br caption code del em h1 h2 h3 h4 hr i li ol p pre s strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  )

export const allowedAttributes: readonly string[] = ['href', 'rel', 'colspan', 'rowspan']
