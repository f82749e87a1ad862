import { usePresent } from '../data/presence.ts'
import { Avatar } from '../ui/avatar.tsx'
import { personName } from '../ui/person-name.ts'
import { t } from '../words/words.ts'
import './present.css'

const mostFaces = 3

/** The others who have the board open now. */
export function HereNow({ boardId }: { boardId: number }) {
  const present = usePresent(boardId)
  if (present.length === 0) return null
  const rest = present.slice(mostFaces).map(({ name }) => personName(name))
  return (
    <ul className="here-now" aria-label={t('Here now')}>
      {present.slice(0, mostFaces).map(({ user_id, name }) => (
        <li key={user_id}>
          <Avatar id={user_id} name={personName(name)} isAlone />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="here-now-rest" data-tip={rest.join(', ')}>
          {t('+{count}', { count: rest.length })}
        </li>
      )}
    </ul>
  )
}

/** Who else edits the description of a card, so that two people do not write over each other. */
export function Editing({ boardId, cardId }: { boardId: number; cardId: number }) {
  const editing = usePresent(boardId).filter(({ editing_card_id }) => editing_card_id === cardId)
  const [first] = editing
  return (
    <p className="also-editing" role="status">
      {first &&
        (editing.length === 1
          ? t('{name} is editing', { name: personName(first.name) })
          : t('{count} people are editing', { count: editing.length }))}
    </p>
  )
}
