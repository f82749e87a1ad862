import type { admin, Output } from '../../data/client.ts'

export type Rollout = Output<`${typeof admin}/rollouts/get`>['rollout']
export type Outcome = Output<`${typeof admin}/rollouts/get`>['results'][number]['outcome']
