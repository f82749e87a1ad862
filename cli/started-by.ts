import { userInfo } from 'node:os'

/** Names the user who started the program, if it has become another one since. */
export const startedBy = 'CARDINAL_STARTED_BY'

export const systemUser = (): string => process.env[startedBy] ?? userInfo().username
