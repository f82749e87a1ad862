import { useProject } from '../../data/project.tsx'

export function Ai() {
  const { me } = useProject()
  return (
    <section className="account-section" aria-labelledby="account-ai">
      <h2 id="account-ai">AI features</h2>
      <p>
        {me.user.enable_ai
          ? 'On for your account. A superadmin can turn them off.'
          : 'Off for your account. A superadmin can turn them on.'}
      </p>
    </section>
  )
}
