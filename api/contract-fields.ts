/**
 * What each field of the contract's objects does and where it has effect; the reference, the OpenAPI document and docs/fields.md show it. A
 * test compares the names with the declared results.
 */
const times = {
  created_at: 'When it was created. Lists that show the newest first use it.',
  updated_at: 'When it last changed. Setting a field to the value it already has is no change.',
  deleted_at:
    'When it was deleted; null in every answer about a thing that exists. Deleted things are in the trash for 30 days.',
}

export const contractFields = {
  Card: {
    id: 'Names the card in every operation on it, in events and in the address of its page.',
    project_id:
      'The project it belongs to, which decides who may see and change it; null for a template card.',
    platform_id:
      'The platform of its project or template: superadmins and rollouts of another platform do not reach it. An installation has one unless its operator adds others.',
    master_card_id:
      'The template card it is a copy of; rollouts change it, and `cards/reset` returns to the template. Null for cards of your own.',
    group_id: 'The group that shows it. `cards/move` changes it.',
    owner_id:
      'The assignee: shown on the card, found by the filter and by `cards/search` with `is_mine`, under My cards. Null: unassigned.',
    tag_id: 'Its tag: shown on the card, and a filter of the board.',
    created_by:
      'Who created it; 0 for Cardinal support. Members may delete and restore only cards they created.',
    sort_order:
      'The order that its creation or its template gave it. Moving a card does not change it; `groups/restore-order` returns to it.',
    position:
      'The place in its group, counted from 1. The board shows cards in this order; `cards/move` sets it.',
    is_master: 'True for a card of a template, false for a card of a project.',
    is_active:
      'False hides a card on its board and in searches for open cards. An inactive template card is not rolled out.',
    is_overdue:
      'True if the due date has passed and the card is not closed. Shown in red; a filter of the board.',
    unique_identifier:
      'A name given by the template, the same in all copies, for programs. No two template cards share one.',
    evaluation_check:
      'The key of a check. A result from `evaluations/report`, or of a check of the website by Cardinal (`http:` and a path), closes and reopens the card; the card and the template show it.',
    tour_key:
      'A card with one is a step of Getting started in the web app: known keys lead to their place and close the card once the thing is done. `tour/cards/dismiss-all` hides it, rollouts do not bring it back, `tour/cards/restore-all` does.',
    short_description:
      'The second line of the card on the board, edited in its panel; searched by `cards/search` and rolled out with the template.',
    title: 'Shown everywhere the card is; searched by `cards/search`.',
    description: 'Plain text or cleaned HTML, shown in the card panel; searched by `cards/search`.',
    status:
      'How far the work is. A `closed` card is shown as done and is never overdue. A filter of the board.',
    priority: 'Shown on the card unless it is `normal`; a filter of the board.',
    due_date:
      'When the work is due. Decides `is_overdue` and the order of My cards. With `due_is_date` (v2) it is a day without a time, and the last millisecond of that day in UTC.',
    snoozed_until: 'Until then the card is shown as snoozed.',
    ...times,
  },
  NewCard: {
    card_type:
      'Where the card is from: `custom` (a person), `template` or `tour`. At v1 in the answer of `cards/create` only, at v2 in every card; a filter of the board and of `cards/search`.',
  },
  Group: {
    id: 'Names the group in every operation on it and in `group_id` of its cards.',
    project_id: 'The project it belongs to; null for a group of a template.',
    platform_id:
      'The platform of its project or template: superadmins and rollouts of another platform do not reach it. An installation has one unless its operator adds others.',
    master_group_id: 'The template group it is a copy of; rollouts change it. Null for groups of your own.',
    board_id: 'The board that shows it.',
    position: 'The place on the board, counted from 1. `groups/update` and `groups/reorder` set it.',
    created_by: 'Who created it; 0 for Cardinal support. In the history of the board.',
    is_master: 'True for a group of a template, false for a group of a project.',
    is_collapsed:
      'True shows the group as a narrow column to people who have not collapsed or expanded it themselves with `groups/collapse`.',
    is_active:
      'False for an archived group, which boards leave out with its cards; `groups/archive` and `groups/unarchive` set it.',
    title: 'The heading of the column.',
    description: 'Plain text or cleaned HTML, shown in the group settings.',
    type: 'What the group is for: `todo`, `active`, `waiting`, `done` or a word of your own. Moving a card into a `done` group closes it, moving it out gives its status back, if the board has this switched on.',
    color: 'The color of the column heading.',
    icon: 'The name of an icon, drawn with the heading; a name that is not in the set gets a neutral sign.',
    ...times,
  },
  Comment: {
    id: 'Names the comment in `comments/update`, `delete`, `restore` and `mark-read`.',
    project_id: 'The project it belongs to.',
    card_id: 'The card it is on. Deleting the card deletes it too.',
    user_id:
      'Who wrote it, 0 for Cardinal support. Only the author may change it; the author and admins may delete it.',
    parent_comment_id:
      'The comment it replies to, as it was sent. The app shows replies in one level below the first comment. Deleting it deletes its replies.',
    comment: 'The text, shown as plain text.',
    is_read:
      'Whether you have read it; your own, and those from before you joined, count as read. Counted by `comments/unread`.',
    read_at:
      'When you read it, from `comments/mark-read` or from opening the card; when you joined, if it was written before.',
    ...times,
  },
  Tag: {
    id: 'Names the tag in `tags/update`, `delete` and `restore` and in `tag_id` of cards.',
    project_id: 'The project whose cards may use it.',
    position: 'The place in the list of tags, counted from 1.',
    created_by: 'Who created it; 0 for Cardinal support. Named in Project tags.',
    name: 'Shown on cards, in the tag picker and in the filter.',
    color: 'The color of the tag on cards and in the picker.',
    icon: 'The name of an icon, drawn with the tag; a name that is not in the set gets a neutral sign.',
    is_active:
      'False takes the tag out of the pickers. It stays on its cards and in filters; giving it to another card is 422.',
    ...times,
  },
  AuthenticatedUser: {
    needs_code__regeneration:
      'True if two-factor authentication is on and no recovery code is left. The app shows a banner that leads to new codes.',
    warn_message:
      'Says, in the language of the person, how many recovery codes are left if fewer than three are, else empty; the app shows it in a banner.',
    token:
      'The Bearer token of all other calls, valid for 30 days, or until it was not used for a week, unless the operator has set other times.',
    language:
      'The language the person chose with `users/update`; null for the language of the browser. Messages and the app follow it.',
    id: 'Names the person in `owner_id`, `created_by` and `user_id`.',
    name: 'Shown as author and assignee.',
    email: 'What the person signs in with.',
    superadmin:
      'True opens templates, rollouts and the review of themes, and every project, of the platform that the person is superadmin of, or of all. Without two-factor authentication it opens nothing.',
    superadmin_billing:
      'True lets a superadmin start and extend trials, pay for projects and book the payments of orders.',
    enable_ai:
      'Whether the person may use AI features; superadmins set it with `users/set-ai`. There are no AI features yet.',
  },
  Checkout: {
    checkout_url: 'Open it in a browser to pay. The same address is returned until it is paid or expires.',
    session_id: 'The session at the payment provider; null for payment by invoice.',
    subscription_id:
      'The subscription that becomes active when it is paid; read it with `subscriptions/get`.',
  },
  DeprecatedVersion: {
    version_id: 'The version. It is text at v1.',
    theme_status: '`deprecated`: projects that use the version keep it, and no other can choose it.',
  },
  SyncResult: {
    synced_count: 'Projects with access that now have the board up to date.',
    skipped_no_access:
      'Projects without access to the template; copies from when they had it were left unchanged.',
  },
  PushResult: {
    projects_updated:
      'Projects in which a change of the template card is now in effect, or to which it was added. It is text at v1, also in the answer of `master-cards/create`.',
  },
  TourResult: {
    dismissed_count: 'How many tour cards of the project were hidden by this call.',
  },
} as const satisfies Record<string, Record<string, string>>
