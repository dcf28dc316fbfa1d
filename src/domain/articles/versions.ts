/** Change it with every change of the prompts: texts of another version are written again on request. */
export const PROMPT_VERSION = '2'

/** The same for the format of outlines. */
export const OUTLINE_VERSION = '3'
