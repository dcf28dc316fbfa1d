/** Plain text inside Markdown, on one line, that cannot become HTML. */
export function plain(text: string): string {
  return oneLine(text).replaceAll('<', '\\<')
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

export function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${oneLine(text)}${space}${ticks}`
}

/** A code block that no line of the code can end. */
export function fenced(lines: string[], language: string): string {
  const ticks = '`'.repeat(Math.max(3, longestTicks(lines.join('\n')) + 1))
  return [ticks + (/^[\w+#-]+$/.test(language) ? language : ''), ...lines, ticks].join('\n')
}

function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}

/** A list item whose further lines stay inside the item. */
export function item(mark: string, text: string): string {
  return `${mark} ${text.replaceAll('\n', `\n${' '.repeat(mark.length + 1)}`)}`
}

export function quoted(lines: string[]): string {
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}
