import assert from 'node:assert/strict'
import test from 'node:test'
import { app } from '#languages/de.ts'
import { fc } from '#tests/random.ts'
import type { DateWords } from './date-language.ts'
import { dateWords } from './date-words.ts'
import type { Tense } from './reading-day.ts'
import { dateTyping, momentOf, typedDateOf } from './typed-date.ts'

const germanWords = Object.fromEntries(
  Object.entries(dateWords).map(([name, english]) => [name, app[`${english} [typed date]`]]),
) as DateWords

const typing = (locale: string) => dateTyping(locale, locale.startsWith('de') ? germanWords : dateWords)

/** A Monday. */
const now = new Date(2026, 10, 16, 14, 5)

/** What is typed, and the date and time that it means. */
function understands(locale: string, table: Record<string, string>, tense: Tense = 'future') {
  const { read } = typing(locale)
  const found = Object.keys(table).map((text) => {
    const { date, time } = read(text, { now, tense }) ?? { date: 'unclear' }
    return [text, time === undefined ? date : `${date} ${time}`]
  })
  assert.deepEqual(Object.fromEntries(found), table)
}

test('dates as people type them in English', () => {
  understands('en-GB', {
    today: '2026-11-16',
    Tomorrow: '2026-11-17',
    'tomorrow 9': '2026-11-17 09:00',
    'tom 9pm': '2026-11-17 21:00',
    'tomorrow at 9:30 p.m.': '2026-11-17 21:30',
    'the day after tomorrow': '2026-11-18',
    yesterday: '2026-11-15',
    fri: '2026-11-20',
    Friday: '2026-11-20',
    'fri, 17.30': '2026-11-20 17:30',
    // Today is a Monday.
    mon: '2026-11-23',
    'next fri': '2026-11-27',
    'coming Friday': '2026-11-20',
    'this coming fri at 9': '2026-11-20 09:00',
    'coming mon': '2026-11-23',
    'coming week': '2026-11-23',
    'fri coming week': '2026-11-27',
    'next week': '2026-11-23',
    'next week 8': '2026-11-23 08:00',
    'next month': '2026-12-01',
    'next year': '2027-01-01',
    '+3d': '2026-11-19',
    '+3': '2026-11-19',
    '3 days': '2026-11-19',
    'in 2 weeks': '2026-11-30',
    'in a month at 12am': '2026-12-16 00:00',
    '+1y': '2027-11-16',
    'in 3 hours': '2026-11-16 17:05',
    'in 12h': '2026-11-17 02:05',
    '16 Nov': '2026-11-16',
    '16 Nov 27': '2027-11-16',
    'Nov 16 27': '2027-11-16',
    '15 Nov': '2027-11-15',
    '16th November 2027': '2027-11-16',
    'Nov 16 9': '2026-11-16 09:00',
    'Mon 16 Nov, 14:30': '2026-11-16 14:30',
    '29 Feb': '2028-02-29',
    '16.11.': '2026-11-16',
    '16.11.27': '2027-11-16',
    '16.11. 14': '2026-11-16 14:00',
    '16/11': '2026-11-16',
    '5/6/2027': '2027-06-05',
    '11/30': '2026-11-30',
    '15th': '2026-12-15',
    '31st': '2026-12-31',
    '2026-11-16 14:30': '2026-11-16 14:30',
    '2026-11-16T14:30': '2026-11-16 14:30',
    '2026-1-5': '2026-01-05',
    // A time alone is the next one.
    '15:00': '2026-11-16 15:00',
    '9am': '2026-11-17 09:00',
    'at 9': '2026-11-17 09:00',
    '+30m': '2026-11-16 14:35',
    '45 min': '2026-11-16 14:50',
    '+2mo': '2027-01-16',
    'in two weeks': '2026-11-30',
    'this fri': '2026-11-20',
    'by Friday': '2026-11-20',
    'fri next week': '2026-11-27',
    'end of next week 17:00': '2026-11-27 17:00',
    'end of the week': '2026-11-20',
    weekend: '2026-11-21',
    'end of month': '2026-11-30',
    eom: '2026-11-30',
    'end of next month': '2026-12-31',
    'end of Feb': '2027-02-28',
    eoy: '2026-12-31',
    eod: '2026-11-16',
    'tomorrow morning': '2026-11-17 09:00',
    'fri at noon': '2026-11-20 12:00',
    'this morning': '2026-11-16 09:00',
    tonight: '2026-11-16 18:00',
    '16th of November': '2026-11-16',
    // What is said to be past is past.
    '3 days ago': '2026-11-13',
    '-3d': '2026-11-13',
    'last mon': '2026-11-09',
    'Tue 10 Nov': '2026-11-10',
  })
  understands('en-US', {
    '5/6': '2027-05-06',
    '16/11': '2026-11-16',
    'Mon, Nov 16, 2:30 PM': '2026-11-16 14:30',
  })
})

test('dates as people type them in German', () => {
  understands('de-DE', {
    heute: '2026-11-16',
    'morgen 9': '2026-11-17 09:00',
    'morgen um 9:30 Uhr': '2026-11-17 09:30',
    übermorgen: '2026-11-18',
    fr: '2026-11-20',
    'Fr. 17 Uhr': '2026-11-20 17:00',
    'nächsten Fr': '2026-11-27',
    'kommenden Freitag': '2026-11-20',
    'kommende Woche': '2026-11-23',
    'Freitag kommender Woche': '2026-11-27',
    'nächste Woche': '2026-11-23',
    '+3t': '2026-11-19',
    'in 2 Wochen': '2026-11-30',
    'in einer Woche': '2026-11-23',
    'in 3 Stunden': '2026-11-16 17:05',
    '16. Nov': '2026-11-16',
    '16. November 2027': '2027-11-16',
    '1. März': '2027-03-01',
    '1. marz': '2027-03-01',
    '16.11.': '2026-11-16',
    '16. 11. 2027': '2027-11-16',
    '16.': '2026-11-16',
    'Mo., 16. Nov., 14:30': '2026-11-16 14:30',
    '2026-11-16 14:30': '2026-11-16 14:30',
    'heute 17 Uhr': '2026-11-16 17:00',
    'heute Abend': '2026-11-16 18:00',
    'morgen früh': '2026-11-17 09:00',
    'am Freitag': '2026-11-20',
    'bis zum 20.': '2026-11-20',
    'in zwei Wochen': '2026-11-30',
    'in 30 Minuten': '2026-11-16 14:35',
    '+2 Monate': '2027-01-16',
    'Ende der Woche': '2026-11-20',
    'Ende nächster Woche': '2026-11-27',
    'Freitag nächster Woche': '2026-11-27',
    'Ende des Monats': '2026-11-30',
    Monatsende: '2026-11-30',
    'Ende nächsten Monats': '2026-12-31',
    'Ende Februar': '2027-02-28',
    Wochenende: '2026-11-21',
    'vor 3 Tagen': '2026-11-13',
  })
  understands('de-AT', { '6. Jänner': '2027-01-06' })
})

test('in a list of what happened, days are past', () => {
  understands(
    'en-GB',
    {
      mon: '2026-11-09',
      sun: '2026-11-15',
      'last fri': '2026-11-13',
      'this week': '2026-11-16',
      'last week': '2026-11-09',
      'last month': '2026-10-01',
      'this month': '2026-11-01',
      'a week ago': '2026-11-09',
      '3 days ago': '2026-11-13',
      '3d': '2026-11-13',
      'two months ago': '2026-09-16',
      'the day before yesterday': '2026-11-14',
      '16 Nov': '2026-11-16',
      '16 Nov 27': '2027-11-16',
      'Nov 16 27': '2027-11-16',
      '17 Nov': '2025-11-17',
      'Fri 20 Nov': '2026-11-20',
      '29 Feb': '2024-02-29',
      '17th': '2026-10-17',
      tomorrow: '2026-11-17',
      '+3d': '2026-11-19',
      '9:00': '2026-11-16 09:00',
      '15:00': '2026-11-15 15:00',
    },
    'past',
  )
  understands(
    'de-DE',
    {
      mo: '2026-11-09',
      'letzten Freitag': '2026-11-13',
      'letzte Woche': '2026-11-09',
      'vor einer Woche': '2026-11-09',
      'vor 3 Tagen': '2026-11-13',
      '3 Tage her': '2026-11-13',
      'seit Montag': '2026-11-09',
      vorgestern: '2026-11-14',
      '17.11.': '2025-11-17',
    },
    'past',
  )
})

test('what is not clear is not guessed', () => {
  const nothing = [
    '',
    '9',
    'x',
    'fri x',
    'soon',
    '30 Feb',
    '31.4.',
    '2026-13-01',
    'tomorrow 25',
    'tomorrow 9:75',
    '13pm',
  ]
  // 16 November 2026 is no Friday.
  const more = [
    'fri 16 Nov 2026',
    'ma 5',
    '3 x',
    'in',
    'next',
    '+',
    '1 2 3',
    '99/99',
    'this week',
    'a day',
    'ago',
    '3 ago',
  ]
  for (const text of [...nothing, ...more]) assert.equal(typing('en-US').read(text, { now }), undefined, text)
})

test('a date is written as people write it where they are', () => {
  const written = (locale: string) => [
    typing(locale).short({ date: '2026-11-16' }, now),
    typing(locale).short({ date: '2026-11-16', time: '14:30' }, now),
  ]
  assert.deepEqual(written('en-GB'), ['Mon 16 Nov', 'Mon 16 Nov, 14:30'])
  assert.deepEqual(written('de-DE'), ['Mo, 16. Nov.', 'Mo, 16. Nov., 14:30'])
})

/** Times of days when clocks change included. */
const moments = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }).map((time) => new Date(time))

for (const locale of ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en', 'de-DE', 'de-AT', 'de-CH', 'de'])
  test(`what is written in ${locale} is read back`, () => {
    process.env['TZ'] = 'America/New_York'
    const { read, short } = typing(locale)
    fc.assert(
      fc.property(moments, moments, fc.boolean(), (today, moment, hasTime) => {
        const { date, time } = typedDateOf(moment)
        const typed = hasTime ? { date, time } : { date }
        assert.deepEqual(read(short(typed, today), { now: today }), typed)
        assert.deepEqual(typedDateOf(momentOf({ date, time })), { date, time })
      }),
      { numRuns: 500 },
    )
  })

test('whatever is typed is unclear or a date that exists', () => {
  const pieces = fc.constantFrom(
    '1',
    '16',
    '31',
    '2026',
    '.',
    ':',
    '/',
    '-',
    ' ',
    '+',
    'in',
    'next',
    'fri',
    'nov',
    'pm',
    'ß',
    '\u0307',
    'ago',
    'end of',
    'last',
    'noon',
    'week',
  )
  const tenses = fc.constantFrom<Tense[]>('future', 'past')
  for (const { read } of ['en-US', 'de-DE'].map(typing))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        tenses,
        (text, tense) => {
          const { date = '2026-11-16', time = '09:00' } = read(text, { now, tense }) ?? {}
          assert.ok(!Number.isNaN(momentOf({ date, time }).getTime()))
        },
      ),
    )
})
