import { Mail, RotateCw, X } from 'lucide-react'
import { identity, type Output } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { roleNames } from '../../identity/role-names.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { personName } from '../../ui/person-name.ts'
import { Ago, dayInText } from '../../ui/time.tsx'
import { showProblem, showToast } from '../../ui/toast.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { tooManyInvitations } from './too-many.ts'

type Invitation = Output<`${typeof identity}/invitations/list`>['invitations'][number]

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const refusal = useRefusal('manage members')
  const revokeRefusal = useRefusal('remove members')
  const { id, email, role } = invitation
  const failed = t('The invitation was not sent')
  const resending = useWrite(`${identity}/invitations/resend`, {
    failed,
    handles(error) {
      const words = tooManyInvitations(error)
      if (words) showProblem(`${failed}. ${words}`, { topic: `resend ${id}` })
      return words !== undefined
    },
    done: () => showToast(t('Invitation sent to {email}', { email })),
  })
  const { mutate: revoke } = useWrite(`${identity}/invitations/revoke`, {
    failed: t('The invitation was not revoked'),
    done: () => showToast(t('Invitation of {email} revoked', { email })),
  })
  return (
    <li>
      <span className="members-mail" aria-hidden="true">
        <Mail />
      </span>
      <div className="members-words">
        <p>
          <strong dir="auto">{email}</strong>
        </p>
        <p>
          {rich('Invited as {role} by {inviter} · sent {ago}', {
            role: roleNames[role],
            inviter: <span dir="auto">{personName(invitation.inviter_name)}</span>,
            ago: <Ago at={invitation.sent_at} />,
          })}
          {!invitation.is_expired &&
            ` · ${t('valid until {day}', { day: dayInText(invitation.expires_at) })}`}
        </p>
      </div>
      {invitation.is_expired && (
        <Badge hue="amber" icon={<X />}>
          {t('Expired')}
        </Badge>
      )}
      <Button
        icon={<RotateCw />}
        refusal={refusal}
        isBusy={resending.isPending}
        onClick={() => resending.mutate({ id })}
      >
        {rich('Resend<hidden> the invitation of {email}</hidden>', { hidden, email })}
      </Button>
      <Button refusal={revokeRefusal} onClick={() => revoke({ id })}>
        {rich('Revoke<hidden> the invitation of {email}</hidden>', { hidden, email })}
      </Button>
    </li>
  )
}
