// The SDK checks by JSON schemas only what it asks of clients, and pubctl asks them nothing.
export default class Ajv {}
