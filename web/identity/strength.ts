// What new-password.tsx loads when somebody types a password: the lists of the service (identity/strength-worker.ts), and so its judgement.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import { estimateWith } from '#identity/estimating.ts'
import { leakedHashes } from '#identity/leaked-passwords.ts'

export const estimate = estimateWith(ZxcvbnFactory, { common, english, german, leakedHashes })
