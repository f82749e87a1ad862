import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { together, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useConfirmation } from '../../identity/confirm-password.tsx'
import { seesMembers, useMay, useRefusal } from '../../identity/permissions.ts'
import { isReadingSupport } from '../../identity/support.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { InvitationRow } from './invitation.tsx'
import { InvitePeople } from './invite.tsx'
import { MemberRow } from './member.tsx'
import './page.css'

/** Who belongs to the project and who is invited, for those who manage members. */
export default function MembersPage() {
  const { me } = useProject()
  if (seesMembers(me)) return <ManagedMembers />
  return (
    <Page title={t('Members')}>
      {isReadingSupport(me) ? (
        <Empty title={t('You opened this project for reading only')}>
          {t('Allow changes to manage its members.')}
        </Empty>
      ) : (
        <Empty title={t('For admins and owners')}>{t('Only admins and owners can manage members.')}</Empty>
      )}
    </Page>
  )
}

function ManagedMembers() {
  const { me } = useProject()
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const [isInviting, setInviting] = useState(false)
  const { isAskedBy, dialog } = useConfirmation()
  const refusal = useRefusal('manage members')
  const mayInvite = useMay('manage members')
  const query = together(
    useRead(`${identity}/members/list-details`, {}, { refetchOnMount: 'always' }),
    useRead(`${identity}/invitations/list`, {}, { refetchOnMount: 'always' }),
  )
  const matches = (...words: string[]) =>
    words.some((word) => word.toLowerCase().includes(text.trim().toLowerCase()))
  const invite = (
    <Button look="primary" icon={<UserPlus />} refusal={refusal} onClick={() => setInviting(true)}>
      {t('Invite people…')}
    </Button>
  )
  return (
    <Page title={t('Members')} actions={invite}>
      <search className="members-search">
        <Field
          label={t('Name or email')}
          type="search"
          maxLength={255}
          value={text}
          onChange={(event) =>
            setSearch(event.target.value === '' ? {} : { q: event.target.value }, { replace: true })
          }
        />
      </search>
      <Reading query={query} failed={t('The members could not be loaded')}>
        {([{ members }, { invitations }]) => {
          const found = members.filter(({ name, email }) => matches(name, email))
          const invited = invitations.filter(({ email }) => matches(email))
          const isAlone = members.every(({ user_id }) => user_id === me.user.id) && invitations.length === 0
          if (members.length + invitations.length === 0)
            return (
              <Empty title={t('No members yet')}>{t('Invite the first person, usually the owner.')}</Empty>
            )
          if (found.length + invited.length === 0)
            return (
              <Empty title={t('No one found for “{query}”', { query: text })}>
                {t('Search by name or email, or invite the person.')}
              </Empty>
            )
          return (
            <>
              {found.length > 0 && (
                <ul className="members" aria-label={t('Members')}>
                  {found.map((member) => (
                    <MemberRow key={member.user_id} member={member} isAskedBy={isAskedBy} />
                  ))}
                </ul>
              )}
              {invited.length > 0 && (
                <section className="members-invited" aria-labelledby="members-invited">
                  <h2 id="members-invited">{t('Pending invitations')}</h2>
                  <ul className="members">
                    {invited.map((invitation) => (
                      <InvitationRow key={invitation.id} invitation={invitation} />
                    ))}
                  </ul>
                </section>
              )}
              {isAlone && mayInvite && (
                <Empty title={t("You're the only one here")}>
                  {t('Invite your team to assign cards and work together.')}
                </Empty>
              )}
            </>
          )
        }}
      </Reading>
      {isInviting && <InvitePeople onClose={() => setInviting(false)} />}
      {dialog}
    </Page>
  )
}
