// Runs as a thread of passwords.ts, because the lists of passwords take 24 MB.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import { answerJobs } from '#threads.ts'
import { type Person, type Strength, strengthOf } from './weak-password.ts'

export interface StrengthJob {
  password: string
  person: Person
}

const estimator = new ZxcvbnFactory(common)

answerJobs(
  ({ password, person }: StrengthJob): Strength =>
    strengthOf((given, words) => estimator.check(given, words).score, password, person),
)
