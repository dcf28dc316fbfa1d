/** The format of stored pull requests. After this number has changed, each of them is fetched in full once more. */
const FORMAT = 2

const FORMAT_PREFIX = `${FORMAT} `

/** Adds the format to a version, so that ETags of earlier versions are no longer used after the format has changed. */
export function formattedVersion(digest: string): string {
  return FORMAT_PREFIX + digest
}

/** Whether a stored document has the current format. Nothing of a document in another format is reused. */
export function isCurrentFormat(version: string): boolean {
  return version.startsWith(FORMAT_PREFIX)
}
