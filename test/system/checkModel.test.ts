import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../src/runtime/config/config.ts'
import { checkModel } from '../../src/runtime/diagnose/model.ts'
import { table } from '../../src/runtime/diagnose/table.ts'
import { type FakeModel, startFakeModel } from '../support/fakeModel.ts'
import { anthropic } from '../support/modelServers/anthropic.ts'
import { ignoresFormats } from '../support/modelServers/llamaCpp.ts'
import { ollama } from '../support/modelServers/ollama.ts'
import { openAi } from '../support/modelServers/openai.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import { noUsage, refuses, refusesValue, spends, unnamed } from '../support/modelServers/single.ts'

const SECRET = 'sk-fake-0123456789'
const model = await startFakeModel({ rules: openAi() })
const shutDown = await startFakeModel({ models: { shutdownDates: { 'fake-model': '2026-12-11' } } })
afterAll(() => Promise.all([model.close(), shutDown.close()]))

interface Checked {
  server?: FakeModel
  env?: Record<string, string>
  isDeep?: boolean
}

async function checked({ server = model, env = {}, isDeep = false }: Checked = {}) {
  const announced: string[] = []
  const deep = isDeep ? { announce: (text: string) => void announced.push(text) } : undefined
  const findings = await checkModel(readConfig({ ...server.env, ...env }), deep)
  const printed = table(findings)
  expect(printed).not.toContain(SECRET)
  return { printed, announced }
}

const effort = { OPENAI_REASONING_EFFORT: 'medium' }
const cases: Record<string, [Rule[], Record<string, string>, ...RegExp[]]> = {
  OpenAI: [openAi(), {}, /^model +ok +fake-model answers, .*: strict schema yes, streaming yes, token counts yes\.$/m],
  Anthropic: [anthropic(), {}, /^model +ok .*strict schema yes/m],
  'a server that ignores formats': [
    [ignoresFormats()].flat(),
    {},
    /^model +ok .*strict schema no/m,
    /^model +note .*sent in the prompt/m,
  ],
  'a server that refuses streams': [[refuses('stream')], {}, /^model +ok .*streaming no/m],
  'a server without token counts': [
    [noUsage()],
    {},
    /^model +ok .*token counts no/m,
    /^model +note .*counts no tokens.*\n.*--check=deep/m,
  ],
  'a server that takes the effort': [openAi(), effort, /^model +ok .*effort yes/m],
  'a server that refuses the effort': [
    [refuses('reasoning_effort')],
    effort,
    /^model +ok .*effort no/m,
    /^model +note .*\n.*Remove the variable/m,
  ],
  'a server that writes less': [
    [refusesValue(16_384)],
    {},
    /^model +note .*at most 16384 tokens.*\n.*MODEL_OUTPUT_TOKENS to 16384/m,
  ],
  'a model that spends its tokens on reasoning': [
    [spends(), refuses('reasoning_effort')],
    { MODEL_OUTPUT_TOKENS: '8000' },
    /^model +FAILED .*on reasoning.*\n.*OPENAI_REASONING_EFFORT to low, or raise MODEL_OUTPUT_TOKENS/m,
  ],
  'a server that rejects everything': [[unnamed()], {}, /^model +FAILED .*rejects every form of request/m],
  'a model that the server does not list': [
    openAi(),
    { OPENAI_MODEL: 'another-model' },
    /^model +note +another-model is not in the list .*\n.*OPENAI_MODEL/m,
  ],
}

test.each(Object.entries(cases))('reports which request features work with %s', async (_, [rules, env, ...lines]) => {
  await model.keepTo(rules)
  const { printed } = await checked({ env })
  for (const line of lines) expect(printed).toMatch(line)
})

test('warns of a model that will be switched off', async () => {
  const { printed } = await checked({ server: shutDown })
  expect(printed).toMatch(/^model +note +fake-model is switched off on 2026-12-11\.\n.*OPENAI_MODEL/m)
})

const deep = { isDeep: true, env: { MODEL_PRICES_PER_MILLION_TOKENS: '2,10', METRICS_PORT: '9' } }

test('the deep check announces what it may cost and reports that long prompts arrive whole', async () => {
  await model.keepTo(openAi())
  const requests = await model.during(async () => {
    const { printed, announced } = await checked(deep)
    expect(announced).toEqual([
      'Sending fake-model a prompt of 64000 tokens (about 0.1280 for its input, and little for the answer) …',
    ])
    expect(printed).toMatch(/^model +ok +fake-model reads prompts of 64000 tokens whole\.$/m)
  })
  expect(requests.length).toBe(2)
})

test.each([
  ['that counts tokens', [], /but 4096\.$/m],
  ['that counts none', [noUsage()], /but less\.$/m],
])('the deep check reports that a server %s cuts long prompts', async (_, more, line) => {
  await model.keepTo([...ollama(), ...more])
  const { printed } = await checked(deep)
  expect(printed).toMatch(/^model +FAILED +fake-model does not read prompts of 64000 tokens whole/m)
  expect(printed).toMatch(line)
  expect(printed).toMatch(/OLLAMA_CONTEXT_LENGTH\), or lower MODEL_TOKENS_PER_CALL/)
})
