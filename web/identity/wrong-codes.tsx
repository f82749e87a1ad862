import { identity } from '../data/client.ts'
import { type Me, useProject } from '../data/project.tsx'
import { useWrite } from '../data/write.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Ago } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import './wrong-codes.css'

/** Warns the owner of an account that someone else may know the password. */
export default function WrongCodesWarning({ codes }: { codes: NonNullable<Me['user']['wrong_codes']> }) {
  const { base } = useProject()
  const dismiss = useWrite(`${identity}/second-factor/dismiss-warning`, {
    failed: t('The warning was not dismissed'),
    refreshes: [`${identity}/users/me`],
  })
  const { count, last_at, last_address } = codes
  const entry = { ago: <Ago at={last_at} />, address: last_address }
  const actions = (
    <span className="wrong-codes-actions">
      <Button look="quiet" isBusy={dismiss.isPending} onClick={() => dismiss.mutate({})}>
        {t('It was me')}
      </Button>
      <ButtonLink href={`${base}/account?change=password`}>{t('Change password')}</ButtonLink>
    </span>
  )
  return (
    <div className="wrong-codes">
      <Notice look="warning" title={t('Someone may know your password')} action={actions}>
        {count === 1
          ? rich(
              "A wrong code was entered after your password, {ago} from {address}. If it wasn't you, change your password.",
              entry,
            )
          : rich(
              "{count} wrong codes were entered after your password, the last {ago} from {address}. If it wasn't you, change your password.",
              { ...entry, count },
            )}
      </Notice>
    </div>
  )
}
