import { Bell, BellOff, BellRing } from 'lucide-react'
import { area } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

interface Props {
  cardId: number
  isFollowing: boolean
  isMuted: boolean
}

/** Says whether the person is told about the card, and changes it; also for viewers. */
export function FollowMenu({ cardId, isFollowing, isMuted }: Props) {
  const refusal = useLostConnection()
  const options = { failed: t('The card was not changed'), refreshes: [`${area}/cards/get`] as const }
  const said = (text: string) => ({ ...options, done: () => void showToast(text) })
  const follow = useWrite(`${area}/cards/follow`, said(t('Following this card')))
  const unfollow = useWrite(`${area}/cards/unfollow`, said(t('No longer following this card')))
  const mute = useWrite(`${area}/cards/mute`, said(t('Muted this card')))
  const unmute = useWrite(`${area}/cards/unmute`, said(t('Unmuted this card')))
  const label = isMuted
    ? t('Muted: follow or unmute')
    : isFollowing
      ? t('Following: unfollow or mute')
      : t('Not following: follow or mute')
  const input = { id: cardId }
  return (
    <Menu
      label={label}
      entries={() => [
        isFollowing
          ? { label: t('Unfollow'), icon: <Bell />, refusal, onSelect: () => unfollow.mutate(input) }
          : { label: t('Follow'), icon: <BellRing />, refusal, onSelect: () => follow.mutate(input) },
        isMuted
          ? { label: t('Unmute'), icon: <Bell />, refusal, onSelect: () => unmute.mutate(input) }
          : { label: t('Mute'), icon: <BellOff />, refusal, onSelect: () => mute.mutate(input) },
      ]}
      trigger={(props) => (
        <IconButton
          {...props}
          label={label}
          icon={isMuted ? <BellOff /> : isFollowing ? <BellRing /> : <Bell />}
        />
      )}
    />
  )
}
