// The lists of common and leaked passwords, which new-password.tsx loads when somebody types a password.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import type { Estimate } from '#identity/weak-password.ts'

const estimator = new ZxcvbnFactory(common)

export const estimate: Estimate = (password, words) => estimator.check(password, words).score
