/** Changes with what the model is told or shown: texts by another version are written anew when asked for. */
export const PROMPT_VERSION = '1'

/** Changes with how outlines are made. */
export const OUTLINE_VERSION = '1'
