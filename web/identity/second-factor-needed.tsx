import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

/** For superadmins without two-factor authentication: says why they cannot open a page, and leads to the setup and back. */
export default function SecondFactorNeeded({ to, instead }: { to: string; instead?: ReactNode }) {
  const action = (
    <>
      <ButtonLink href={`/two-factor?to=${encodeURIComponent(to)}`}>{t('Set up')}</ButtonLink>
      {instead}
    </>
  )
  return (
    <Empty title={t('Set up two-factor authentication first')} action={action}>
      {t('Superadmins need a code from their phone in addition to their password to open this page.')}
    </Empty>
  )
}
