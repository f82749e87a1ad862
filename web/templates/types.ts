import type { admin, Output } from '../data/client.ts'

export type MasterBoard = Output<`${typeof admin}/master-boards/get`>['board']
export type MasterCard = MasterBoard['groups'][number]['cards'][number]
export type Revision = Output<`${typeof admin}/master-cards/get`>['revisions'][number]
