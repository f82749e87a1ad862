import type { Output, platforms } from '../data/client.ts'

export type Subscription = Output<`${typeof platforms}/subscriptions/list`>['subscriptions'][number]
export type Order = Output<`${typeof platforms}/orders/list`>['orders'][number]
export type Payment = Output<`${typeof platforms}/payments/list`>['payments'][number]
export type Plan = Output<`${typeof platforms}/plans/list`>['plans'][number]
