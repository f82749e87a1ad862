import assert from 'node:assert/strict'
import test from 'node:test'
import { withTestDatabase } from '#tests/postgres.ts'
import * as sql from './closing.ts'
import { asDue, isOverdue } from './due.ts'

test('SQL and the function agree on what is overdue', () =>
  withTestDatabase(async ({ run }) => {
    const minute = 60_000
    const dues = [-minute, minute].map((later) => new Date(Date.now() + later).toISOString())
    const days = [-1, 0].map((later) => new Date(Date.now() + later * 1440 * minute).toISOString())
    const ends = days.map((due_date) => asDue({ due_date, due_is_date: true }).due_date)
    const cards = [...dues, ...ends, null].flatMap((due_date) =>
      ['open', 'closed', 'blocked'].map((status) => ({ due_date, status })),
    )
    const rows = await run<{ is_overdue: boolean; is_overdue_now: boolean; will_be: boolean | null }>(
      `select ${sql.isOverdue('c')} as is_overdue, ${sql.isOverdue('present')} as is_overdue_now,
        ${sql.willBeOverdue('c')} as will_be
       from json_to_recordset($1::text::json) c (due_date timestamptz, status text),
         lateral (select now() as due_date, c.status) present`,
      [JSON.stringify(cards)],
    )
    const now = new Date()
    assert.deepEqual(
      rows.map((row) => [row.is_overdue, row.is_overdue_now, row.will_be === true]),
      cards.map((card) => [
        isOverdue(card, now.getTime()),
        isOverdue({ ...card, due_date: now.toISOString() }, now.getTime()),
        isOverdue(card, now.getTime() + 1500 * minute) && !isOverdue(card, now.getTime()),
      ]),
    )
  }))

test('for a reader with a date of their own, a due date without a time ends with its day there', () =>
  withTestDatabase(async ({ run }) => {
    const today = new Date().toISOString().slice(0, 10)
    const dayFromNow = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString()
    const overdue = async (readerDate: string | null, due_is_date: boolean) => {
      const cards = [-2, -1, 0, 1].map((days) => asDue({ due_date: dayFromNow(days), due_is_date }))
      const rows = await run<{ is_overdue: boolean }>(
        `select ${sql.isOverdueOn('c', '$2')} as is_overdue
         from json_to_recordset($1::text::json) c (due_date timestamptz, due_is_date boolean, status text)`,
        [JSON.stringify(cards.map((card) => ({ ...card, status: 'open' }))), readerDate],
      )
      return rows.map(({ is_overdue }) => is_overdue)
    }
    assert.deepEqual(await overdue(null, true), [true, true, false, false])
    assert.deepEqual(await overdue(today, true), [true, true, false, false])
    assert.deepEqual(await overdue(dayFromNow(-1).slice(0, 10), true), [true, false, false, false])
    assert.deepEqual(await overdue(dayFromNow(1).slice(0, 10), true), [true, true, true, false])
    // A time is the same moment everywhere.
    for (const date of [null, dayFromNow(-1).slice(0, 10), dayFromNow(1).slice(0, 10)])
      assert.deepEqual(await overdue(date, false), [true, true, true, false])
  }))
