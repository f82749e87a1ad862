import { useMemo } from 'react'
import { Html } from './html.tsx'
import { markdownHtml } from './markdown-html.ts'
import type { Mention } from './mentions.ts'

/** Plain text shown as Markdown, loaded on demand. */
export default function Markdown({ text, mentions }: { text: string; mentions: readonly Mention[] }) {
  return <Html isSpaced html={useMemo(() => markdownHtml(text, mentions), [text, mentions])} />
}
