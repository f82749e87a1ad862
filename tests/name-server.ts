import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

/** A DNS server on loopback; `answer` gives the addresses of a name, for each question again. Those of IPv6 have all eight parts. */
export async function startNameServer(answer: (name: string, type: 'A' | 'AAAA') => string[] | 'silence') {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12)
    const labels: string[] = []
    for (let at = 12; at < end; at += (question[at] as number) + 1)
      labels.push(question.subarray(at + 1, at + 1 + (question[at] as number)).toString())
    const type = question.readUInt16BE(end + 1) === 28 ? 'AAAA' : 'A'
    const addresses = answer(labels.join('.').toLowerCase(), type)
    if (addresses === 'silence') return
    const header = Buffer.alloc(12)
    question.copy(header, 0, 0, 2)
    header.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    const records = addresses.map((address) => {
      const bytes = type === 'A' ? Buffer.from(address.split('.').map(Number)) : bytesOf(address)
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(type === 'A' ? 1 : 28, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt16BE(bytes.length, 10)
      return Buffer.concat([record, bytes])
    })
    socket.send(Buffer.concat([header, question.subarray(12, end + 5), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const bytesOf = (address: string) =>
  Buffer.from(
    address.split(':').flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]),
  )
