import assert from 'node:assert/strict'
import test from 'node:test'
import { mentionedIn, splitByMentions } from './mentions.ts'

const members = [
  { id: 1, name: 'Mina' },
  { id: 2, name: 'Mina Sato' },
  { id: 3, name: 'A. (B) Çelik' },
  { id: 4, name: 'Twin' },
  { id: 5, name: 'Twin' },
  { id: 6, name: 'रव' },
]
const known = { members, chosen: new Map<string, number>(), before: [] }

test('a mention is an @ and a whole name; of two names the longer one counts', () => {
  for (const [text, ids] of [
    ['@Mina Sato and @Mina', [2, 1]],
    ['(@Mina)', [1]],
    ['@Minax, mail@Mina, @@Mina, Mina', []],
    ['@A. (B) Çelik!', [3]],
    ['@Mina @Mina', [1]],
    // A vowel sign is part of the word.
    ['@रव, @रवी', [6]],
    ['@रवी', []],
    ['', []],
  ] as const)
    assert.deepEqual(mentionedIn(text, known), ids, text)
})

test('people with the same name are told apart by the choice, and are plain text without one', () => {
  assert.deepEqual(mentionedIn('@Twin', known), [])
  assert.deepEqual(mentionedIn('@Twin', { ...known, chosen: new Map([['Twin', 5]]) }), [5])
  assert.deepEqual(mentionedIn('@Twin', { ...known, before: [{ user_id: 4, name: 'Twin' }] }), [4])
})

test('a person who was renamed stays mentioned under the old name', () => {
  const before = [{ user_id: 9, name: 'Old Name' }]
  assert.deepEqual(mentionedIn('@Old Name said', { ...known, before }), [9])
  assert.deepEqual(mentionedIn('nobody', { ...known, before }), [])
})

test('a text is split at its mentions', () => {
  assert.deepEqual(splitByMentions('Ask @Mina Sato.', members), [
    { text: 'Ask ', isMention: false },
    { text: '@Mina Sato', isMention: true },
    { text: '.', isMention: false },
  ])
  assert.deepEqual(splitByMentions('plain', []), [{ text: 'plain', isMention: false }])
})
