import type { components } from '../../../generated/api.ts'
import { contract } from '../../contract.ts'

export type ReportMistakeRequest = components['schemas']['ReportMistakeRequest']

interface Declared {
  properties: Record<keyof ReportMistakeRequest, { maxLength: number }>
}

const { properties } = contract.components.schemas['ReportMistakeRequest'] as Declared

export const MAX_CHARACTERS = { description: properties.description.maxLength, quote: properties.quote.maxLength }

/**
 * The text as it is stored: with the same line ends from browsers and API clients, and without NUL, which Postgres
 * rejects.
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '').replaceAll('\r\n', '\n').trim()
}

/** Whether the fields of a form fit the contract, which the service checks by itself only for the API. */
export function isWithinLimits({ description, quote }: Required<ReportMistakeRequest>): boolean {
  return (
    description !== '' &&
    [...description].length <= MAX_CHARACTERS.description &&
    [...quote].length <= MAX_CHARACTERS.quote
  )
}
