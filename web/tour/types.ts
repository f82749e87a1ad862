import { area, type Output } from '../data/client.ts'

export const listPath = `${area}/tour/cards/list` as const

export type TourRead = Output<typeof listPath>
export type TourCard = TourRead['cards'][number]

export const isDone = ({ status }: TourCard) => status === 'closed'
