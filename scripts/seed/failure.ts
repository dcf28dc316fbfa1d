/** An error reported as one line. */
export class SeedFailure extends Error {}
