import { expect, test } from 'vitest'
import { withActualSslMode } from '../../src/db/engine/sslMode.ts'

test.each([
  ['postgres://a:%23@db/x?sslmode=require', 'postgres://a:%23@db/x?sslmode=verify-full'],
  ['postgres://a@db/x?sslmode=prefer&z=1', 'postgres://a@db/x?sslmode=verify-full&z=1'],
  ['postgres://a@db/x?z=1&sslmode=verify-ca', 'postgres://a@db/x?z=1&sslmode=verify-full'],
  ['postgres://a@db/x?sslmode=disable', 'postgres://a@db/x?sslmode=disable'],
  ['postgres://a@db/x?sslmode=no-verify', 'postgres://a@db/x?sslmode=no-verify'],
  ['postgres://a@db/x?sslmode=requires', 'postgres://a@db/x?sslmode=requires'],
  ['postgres://sslmode=require@db/x', 'postgres://sslmode=require@db/x'],
  ['postgres://a@db/x?uselibpqcompat=true&sslmode=require', 'postgres://a@db/x?uselibpqcompat=true&sslmode=require'],
])('the driver gets for %s', (url, expected) => {
  expect(withActualSslMode(url)).toBe(expected)
})
