import assert from 'node:assert/strict'
import { attempt, call, type Effects, scene, times } from './world.ts'

/** What boards show of a tag after it was changed. */
const isShown = (field: string, values: string[]) => async () => {
  const { member, addTag, shown } = await scene()
  const { id } = await addTag({ [field]: values[0] })
  assert.equal((await shown()).tags[0][field], values[0])
  await call(member, 'tags/update', { id, [field]: values[1] })
  assert.equal((await shown()).tags[0][field], values[1])
}

export const tagEffects: Effects = {
  id: [
    'names the tag in its cards',
    async () => {
      const { addTag, addCard } = await scene()
      const [first, second] = [await addTag(), await addTag({ name: 'Other' })]
      assert.equal((await addCard({ tag_id: second.id })).tag_id, second.id)
      assert.notEqual(first.id, second.id)
    },
  ],
  project_id: [
    'is the project whose cards may have it',
    async () => {
      const { projectId, addTag, stranger, addCard } = await scene()
      const tag = await addTag()
      assert.equal(tag.project_id, projectId)
      await addCard({ tag_id: tag.id })
      const { status, body } = await attempt(stranger, 'cards/create', { title: 'Card', tag_id: tag.id })
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['tag_id']])
    },
  ],
  position: [
    'is the place in the list of tags, counted from 1',
    async () => {
      const { addTag, shown } = await scene()
      const names = async () => (await shown()).tags.map(({ name }: { name: string }) => name)
      await addTag({ name: 'A' })
      assert.equal((await addTag({ name: 'B' })).position, 2)
      assert.deepEqual(await names(), ['A', 'B'])
      assert.equal((await addTag({ name: 'C', position: 1 })).position, 1)
      assert.deepEqual(await names(), ['C', 'A', 'B'])
    },
  ],
  created_by: [
    'is the person who created it',
    async () => {
      const { member, owner } = await scene()
      for (const person of [member, owner])
        assert.equal((await call(person, 'tags/create', { name: 'Tag' })).tag.created_by, person.id)
    },
  ],
  name: ['is what boards show', isShown('name', ['Law', 'Taxes'])],
  color: ['is what boards show', isShown('color', ['red', 'green'])],
  icon: ['is what boards show', isShown('icon', ['leaf', 'a name of ours'])],
  is_active: [
    'false refuses new use and leaves the tag on its cards',
    async () => {
      const { member, addTag, addCard, readCard, changeCard } = await scene()
      const tag = await addTag()
      assert.equal(tag.is_active, true)
      const tagged = await addCard({ tag_id: tag.id })
      const plain = await addCard()
      await call(member, 'tags/update', { id: tag.id, is_active: false })
      assert.equal((await readCard(tagged.id)).tag_id, tag.id)
      for (const [action, input] of [
        ['cards/create', { title: 'Card', group_id: plain.group_id, tag_id: tag.id }],
        ['cards/update', { id: plain.id, tag_id: tag.id }],
      ] as const) {
        const { status, body } = await attempt(member, action, input)
        assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['tag_id']], action)
      }
      await call(member, 'tags/update', { id: tag.id, is_active: true })
      assert.equal((await changeCard(plain.id, { tag_id: tag.id })).tag_id, tag.id)
    },
  ],
  ...times(async () => {
    const { admin, member, addTag } = await scene()
    const { id } = await addTag()
    return {
      read: async () => (await call(member, 'tags/list')).tags[0],
      change: (name) => call(member, 'tags/update', { id, name }),
      remove: () => call(admin, 'tags/delete', { id }),
    }
  }),
}
