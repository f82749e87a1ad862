import type { identity, Output } from '../data/client.ts'

export type Member = Output<`${typeof identity}/members/list`>['members'][number]
