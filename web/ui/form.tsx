import type { ComponentProps } from 'react'
import { Sent } from './sent.ts'

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Sent and not yet answered. */
  isBusy: boolean
  onSubmit(): unknown
}

/** A form. Its fields take no typing while it is on its way, because what is typed then would not be sent. */
export const Form = ({ isBusy, onSubmit, ...rest }: Props) => (
  <Sent value={isBusy}>
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    />
  </Sent>
)
