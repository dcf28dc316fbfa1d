import ipaddr from 'ipaddr.js'

/** Who may create an account. */
export interface SignUp {
  /** Whether everybody may. */
  isOpen: boolean
  /** Organizations of the code host whose members may. */
  organizations: string[]
  /** Users of the code host who may. */
  logins: string[]
  /** Whether the operator has not decided. */
  isDefault: boolean
}

type Kind = 'organizations' | 'logins'

const PREFIX = /^(organizations|logins):/
const NAME = /^[\w.-]{1,100}$/
const MAX_SHOWN = 10

/** Parses `open`, `closed` or a list such as `organizations:acme,logins:alice,bob`; undefined for anything else. */
export function parseSignUp(text: string): SignUp | undefined {
  const signUp: SignUp = { isOpen: text === 'open', organizations: [], logins: [], isDefault: false }
  if (text === 'open' || text === 'closed') return signUp
  let kind: Kind | undefined
  for (const part of text.split(',')) {
    const entry = part.trim()
    kind = (PREFIX.exec(entry)?.[1] as Kind | undefined) ?? kind
    const name = entry.replace(PREFIX, '').trim()
    if (!kind || !NAME.test(name)) return undefined
    signUp[kind].push(name)
  }
  return signUp
}

/** A service that others can reach is closed until the operator says who may use it. */
export function defaultSignUp(publicUrl: URL | undefined, address: string): SignUp {
  return { isOpen: !publicUrl && isLoopback(address), organizations: [], logins: [], isDefault: true }
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')
}

export function isClosed({ isOpen, organizations, logins }: SignUp): boolean {
  return !isOpen && organizations.length + logins.length === 0
}

export function isListed({ logins }: SignUp, login: string): boolean {
  return logins.some((listed) => listed.toLowerCase() === login.toLowerCase())
}

/** Says who may sign up, in a sentence. */
export function whoMaySignUp(signUp: SignUp): string {
  const { isOpen, organizations, logins } = signUp
  if (isOpen) return 'Everybody may sign up.'
  if (isClosed(signUp)) return 'Nobody new may sign up.'
  const members = organizations.length > 0 ? [`members of ${listOf(organizations)}`] : []
  const users = logins.length > 0 ? [`the ${logins.length === 1 ? 'user' : 'users'} ${listOf(logins)}`] : []
  return `Only these may sign up: ${[...members, ...users].join('; ')}.`
}

/** The first names, and how many more there are. */
export function listOf(names: string[], separator = ', ', more = (count: number) => `${count} more`): string {
  const others = names.length - MAX_SHOWN
  return [...names.slice(0, MAX_SHOWN), ...(others > 0 ? [more(others)] : [])].join(separator)
}
