/** Change this version whenever the prompts change: texts of another version are written again on request. */
export const PROMPT_VERSION = '2'

/** Change this version whenever the format of outlines changes. */
export const OUTLINE_VERSION = '3'
