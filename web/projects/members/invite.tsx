import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '#identity/roles.ts'
import { identity, type Output } from '../../data/client.ts'
import { failureOf, fieldErrors } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { needsPassword, useConfirmation } from '../../identity/confirm-password.tsx'
import { Problem } from '../../identity/entrance.tsx'
import { useInstallation } from '../../identity/mail-way.ts'
import { givableRoles, isSuperadmin } from '../../identity/permissions.ts'
import { roleNames, roleWords } from '../../identity/role-names.ts'
import { Button } from '../../ui/button.tsx'
import { capital } from '../../ui/capital.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldArea, FieldSelect } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { tooManyInvitations } from './too-many.ts'

const path = `${identity}/invitations/create` as const

/** The addresses in a text: one in each line, or with commas, semicolons or blanks between them. Mail programs write `"Name" <address>`. */
const addressesIn = (text: string): string[] =>
  text
    .replace(/"[^"]*"/g, '')
    .split(/[\n,;]+/)
    .flatMap((part) => /<([^<>]*)>\s*$/.exec(part)?.[1]?.trim() ?? part.split(/\s+/))
    .filter((address) => address !== '')

export function InvitePeople({ onClose }: { onClose(): void }) {
  const { id, client, me } = useProject()
  const cache = useQueryClient()
  const { data: installation } = useInstallation()
  const [text, setText] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [sent, setSent] = useState<string[]>([])
  const { isAskedBy, dialog } = useConfirmation()
  const inviting = useMutation({
    mutationFn: (emails: string[]) => client.call(path, { emails, role }),
    onMutate: setSent,
    onSuccess(outcome) {
      onClose()
      showOutcome(outcome, installation?.mail === 'outbox')
      return cache.invalidateQueries({ queryKey: [id, `${identity}/invitations/list`] })
    },
    onError: (error, emails) => void isAskedBy(error, () => inviting.mutate(emails)),
  })
  const problem =
    inviting.error && !needsPassword(inviting.error) ? problemOf(inviting.error, sent) : undefined
  const isNoMail = installation?.mail === 'none'
  const submit = () => {
    if (!isNoMail) inviting.mutate(addressesIn(text))
  }
  return (
    <>
      <Dialog title={t('Invite people')} onClose={onClose}>
        <Form isBusy={inviting.isPending} onSubmit={submit} noValidate>
          {isNoMail && (
            <Problem>
              {isSuperadmin(me)
                ? t("Email isn't set up here, so invitations can't be sent. Set SMTP_URL on the server.")
                : t("Email isn't set up here, so invitations can't be sent. Ask your administrator.")}
            </Problem>
          )}
          {problem && !problem.isOfField && <Problem>{problem.words}</Problem>}
          <FieldArea
            label={t('Email addresses')}
            hint={t('Up to 20, separated by commas or lines.')}
            error={problem?.isOfField ? problem.words : undefined}
            rows={3}
            autoFocus
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <FieldSelect
            label={t('Role')}
            hint={roleWords[role]}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          >
            {givableRoles(me).map((one) => (
              <option key={one} value={one}>
                {capital(roleNames[one])}
              </option>
            ))}
          </FieldSelect>
          <DialogActions>
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button
              type="submit"
              look="primary"
              isBusy={inviting.isPending}
              refusal={isNoMail ? t("Email isn't set up here.") : undefined}
            >
              {t('Send invitations')}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}

/** Names the first text that is not an email address. */
function problemOf(error: unknown, emails: readonly string[]): { words: string; isOfField: boolean } {
  const [field] = Object.keys(fieldErrors(error)).filter((name) => name.startsWith('emails'))
  if (field === undefined)
    return { words: tooManyInvitations(error) ?? failureOf(error).message, isOfField: false }
  const wrong = emails[Number(field.split('.')[1])]
  const words =
    wrong !== undefined
      ? t("“{address}” isn't a valid email address.", { address: wrong })
      : emails.length > 20
        ? t('Invite up to 20 people at once.')
        : t('Enter at least one email address.')
  return { words, isOfField: true }
}

function showOutcome({ invitations, skipped }: Output<typeof path>, hasOutbox: boolean) {
  const [first] = invitations
  if (first)
    showToast(
      invitations.length === 1
        ? t('Invitation sent to {email}', { email: first.email })
        : counted(invitations.length, { one: '{count} invitation sent', other: '{count} invitations sent' }),
      undefined,
      hasOutbox ? { show: () => location.assign('/outbox') } : {},
    )
  for (const { email, reason } of skipped)
    showToast(
      reason === 'member'
        ? t('{email} is already a member', { email })
        : t('{email} is already invited', { email }),
    )
}
