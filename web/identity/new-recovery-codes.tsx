import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { Button } from '../ui/button.tsx'
import { dismissTopic, showProblem, showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import './new-recovery-codes.css'

const unsaved = ['unsaved recovery codes']
const topic = 'recovery codes'

/** New codes stay in memory until the person says that they are saved, also while another page is open; signing out forgets them. */
export function useNewRecoveryCodes() {
  const cache = useQueryClient()
  const [codes, setCodes] = useState(() => cache.getQueryData<string[]>(unsaved))
  return {
    codes,
    show(made: string[]) {
      cache.setQueryDefaults(unsaved, { gcTime: Number.POSITIVE_INFINITY })
      cache.setQueryData(unsaved, made)
      askBeforeClosing(cache)
      setCodes(made)
    },
    forget() {
      cache.removeQueries({ queryKey: unsaved })
      setCodes(undefined)
    },
  }
}

/** Shown once, after they were made. */
export function NewRecoveryCodes({
  codes,
  email,
  onDone,
}: {
  codes: string[]
  email: string
  onDone(): void
}) {
  useWarning()
  const title = t('Cardinal recovery codes for {email}', { email })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      showToast(t('Recovery codes copied'))
    } catch {
      showProblem(t('The browser did not allow copying. Select the codes and copy them yourself.'), {})
    }
  }
  return (
    <div className="recovery-codes">
      <p>
        {t(
          "Save these recovery codes in a safe place. You won't see them again. Each code works once if you lose your authenticator app.",
        )}
      </p>
      <p dir="auto">{title}</p>
      <ul className="recovery-codes-list" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="recovery-codes-buttons">
        <Button icon={<Copy />} onClick={() => void copy()}>
          {t('Copy')}
        </Button>
        <Button icon={<Download />} onClick={() => download(title, codes)}>
          {t('Download')}
        </Button>
        <Button icon={<Printer />} onClick={() => print()}>
          {t('Print')}
        </Button>
        <Button look="primary" onClick={onDone}>
          {t("I've saved these codes")}
        </Button>
      </div>
    </div>
  )
}

/** Asks before the tab is closed, on every page, as long as the codes are not saved. */
function askBeforeClosing(cache: QueryClient) {
  const ask = (event: BeforeUnloadEvent) => {
    if (cache.getQueryData(unsaved) === undefined) window.removeEventListener('beforeunload', ask)
    else event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
}

/** Says how to get back when another page is opened. */
function useWarning() {
  const cache = useQueryClient()
  useEffect(() => {
    const here = location.pathname + location.search
    dismissTopic(topic)
    return () => {
      if (cache.getQueryData(unsaved) !== undefined)
        showProblem(t("You haven't saved your recovery codes. Without them you can lose access."), {
          show: () => navigate(here),
          topic,
        })
    }
  }, [cache])
}

function download(title: string, codes: string[]) {
  const url = URL.createObjectURL(new Blob([`${[title, '', ...codes].join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'cardinal-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
