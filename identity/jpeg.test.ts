import assert from 'node:assert/strict'
import test from 'node:test'
import { grayJpeg } from '#tests/photo.ts'
import { randomNumbers } from '#tests/random.ts'
import { cleanedJpeg } from './jpeg.ts'
import { mostPhotoBytes } from './photo-size.ts'

const secret = 'GPS 52.52 13.40'
const exif = 0xe1
const comment = 0xfe

test('a photo comes out as the same picture, without what the camera and others wrote', () => {
  const plain = cleanedJpeg(grayJpeg())
  assert.ok(plain)
  const metadata = [exif, 0xe0, 0xe2, 0xed, 0xef, comment].map((kind) => ({ kind, content: secret }))
  const cleaned = cleanedJpeg(grayJpeg({ metadata, trailing: `<script>${secret}</script>` }))
  assert.deepEqual(cleaned, plain)
  assert.ok(!plain.includes(secret))
  // Cleaning it again changes nothing.
  assert.deepEqual(cleanedJpeg(plain), plain)
})

test('other sizes are refused, so no photo needs much memory where it is shown', () => {
  for (const options of [
    { width: 255 },
    { height: 257 },
    { width: 65_535, height: 8 },
    { width: 0, height: 0 },
  ])
    assert.equal(cleanedJpeg(grayJpeg(options)), undefined)
  // A header that says more than the data has.
  const lying = grayJpeg()
  lying.writeUInt16BE(65_535, lying.indexOf(Buffer.from([0xff, 0xc0])) + 5)
  assert.equal(cleanedJpeg(lying), undefined)
})

test('what is no JPEG, or not all of one, is refused', () => {
  const jpeg = grayJpeg()
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const twoFrames = Buffer.concat([
    jpeg.subarray(0, frame),
    jpeg.subarray(frame, frame + 13),
    jpeg.subarray(frame),
  ])
  const lossless = Buffer.from(jpeg)
  lossless[frame + 1] = 0xc3
  const deep = Buffer.from(jpeg)
  deep[frame + 4] = 12
  for (const wrong of [
    Buffer.alloc(0),
    Buffer.from('GIF89a'),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.from('\x89PNG\r\n\x1a\n'),
    jpeg.subarray(1),
    twoFrames,
    lossless,
    deep,
    Buffer.concat([jpeg, Buffer.alloc(mostPhotoBytes)]),
  ])
    assert.equal(cleanedJpeg(wrong), undefined)
  for (let length = 0; length < jpeg.length; length++)
    assert.equal(cleanedJpeg(jpeg.subarray(0, length)), undefined, String(length))
})

test('whatever the bytes are, it answers and never throws', () => {
  const below = randomNumbers('photos')
  for (let round = 0; round < 500; round++) {
    const jpeg = grayJpeg({ metadata: [{ kind: exif, content: secret }] })
    for (let change = 0; change <= below(4); change++) jpeg[2 + below(jpeg.length - 2)] = below(256)
    const cleaned = cleanedJpeg(jpeg)
    assert.ok(cleaned === undefined || cleaned.length <= jpeg.length + 20)
  }
})
