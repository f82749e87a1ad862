import type { Exchange } from '#contract/operation.ts'

/** Tells those who listen that a project has news; what the news are they read from the events. */
export interface Live {
  /** Once the answer's work is committed. */
  announce(http: Exchange, projectId: number): void
}
