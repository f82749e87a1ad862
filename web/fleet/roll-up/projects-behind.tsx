import { Link } from 'wouter'
import { admin } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { t } from '../../words/words.ts'
import { measureNames } from '../measures.ts'

interface Props {
  card: { id: number; title: string }
  measure: keyof typeof measureNames
  onClose(): void
}

/** The projects behind a number. */
export function ProjectsBehind({ card, measure, onClose }: Props) {
  const { base } = useProject()
  const query = usePages(
    `${admin}/roll-ups/list-projects`,
    { card_id: card.id, measure },
    { refetchOnMount: 'always' },
  )
  const projects = query.data?.pages.flatMap((page) => page.projects)
  return (
    <Dialog
      title={t('{card}: {state}', { card: card.title, state: measureNames[measure] })}
      onClose={onClose}
    >
      <Reading query={{ ...query, data: projects }} failed={t('The projects could not be loaded')}>
        {(read) => (
          <ul className="roll-up-projects slim-scroll">
            {read.map(({ id, name }) => (
              <li key={id}>
                <Link href={`${base}/projects/${id}`} dir="auto">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Reading>
      <ShowMore query={query} />
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
