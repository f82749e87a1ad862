import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'

export const NoSuchPage = ({ boards }: { boards: string }) => (
  <Empty title="Page not found" action={<ButtonLink href={boards}>Go to boards</ButtonLink>}>
    The address may be mistyped, or the page has moved.
  </Empty>
)
