import { Link } from 'wouter'
import { useProject } from '../../data/project.tsx'

interface Props {
  boardId: number
  card: { id: number; title: string; group_title: string }
}

/** Begins the row of a template card. */
export function CardHeading({ boardId, card: { id, title, group_title: group } }: Props) {
  const { base } = useProject()
  return (
    <th scope="row">
      <Link href={`${base}/templates/${boardId}/cards/${id}`} dir="auto">
        {title}
      </Link>
      <p dir="auto">{group}</p>
    </th>
  )
}
