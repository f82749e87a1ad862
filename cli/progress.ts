// Shows how far a command is, on standard error: a bar on a terminal, otherwise a line for each quarter.

type OnProgress = (fraction: number) => void

const width = 30

/** `step` begins a step of the command, such as `Copying`. */
export async function withProgress<Result>(
  work: (step: (label: string) => OnProgress) => Promise<Result>,
): Promise<Result> {
  const isTerminal = process.stderr.isTTY === true
  try {
    return await work((label) => (isTerminal ? bar(label) : quarters(label)))
  } finally {
    if (isTerminal) process.stderr.write(clearedLine)
  }
}

const clearedLine = '\r\x1b[K'

const bar = (label: string) =>
  inSteps(1, (percent) => {
    const filled = '█'.repeat(Math.round((percent / 100) * width))
    process.stderr.write(`${clearedLine}${label}  ${filled.padEnd(width, '░')}  ${percent} %`)
  })

const quarters = (label: string) => inSteps(25, (percent) => console.error(`${label}: ${percent} %`))

function inSteps(size: number, show: (percent: number) => void): OnProgress {
  let shown = 0
  return (fraction) => {
    const percent = Math.floor((fraction * 100) / size) * size
    if (percent > shown) show(percent)
    shown = Math.max(shown, percent)
  }
}
