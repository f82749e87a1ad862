import { useEffect, useRef, useState } from 'react'
import { fieldCodes, fieldErrors } from './failure.ts'

/**
 * The fields that a call was refused for. Each error is shown until its field is changed, and the first of the fields gets the focus with
 * its text selected.
 */
export function useRefusedFields(error: unknown, values: Readonly<Record<string, string>>) {
  const form = useRef<HTMLFormElement>(null)
  const [refused, setRefused] = useState({ error, values })
  if (refused.error !== error) setRefused({ error, values })
  useEffect(() => {
    if (!error) return
    const fields = [...(form.current?.elements ?? [])] as HTMLInputElement[]
    const first = fields.find((field) => field.ariaInvalid === 'true')
    first?.focus()
    first?.select()
  }, [error])
  const unchanged = (found: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(found).filter(([name]) => values[name] === refused.values[name]))
  return { form, errors: unchanged(fieldErrors(error)), codes: unchanged(fieldCodes(error)) }
}
