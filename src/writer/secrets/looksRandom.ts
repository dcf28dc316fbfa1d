const PLACEHOLDER =
  /change.?(?:me|this)|your|example|placeholder|dummy|sample|fake|mock|redacted|masked|insert|replace|todo|x{4}|\*{3}|\.{3}|…|12345678|abcdefg|^test|^\$[a-z_{(]|^<|^%[a-z_]+%$|\$\{|\{\{|#\{|process\.env|environ|getenv/i
const WELL_KNOWN_FORM =
  /^(?:(?:urn:uuid:)?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?:sha\d+|md5|h1)[-:].*|\d{4}-\d\d-\d\dT[\d:.].*|[a-z][\w+.-]*:\/\/.*|data:.*)$/i
/**
 * Recognizes code by a bracket that is closed on its line. Anchored to the first bracket of a line to take linear time.
 */
const CODE = /^[^([{<\n\r\u2028\u2029]*[([{<].*[)\]}>]|\\[a-z]/im
const DEFAULT_PASSWORD =
  /^(?:pass(?:word|wd)?|pw|pwd|secret|user(?:name)?|postgres|mysql|root|admin|guest|test|foo|bar|baz|token|my_?password)$/i
const SEPARATORS = /[_./-]+/g
const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+|[^\w./-]+/g
const MAX_MEAN_RUN = 2.7
/** The limit for values with digits, whose letters may all have the same case and so form longer runs. */
const MAX_MEAN_RUN_AMONG_DIGITS = 4
const MIN_ENTROPY = 2.8

/** Whether the value is a placeholder to be replaced by a real secret. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || new Set(value).size < 4
}

/**
 * Whether a literal looks randomly generated. Words are long runs of one kind of character; in random strings the kind
 * changes all the time.
 */
export function looksRandom(value: string, minLength = 16): boolean {
  if (value.length < minLength) return false
  if (!/[a-z]/i.test(value) || !(/\d/.test(value) || isMixedCase(value))) return false
  if (isPlaceholder(value) || WELL_KNOWN_FORM.test(value) || CODE.test(value)) return false
  const runs = value.match(RUNS) ?? []
  const digitRuns = runs.filter((run) => /\d/.test(run)).length
  const maxMeanRun = digitRuns >= 2 ? MAX_MEAN_RUN_AMONG_DIGITS : MAX_MEAN_RUN
  return meanRunOf(value) < maxMeanRun && entropyOf(value) >= MIN_ENTROPY
}

/** The mean length of runs of one kind of character: about two in random strings of all kinds. */
export function meanRunOf(value: string): number {
  return value.replace(SEPARATORS, '').length / (value.match(RUNS)?.length ?? 1)
}

/** Whether a literal looks chosen to satisfy a password policy. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || WELL_KNOWN_FORM.test(value) || CODE.test(value)) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((pattern) => pattern.test(value))
  return /\d/.test(value) && classes.length >= 3
}

/** Whether a password in a URL or on a command line is a real one. */
export function isRealPassword(value: string): boolean {
  return !DEFAULT_PASSWORD.test(value) && !isPlaceholder(value) && !/^[${%:*]|[}*]$/.test(value)
}

export function isMixedCase(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value)
}

/** Shannon entropy in bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
