import type { admin, Output } from '../../data/client.ts'

export type Rollout = Output<`${typeof admin}/rollouts/get`>['rollout']
export type PlanRequest = Output<`${typeof admin}/rollouts/get`>['request']
export type TakenBack = Output<`${typeof admin}/rollouts/get`>['taken_back']
export type Result = Output<`${typeof admin}/rollouts/get`>['results'][number]
export type Outcome = Result['outcome']
