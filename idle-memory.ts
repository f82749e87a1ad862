// Gives memory back after the start and after busy times: the engine collects nothing while it is idle, so buffers that nobody uses would
// stay for hours.
import { collectAll } from '#garbage.ts'

const usualIntervalMilliseconds = 5000
/** Of one core. */
const quietShare = 0.05
/** Less is not worth a pause of about 0.1 s. */
const worthwhileBytes = 16 * 1024 * 1024

/** Calls back with what was given back each time, and returns what stops it. */
export function collectWhenQuiet(
  onCollected: (bytes: number) => void,
  intervalMilliseconds = usualIntervalMilliseconds,
): () => void {
  let held = 0
  let time = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(time)
    time = process.cpuUsage()
    const isQuiet = (user + system) / 1000 < quietShare * intervalMilliseconds
    const before = heldBytes()
    if (!isQuiet || before < held + worthwhileBytes) return
    // An ordinary collection keeps the room for new objects, which is most of it.
    collectAll()
    held = heldBytes()
    onCollected(before - held)
  }, intervalMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

function heldBytes(): number {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}
