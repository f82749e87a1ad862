import { useProject } from '../data/project.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { counted, t } from '../words/words.ts'
import './wrong-codes.css'

/** Says that the recovery codes run out, and leads to new ones. */
export default function RecoveryCodesWarning({ left }: { left: number }) {
  const { base } = useProject()
  return (
    <div className="wrong-codes">
      <Notice
        look="warning"
        title={
          left === 0
            ? t('No recovery codes left')
            : counted(left, { one: '{count} recovery code left', other: '{count} recovery codes left' })
        }
        action={<ButtonLink href={`${base}/account?new=recovery-codes`}>{t('Create new codes')}</ButtonLink>}
      >
        {t("A recovery code signs you in when you don't have your phone.")}
      </Notice>
    </div>
  )
}
