import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import { allowedAttributes, allowedElements } from '#text/allowed-html.ts'
import './html.css'

/** As the service cleans; what is shown is cleaned once more here, whoever stored it. */
const allowed = {
  ALLOWED_TAGS: [...allowedElements],
  ALLOWED_ATTR: [...allowedAttributes],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
}

export const cleanFragment = (html: string): DocumentFragment =>
  document.importNode(DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: true }), true)

/** Whether what was written in the app is formatted: the editor puts everything into blocks then. */
export const formatOf = (written: string): 'html' | 'text' =>
  /^<(?:p|h[1-4]|ul|ol|blockquote|table|pre|hr)\b[^<>]*>/.test(written) ? 'html' : 'text'

/** Text that people have formatted. */
export function Html({ html }: { html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html, allowed), [html])
  return (
    <div
      className="html"
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place that does it, after cleaning.
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  )
}

/** Text with the line breaks and spaces that were typed. */
export const PlainText = ({ text }: { text: string }) => (
  <div className="html plain-text" dir="auto">
    {text}
  </div>
)
