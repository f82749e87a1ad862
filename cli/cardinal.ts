// The program: leaves root, then runs the command.
import { readConfig } from '#config.ts'
import { printable, sentenceFor } from './failure-sentence.ts'
import { program } from './program.ts'

program.hook('preAction', async (_program, command) => {
  if (process.getuid?.() !== 0) return (await import('./started-by.ts')).readStarter()
  const { leaveRoot } = await import('./leave-root.ts')
  command.setOptionValue('whyRoot', await leaveRoot(readConfig(process.env), command.name() === 'serve'))
})

try {
  await program.parseAsync()
} catch (error) {
  console.error(printable(await sentenceFor(error)))
  process.exitCode = 1
}
