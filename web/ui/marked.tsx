interface Part {
  text: string
  is_match: boolean
}

/** Text with highlighted search words. */
export const Marked = ({ parts }: { parts: readonly Part[] }) =>
  parts.map(({ text, is_match }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which come and go together.
    is_match ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  )
