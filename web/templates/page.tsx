import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAskAgain } from '../data/ask-again.ts'
import { admin, type Output } from '../data/client.ts'
import { useLostConnection, useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { usePlatforms } from '../projects/platforms.ts'
import { toolName } from '../projects/tools.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { OptionalSign } from '../ui/sign.tsx'
import { Empty } from '../ui/states.tsx'
import { counted, t } from '../words/words.ts'
import { CoverageStates } from './coverage.tsx'
import { TemplateMenu } from './manage.tsx'
import '../ui/table.css'
import { NewTemplate, TemplateFromBoard } from './new-template.tsx'
import './page.css'

type Template = Output<`${typeof admin}/master-boards/list`>['boards'][number]

export default function TemplatesPage() {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const query = useRead(`${admin}/master-boards/list`)
  useAskAgain(`${admin}/master-boards/list`, 5000)
  const refusal = useLostConnection()
  const [dialog, setDialog] = useState<'new' | 'from board'>()
  const create = (
    <>
      <IconButton
        label={t('Deleted templates')}
        icon={<Trash2 />}
        onClick={() => navigate(`${base}/template-trash`)}
      />
      <Button icon={<CopyPlus />} refusal={refusal} onClick={() => setDialog('from board')}>
        {t('Create from board…')}
      </Button>
      <Button look="primary" icon={<Plus />} refusal={refusal} onClick={() => setDialog('new')}>
        {t('New template')}
      </Button>
    </>
  )
  return (
    <Page title={t('Templates')} actions={query.data?.boards.length !== 0 && create}>
      <Reading query={query} failed={t('The templates could not be loaded')}>
        {({ boards: templates }) =>
          templates.length === 0 ? (
            <Empty title={t('No templates yet')} action={<div className="templates-first">{create}</div>}>
              {t('Write a board once and roll it out to every project. Projects keep what they customize.')}
            </Empty>
          ) : (
            <TemplateTable templates={templates} />
          )
        }
      </Reading>
      {dialog === 'new' && <NewTemplate onClose={() => setDialog(undefined)} />}
      {dialog === 'from board' && <TemplateFromBoard onClose={() => setDialog(undefined)} />}
    </Page>
  )
}

function TemplateTable({ templates }: { templates: readonly Template[] }) {
  const platforms = usePlatforms()
  return (
    <table className="table">
      <caption className="visually-hidden">{t('Templates')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Template')}</th>
          <th scope="col" className="table-optional">
            {t('Groups')}
          </th>
          <th scope="col" className="table-optional">
            {t('Cards')}
          </th>
          <th scope="col">{t('Projects')}</th>
          <th scope="col" className="template-status">
            {t('Status')}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <TemplateRow key={template.id} template={template} platform={platforms.get(template.platform_id)} />
        ))}
      </tbody>
    </table>
  )
}

function TemplateRow({ template, platform }: { template: Template; platform: string | undefined }) {
  const { base } = useProject()
  const { title, covered_count: covered, access_count: all } = template
  return (
    <tr data-inactive={!template.is_active}>
      <th scope="row">
        <Link href={`${base}/templates/${template.id}`} className="table-link template-link">
          <span className="template-title truncate" dir="auto">
            <OptionalSign icon={template.icon} color={template.color} /> {title}
          </span>
          <span className="template-note truncate">
            {template.tool_key === null ? t('All projects') : toolName(template.tool_key)}
            {platform !== undefined && ` · ${platform}`}
            {!template.is_active && ` · ${t('Inactive')}`}
            {template.has_draft_changes && ` · ${template.version === 0 ? t('Draft') : t('Draft changes')}`}
          </span>
        </Link>
        {/* Replaces the last column on phones. */}
        <States template={template} className="template-states-below" />
      </th>
      <td className="table-optional">{template.groups_count}</td>
      <td className="table-optional">{template.cards_count}</td>
      <td>
        <span aria-hidden="true" className="template-covered">
          {t('{covered} of {all}', { covered, all })}
        </span>
        <span className="visually-hidden">
          {counted(
            all,
            { one: 'In {covered} of {count} project', other: 'In {covered} of {count} projects' },
            { covered },
          )}
        </span>
      </td>
      <td className="template-status">{all === 0 ? '–' : <States template={template} />}</td>
      <td>
        <TemplateMenu template={template} label={t('Actions for the template {title}', { title })} />
      </td>
    </tr>
  )
}

const States = ({ template, className = '' }: { template: Template; className?: string }) =>
  template.access_count > 0 && (
    <ul className={`template-states ${className}`}>
      <CoverageStates coverage={template} />
    </ul>
  )
