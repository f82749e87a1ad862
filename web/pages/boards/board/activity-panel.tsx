export default function ActivityPanel(_: { board: unknown; onClose(): void }) {
  return null
}
