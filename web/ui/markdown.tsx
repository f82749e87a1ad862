import { useMemo } from 'react'
import { Html } from './html.tsx'
import { markdownHtml } from './markdown-html.ts'

/** Plain text shown as Markdown, loaded on demand. */
export default function Markdown({ text }: { text: string }) {
  return <Html html={useMemo(() => markdownHtml(text), [text])} />
}
