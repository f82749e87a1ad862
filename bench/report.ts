import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { isMet, type Measurement, type Row, type Target } from './row.ts'

export interface Result extends Partial<Measurement> {
  name: string
  unit: string
  against: string | undefined
  target: Target
  met: boolean
  /** Why there is no figure. */
  problem?: string
}

export function resultOf(
  { name, unit, ceiling: against, target }: Row,
  outcome: Measurement | Error,
): Result {
  const row = { name, unit, against, target }
  if (outcome instanceof Error) return { ...row, met: false, problem: outcome.message }
  return { ...row, ...outcome, met: isMet(target, outcome) }
}

export function table(results: readonly Result[]): string {
  const lines = [
    ['row', 'subject', 'ceiling', 'ratio', 'target', ''],
    ...results.map(({ name, unit, subject, ceiling, ratio, target, met, problem }) => [
      name,
      subject === undefined ? '' : `${figure(subject)} ${unit}`,
      ceiling === undefined ? '' : `${figure(ceiling)} ${unit}`,
      ratio === undefined ? '' : ratio.toFixed(2),
      'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`,
      problem ?? (met ? 'met' : 'MISSED'),
    ]),
  ]
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0))
  const widths = [0, 1, 2, 3, 4, 5].map(width)
  const cells = (line: string[]) =>
    line.map((cell, column) =>
      column === 0 || column === 5 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
  return lines.map((line) => cells(line).join('  ').trimEnd()).join('\n')
}

export function summary(results: readonly Result[]): string {
  const met = results.filter((result) => result.met).length
  return `${met} of ${results.length} targets met`
}

const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Saves the figures as JSON, with a description of the machine. */
export async function save(results: readonly Result[], seconds: number): Promise<string> {
  const directory = path.join(import.meta.dirname, '../artifacts')
  await mkdir(directory, { recursive: true })
  const file = path.join(directory, 'bench.json')
  const machine = {
    platform: process.platform,
    architecture: process.arch,
    processor: cpus()[0]?.model,
    cores: availableParallelism(),
    node: process.version,
  }
  const report = {
    finishedAt: new Date().toISOString(),
    seconds: Math.round(seconds),
    machine,
    rows: results,
  }
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
  return path.relative(process.cwd(), file)
}
