import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'
import { Prepared } from './prepared.ts'

const service = await startTestService()
const area = '/services/operations/v2/operations'

/** Without fetch's automatic decoding. */
const post = (path: string, token: string, input: object, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>((resolve, reject) => {
    const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
    request(`${service.url}/api${path}`, { method: 'POST', headers: all }, async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers: headers as Record<string, string>, bytes })
    })
      .on('error', reject)
      .end(JSON.stringify(input))
  })

const decoded = { br: brotliDecompressSync, gzip: gunzipSync }

test('200 a board is compressed as the client accepts it, in each language and version', async () => {
  const { boardId, members } = await createBoard(service, { cards: 20 })
  const { token } = members.member
  for (const path of [`${area}/boards/get`, `${area.replace('v2', 'v1')}/boards/get`])
    for (const language of ['en', 'de'])
      for (const coding of ['br', 'gzip'] as const) {
        const ask = (accepted?: string) =>
          post(
            path,
            token,
            { id: boardId },
            {
              'accept-language': language,
              ...(accepted !== undefined && { 'accept-encoding': accepted }),
            },
          )
        const [plain, small] = [await ask(), await ask(`deflate, ${coding}`)]
        assert.equal(plain.headers['content-encoding'], undefined)
        assert.equal(small.headers['content-encoding'], coding)
        assert.equal(small.headers['content-length'], String(small.bytes.length))
        assert.ok(small.bytes.length < plain.bytes.length / 3, `${small.bytes.length} bytes`)
        assert.deepEqual(decoded[coding](small.bytes), plain.bytes)
      }
  const { data } = service.keptBoards.get(boardId) ?? {}
  assert.ok(data instanceof Prepared)
  assert.equal(data.bodies.v2?.compressed.size, 4)
})

test('200 a kept board is compressed once', async () => {
  const { boardId, members } = await createBoard(service, { cards: 20 })
  const ask = () =>
    post(`${area}/boards/get`, members.member.token, { id: boardId }, { 'accept-encoding': 'br' })
  await ask()
  const { data } = service.keptBoards.get(boardId) ?? {}
  assert.ok(data instanceof Prepared)
  const [first] = data.bodies.v2?.compressed.values() ?? []
  assert.ok(first)
  assert.deepEqual((await ask()).bytes, await first)
  assert.deepEqual([...(data.bodies.v2?.compressed.values() ?? [])], [first])
})

test('small answers, answers of writes and refusals are not compressed', async () => {
  const { groupIds, members } = await createBoard(service)
  const { token } = members.member
  const accepted = { 'accept-encoding': 'br, gzip' }
  const made = { title: 'Long', group_id: groupIds[0], description: 'x'.repeat(5000) }
  for (const [status, path, input] of [
    [200, '/tags/list', {}],
    [201, '/cards/create', made],
    [422, '/cards/create', { title: 'x'.repeat(5000) }],
  ] as const) {
    const answer = await post(area + path, token, input, accepted)
    assert.equal(answer.status, status, String(answer.bytes))
    assert.equal(answer.headers['content-encoding'], undefined, path)
    JSON.parse(String(answer.bytes))
  }
})
