import type { area, identity, Output } from './client.ts'

export type Me = Output<`${typeof identity}/users/me`>
export type Member = Output<`${typeof identity}/members/list`>['members'][number]
export type Board = Output<`${typeof area}/boards/get`>['board']
export type Group = Board['groups'][number]
export type Card = Group['cards'][number]
export type Tag = Board['tags'][number]
export type Comment = Output<`${typeof area}/cards/get`>['comments'][number]
export type Activity = Output<`${typeof area}/activity/list`>['activity'][number]
export type Priority = Card['priority']
