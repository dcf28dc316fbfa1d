import type { Found } from './found.ts'
import { isRealPassword } from './looksRandom.ts'

const USER_OPTION = /\s(?:-u|--user)[\s=]["']?[^\s:"']{1,100}:(?<secret>[^\s"']{3,100})/dg
const MAX_BEFORE = 'curl'.length + 300

/**
 * Finds passwords in curl commands. Searches for the option first and then for the command before it, because a line
 * can hold thousands of commands without an option.
 */
export function foundInCurl(text: string): Found[] {
  const spans: Found[] = []
  let done = 0
  for (const { 0: all, index, indices } of text.includes('curl') ? text.matchAll(USER_OPTION) : []) {
    const before = text.slice(Math.max(done, index - MAX_BEFORE), index)
    if (!/\bcurl\b/.test(before.slice(before.lastIndexOf('\n') + 1))) continue
    done = index + all.length
    const [start, end] = indices?.groups?.secret ?? [index, done]
    if (isRealPassword(text.slice(start, end))) spans.push({ start, end, kind: 'password' })
  }
  return spans
}
