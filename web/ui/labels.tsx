import './labels.css'

/** The labels of a project. */
export const Labels = ({ labels }: { labels: readonly string[] }) =>
  labels.map((label) => (
    <span key={label} className="label" dir="auto">
      {label}
    </span>
  ))
