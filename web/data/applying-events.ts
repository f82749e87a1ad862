// Applies events to what was read, so that it is read again only after a gap or a change that its events do not tell whole.
import type { Query, QueryClient } from '@tanstack/react-query'
import { parseCursor } from '#live/cursor.ts'
import type { LiveEvent } from '#live/live-event.ts'
import { identity, type Output, type Path } from './client.ts'

/** How the answers of an operation take events. */
export interface Applier<Data> {
  /** The answer after the event; undefined if it has to be read again. */
  apply(data: Data, event: LiveEvent): Data | undefined
  /** Reads what the events name but do not carry, and returns how to add it; undefined if there is nothing. */
  readRest(projectId: number, events: readonly LiveEvent[]): Promise<(data: Data) => Data> | undefined
}

interface Versioned<Data> {
  /** The id of the newest event that the answer includes. */
  versionOf(data: Data): number
  /** Loaded with the first event. */
  load(): Promise<Applier<Data>>
}

const versioned = new Map<unknown, Versioned<unknown> & { applier?: Applier<unknown> }>()

/** Called by the code that shows the answers. */
export function applyEventsTo<P extends Path>(path: P, answers: Versioned<Output<P>>) {
  versioned.set(path, { ...(answers as Versioned<unknown>) })
}

export const takesEvents = ({ queryKey: [, path] }: Query) => versioned.has(path)

/** A page that is further behind reads again. */
const mostEvents = 1000

/** How long an answered change of this window may wait for its event before the data is read again. */
const patienceMilliseconds = 1000

interface Options {
  isConcerned(query: Query, event: LiveEvent): boolean
  /** Reads it again. */
  refresh(query: Query): void
}

interface Applying {
  noteWritten(query: Query): void
  settle(query: Query): boolean
}

/** Of the projects whose stream is open. */
const open = new Map<unknown, Applying>()

/** A change of this window was answered that is shown in the data already; its event will come. */
export const noteWritten = (query: Query) => open.get(query.queryKey[0])?.noteWritten(query)

/** True if events keep the data of this query up to date, also after the changes of this window, so that it need not be read. */
export const settleByEvents = (query: Query): boolean => open.get(query.queryKey[0])?.settle(query) ?? false

/** An answer as the service has it, beside the shown one, which may have changes that are not answered yet. */
interface Truth {
  data: unknown
  /** What was known when its read began: it includes that, even if it names an older version. */
  knownBefore: number
  /** Changes of this window that are shown, and events of the same person, since both were the same. */
  written: number
  seen: number
  /** How often something that events only name is being read. */
  incomplete: number
}

/** False after an error, and for data that has to be read again. */
const isUsable = ({ state: { data, isInvalidated } }: Query) => data !== undefined && !isInvalidated

const truthOf = ({ state: { data } }: Query, knownBefore = 0): Truth => ({
  data,
  knownBefore,
  written: 0,
  seen: 0,
  incomplete: 0,
})

/** Brings the answers of a project forward by the events of one stream. */
export function createApplying(cache: QueryClient, projectId: number, { isConcerned, refresh }: Options) {
  /** Absent until the stream has begun. Holds all events after the version `from`. */
  let known: { from: number; events: LiveEvent[] } | undefined
  let truths = new WeakMap<Query, Truth>()
  /** What was known when a read began that is not answered yet. */
  let begun = new WeakMap<Query, number>()
  const toRead = new WeakSet<Query>()

  function readAgain(query: Query) {
    toRead.add(query)
    // The answer to a read that is under way comes here too.
    if (query.state.fetchStatus !== 'fetching') refresh(query)
  }

  function show(query: Query, data: unknown) {
    cache.setQueryData(query.queryKey, data)
    truths.set(query, truthOf(query))
  }

  function bringForward(query: Query) {
    const answers = versioned.get(query.queryKey[1])
    if (!answers || !known || !isUsable(query)) return
    const truth = truths.get(query)
    const version = truth ? Math.max(answers.versionOf(truth.data), truth.knownBefore) : 0
    if (!truth || version < known.from) return readAgain(query)
    const news = known.events.filter((event) => event.id > version && isConcerned(query, event))
    if (news.length === 0) return
    const { applier } = answers
    if (!applier) return void load(answers, query)
    let { data } = truth
    for (const event of news) {
      data = applier.apply(data, event)
      if (data === undefined) return readAgain(query)
    }
    const rest = applier.readRest(projectId, news)
    const isShown = query.state.data === truth.data
    if (isShown) show(query, data)
    else {
      const own = news.filter(({ actor_id }) => actor_id === ownId()).length
      const incomplete = truth.incomplete + (rest ? 1 : 0)
      truths.set(query, { ...truth, data, seen: truth.seen + own, incomplete })
      showOnceSettled(query)
    }
    rest?.then(
      (add) => addRest(query, add),
      () => readAgain(query),
    )
  }

  async function load(answers: Versioned<unknown> & { applier?: Applier<unknown> }, query: Query) {
    try {
      answers.applier = await answers.load()
      bringForward(query)
    } catch {
      readAgain(query)
    }
  }

  const isWriting = () => cache.isMutating({ mutationKey: [projectId] }) > 0

  const ownId = () =>
    cache.getQueryData<Output<`${typeof identity}/users/me`>>([projectId, `${identity}/users/me`])?.user.id

  function addRest(query: Query, add: (data: unknown) => unknown) {
    const truth = truths.get(query)
    if (!truth) return
    const isShown = query.state.data === truth.data
    const data = add(truth.data)
    if (isShown) return show(query, data)
    truths.set(query, { ...truth, data, incomplete: Math.max(truth.incomplete - 1, 0) })
    showOnceSettled(query)
  }

  /** Shows the data as the service has it once that includes all changes of this window. */
  function showOnceSettled(query: Query): boolean {
    const truth = truths.get(query)
    if (!truth || truth.seen < truth.written || truth.incomplete > 0 || isWriting()) return false
    if (query.state.data !== truth.data) show(query, truth.data)
    return true
  }

  function giveUpWaiting(query: Query) {
    // The end of a change that is under way comes here again.
    if (!showOnceSettled(query) && !isWriting()) readAgain(query)
  }

  /** What cannot take events is read again if they concern it. */
  function bringAllForward(isOutdated: (query: Query) => boolean) {
    for (const query of cache.getQueryCache().findAll({ queryKey: [projectId], predicate: takesEvents })) {
      bringForward(query)
      if (!isUsable(query) && isOutdated(query)) readAgain(query)
    }
  }

  const unsubscribe = cache.getQueryCache().subscribe((event) => {
    const { query } = event
    if (event.type !== 'updated' || query.queryKey[0] !== projectId || !takesEvents(query)) return
    if (event.action.type === 'fetch') begun.set(query, known ? (known.events.at(-1)?.id ?? known.from) : 0)
    if (event.action.type !== 'success' || event.action.manual) return
    toRead.delete(query)
    truths.set(query, truthOf(query, begun.get(query)))
    // Events may have come while the answer was on its way.
    bringForward(query)
  })

  const applying: Applying = {
    noteWritten(query) {
      const truth = truths.get(query)
      if (truth) truth.written++
    },
    settle(query) {
      if (!known || !truths.has(query) || toRead.has(query) || !isUsable(query)) return false
      if (!showOnceSettled(query)) setTimeout(() => giveUpWaiting(query), patienceMilliseconds)
      return true
    },
  }
  open.set(projectId, applying)

  return {
    /** The stream has begun again: earlier events are unknown. */
    begin(cursor: string) {
      const from = parseCursor(cursor)?.version
      known = from === undefined ? undefined : { from, events: [] }
      bringAllForward(({ state }) => state.data !== undefined)
    },
    /** The versions from before say nothing any more. */
    forget() {
      truths = new WeakMap()
      begun = new WeakMap()
    },
    add(events: readonly LiveEvent[]) {
      if (!known) return
      known.events.push(...events)
      const forgotten = known.events.splice(0, Math.max(known.events.length - mostEvents, 0))
      known.from = forgotten.at(-1)?.id ?? known.from
      bringAllForward((query) => events.some((event) => isConcerned(query, event)))
    },
    /** Events may be missed from now on. */
    pause() {
      known = undefined
    },
    stop() {
      unsubscribe()
      if (open.get(projectId) === applying) open.delete(projectId)
    },
  }
}
