import type { admin, Output } from '../../data/client.ts'

export type Push = Output<`${typeof admin}/pushes/get`>['push']
export type Outcome = Output<`${typeof admin}/pushes/get`>['results'][number]['outcome']
