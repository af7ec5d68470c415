import { describe, expect, it } from 'vitest'
import { type PlanAction, planActions } from '../../src/plan/actions.ts'
import { checkHeader, checkStep } from '../../src/plan/plan-contract.ts'
import { planStep } from '../support/catalogues/plan-file.ts'

const [id, sha256] = ['4b6aa668-6336-4631-b0cc-77d59186b7a1', 'a'.repeat(64)]
const header = {
  ...{ pubctl: '0.1.0', planId: id, baseUrl: 'https://api.example', scopeId: null, match: 'isbn' },
  sources: [{ path: 'books.csv', sha256 }],
  made: '2026-03-05T12:00:00.000Z',
  ...{ counts: { create: 1, skip: 0 }, notSent: { prices: 2 }, unread: 0 },
}
const fields = { language: null, description: null, sampleItems: null, isForInternalReadingInstance: null }
const before = { currentEditionId: null, ...fields }
const send = { uploadRequestId: id, publicationFilename: 'b.epub', edition: { type: 'EPUB', title: 'T' } }
const sent = { file: '/b.epub', sha256, bytes: 5, type: 'EPUB', send, uploadRequestId: id }
const facts = (action: PlanAction) => ({ action })
const steps: Record<PlanAction, Record<string, unknown>> = {
  create: { action: 'create', ...sent },
  edition: { action: 'edition', ...sent, publicationId: 'p1', before },
  update: { action: 'update', publicationId: 'p1', before, send: { description: 'New.' } },
  resume: { action: 'resume', uploadRequestId: id },
  wait: { action: 'wait', uploadRequestId: id },
  blocked: {
    ...{ ...facts('blocked'), fields: ['author'] },
    differences: [{ field: 'author', there: null, wanted: ['Bo'] }],
  },
  drifted: {
    ...facts('drifted'),
    fields: ['description'],
    differences: [{ field: 'description', sent: null, there: 'Theirs.', wanted: 'Ours.' }],
  },
  conflict: facts('conflict'),
  'no-file': facts('no-file'),
  broken: facts('broken'),
  skip: { ...facts('skip'), proof: 'proven' },
  ignored: facts('ignored'),
  withdrawn: facts('withdrawn'),
  orphan: { ...facts('orphan'), publicationId: 'p1' },
}
const step = (action: PlanAction, more: object = {}) =>
  checkStep({ ...planStep({}), ...steps[action], ...more }) as { fault?: string; value?: object }
/** The place of a fault, before its colon. */
const placeOf = ({ fault = 'none' }: { fault?: string }) => fault.split(': ')[0]

describe('the header of a plan', () => {
  it('is taken as it is, with what later versions add', () => {
    const later = { ...header, later: 1 }
    expect(checkHeader(later)).toEqual({ value: later })
    expect(
      checkHeader({ ...header, scopeId: 'scope_1', sources: [], counts: {}, notSent: {} }),
    ).toHaveProperty('value')
  })

  it.each<[string, unknown]>([
    ['pubctl', ''],
    ['planId', 'none'],
    ['baseUrl', ''],
    ['scopeId', undefined],
    ['match', ''],
    ['sources', [{ path: 'books.csv', sha256: `${sha256}0` }]],
    ['sources', [{ sha256 }]],
    ['made', 'yesterday'],
    ['counts', { delete: 1 }],
    ['counts', { create: -1 }],
    ['counts', { create: 0.5 }],
    ['notSent', { prices: -1 }],
    ['unread', -1],
    ['unread', null],
  ])('is refused where %s is %j', (name, value) => {
    expect(placeOf(checkHeader({ ...header, [name]: value }) as object)?.split('.')[0]).toBe(name)
  })

  it('says what is wrong with a time, and with what is no object', () => {
    expect(checkHeader({ ...header, made: 'yesterday' })).toEqual({ fault: 'made: must be a time' })
    expect(checkHeader(5)).toEqual({ fault: 'Invalid input: expected object, received number' })
  })
})

describe('a step of a plan', () => {
  it.each(planActions)('%s is taken as it is', action => {
    const whole = { ...planStep({}), ...steps[action], later: { more: 1 } }
    expect(checkStep(whole)).toEqual({ value: whole })
  })

  it.each<[PlanAction, string, object]>([
    ['skip', 'key', { key: 5 }],
    ['skip', 'action', { action: 'delete' }],
    ['skip', 'why', { why: null }],
    ['skip', 'hint', { hint: undefined }],
    ['skip', 'sha256', { sha256: sha256.toUpperCase() }],
    ['skip', 'bytes', { bytes: -1 }],
    ['skip', 'type', { type: 'DOC' }],
    ['skip', 'proof', { proof: 'maybe' }],
    ['skip', 'fields', { fields: 'author' }],
    ['skip', 'differences', { differences: undefined }],
    ['blocked', 'differences.0.there', { differences: [{ field: 'author', wanted: 'Bo' }] }],
    ['blocked', 'differences.0.wanted', { differences: [{ field: 'author', there: 'Bo' }] }],
    ['blocked', 'differences.0.field', { differences: [{ field: 5, there: 'Ann', wanted: 'Bo' }] }],
    ['skip', 'before.currentEditionId', { before: { ...fields } }],
    ['skip', 'before.sampleItems', { before: { ...before, sampleItems: 'one' } }],
    [
      'skip',
      'before.isForInternalReadingInstance',
      { before: { ...before, isForInternalReadingInstance: 1 } },
    ],
    ['skip', 'send', { send: 'all' }],
    ['skip', 'uploadRequestId', { uploadRequestId: '1' }],
    ['skip', 'from', { from: 'books.csv' }],
    ['create', 'file', { file: null }],
    ['create', 'file', { file: '' }],
    ['create', 'sha256', { sha256: null }],
    ['create', 'bytes', { bytes: null }],
    ['create', 'send', { send: null }],
    ['create', 'send', { send: { ...send, more: 1 } }],
    ['create', 'send.uploadRequestId', { uploadRequestId: null }],
    ['edition', 'publicationId', { publicationId: '' }],
    ['edition', 'before', { before: null }],
    ['edition', 'file', { file: null }],
    ['update', 'publicationId', { publicationId: null }],
    ['update', 'before', { before: null }],
    ['update', 'send', { send: {} }],
    ['update', 'send', { send: null }],
    ['resume', 'uploadRequestId', { uploadRequestId: null }],
    ['wait', 'uploadRequestId', { uploadRequestId: null }],
  ])('%s is refused for its %s: %j', (action, place, more) => {
    expect(placeOf(step(action, more))).toBe(place)
  })

  it('says what is wrong with its body', () => {
    expect(step('update', { send: {} }).fault).toBe('send: must change something')
    expect(step('create', { uploadRequestId: null }).fault).toBe(
      'send.uploadRequestId: it is not that of the step',
    )
  })
})
