// Reads a photo strictly and writes it again without metadata. Nothing is decoded here: browsers make photos small before they send them, and a
// picture of another size is refused, so no photo can need much memory anywhere.
import { mostPhotoBytes, photoPixels } from './photo-size.ts'

const marker = {
  end: 0xd9,
  scan: 0xda,
  restartInterval: 0xdd,
  quantization: 0xdb,
  huffman: 0xc4,
  baseline: 0xc0,
  progressive: 0xc2,
  adobe: 0xee,
  comment: 0xfe,
} as const

const tables: readonly number[] = [marker.quantization, marker.huffman, marker.restartInterval]
const frames: readonly number[] = [marker.baseline, marker.progressive]

/** JFIF 1.1 without a thumbnail. */
const header = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
const end = Buffer.from([0xff, marker.end])

/** The photo without metadata; undefined if it is no JPEG of the right size. */
export function cleanedJpeg(given: Buffer): Buffer | undefined {
  if (given.length > mostPhotoBytes || given.length < 4 || given.readUInt16BE(0) !== 0xffd8) return undefined
  const parts: Buffer[] = [header]
  let hasFrame = false
  for (let at = 2; at + 4 <= given.length; ) {
    if (given[at] !== 0xff) return undefined
    const kind = given[at + 1] as number
    const next = at + 2 + given.readUInt16BE(at + 2)
    if (next > given.length || next < at + 4) return undefined
    const segment = given.subarray(at, next)
    if (tables.includes(kind)) parts.push(segment)
    else if (frames.includes(kind)) {
      if (hasFrame || !isFrame(segment)) return undefined
      hasFrame = true
      parts.push(segment)
    } else if (kind === marker.adobe) {
      // Says only how colors are stored.
      if (segment.length === 16) parts.push(segment)
    } else if (kind === marker.scan) {
      if (!hasFrame) return undefined
      const after = endOfScan(given, next)
      if (after === undefined) return undefined
      parts.push(given.subarray(at, after))
      // What follows the end is left out.
      if (given[after + 1] === marker.end) return Buffer.concat([...parts, end])
      at = after
      continue
    } else if (!isMetadata(kind)) return undefined
    at = next
  }
  // It ends after a scan, or it is not complete.
  return undefined
}

/** Where the camera and programs write, all of it left out. */
const isMetadata = (kind: number) => (kind >= 0xe0 && kind <= 0xef) || kind === marker.comment

/** 8 bits, one color or three, and the right size. */
const isFrame = (segment: Buffer) =>
  segment.length >= 10 &&
  segment[4] === 8 &&
  segment.readUInt16BE(5) === photoPixels &&
  segment.readUInt16BE(7) === photoPixels &&
  [1, 3].includes(segment[9] as number) &&
  segment.length === 10 + 3 * (segment[9] as number)

/** The place of the first marker after the compressed data; undefined if there is none. */
function endOfScan(given: Buffer, from: number): number | undefined {
  for (
    let at = given.indexOf(0xff, from);
    at !== -1 && at + 1 < given.length;
    at = given.indexOf(0xff, at + 1)
  ) {
    const follows = given[at + 1] as number
    const isData = follows === 0 || (follows >= 0xd0 && follows <= 0xd7)
    if (!isData && follows !== 0xff) return at
  }
  return undefined
}
