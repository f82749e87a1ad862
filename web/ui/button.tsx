import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import './button.css'
import { viewOnly } from './view-only.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  icon?: ReactNode
  /** Why it is disabled; it stays focusable, so that everyone can learn the reason. With `viewOnly` it is not shown. */
  refusal?: string | undefined
  /** What it sends is not answered yet. A button that says so sends once, also when it is double-clicked. */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  look = 'secondary',
  icon,
  refusal,
  isBusy,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  if (refusal === viewOnly) return null
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} ${rest.className ?? ''}`}
      {...(refusal !== undefined && { 'data-tip': refusal, 'aria-description': refusal })}
      aria-disabled={refusal !== undefined || isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        // The second click of a double click can arrive before the first one's `isBusy` is shown.
        const isSecondClick = isBusy !== undefined && event.detail > 1
        if (refusal !== undefined || isBusy || isSecondClick) return event.preventDefault()
        onClick?.(event)
      }}
    >
      {icon}
      {children !== undefined && <span className="button-label">{children}</span>}
    </button>
  )
}

/** A button that shows only an icon; its label is its name and its tooltip. */
export function IconButton({ label, refusal, ...rest }: Omit<ButtonProps, 'children'> & { label: string }) {
  return (
    <Button
      look="quiet"
      {...rest}
      refusal={refusal}
      aria-label={label}
      data-tip={refusal ?? label}
      className={`button-icon ${rest.className ?? ''}`}
    />
  )
}

/** A link that looks like a button. */
export const ButtonLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="button button-secondary">
    {children}
  </Link>
)
