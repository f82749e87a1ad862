import { t } from '../words/words.ts'
import { Circumstances, Restore, useDeleted } from './deleted.tsx'
import './deleted-projects.css'

/** The person's projects that can be restored; nothing if there are none. */
export default function DeletedProjects() {
  const { data } = useDeleted()
  if (!data || data.projects.length === 0) return null
  return (
    <section className="deleted-projects" aria-labelledby="deleted-projects">
      <h2 id="deleted-projects">{t('Deleted projects')}</h2>
      <ul>
        {data.projects.map((project) => (
          <li key={project.id}>
            <div>
              <p dir="auto">{project.name}</p>
              <p>
                <Circumstances project={project} />
              </p>
            </div>
            {project.may_restore && <Restore project={project} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
