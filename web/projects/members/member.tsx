import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, KeyRound, ShieldCheck, ShieldOff, Sparkles, UserMinus } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '#identity/roles.ts'
import { identity, type Output } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { refreshSoon } from '../../data/refresh.ts'
import { useWrite } from '../../data/write.ts'
import type { IsAskedBy } from '../../identity/confirm-password.tsx'
import { givableRoles, isSuperadminHere, useMay, useRefusal } from '../../identity/permissions.ts'
import { roleNames } from '../../identity/role-names.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { capital } from '../../ui/capital.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { Ago } from '../../ui/time.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'

type Member = Output<`${typeof identity}/members/list-details`>['members'][number]

interface RowProps {
  member: Member
  /** Of the page, because a removed member's row is gone when the removal is undone. */
  isAskedBy: IsAskedBy
}

export function MemberRow({ member, isAskedBy }: RowProps) {
  const { me } = useProject()
  return (
    <li>
      <Avatar id={member.user_id} name={member.name} />
      <div className="members-words">
        <p>
          <strong dir="auto">{member.name}</strong>
          {member.user_id === me.user.id && <span className="members-you">{t('You')}</span>}
        </p>
        <p>
          {member.email}
          {' · '}
          {member.is_disabled
            ? t('account disabled')
            : member.last_seen_at === null
              ? t('not seen yet')
              : rich('last seen {ago}', { ago: <Ago at={member.last_seen_at} /> })}
        </p>
      </div>
      {member.second_factor ? (
        <Badge hue="green" icon={<ShieldCheck />}>
          {t('Two-factor on')}
        </Badge>
      ) : (
        <Badge hue="gray" icon={<ShieldOff />}>
          {t('Two-factor off')}
        </Badge>
      )}
      <RoleChoice member={member} isAskedBy={isAskedBy} />
      <MemberMenu member={member} isAskedBy={isAskedBy} />
    </li>
  )
}

/** Roles above one's own are not offered, and somebody above oneself cannot be changed. */
function RoleChoice({ member, isAskedBy }: RowProps) {
  const { id, me, client } = useProject()
  const cache = useQueryClient()
  const refusal = useRefusal('manage members')
  const givable = givableRoles(me)
  const { user_id: userId, name } = member
  const topic = `role of ${userId}`
  const changing = useMutation({
    mutationFn: (role: Role) => client.call(`${identity}/members/update-role`, { user_id: userId, role }),
    onSuccess(_output, role) {
      dismissTopic(topic)
      showToast(t('{name} is now {role}', { name, role: roleNames[role] }))
    },
    onError(error, role) {
      if (!isAskedBy(error, () => changing.mutate(role)))
        showFailure(t('The role was not changed'), error, topic)
    },
    onSettled: () => refreshSoon(cache, id, () => true),
  })
  if (!givable.includes(member.role) || refusal !== undefined)
    return (
      <span className="members-role" data-tip={refusal ?? t('Only owners can change the role of an owner.')}>
        {capital(roleNames[member.role])}
      </span>
    )
  return (
    <select
      className="input members-role"
      aria-label={t('Role of {name}', { name })}
      value={member.role}
      onChange={(event) => changing.mutate(event.target.value as Role)}
    >
      {givable.map((role) => (
        <option key={role} value={role}>
          {capital(roleNames[role])}
        </option>
      ))}
    </select>
  )
}

function MemberMenu({ member, isAskedBy }: RowProps) {
  const { me, client } = useProject()
  const cache = useQueryClient()
  const lost = useLostConnection()
  const mayTransfer = useMay('transfer ownership')
  const mayRestore = useMay('manage members')
  const [isTransferring, setTransferring] = useState(false)
  const { user_id: userId, name } = member
  const isMe = userId === me.user.id
  const { mutate: restore } = useWrite(`${identity}/members/restore`, {
    failed: t('The removal was not undone'),
    handles: (error, input) => isAskedBy(error, () => restore(input)),
  })
  const { mutate: remove } = useWrite(`${identity}/members/remove`, {
    failed: t('The member was not removed'),
    handles: (error, input) => isAskedBy(error, () => remove(input)),
    done: () =>
      showToast(t('{name} removed', { name }), mayRestore ? () => restore({ user_id: userId }) : undefined),
  })
  const { mutate: setAi } = useWrite(`${identity}/users/set-ai`, {
    failed: t('The member was not changed'),
    done: ({ enable_ai: isOn }) =>
      showToast(
        isOn
          ? t('{name} can use AI features', { name })
          : t('{name} can no longer use AI features', { name }),
      ),
  })
  const transfer = async () => {
    try {
      await client.call(`${identity}/members/transfer-ownership`, { user_id: userId })
      showToast(t('{name} is now {role}', { name, role: roleNames.owner }))
      await cache.invalidateQueries()
    } catch (error) {
      if (!isAskedBy(error, () => void transfer())) showFailure(t('The ownership was not transferred'), error)
    }
  }
  const isAbove = !givableRoles(me).includes(member.role)
  const entries = (): MenuEntry[] => [
    ...(mayTransfer && !isMe && member.role !== 'owner'
      ? [
          {
            label: t('Transfer ownership…'),
            icon: <KeyRound />,
            refusal: lost,
            onSelect: () => setTransferring(true),
          },
        ]
      : []),
    ...(isSuperadminHere(me)
      ? [
          {
            label: member.enable_ai ? t('Turn off AI features') : t('Turn on AI features'),
            icon: <Sparkles />,
            refusal: lost,
            onSelect: () => setAi({ id: userId, enable_ai: !member.enable_ai }),
          },
        ]
      : []),
    {
      label: t('Remove from project'),
      icon: <UserMinus />,
      isDanger: true,
      refusal: lost ?? (isAbove ? t('Only owners can remove an owner.') : undefined),
      onSelect: () => remove({ user_id: userId }),
    },
  ]
  return (
    <>
      <Menu
        label={t('Actions for {name}', { name })}
        entries={entries}
        trigger={(props) => (
          <IconButton label={t('Actions for {name}', { name })} icon={<Ellipsis />} {...props} />
        )}
      />
      {isTransferring && (
        <Confirm
          title={t('Transfer ownership')}
          action={t('Transfer ownership')}
          isDanger
          onClose={() => setTransferring(false)}
          onConfirm={() => void transfer()}
        >
          <p>
            {t(
              '{name} becomes an owner of this project and you become an admin. Only an owner can undo this.',
              { name },
            )}
          </p>
        </Confirm>
      )}
    </>
  )
}
