import type { area, Output } from '../data/client.ts'

export type Board = Output<`${typeof area}/boards/get`>['board']
export type Group = Board['groups'][number]
/** What a board has for one person. */
export type Personal = Output<`${typeof area}/boards/get-personal`>
/** The fields that a project's board and a master board share. */
export interface Arranged {
  id: number
  groups: Group[]
}
/** A board as its menu and dialogs need it. */
export type NamedBoard = Pick<Board, 'id' | 'title' | 'icon' | 'color' | 'done_closes_cards'>
/** A plain or HTML description, the same for boards, groups and cards. */
export type Described = Pick<Group, 'description' | 'description_format'>
export type Card = Group['cards'][number]
/** The fields that filters, tables and calendars need; cards of boards and found cards have them. */
export type ListedCard = Pick<
  Card,
  | 'id'
  | 'group_id'
  | 'owner_id'
  | 'tag_id'
  | 'title'
  | 'status'
  | 'priority'
  | 'is_active'
  | 'due_date'
  | 'due_is_date'
  | 'snoozed_until'
  | 'created_at'
  | 'updated_at'
  | 'card_type'
>
export type Priority = Card['priority']
export type Tag = Board['tags'][number]
export type Comment = Output<`${typeof area}/cards/get`>['comments'][number]
export type Activity = Output<`${typeof area}/activity/list`>['activity'][number]
