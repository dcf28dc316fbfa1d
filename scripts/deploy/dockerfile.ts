export interface Instruction {
  name: string
  /** Options such as `--from=build`. */
  options: Record<string, string>
  text: string
}

export interface Stage {
  name: string
  instructions: Instruction[]
}

/** The stages of a Dockerfile that uses no other syntax than ours: no heredocs, no build arguments. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: Stage[] = []
  for (const line of lines) {
    const instruction = toInstruction(line)
    if (instruction.name === 'FROM') {
      const name = / AS (\S+)$/i.exec(instruction.text)?.[1] ?? ''
      stages.push({ name, instructions: [] })
    } else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

function toInstruction(line: string): Instruction {
  const [, name = '', flags = '', text = ''] = /^(\S+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? []
  const options = flags.matchAll(/--([^=\s]+)=(\S+)/g).map(([, key = '', value = '']) => [key, value] as const)
  return { name: name.toUpperCase(), options: Object.fromEntries(options), text }
}
