/** The format of stored pull requests. With a new number, each of them is fetched in full once more. */
const FORMAT = 2

const FORMAT_PREFIX = `${FORMAT} `

/** Versions begin with the format, so that an ETag of a version is of no use after the format has changed. */
export function formattedVersion(digest: string): string {
  return FORMAT_PREFIX + digest
}

/** Nothing of a document in another format is reused. */
export function isCurrentFormat(version: string): boolean {
  return version.startsWith(FORMAT_PREFIX)
}
