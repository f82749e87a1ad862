import { Archive } from 'lucide-react'
import { t } from '../words/words.ts'
import './archived-bar.css'

/** On every page of an archived project. */
export default function ArchivedBar() {
  return (
    <section className="archived-bar" aria-label={t('Archived')}>
      <Archive aria-hidden="true" />
      <p>{t('This project is archived and can only be read. The operator of Cardinal can bring it back.')}</p>
    </section>
  )
}
