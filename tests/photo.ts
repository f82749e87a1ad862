// A gray JPEG that is made by hand, so that tests decide about each of its parts.

const segment = (kind: number, content: Buffer | number[]) => {
  const bytes = Buffer.from(content)
  const head = Buffer.from([0xff, kind, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

interface Options {
  width?: number
  height?: number
  /** Segments before the picture, such as those of a camera. */
  metadata?: { kind: number; content: string }[]
  /** What comes after the end. */
  trailing?: string
}

const size = (number: number) => [number >> 8, number & 0xff]

/** Each block of 8 × 8 pixels is two bits: no difference to the block before, and nothing else. */
export function grayJpeg({ width = 256, height = 256, metadata = [], trailing = '' }: Options = {}): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const oneCode = [1, ...Array<number>(15).fill(0), 0]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...metadata.map(({ kind, content }) => segment(kind, Buffer.from(content))),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc0, [8, ...size(height), ...size(width), 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...oneCode]),
    segment(0xc4, [0x10, ...oneCode]),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    Buffer.alloc(Math.ceil((blocks * 2) / 8)),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(trailing),
  ])
}
