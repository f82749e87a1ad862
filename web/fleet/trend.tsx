import { formatNumber } from '../words/locale.ts'
import { t } from '../words/words.ts'
import './trend.css'

interface Props {
  /** What the numbers are, for screen readers. */
  label: string
  /** A name and a number for each bar, from left to right. */
  bars: readonly { name: string; value: number }[]
  /** How a number is written. */
  shown?(value: number): string
  /** Said instead of bars if all are zero. */
  none?: string
}

const height = 48

/** A small bar chart; each bar says its number, and the numbers are also a list for screen readers. A single bar would be as high as the chart whatever it is. */
export function Trend({ label, bars, shown = formatNumber, none = t('Nothing yet') }: Props) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const isNew = bars.slice(0, -1).every(({ value }) => value === 0)
  return (
    <figure className="trend">
      {isNew ? (
        <p className="trend-none">{bars.at(-1)?.value ? t('Too early for a trend') : none}</p>
      ) : (
        <svg
          viewBox={`0 0 ${bars.length * 8} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="trend-bars"
        >
          {bars.map(({ name, value }, index) => {
            const size = (height * value) / most
            return (
              <rect key={name} x={index * 8 + 1} y={height - size} width="6" height={size}>
                <title>{`${name}: ${shown(value)}`}</title>
              </rect>
            )
          })}
        </svg>
      )}
      <figcaption>{label}</figcaption>
      <ul className="visually-hidden">
        {bars.map(({ name, value }) => (
          <li key={name}>{`${name}: ${shown(value)}`}</li>
        ))}
      </ul>
    </figure>
  )
}
