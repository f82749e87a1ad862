import './html.css'

/** Text from the editor is formatted if it contains blocks. */
export const formatOf = (written: string): 'html' | 'text' =>
  /^<(?:p|h[1-4]|ul|ol|blockquote|table|pre|hr)\b[^<>]*>/.test(written) ? 'html' : 'text'

/** Plain text with its line breaks and spaces. */
export const PlainText = ({ text }: { text: string }) => (
  <div className="html plain-text" dir="auto">
    {text}
  </div>
)
