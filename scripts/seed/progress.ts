export type OnProgress = (done: number, total: number, what: string) => void

/** Prints a line for each tenth of the work. */
export function createProgress(): OnProgress {
  let printedTenths = 0
  return (done, total, what) => {
    const tenths = Math.floor((10 * done) / Math.max(total, 1))
    if (tenths > printedTenths) console.log(`${String(tenths * 10).padStart(3)} %  ${what}`)
    printedTenths = tenths
  }
}
