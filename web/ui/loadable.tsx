import { type ComponentType, useEffect, useState } from 'react'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Empty } from './states.tsx'
import { showProblem } from './toast.tsx'

const failed = t('This part could not be loaded')
const advice = t("Cardinal was updated or can't be reached. Reload the page.")

/**
 * A component whose code is loaded when it is first shown, or before. Unlike React's lazy it shows loaded code at once; a Suspense
 * boundary would delay it by up to 300 ms.
 */
export function loadable<Props extends object>(
  fetchCode: () => Promise<{ default: ComponentType<Props> }>,
  /** Shown until then. */
  Waiting?: ComponentType<Props>,
) {
  let Loaded: ComponentType<Props> | undefined
  let failure: { file: string | undefined; times: number } | undefined
  const load = async () => {
    if (failure) loadStylesAgain()
    try {
      const { default: found } = await (failure?.file
        ? import(/* @vite-ignore */ `${failure.file}?again=${failure.times}`)
        : fetchCode())
      if (!found) throw new Error('The file has other contents.')
      Loaded = found
    } catch (error) {
      failure = { file: failure?.file ?? fileIn(error), times: (failure?.times ?? 0) + 1 }
      throw error
    }
  }
  function Loadable(props: Props) {
    const [, setTimes] = useState(0)
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      if (Loaded) return
      load().then(
        () => setTimes((times) => times + 1),
        () => setFailed(true),
      )
    }, [])
    if (hasFailed) return !Waiting && closes(props) ? <NotOpened onClose={props.onClose} /> : <NewVersion />
    const Shown = Loaded ?? Waiting
    return Shown ? <Shown {...props} /> : null
  }
  // A failed preload is retried, and reported, when the component is shown.
  return Object.assign(Loadable, { load, preload: () => void load().catch(() => {}) })
}

/** The file that could not be loaded. Browsers remember that, and load it again only with another query. */
const fileIn = (error: unknown): string | undefined => /https?:\/\/\S+\.js\b/.exec(String(error))?.[0]

/** Styles are only asked for once. */
function loadStylesAgain() {
  for (const element of document.head.children)
    if (element instanceof HTMLLinkElement && element.rel === 'stylesheet' && !element.sheet)
      element.replaceWith(element.cloneNode())
}

const closes = (props: object): props is { onClose(): void } =>
  'onClose' in props && typeof props.onClose === 'function'

/** A dialog or panel whose code is missing closes again, so that the next attempt loads it. */
function NotOpened({ onClose }: { onClose(): void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it fails once.
  useEffect(() => {
    showProblem(failed, { detail: advice, topic: 'loading' })
    onClose()
  }, [])
  return null
}

/** Missing code was replaced by that of another release. */
const NewVersion = () => (
  <Empty title={failed} action={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}>
    {advice}
  </Empty>
)
