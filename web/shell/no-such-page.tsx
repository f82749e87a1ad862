import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'

export const NoSuchPage = ({ boards }: { boards: string }) => (
  <Empty title="There is no such page" action={<ButtonLink href={boards}>Go to the boards</ButtonLink>}>
    The address may be mistyped, or the page has moved.
  </Empty>
)
