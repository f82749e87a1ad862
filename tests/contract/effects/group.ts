import assert from 'node:assert/strict'
import { call, type Effects, platformOf, scene, statusOf, superadminsOf, template, times } from './world.ts'

/** A text that a template gives its groups, until a project chooses its own. */
const followsTemplate =
  (field: string, [first, second, own]: [string, string, string]) =>
  async () => {
    const { admin, changeGroup, groupCopy, sync } = await template()
    for (const value of [first, second]) {
      await changeGroup({ [field]: value })
      await sync()
      assert.equal((await groupCopy())[field], value)
    }
    await call(admin, 'groups/update', { id: (await groupCopy()).id, [field]: own })
    await changeGroup({ [field]: first })
    await sync()
    assert.equal((await groupCopy())[field], own)
  }

export const groupEffects: Effects = {
  id: [
    'names the group in operations on it and in its cards',
    async () => {
      const { member, addCard, shownGroup, secondGroupId } = await scene()
      const { group } = await call(member, 'groups/update', { id: secondGroupId, title: 'Second' })
      assert.equal(group.id, secondGroupId)
      assert.equal((await addCard({ group_id: group.id })).group_id, group.id)
      assert.equal((await shownGroup(group.id)).cards.length, 1)
    },
  ],
  project_id: [
    'is the project whose people may change the group, and null for a group of a template',
    async () => {
      const { member, stranger, projectId, groupId } = await scene()
      const input = { id: groupId, title: 'Mine' }
      assert.equal((await call(member, 'groups/update', input)).group.project_id, projectId)
      assert.equal(await statusOf(stranger, 'groups/update', input), 403)
      const { changeGroup } = await template()
      assert.equal((await changeGroup({ title: 'Plan' })).group.project_id, null)
    },
  ],
  platform_id: [
    'is the platform of its project or template, whose superadmins reach it and those of another do not',
    async () => {
      const { changeGroup, groupCopy, groupIds, projectId } = await template()
      const platformId = await platformOf(projectId)
      assert.equal((await changeGroup({ title: 'Plan' })).group.platform_id, platformId)
      const { id, platform_id } = await groupCopy()
      assert.equal(platform_id, platformId)
      const [own, other] = await superadminsOf(platformId)
      for (const [action, group] of [
        ['groups/update', id],
        ['admin/master-groups/update', groupIds[0]],
      ] as const) {
        assert.equal(await statusOf(own, action, { id: group }), 200)
        assert.equal(await statusOf(other, action, { id: group }), 403)
      }
    },
  ],
  master_group_id: [
    'is the template group whose changes a rollout brings, and null for groups of your own',
    async () => {
      const { shownGroup, groupId } = await scene()
      assert.equal((await shownGroup(groupId)).master_group_id, null)
      const { groupIds, groupCopy, changeGroup, sync } = await template()
      assert.equal((await groupCopy()).master_group_id, groupIds[0])
      await changeGroup({ title: 'Changed' })
      await sync()
      assert.equal((await groupCopy()).title, 'Changed')
    },
  ],
  board_id: [
    'is the board that shows the group',
    async () => {
      const { admin, boardId, shown } = await scene()
      const { group } = await call(admin, 'groups/create', { board_id: boardId, title: 'Late' })
      assert.equal(group.board_id, boardId)
      assert.equal((await shown()).groups.at(-1).id, group.id)
    },
  ],
  position: [
    'is the place on the board, counted from 1',
    async () => {
      const { member, shown, groupId, secondGroupId } = await scene()
      const places = async () =>
        (await shown()).groups.map(({ id, position }: { id: number; position: number }) => [id, position])
      const [, , [thirdId]] = await places()
      await call(member, 'groups/update', { id: groupId, position: 3 })
      assert.deepEqual(await places(), [
        [secondGroupId, 1],
        [thirdId, 2],
        [groupId, 3],
      ])
    },
  ],
  created_by: [
    'is the person in the history of the board',
    async () => {
      const { admin, owner, boardId } = await scene()
      for (const person of [admin, owner]) {
        const { group } = await call(person, 'groups/create', { board_id: boardId, title: 'Late' })
        assert.equal(group.created_by, person.id)
        const [newest] = (await call(admin, 'activity/list', { board_id: boardId })).activity
        assert.deepEqual([newest.kind, newest.actor_id], ['group.created', person.id])
      }
    },
  ],
  is_master: [
    'is true for a group of a template, false for its copies',
    async () => {
      const { changeGroup, groupCopy } = await template()
      assert.equal((await changeGroup({ title: 'Plan' })).group.is_master, true)
      assert.equal((await groupCopy()).is_master, false)
    },
  ],
  is_collapsed: [
    'is the same for everyone in the project',
    async () => {
      const { member, shownGroup, groupId } = await scene()
      for (const is_collapsed of [true, false]) {
        await call(member, 'groups/update', { id: groupId, is_collapsed })
        assert.equal((await shownGroup(groupId)).is_collapsed, is_collapsed)
      }
    },
  ],
  is_active: [
    'false is an archived group: its board leaves it out, and it takes no new cards',
    async () => {
      const { admin, member, shownGroup, groupId } = await scene()
      assert.equal((await shownGroup(groupId)).is_active, true)
      assert.equal((await call(admin, 'groups/archive', { id: groupId })).group.is_active, false)
      assert.equal(await shownGroup(groupId), undefined)
      assert.equal(await statusOf(member, 'cards/create', { title: 'Card', group_id: groupId }), 422)
      assert.equal((await call(admin, 'groups/unarchive', { id: groupId })).group.is_active, true)
      assert.equal((await shownGroup(groupId)).is_active, true)
    },
  ],
  title: [
    'is the heading, from the template until the project chooses its own',
    followsTemplate('title', ['Before', 'Ahead', 'Ours']),
  ],
  description: [
    'follows the template until the project writes its own, and is cleaned if it is HTML',
    async () => {
      await followsTemplate('description', ['First.', 'Second.', 'Ours.'])()
      const { member, groupId } = await scene()
      const description = '<p>Text</p><script>steal()</script>'
      const { group } = await call(member, 'groups/update', { id: groupId, description })
      assert.equal(group.description, '<p>Text</p>')
    },
  ],
  type: [
    'done closes cards that are moved in and gives their status back when they are moved out',
    async () => {
      const { member, addCard, groupId, secondGroupId } = await scene()
      const { id } = await addCard({ status: 'in_progress' })
      const move = async (group_id: number) =>
        (await call(member, 'cards/move', { id, group_id })).card.status
      assert.equal(await move(secondGroupId), 'in_progress')
      await move(groupId)
      await call(member, 'groups/update', { id: secondGroupId, type: 'done' })
      assert.deepEqual([await move(secondGroupId), await move(groupId)], ['closed', 'in_progress'])
      await followsTemplate('type', ['todo', 'waiting', 'our own'])()
    },
  ],
  color: [
    'is the color of the heading, from the template until the project chooses its own',
    followsTemplate('color', ['red', 'green', 'blue']),
  ],
  icon: [
    'is the icon of the heading, from the template until the project chooses its own',
    followsTemplate('icon', ['leaf', 'flame', 'a name of ours']),
  ],
  ...times(async () => {
    const { admin, member, shownGroup, groupId } = await scene()
    const { board_id } = await shownGroup(groupId)
    const { group } = await call(admin, 'groups/create', { board_id, title: 'New' })
    return {
      read: () => shownGroup(group.id),
      change: (title) => call(member, 'groups/update', { id: group.id, title }),
      async remove() {
        await call(admin, 'groups/delete', { id: group.id })
        const { thing } = await call(admin, 'trash/get', { kind: 'group', id: group.id })
        assert.ok(Date.parse(thing.deleted_at) <= Date.now())
      },
      restore: () => call(admin, 'groups/restore', { id: group.id }),
    }
  }),
}
