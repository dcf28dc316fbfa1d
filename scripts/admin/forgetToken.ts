import { text } from 'node:stream/consumers'
import { forgetToken, forgetTokensOf } from '../../src/domain/administration/forgetTokens.ts'
import { AdminError } from '../../src/domain/administration/perform.ts'
import { Secret } from '../../src/lib/secret.ts'
import type { Command } from './command.ts'

/** The token comes from standard input, because other users of the machine can read the arguments of a process. */
export const forgetTokens: Command = {
  ...{ words: 0, optionalWords: 1, options: [], kind: 'act' },
  async run({ db, config, words: [login], operator }) {
    if (login !== undefined) {
      const { acts, tokens } = await forgetTokensOf(db, login, operator)
      return { acts, details: { tokens } }
    }
    if (process.stdin.isTTY) console.error('Paste the token, then press Enter and Ctrl-D.')
    const token = (await text(process.stdin)).trim()
    if (!/^[!-~]+$/.test(token)) throw new AdminError('Name a user, or send one token on standard input.')
    return { acts: [await forgetToken(db, config, new Secret(token), operator)] }
  },
}
