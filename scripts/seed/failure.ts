/** Something that is said in a line. */
export class SeedFailure extends Error {}
