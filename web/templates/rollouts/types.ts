import type { admin, Output } from '../../data/client.ts'

export type Rollout = Output<`${typeof admin}/pushes/get`>['push']
export type Outcome = Output<`${typeof admin}/pushes/get`>['results'][number]['outcome']
