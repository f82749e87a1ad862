import { loadable } from './loadable.tsx'
import { mayHaveMarks } from './markdown-marks.ts'
import './markdown-text.css'
import { type Mention, splitByMentions } from './mentions.ts'

interface Props {
  text: string
  mentions: readonly Mention[]
}

/** A carriage return alone would be shown as nothing. */
const withLineBreaks = (text: string) => text.replace(/\r(?!\n)/g, '\n')

const Plain = ({ text, mentions }: Props) => (
  <p className="markdown-text" dir="auto">
    {splitByMentions(withLineBreaks(text), mentions).map((part, index) =>
      part.isMention ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places.
        <span key={index} className="mention">
          {part.text}
        </span>
      ) : (
        part.text
      ),
    )}
  </p>
)

const Markdown = loadable(() => import('./markdown.tsx'), Plain)

/** Plain text that is read as Markdown, such as a comment. */
export const MarkdownText = (props: Props) =>
  mayHaveMarks(props.text) ? <Markdown {...props} /> : <Plain {...props} />
