import { resume } from '../../src/domain/administration/resume.ts'
import type { Command } from './command.ts'

export const resumeAll: Command = {
  ...{ words: 0, options: [], kind: 'act' },
  run: async ({ db, operator }) => ({ acts: [await resume(db, operator)] }),
}
