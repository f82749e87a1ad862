import type { admin, Input, Output } from '../data/client.ts'

export type FleetProject = Output<`${typeof admin}/projects/list`>['projects'][number]
export type FleetFilter = Input<`${typeof admin}/projects/list`>
export type SubscriptionStatus = FleetProject['subscriptions'][number]['status']
