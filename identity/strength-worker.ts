// Runs as a thread of passwords.ts, because the lists take 56 MB; the thread ends when nobody has chosen a password for a while.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import { answerJobs } from '#threads.ts'
import { estimateWith } from './estimating.ts'
import { leakedHashes } from './leaked-passwords.ts'
import { judge, type Person, type Weakness } from './weak-password.ts'

export interface StrengthJob {
  password: string
  person: Person
}

const estimate = estimateWith(ZxcvbnFactory, { common, english, german, leakedHashes })

answerJobs(({ password, person }: StrengthJob): Weakness | null => judge(estimate, password, person).weakness)
