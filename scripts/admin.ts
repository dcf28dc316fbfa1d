import { runProgram } from '../src/cli.ts'
import { environment } from '../src/runtime/config/environment.ts'
import { runCommand } from './admin/runCommand.ts'

await runProgram(async () => {
  process.exitCode = await runCommand(process.argv.slice(2), environment, process)
})
