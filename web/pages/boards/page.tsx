import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { area, type Output } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useProject, useRefusal } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { byTool, toolName } from '../../shell/tools.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Reading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import '../../ui/table.css'
import './page.css'

type BoardInList = Output<`${typeof area}/boards/list`>['boards'][number]

export default function BoardsPage() {
  const query = useRead(`${area}/boards/list`)
  const [isCreating, setCreating] = useState(false)
  const refusal = useRefusal('manage')
  const create = (
    <Button look="primary" icon={<Plus />} refusal={refusal} onClick={() => setCreating(true)}>
      New board
    </Button>
  )
  return (
    <Page title="Boards" actions={query.data?.boards.length !== 0 && create}>
      <Reading query={query} failed="The boards could not be loaded">
        {({ boards }) =>
          boards.length === 0 ? (
            <Empty title="No boards yet" action={create}>
              A board holds the groups and cards of one line of work.
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
          <th scope="col">Board</th>
          <th scope="col">Open</th>
          <th scope="col">Overdue</th>
          <th scope="col" className="table-optional">
            Cards
          </th>
          <th scope="col" className="table-optional">
            Groups
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
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
  const refusal = useRefusal('manage')
  const [isRenaming, setRenaming] = useState(false)
  const restoring = useWrite(`${area}/boards/restore`, { failed: 'The board was not restored' })
  const deleting = useWrite(`${area}/boards/delete`, {
    failed: 'The board was not deleted',
    done: ({ id }) => showToast(`Deleted ${board.title}`, () => restoring.mutate({ id })),
  })
  return (
    <tr>
      <th scope="row">
        <Link href={`${base}/boards/${board.id}`} className="table-link truncate" dir="auto">
          {board.title}
        </Link>
      </th>
      <td>{board.open_cards_count}</td>
      <td data-overdue={board.overdue_cards_count > 0} data-zero={board.overdue_cards_count === 0}>
        {board.overdue_cards_count}
      </td>
      <td className="table-optional">{board.cards_count}</td>
      <td className="table-optional">{board.groups_count}</td>
      <td>
        <Menu
          label={`Actions for the board ${board.title}`}
          entries={() => [
            { label: 'Rename', icon: <Pencil />, refusal, onSelect: () => setRenaming(true) },
            {
              label: `Delete with its ${board.cards_count} ${board.cards_count === 1 ? 'card' : 'cards'}`,
              icon: <Trash2 />,
              isDanger: true,
              refusal,
              onSelect: () => deleting.mutate({ id: board.id }),
            },
          ]}
          trigger={(props) => (
            <IconButton {...props} label={`Actions for the board ${board.title}`} icon={<Ellipsis />} />
          )}
        />
        {isRenaming && <RenameBoard board={board} onClose={() => setRenaming(false)} />}
      </td>
    </tr>
  )
}

function RenameBoard({ board, onClose }: { board: BoardInList; onClose(): void }) {
  const [title, setTitle] = useState(board.title)
  const renaming = useWrite(`${area}/boards/update`, { failed: 'The board was not renamed' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate({ id: board.id, title }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Rename the board" onClose={onClose}>
      <form onSubmit={submit}>
        <TitleField title={title} error={renaming.error} onChange={setTitle} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={renaming.isPending}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function CreateBoard({ onClose }: { onClose(): void }) {
  const { me, base } = useProject()
  const [, navigate] = useLocation()
  const [title, setTitle] = useState('')
  const [tool, setTool] = useState('')
  const creating = useWrite(`${area}/boards/create`, { failed: 'The board was not created' })
  const tools = me.current_project?.tool_keys ?? []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate(
      { title, tool_key: tool === '' ? null : tool },
      { onSuccess: ({ board }) => navigate(`${base}/boards/${board.id}`) },
    )
  }
  return (
    <Dialog title="New board" onClose={onClose}>
      <form onSubmit={submit}>
        <TitleField title={title} error={creating.error} onChange={setTitle} />
        {tools.length > 0 && (
          <FieldSelect label="Tool" value={tool} onChange={(event) => setTool(event.target.value)}>
            <option value="">None</option>
            {tools.map((key) => (
              <option key={key} value={key}>
                {toolName(key)}
              </option>
            ))}
          </FieldSelect>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={creating.isPending}>
            Create board
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function TitleField(props: { title: string; error: unknown; onChange(title: string): void }) {
  return (
    <Field
      label="Title"
      autoFocus
      required
      maxLength={255}
      value={props.title}
      error={fieldErrors(props.error)['title']}
      onFocus={(event) => event.target.select()}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}
