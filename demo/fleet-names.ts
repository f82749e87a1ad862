// Names for the projects of the demo's fleet: every place with every trade is one, in an order that mixes both.

const places = [
  'Alder', 'Amber', 'Bay', 'Birch', 'Bridge', 'Canal', 'Castle', 'Clover', 'Coast', 'Copper', 'Corner', 'Crown', 'Delta', 'Falcon',
  'Fern', 'Garden', 'Granite', 'Harbor', 'Hazel', 'Heron', 'Hill', 'Island', 'Ivy', 'Juniper', 'Lake', 'Linden', 'Maple', 'Market',
  'Meadow', 'Mill', 'Mint', 'Moor', 'North', 'Oak', 'Olive', 'Orchard', 'Park', 'Pine', 'Quarry', 'Raven', 'Ridge', 'River', 'Rowan',
  'Saffron', 'Sage', 'Spring', 'Station', 'Stone', 'Summit', 'Thistle', 'Valley', 'Willow',
] as const

const trades = [
  { name: 'Bakery', label: 'food' },
  { name: 'Books', label: 'retail' },
  { name: 'Cycles', label: 'retail' },
  { name: 'Dental', label: 'health' },
  { name: 'Design', label: 'agency' },
  { name: 'Florist', label: 'retail' },
  { name: 'Hotel', label: 'hospitality' },
  { name: 'Kitchen', label: 'food' },
  { name: 'Law', label: 'services' },
  { name: 'Physio', label: 'health' },
  { name: 'Studio', label: 'agency' },
] as const

const people = [
  'Ada', 'Bela', 'Carla', 'Dario', 'Edda', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kaya', 'Liam', 'Mara', 'Nuri', 'Oskar', 'Paula',
  'Rania', 'Sami', 'Thea', 'Uma', 'Viktor', 'Wanda', 'Yusuf', 'Zora',
] as const

const families = [
  'Albers', 'Bauer', 'Castro', 'Demir', 'Egger', 'Fischer', 'Garcia', 'Haas', 'Ivanov', 'Jansen', 'Keller', 'Lopez', 'Moretti', 'Nagy',
  'Olsen', 'Petrov', 'Rossi', 'Santos', 'Tanaka', 'Ude', 'Vargas', 'Weber', 'Yilmaz',
] as const

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item

/** The project with this number, from 0, its trade as a label, and its owner. Numbers below 500 have different names. */
export function companyOf(number: number) {
  const place = at(places, number)
  const trade = at(trades, number)
  const person = `${at(people, number)} ${at(families, number * 7 + 3)}`
  const name = `${place} ${trade.name}`
  return { name, trade: trade.label, person, address: `owner@${name.toLowerCase().replace(' ', '-')}.test` }
}
