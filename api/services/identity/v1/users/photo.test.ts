import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { grayJpeg } from '#tests/photo.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const base = '/services/identity/v1/users'
const service = await startTestService()
const photo = grayJpeg().toString('base64')

const get = (path: string, token?: string) =>
  fetch(service.url + path, { headers: { ...(token && { authorization: `Bearer ${token}` }) } })

test('200 a photo is shown to members and served as a picture and nothing else; another one replaces it', async () => {
  const { members, member, admin } = await createBoard(service)
  const { photo_url: url } = await member.call(`${base}/set-photo`, {
    photo: grayJpeg({ metadata: [{ kind: 0xe1, content: 'Exif of a camera' }] }).toString('base64'),
  })
  assert.match(url, /^\/photos\/[0-9a-f]{32}$/)
  assert.equal((await member.call(`${base}/me`)).user.photo_url, url)
  const { members: listed } = await admin.call('/services/identity/v1/members/list')
  assert.equal(listed.find((one) => one.user_id === members.member.id)?.photo_url, url)
  assert.equal(listed.find((one) => one.user_id === members.admin.id)?.photo_url, null)
  const served = await get(url, members.viewer.token)
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'cross-origin-resource-policy'].map(
      (name) => served.headers.get(name),
    ),
    ['image/jpeg', 'nosniff', "default-src 'none'; sandbox; frame-ancestors 'none'", 'same-origin'],
  )
  const bytes = Buffer.from(await served.arrayBuffer())
  assert.ok(!bytes.includes('Exif') && bytes.readUInt16BE(0) === 0xffd8)
  assert.equal((await get(url)).status, 401)
  for (const key of ['0123456789abcdef0123456789abcdef', '%00'])
    assert.equal((await get(`/photos/${key}`, members.viewer.token)).status, 404)
  const again = await member.call(`${base}/set-photo`, { photo })
  assert.notEqual(again.photo_url, url)
  assert.equal((await get(url, members.viewer.token)).status, 404)
  await member.call(`${base}/remove-photo`)
  assert.equal((await member.call(`${base}/me`)).user.photo_url, null)
  assert.equal((await get(again.photo_url, members.viewer.token)).status, 404)
})

test('422 for what is no photo of the right size, and nothing changes', async () => {
  const { token } = await service.addUser()
  await service.client(token).call(`${base}/set-photo`, { photo })
  for (const wrong of [
    'nonsense!',
    Buffer.from('<svg onload="alert(1)"/>').toString('base64'),
    grayJpeg({ width: 512, height: 512 }).toString('base64'),
    `${photo.slice(0, 200)}====`,
  ]) {
    const refused = await post(service, `${base}/set-photo`, token, { photo: wrong })
    assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [422, 'photo_not_a_photo'])
  }
  const long = await post(service, `${base}/set-photo`, token, { photo: 'A'.repeat(100_000) })
  assert.equal(long.headers.get('x-error-code'), 'photo_too_long')
  assert.notEqual((await service.client(token).call(`${base}/me`)).user.photo_url, null)
})
