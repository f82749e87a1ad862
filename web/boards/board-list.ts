import { keepPreviousData } from '@tanstack/react-query'
import { area } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { useTimely } from '../ui/clock.ts'
import { dateAt } from '../ui/days.ts'

/** The boards of the project, with the number of cards that are overdue where the person is. */
export function useBoards() {
  const today = useTimely(() => dateAt())
  // The list stays while that of a new day is read.
  return useRead(`${area}/boards/list`, { today }, { placeholderData: keepPreviousData })
}
