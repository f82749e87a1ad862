// A board's rows by plain SQL and JSON.stringify: the cost of reading a board without a cache.
import { connect } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { answerBench } from '../process.ts'
import type { Scene } from '../scene.ts'
import { percentile } from '../statistics.ts'

export interface BoardRows {
  database: DatabaseAddress
  scene: Scene
  times: number
}

/** Answers with the median milliseconds. */
answerBench(async ({ database, scene: { projectId, boardId }, times }: BoardRows) => {
  const db = connect(database, { connections: 1 })
  const milliseconds: number[] = []
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now()
    const values = [projectId, boardId]
    const board = await db.run('select * from boards where project_id = $1 and id = $2', values)
    const groups = await db.run(
      'select * from groups where project_id = $1 and board_id = $2 order by rank',
      values,
    )
    const cards = await db.run(
      'select * from cards where project_id = $1 and board_id = $2 order by rank',
      values,
    )
    JSON.stringify({ board, groups, cards })
    milliseconds.push(performance.now() - startedAt)
  }
  await db.end()
  milliseconds.sort((a, b) => a - b)
  return percentile(milliseconds, 50)
})
