import type { admin, Output } from '../../data/client.ts'

export type Rollout = Output<`${typeof admin}/rollouts/get`>['rollout']
export type Result = Output<`${typeof admin}/rollouts/get`>['results'][number]
export type Outcome = Result['outcome']
