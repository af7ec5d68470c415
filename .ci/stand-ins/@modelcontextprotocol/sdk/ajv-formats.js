// As ajv.js beside it.
export default () => undefined
