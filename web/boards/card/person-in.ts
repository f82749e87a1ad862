interface Person {
  id: number
  name: string
}

/** The person with the id among those of a card. Cardinal support has the id 0 there, in place of the id that the card has. */
export const personIn = (people: readonly Person[], id: number): Person | undefined =>
  people.find((person) => person.id === id) ?? people.find((person) => person.id === 0)
