// Works on projects that have new events, in rounds, so that many events of a project are worked on together.
import { setTimeout as delay } from 'node:timers/promises'

interface Options {
  /** Events within this time are worked on together. */
  gatherMilliseconds: number
  /** From one round to the next while there is much to do. */
  restMilliseconds: number
  projectsAtOnce: number
  /** After each step through projects that changed together it rests this many times as long, so that rollouts keep the processor. */
  patience: number
  /** Returns the projects that are not finished; the next round follows at once if there are any. */
  work(projectIds: number[]): Promise<readonly number[]>
  onFailure(error: unknown): void
}

export interface Rounds {
  /** Called after each commit with the projects that have new events. */
  announce(projectIds: readonly number[]): void
  stop(): Promise<void>
}

const retryMilliseconds = 1000
/** A rollout that has not changed projects for this long is over, and the work that follows it begins. */
const patientMilliseconds = 2000
/** Of a long rollout it begins before that, so that figures and inboxes are late by seconds. */
const mostPatientMilliseconds = 20_000
/** What changes more projects than this at once is a rollout or the like. */
const mostOfPeople = 10

/** Projects that wait, and when the next round through them may begin. */
interface Line {
  projects: Set<number>
  nextAt: number
}

export function startRounds(options: Options): Rounds {
  const { gatherMilliseconds, restMilliseconds, projectsAtOnce, patience, work, onFailure } = options
  const urgent: Line = { projects: new Set(), nextAt: 0 }
  /** Changed together with many others; they take their steps later and while the urgent ones rest, so that the rollout and people's own changes come first. */
  const patient: Line = { projects: new Set(), nextAt: 0 }
  /** When rollouts were last seen at work, and until when the patient line waits for their end. */
  let rolledOutAt = -Infinity
  let waitsUntil = 0
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  const isDue = ({ projects, nextAt }: Line) => projects.size > 0 && nextAt <= performance.now()

  async function run() {
    while (urgent.projects.size + patient.projects.size > 0 && !stopping.signal.aborted) {
      const now = performance.now()
      const urgentAt = urgent.projects.size > 0 ? Math.max(urgent.nextAt, now + gatherMilliseconds) : Infinity
      const patientAt = patient.projects.size > 0 ? Math.max(patient.nextAt, now) : Infinity
      // No longer than events are gathered, because an urgent one may come.
      await pause(Math.min(urgentAt, patientAt, now + gatherMilliseconds) - now)
      const beganAt = performance.now()
      if (isDue(urgent)) {
        urgent.nextAt = beganAt + restMilliseconds
        await workOn(urgent, urgent.projects.size)
      } else if (isDue(patient)) {
        await workOn(patient, projectsAtOnce)
        const endedAt = performance.now()
        patient.nextAt = Math.max(patient.nextAt, endedAt + (endedAt - beganAt) * patience)
      }
    }
  }

  async function workOn(line: Line, most: number) {
    const round = [...line.projects.values().take(most)].sort((a, b) => a - b)
    for (const id of round) line.projects.delete(id)
    for (let at = 0; at < round.length && !stopping.signal.aborted; at += projectsAtOnce) {
      const ids = round.slice(at, at + projectsAtOnce)
      try {
        const unfinished = await work(ids)
        for (const id of unfinished) line.projects.add(id)
        if (unfinished.length > 0) line.nextAt = 0
      } catch (error) {
        onFailure(error)
        for (const id of ids) line.projects.add(id)
        await pause(retryMilliseconds)
      }
    }
  }

  function waitForRollout() {
    const now = performance.now()
    if (now > rolledOutAt + patientMilliseconds) waitsUntil = now + mostPatientMilliseconds
    rolledOutAt = now
    patient.nextAt = Math.max(patient.nextAt, Math.min(now + patientMilliseconds, waitsUntil))
  }

  return {
    announce(projectIds) {
      const line = projectIds.length > mostOfPeople ? patient : urgent
      if (line === patient) waitForRollout()
      for (const id of projectIds) line.projects.add(id)
      running ??= run().finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
