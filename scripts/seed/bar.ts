const BAR = 30

/** One line, redrawn in place on a terminal; otherwise a line for every 10 %. */
export function createBar(output: NodeJS.WriteStream = process.stdout) {
  let tenths = 0

  function draw(done: number, total: number, what: string): void {
    const share = total === 0 ? 1 : done / total
    const percent = `${String(Math.floor(share * 100)).padStart(3)} %`
    if (output.isTTY) {
      const filled = Math.round(share * BAR)
      const line = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${percent}  ${what}`
      output.write(`\r\x1b[2K${line.slice(0, (output.columns || 80) - 1)}`)
    } else if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10)
      output.write(`${percent}  ${what}\n`)
    }
  }

  return {
    draw,
    end(): void {
      if (output.isTTY) output.write('\r\x1b[2K')
    },
  }
}
