// Which version of a description a change is based on, for the service and the web app. The same text has the same version.

/** Two 32-bit hashes (MurmurHash's mixing), so that two texts that people write have the same one only by a very unlikely chance. */
export function descriptionVersion(description: string | null): string {
  let first = 0xdeadbeef
  let second = 0x41c6ce57
  for (const character of description ?? '') {
    const code = character.codePointAt(0) as number
    first = Math.imul(first ^ code, 2_654_435_761)
    second = Math.imul(second ^ code, 1_597_334_677)
  }
  return mixed(first, second) + mixed(second, first)
}

function mixed(one: number, other: number): string {
  const half = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
  return (half >>> 0).toString(16).padStart(8, '0')
}
