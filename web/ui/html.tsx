import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import { allowedAttributes, allowedElements, allowedSchemes } from '#text/allowed-html.ts'
import './html.css'

/** The service's allow-list; HTML is cleaned again here, regardless of how it was stored. */
const allowed = {
  ALLOWED_TAGS: [...allowedElements],
  ALLOWED_ATTR: [...allowedAttributes],
  ALLOWED_URI_REGEXP: allowedSchemes,
  // Else their values would have to be links.
  ADD_URI_SAFE_ATTR: allowedAttributes.filter((name) => name !== 'href'),
}

export const cleanFragment = (html: string): DocumentFragment =>
  document.importNode(DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: true }), true)

const shown = DOMPurify(window)
// The box of a task stands where others have their bullet.
shown.addHook('afterSanitizeAttributes', (element) => {
  if (element.nodeName === 'LI' && /^\s*[☐☑]/.test(element.textContent)) element.className = 'html-task'
})

/** Formatted text; `isSpaced` if its paragraphs keep their spaces. */
export function Html({ html, isSpaced = false }: { html: string; isSpaced?: boolean }) {
  const clean = useMemo(() => shown.sanitize(html, allowed), [html])
  return (
    <div
      className={isSpaced ? 'html html-spaced' : 'html'}
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the only place that does it, after cleaning.
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  )
}
