import type { ThemeRegistration } from '@shikijs/core'

/** The color name of tokens that get no class. */
export const PLAIN = 'plain'

/**
 * CSS classes of code by TextMate scope. The deepest scope of a token determines its class; if two selectors match that
 * scope, the longer one applies. Punctuation, operators and variables stay plain: fewer colors are easier to read, and
 * pages are smaller.
 */
export const CLASS_SCOPES: Record<string, string[]> = {
  /** Keyword */
  't-k': [
    'keyword',
    'storage',
    'variable.language',
    'keyword.operator.new',
    'keyword.operator.expression',
    'keyword.operator.logical.python',
    'keyword.operator.sizeof',
  ],
  /** String */
  't-s': ['string', 'string.regexp keyword', 'string.regexp keyword.operator', 'markup.inline.raw'],
  /** Comment */
  't-c': ['comment', 'comment storage', 'comment keyword', 'markup.quote'],
  /** Number or constant */
  't-n': ['constant', 'constant.numeric storage', 'support.constant', 'keyword.other.unit'],
  /** Function */
  't-f': ['entity.name.function', 'support.function', 'variable.function'],
  /** Type or class */
  't-t': [
    'entity.name.type',
    'entity.name.class',
    'entity.other.inherited-class',
    'support.type',
    'support.class',
    'storage.type.java',
    'storage.type.generic.java',
  ],
  /** Property, key, attribute or parameter */
  't-v': [
    'support.type.property-name',
    'entity.other.attribute-name',
    'entity.name.tag.yaml',
    'keyword.other.definition.ini',
    'meta.object-literal.key',
    'variable.other.key.toml',
    'variable.parameter',
  ],
  /** Tag or selector */
  't-g': ['entity.name.tag'],
  /** Heading */
  't-h': ['markup.heading', 'entity.name.section', 'meta.diff.header', 'meta.diff.range'],
  /** Inserted line */
  't-i': ['markup.inserted'],
  /** Deleted line */
  't-d': ['markup.deleted'],
  [PLAIN]: [
    'keyword.operator',
    'storage.type.function.arrow',
    'punctuation.separator',
    'constant.other.database-name',
    'constant.other.table-name',
    'meta.embedded',
    'meta.interpolation',
    'meta.template.expression',
  ],
}

/** A theme whose colors are the names of CSS classes, because the content security policy forbids inline styles. */
export const TOKEN_CLASSES = {
  name: 'classes',
  fg: PLAIN,
  bg: PLAIN,
  settings: Object.entries(CLASS_SCOPES).map(([foreground, scope]) => ({ scope, settings: { foreground } })),
} satisfies ThemeRegistration
