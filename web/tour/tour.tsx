import { Checklist } from './checklist.tsx'
import { useMarking } from './marking.ts'
import { useTour } from './state.tsx'

/** The tour of the project; steps are marked done whether or not its checklist is open. */
export default function Tour() {
  const { opened } = useTour()
  useMarking()
  return opened && <Checklist />
}
