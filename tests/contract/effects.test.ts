// No field of the contract is only stored: each has an effect that a check shows, and a field without a check fails.
import assert from 'node:assert/strict'
import test from 'node:test'
import { contractFields } from '#api/contract-fields.ts'
import { type ObjectName, objects, operations } from './contract.ts'
import { cardEffects, newCardEffects } from './effects/card.ts'
import { commentEffects } from './effects/comment.ts'
import { groupEffects } from './effects/group.ts'
import {
  checkoutEffects,
  pushEffects,
  syncEffects,
  tourEffects,
  userEffects,
  versionEffects,
} from './effects/other.ts'
import { requestEffects } from './effects/request.ts'
import { tagEffects } from './effects/tag.ts'
import type { Effects } from './effects/world.ts'

const effects: Record<ObjectName, Effects> = {
  Card: cardEffects,
  NewCard: newCardEffects,
  Group: groupEffects,
  Comment: commentEffects,
  Tag: tagEffects,
  AuthenticatedUser: userEffects,
  Checkout: checkoutEffects,
  DeprecatedVersion: versionEffects,
  SyncResult: syncEffects,
  PushResult: pushEffects,
  TourResult: tourEffects,
}

test('every field of every object has an effect check', () => {
  for (const [name, fields] of Object.entries(objects))
    assert.deepEqual(Object.keys(effects[name as ObjectName]).sort(), Object.keys(fields).sort(), name)
})

test('the documentation says what each field does', () => {
  const { Card, NewCard } = contractFields
  const documented: Record<string, object> = { ...contractFields, NewCard: { ...Card, ...NewCard } }
  assert.deepEqual(Object.keys(documented).sort(), Object.keys(objects).sort())
  for (const [name, fields] of Object.entries(objects))
    assert.deepEqual(Object.keys(documented[name] ?? {}).sort(), Object.keys(fields).sort(), name)
})

const returned = { card: objects.Card, group: objects.Group, comment: objects.Comment, tag: objects.Tag }

test('every field of every request has an effect check, or is returned and compared by the walk', () => {
  for (const [path, { input, returns }] of Object.entries(operations)) {
    const compared = returns ? returned[returns] : {}
    assert.deepEqual(
      Object.keys(requestEffects[path] ?? {}).sort(),
      Object.keys(input)
        .filter((field) => !(field in compared))
        .sort(),
      path,
    )
  }
})

// The fields that a new card shares with other cards are checked once.
const checked = { ...effects, NewCard: { card_type: newCardEffects['card_type'] } }
for (const [name, fields] of Object.entries({ ...checked, ...requestEffects }))
  for (const [field, [effect, check] = assert.fail(field)] of Object.entries(fields))
    test(`${name}: ${field} ${effect}`, async () => void (await check()))
