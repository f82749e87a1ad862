import type { admin, area, identity, Output, platforms, themes } from './client.ts'

export type Me = Output<`${typeof identity}/users/me`>
export type Member = Output<`${typeof identity}/members/list`>['members'][number]
export type Board = Output<`${typeof area}/boards/get`>['board']
export type Group = Board['groups'][number]
/** What a project's board and a master board have in common. */
export interface Arranged {
  id: number
  groups: Group[]
}
/** A text that is plain or HTML; the same for boards, groups and cards. */
export type Described = Pick<Group, 'description' | 'description_format'>
export type Card = Group['cards'][number]
export type Tag = Board['tags'][number]
export type Comment = Output<`${typeof area}/cards/get`>['comments'][number]
export type Activity = Output<`${typeof area}/activity/list`>['activity'][number]
export type Priority = Card['priority']
export type ThemeVersion = Output<`${typeof themes}/versions/list`>['versions'][number]
export type OfferedVersion = Output<`${typeof themes}/versions/browse`>['versions'][number]
export type Subscription = Output<`${typeof platforms}/subscriptions/list`>['subscriptions'][number]
export type Plan = Output<`${typeof platforms}/plans/list`>['plans'][number]
export type MasterBoard = Output<`${typeof admin}/master-boards/get`>['board']
export type Revision = Output<`${typeof admin}/master-cards/get`>['revisions'][number]
export type Push = Output<`${typeof admin}/pushes/get`>['push']
export type Outcome = Output<`${typeof admin}/pushes/get`>['results'][number]['outcome']
