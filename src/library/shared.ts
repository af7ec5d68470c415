/**
 * What exists once in a process, although the library is built twice, as ES modules and as CommonJS: an error is an instance
 * of its class, and a client is known, whichever of the two either comes from.
 */
export * from '../system/errors.ts'
export { connect, connectionOf } from './connections.ts'
export { UploadFailure } from './upload-failure.ts'
