export default function BoardsPage() {
  return null
}
