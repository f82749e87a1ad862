import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAskAgain } from '../data/ask-again.ts'
import { areAtFields } from '../data/at-fields.ts'
import { area, type Output } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { Reading } from '../data/reading.tsx'
import { useWrite } from '../data/write.ts'
import { useDraft } from '../drafts/drafts.ts'
import { useRefusal } from '../identity/permissions.ts'
import { ViewOnlyMark } from '../identity/view-only-mark.tsx'
import { byTool, toolName } from '../projects/tools.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FieldSelect } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { OptionalSign } from '../ui/sign.tsx'
import { spot } from '../ui/spots.ts'
import { Empty } from '../ui/states.tsx'
import '../ui/table.css'
import { t } from '../words/words.ts'
import { useBoards } from './board-list.ts'
import { BoardMenu } from './board-menu.tsx'
import './page.css'
import { Form } from '../ui/form.tsx'
import { TitleField } from './title-field.tsx'

type BoardInList = Output<`${typeof area}/boards/list`>['boards'][number]

const newBoardSpot = spot('new board')

export default function BoardsPage() {
  const query = useBoards()
  // Cards become overdue without any change.
  useAskAgain(`${area}/boards/list`, 60_000)
  const [isCreating, setCreating] = useState(false)
  const refusal = useRefusal('manage')
  const create = (
    <Button
      ref={newBoardSpot}
      look="primary"
      icon={<Plus />}
      refusal={refusal}
      onClick={() => setCreating(true)}
    >
      {t('New board')}
    </Button>
  )
  return (
    <Page
      title={t('Boards')}
      actions={
        <>
          <ViewOnlyMark />
          {query.data?.boards.length !== 0 && create}
        </>
      }
    >
      <Reading query={query} failed={t('The boards could not be loaded')}>
        {({ boards }) =>
          boards.length === 0 ? (
            <Empty title={t('No boards yet')} action={create}>
              {t('A board holds the groups and cards of one line of work.')}
            </Empty>
          ) : (
            byTool(boards).map((tool) => <BoardTable key={tool.tool} {...tool} />)
          )
        }
      </Reading>
      {isCreating && <CreateBoard onClose={() => setCreating(false)} />}
    </Page>
  )
}

function BoardTable({ tool, boards }: { tool: string; boards: BoardInList[] }) {
  return (
    <table className="table boards">
      <caption>{tool}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Board')}</th>
          <th scope="col">{t('Open', { as: 'state' })}</th>
          <th scope="col">{t('Overdue')}</th>
          <th scope="col" className="table-optional">
            {t('Cards')}
          </th>
          <th scope="col" className="table-optional">
            {t('Groups')}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {boards.map((board) => (
          <BoardRow key={board.id} board={board} />
        ))}
      </tbody>
    </table>
  )
}

function BoardRow({ board }: { board: BoardInList }) {
  const { base } = useProject()
  return (
    <tr>
      <th scope="row">
        <Link href={`${base}/boards/${board.id}`} className="table-link board-link">
          <OptionalSign icon={board.icon} color={board.color} />
          <span className="truncate" dir="auto">
            {board.title}
          </span>
        </Link>
      </th>
      <td>{board.open_cards_count}</td>
      <td data-overdue={board.overdue_cards_count > 0} data-zero={board.overdue_cards_count === 0}>
        {board.overdue_cards_count}
      </td>
      <td className="table-optional">{board.cards_count}</td>
      <td className="table-optional">{board.groups_count}</td>
      <td>
        <BoardMenu board={board} cardsCount={board.cards_count} />
      </td>
    </tr>
  )
}

function CreateBoard({ onClose }: { onClose(): void }) {
  const { id, me, base } = useProject()
  const [, navigate] = useLocation()
  const draft = useDraft(`new board of project ${id}`)
  const [tool, setTool] = useState('')
  const close = () => {
    draft.discard()
    onClose()
  }
  const creating = useWrite(`${area}/boards/create`, {
    failed: t('The board was not created'),
    handles: areAtFields('title'),
  })
  const tools = me.current_project?.tool_keys ?? []
  const submit = () => {
    creating.mutate(
      { title: draft.text ?? '', tool_key: tool === '' ? null : tool },
      {
        onSuccess({ board }) {
          draft.clear()
          navigate(`${base}/boards/${board.id}`)
        },
      },
    )
  }
  return (
    <Dialog title={t('New board')} onClose={close}>
      <Form isBusy={creating.isPending} onSubmit={submit}>
        <TitleField
          title={draft.text ?? ''}
          hint={draft.isFound ? t('Unsaved draft') : undefined}
          error={creating.error}
          onChange={draft.write}
        />
        {tools.length > 0 && (
          <FieldSelect
            label={t('Product (optional)')}
            value={tool}
            onChange={(event) => setTool(event.target.value)}
          >
            <option value="">{t('No product')}</option>
            {tools.map((key) => (
              <option key={key} value={key}>
                {toolName(key)}
              </option>
            ))}
          </FieldSelect>
        )}
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={creating.isPending}>
            {t('Create board')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
