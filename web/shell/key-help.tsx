import { Dialog } from '../ui/dialog.tsx'
import { t } from '../words/words.ts'
import './key-help.css'

const isMac = /mac/i.test(navigator.platform)
/** The key that other programs use for commands. */
const commandKey = isMac ? '⌘' : t('Ctrl')

const sections: { title: string; keys: [keys: string[], what: string][] }[] = [
  {
    title: t('Everywhere'),
    keys: [
      [[commandKey, 'K'], t('Search or run a command')],
      [['C'], t('New card')],
      [['/'], t('Filter or search')],
      [['G', 'H'], t('Go to home')],
      [['G', 'I'], t('Go to inbox')],
      [['G', 'B'], t('Go to boards')],
      [['G', 'M'], t('Go to my cards')],
      [['G', 'S'], t('Go to search')],
      [['G', 'T'], t('Go to trash')],
      [[commandKey, 'Z'], t('Undo')],
      [['?'], t('Keyboard shortcuts')],
    ],
  },
  {
    title: t('For superadmins, in All projects'),
    keys: [
      [['G', 'O'], t('Go to overview')],
      [['G', 'P'], t('Go to projects')],
      [['G', 'T'], t('Go to templates')],
      [['G', 'R'], t('Go to rollouts')],
    ],
  },
  {
    title: t('On a card'),
    keys: [
      [['↑', '↓', '←', '→'], t('Next card')],
      [[t('Home', { as: 'key' }), t('End', { as: 'key' })], t('First or last card of the group')],
      [[t('Enter')], t('Open card')],
      [[t('Space')], t('Lift and drop')],
      [['I'], t('Assign to me')],
      [['A'], t('Assignee')],
      [['D'], t('Due date')],
      [['T'], t('Tag')],
      [['P'], t('Priority')],
      [['S'], t('Status')],
      [['Z'], t('Snooze')],
      [['M'], t('Actions')],
      [[t('Del')], t('Delete')],
      [[t('Esc')], t('Close card')],
    ],
  },
  {
    title: t('In the inbox'),
    keys: [
      [['J'], t('Next item')],
      [['K'], t('Previous item')],
      [['E'], t('Mark as read')],
      [[t('Enter')], t('Open card')],
    ],
  },
  {
    title: t('In a table'),
    keys: [
      [['↑', '↓', '←', '→'], t('Next cell')],
      [[t('Home', { as: 'key' }), t('End', { as: 'key' })], t('First or last column')],
      [[commandKey, t('Home', { as: 'key' }), t('End', { as: 'key' })], t('First or last card')],
      [[t('Page up'), t('Page down')], t('Ten rows up or down')],
      [[t('Enter')], t('Open card, or change the value')],
      [['F2'], t('Rename')],
      [['M'], t('Actions')],
    ],
  },
  {
    title: t('In a calendar'),
    keys: [
      [['↑', '↓', '←', '→'], t('Next card')],
      [[t('Enter')], t('Open card')],
      [[t('Space')], t('Lift, then choose a day with the arrow keys')],
      [['M'], t('Actions')],
    ],
  },
  {
    title: t('Several cards'),
    keys: [
      [['X'], t('Select or deselect')],
      [[t('Shift'), '↑', '↓'], t('Extend the selection')],
      [[commandKey, t('Click')], t('Select or deselect')],
      [[t('Shift'), t('Click')], t('Select everything up to here')],
      [[t('Esc')], t('End selection')],
    ],
  },
  {
    title: t('In a text'),
    keys: [
      [[commandKey, t('Enter')], t('Save or send')],
      [[t('Esc')], t('Cancel')],
    ],
  },
]

/** All keys of the app. */
export default function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where the window is small, the keys scroll it. */}
      <section className="key-help" tabIndex={0} aria-label={t('Keyboard shortcuts')}>
        {sections.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([pressed, what]) => (
                <div key={pressed.join()}>
                  <dt>{what}</dt>
                  <dd>
                    {pressed.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}
