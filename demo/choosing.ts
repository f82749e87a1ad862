/** A linear congruential generator, so that the demo data is the same every time. */
export function chooser(seed: number) {
  let state = seed * 7919 + 17
  return <Item>(items: readonly Item[]): Item => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return items[Math.floor((state / 2_147_483_648) * items.length)] as Item
  }
}
