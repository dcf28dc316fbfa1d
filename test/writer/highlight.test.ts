import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { GRAMMAR_NAMES } from '../../src/writer/render/codeLanguages.ts'
import { CLASS_SCOPES, PLAIN } from '../../src/writer/render/tokenClasses.ts'
import { highlighted, shown, shownLine, textOf } from '../support/highlighted.ts'

test.each([
  ['a.ts', 'export async function f(a: string) {}', 'k[export async function] f[f](v[a]: t[string]) {}'],
  ['a.ts', `const x = \`a \${b.c(1)}\` // d`, `k[const] x = s[\`a] \${b.f[c](n[1])}s[\`] c[// d]`],
  ['src/a.py', 'def f(a=None): return "x" # c', 'k[def] f[f](v[a]=n[None]): k[return] s["x"] c[# c]'],
  ['.github/a.yml', 'name: "x" # c', 'v[name]: s["x"] c[# c]'],
  ['a.json', '{ "a": true }', '{ v["a"]: n[true] }'],
  ['a.html', '<a href="/">b</a>', '<g[a] v[href]=s["/"]>b</g[a]>'],
  ['Dockerfile', 'FROM node:24 AS build', 'k[FROM] node:24 k[AS] build'],
  ['docker/Dockerfile.dev', 'RUN npm ci', 'k[RUN] npm ci'],
  ['Makefile', 'all: a.o', 'f[all]: a.o'],
  ['python', 'import re', 'k[import] re'],
  ['TS', 'let a', 'k[let] a'],
  ['a.diff', '+new', 'i[+new]'],
])('highlights the code of %s: %s', async (path, line, expected) => {
  expect(await shownLine(line, path)).toBe(expected)
})

test.each(['a.xyz', 'LICENSE', '', 'constructor', 'src/go/readme'])(
  'leaves the code of "%s" plain, because its language is unknown',
  async (path) => {
    expect(String(await highlighted(['const a = 1'], path))).toBe('const a = 1')
  },
)

test('the grammar of every highlighted language is installed', () => {
  const { resolve } = createRequire(import.meta.url)
  for (const grammar of Object.keys(GRAMMAR_NAMES)) expect(resolve(`@shikijs/langs/${grammar}`)).toContain(grammar)
})

test('escapes HTML inside and outside of highlighted words', async () => {
  const line = 'a < b && "<script>alert(1)</script>"'
  for (const path of ['a.ts', 'a.xyz', 'a.html']) {
    const [html] = await highlighted([line], path)
    expect(String(html)).not.toContain('<script')
    expect(textOf(html)).toBe(line)
  }
})

test('continues a comment from line to line, and recognizes one that begins before the excerpt', async () => {
  const comment = ['/* one', 'const two', '*/ const three']
  expect((await highlighted(comment, 'a.ts')).map(shown)).toEqual(['c[/* one]', 'c[const two]', 'c[*/] k[const] three'])
  const excerpt = [' * Returns a const.', ' */', 'const a']
  expect((await highlighted(excerpt, 'a.ts')).map(shown)).toEqual(['c[ * Returns a const.]', 'c[ */]', 'k[const] a'])
})

test('highlights excerpts of PHP and Vue files, although the excerpts lack the opening tag', async () => {
  expect(await shownLine('public function f() {}', 'a.php')).toBe('k[public function] f[f]() {}')
  expect(await shownLine('const a = 1', 'a.vue')).toBe('k[const] a = n[1]')
})

test('leaves a line of more than 400 characters plain, and highlights the others', async () => {
  const long = `const a = "${'x'.repeat(400)}"`
  expect((await highlighted([long, 'const b'], 'a.ts')).map(shown)).toEqual([long, 'k[const] b'])
})

test('leaves a block of more than 200 lines or 8,000 characters plain', async () => {
  const isPlain = async (lines: string[]) => !String(await highlighted(lines, 'a.ts')).includes('<span')
  expect(await isPlain(Array(200).fill('let a'))).toBe(false)
  expect(await isPlain(Array(201).fill('let a'))).toBe(true)
  expect(await isPlain(Array(20).fill(`let ${'a'.repeat(396)}`))).toBe(false)
  expect(await isPlain(Array(21).fill(`let ${'a'.repeat(396)}`))).toBe(true)
})

test('the stylesheet gives every class a contrast of at least 4.5 to 1 on all backgrounds of code, light and dark', () => {
  const css = readFileSync(new URL('../../src/web/pages/assets/reader.css', import.meta.url), 'utf8')
  const grounds = ['raised', 'ground', 'added', 'removed'].map((name) =>
    [...css.matchAll(new RegExp(`--${name}: (#\\w{6})`, 'g'))].map(([, colour = '']) => colour),
  )
  const inks = [...css.matchAll(/--ink: (#\w{6})/g)].map(([, colour = '']) => colour)
  for (const name of Object.keys(CLASS_SCOPES).filter((name) => name !== PLAIN)) {
    const rule = new RegExp(`\\.${name} \\{\\s*color: (?:light-dark\\((#\\w{6}), (#\\w{6})\\)|var\\(--ink\\))`)
    const [, ...colours] = rule.exec(css) ?? [expect.fail(name)]
    for (const [i, scheme] of ['light', 'dark'].entries()) {
      const colour = colours[i] ?? inks[i] ?? ''
      for (const ground of grounds)
        expect(contrast(colour, ground[i] ?? ''), `${name} ${scheme}`).toBeGreaterThanOrEqual(4.5)
    }
  }
})

/** The contrast as the Web Content Accessibility Guidelines define it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
